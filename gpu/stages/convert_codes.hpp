// SPDX-License-Identifier: GPL-3.0-or-later
// Converts real codes to floats. On CUDA it converts four at once, because loads of single codes
// would use only a part of the memory's bandwidth. Include it only from .cu files.
#pragma once

#include "gpu/core/code_to_float.hpp"
#include "gpu/exec/for_each.hpp"

#include <cstdint>

namespace echolux {

template <class Code> void convertCodes(const Exec& exec, const char* name, const Code* in,
                                        float* out, std::int64_t count,
                                        const CodeScaling& scaling) {
    using Four = FourToFloat<Code>;
    const auto isAt = [](const void* pointer, std::size_t bytes) {
        return reinterpret_cast<std::uintptr_t>(pointer) % bytes == 0;
    };
    std::int64_t done = 0;
    if (exec.backend == Backend::Cuda && isAt(in, sizeof(typename Four::Codes)) &&
        isAt(out, sizeof(typename Four::Values))) {
        forEach(exec, name, count / 4,
                Four{reinterpret_cast<const typename Four::Codes*>(in),
                     reinterpret_cast<typename Four::Values*>(out), scaling});
        done = count / 4 * 4;
    }
    forEach(exec, name, count - done, RealToFloat<Code>{in + done, out + done, scaling});
}

} // namespace echolux
