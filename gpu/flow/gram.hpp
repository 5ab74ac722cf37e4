// SPDX-License-Identifier: GPL-3.0-or-later
// The Gram matrix of an ensemble's frames.
#pragma once

#include "gpu/flow/frame_mixing.hpp"

#include <cstddef>

namespace echolux::flow {

/// Bytes of scratch memory for gramMatrix().
std::size_t gramBytes(int frames, std::int64_t pixels);

/// Writes G[f][g] = sum over p of conj(x[f][p]) x[g][p], in compute memory. A row has `stride`
/// entries, at least `frames`; those beyond the frames become zero, and so do rows up to `stride`.
/// Summed in single precision over some thousand pixels, beyond that in double precision.
void gramMatrix(const Exec& exec, const char* name, const MixedFrames& ensemble, int stride,
                void* scratch, Complex* matrix);

} // namespace echolux::flow
