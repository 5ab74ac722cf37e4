// SPDX-License-Identifier: GPL-3.0-or-later
// The Python interpreter in this process, for stages that are written in Python.
#pragma once

#include <cstdint>

namespace echolux {

/// The functions at the end of echolux_stages.py. Each returns JSON that is valid until the next
/// call of the same thread; {"error": ...} where it failed. Any thread may call; one runs at a
/// time.
struct PythonFunctions {
    const char* (*load)(const char* source, const char* path) = nullptr;
    const char* (*plan)(std::int64_t stage, const char* input, const char* values) = nullptr;
    const char* (*run)(std::int64_t stage, const char* input, const char* output,
                       const char* values, const void* data, void* out) = nullptr;
    /// {"error": why} where Python has no CuPy. Gives memory back that CuPy has cached on this GPU;
    /// -1: on none.
    const char* (*useGpu)(std::int64_t device) = nullptr;
    /// run() in memory of this GPU: enqueues the work on `stream`, a cudaStream_t.
    const char* (*runOnGpu)(std::int64_t stage, const char* input, const char* output,
                            const char* values, const void* data, void* out, std::int64_t device,
                            void* stream) = nullptr;
};

/// Starts Python at the first call, unless this process is Python already. It runs until the
/// process ends. Throws Error where there is no Python from 3.9 on, or no NumPy.
const PythonFunctions& pythonFunctions();

} // namespace echolux
