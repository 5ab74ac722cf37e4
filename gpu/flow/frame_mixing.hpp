// SPDX-License-Identifier: GPL-3.0-or-later
// Mixes the frames of an ensemble by a matrix, and multiplies them with each other.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/flow/image_blocks.hpp"
#include "gpu/flow/wide_complex.hpp"

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

/// Bytes of scratch memory for gramMatrix().
std::size_t gramBytes(int frames, std::int64_t pixels);

/// Writes G[f][g] = sum over p of conj(x[f][p]) x[g][p], in compute memory. A row has `stride`
/// entries, at least `frames`; those beyond the frames become zero, and so do rows up to `stride`.
/// Summed in single precision over some thousand pixels, beyond that in double precision.
void gramMatrix(const Exec& exec, const char* name, const MixedFrames& ensemble, int stride,
                void* scratch, Complex* matrix);

/// The same for each block of the images, from its own pixels: `matrices` [block][stride][stride].
/// All blocks at once.
std::size_t gramBytes(int frames, const ImageBlocks& blocks);
void gramMatrices(const Exec& exec, const char* name, const MixedFrames& ensemble,
                  const ImageBlocks& blocks, int stride, void* scratch, Complex* matrices);

/// The same in double precision, which takes twice as long on cards for computing centres, and up
/// to 64 times as long on others. Where `wanted` [block] is given, blocks with 0 there are left
/// out.
std::size_t wideGramBytes(int frames, std::int64_t pixels);
void gramMatrix(const Exec& exec, const char* name, const MixedFrames& ensemble, int stride,
                void* scratch, WideComplex* matrix, const int* wanted = nullptr);
std::size_t wideGramBytes(int frames, const ImageBlocks& blocks);
void gramMatrices(const Exec& exec, const char* name, const MixedFrames& ensemble,
                  const ImageBlocks& blocks, int stride, void* scratch, WideComplex* matrices,
                  const int* wanted = nullptr);

} // namespace echolux::flow
