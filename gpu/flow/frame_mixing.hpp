// SPDX-License-Identifier: GPL-3.0-or-later
// Mixes the frames of an ensemble by a matrix, and makes such matrices from the ensemble itself.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <cstdint>

namespace echolux::flow {

/// An ensemble [frame][pixel].
struct MixedFrames {
    const Complex* in;
    Complex* out;
    int frames;
    std::int64_t pixels;
};

/// out[f][p] = sum over g of in[g][p] matrix[g][f]; the matrix [frames][frames] lies in compute
/// memory. `in` and `out` differ.
void mixFrames(const Exec& exec, const char* name, const MixedFrames& ensemble,
               const Complex* matrix);

/// Bytes of scratch memory for keepSubspace().
std::size_t subspaceBytes(int frames, std::int64_t pixels);

/// Writes to `matrix` the projection V V^H on those right singular vectors of the ensemble whose
/// singular values are number `first` to `end` - 1, counted from 0 in falling order (Demene et al.,
/// Spatiotemporal clutter filtering of ultrafast ultrasound data, IEEE Trans. Med. Imaging 34,
/// 2015). They are eigenvectors of the Gram matrix of the frames, summed in single precision:
/// values more than 70 dB below the largest are lost in its rounding.
void keepSubspace(const Exec& exec, const char* name, const MixedFrames& ensemble, int first,
                  int end, void* scratch, Complex* matrix);

} // namespace echolux::flow
