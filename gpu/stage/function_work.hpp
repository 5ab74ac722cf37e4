// SPDX-License-Identifier: GPL-3.0-or-later
// What functions of the C library do, for the declarations of stages (stage_work.hpp). On CUDA the
// counts are those of the PTX that nvcc 13.0 makes, without the branches for huge arguments. On the
// CPU they are the instructions of glibc 2.36 on x86-64, counted step by step over arguments from
// -1 to 1: calls do not fill vectors, so all of them are offsets.
#pragma once

#include "gpu/stage/stage_work.hpp"

namespace echolux {

/// `onCuda` on CUDA; on the CPU so many instructions.
inline model::Part functionWork(Backend backend, const model::Part& onCuda, double onHost) {
    return backend == Backend::Cuda ? onCuda : model::Part{.offsets = onHost};
}

/// A division or a root in a loop of the CPU that does not fill vectors: see kHostRoot.
inline model::Part divisionWork(Backend backend) {
    if (backend == Backend::Cpu) return {.special = kHostRoot, .offsets = 1.0};
    return {.ffma = 5.0, .special = 1.0, .offsets = 4.0};
}
inline model::Part rootWork(Backend backend) {
    if (backend == Backend::Cpu) return {.special = kHostRoot, .offsets = 3.0};
    return {.ffma = 3.0, .fmul = 2.0, .special = 1.0, .offsets = 4.0};
}

inline model::Part arcTangentWork(Backend backend) { // atan2f
    return functionWork(
        backend, {.ffma = 16.0, .fmul = 3.0, .fadd = 6.0, .special = 1.0, .offsets = 20.0}, 129.0);
}
inline model::Part arcSineWork(Backend backend) {
    return functionWork(
        backend, {.ffma = 9.0, .fmul = 5.0, .fadd = 5.0, .special = 1.0, .offsets = 8.0}, 42.0);
}
inline model::Part sineWork(Backend backend) {
    return functionWork(backend, {.ffma = 9.0, .fmul = 2.0, .fadd = 2.0, .offsets = 12.0}, 30.0);
}
/// Sine and cosine of the same angle.
inline model::Part turnWork(Backend backend) {
    return functionWork(backend, {.ffma = 16.0, .fmul = 3.0, .fadd = 2.0, .offsets = 18.0}, 46.0);
}
inline model::Part powerWork(Backend backend) { // powf
    return functionWork(
        backend, {.ffma = 19.0, .fmul = 10.0, .fadd = 22.0, .special = 2.0, .offsets = 35.0}, 69.0);
}
inline model::Part logarithmWork(Backend backend) { // logf
    return functionWork(backend, {.ffma = 12.0, .fmul = 2.0, .fadd = 4.0, .offsets = 8.0}, 38.0);
}
inline model::Part logarithmOfOnePlusWork(Backend backend) { // log1pf
    return functionWork(backend, {.ffma = 11.0, .fmul = 2.0, .fadd = 2.0, .offsets = 9.0}, 64.0);
}
inline model::Part exponentialWork(Backend backend) { // expf
    return functionWork(
        backend, {.ffma = 4.0, .fmul = 1.0, .fadd = 1.0, .special = 1.0, .offsets = 3.0}, 33.0);
}
inline model::Part decimalLogarithmWork(Backend backend) { // log10f
    return functionWork(backend, {.ffma = 12.0, .fmul = 3.0, .fadd = 4.0, .offsets = 8.0},
                        kHostLog10);
}
inline model::Part hypotenuseWork(Backend backend) { // hypotf
    return functionWork(
        backend, {.ffma = 4.0, .fmul = 6.0, .fadd = 4.0, .special = 1.0, .offsets = 12.0}, 24.0);
}

} // namespace echolux
