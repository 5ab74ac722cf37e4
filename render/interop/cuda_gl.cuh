// SPDX-License-Identifier: GPL-3.0-or-later
// Used by the interop files: errors of the CUDA runtime, and mapping of a registered resource.
#pragma once

#include "gpu/core/error.hpp"

#include <GL/glew.h>

#include <cuda_gl_interop.h>
#include <cuda_runtime.h>

#include <string>

namespace echolux::interop {

inline void check(cudaError_t code, const char* call) {
    if (code == cudaSuccess) return;
    cudaGetLastError(); // reported here, not again by the next check
    throw Error(std::string("The GPU failed to show a frame in ") + call + ": " +
                cudaGetErrorString(code) +
                "; close other programs that use it, or use the CPU backend.");
}

/// Null, with the driver's reason in `reason`, where CUDA cannot share the texture. Set
/// WriteDiscard in `flags` for textures that are written completely at every mapping.
inline cudaGraphicsResource_t tryRegister(unsigned texture, GLenum target, unsigned flags,
                                          std::string& reason) {
    cudaGraphicsResource_t resource = nullptr;
    const cudaError_t code = cudaGraphicsGLRegisterImage(&resource, texture, target, flags);
    if (code == cudaSuccess) return resource;
    cudaGetLastError();
    reason = std::string("cudaGraphicsGLRegisterImage: ") + cudaGetErrorString(code);
    return nullptr;
}

/// A mapped resource. Unmaps it even where the copy throws.
class Mapping {
public:
    Mapping(void* resource, device::Stream stream)
        : m_resource(static_cast<cudaGraphicsResource_t>(resource)),
          m_stream(static_cast<cudaStream_t>(stream)) {
        check(cudaGraphicsMapResources(1, &m_resource, m_stream), "cudaGraphicsMapResources");
    }
    ~Mapping() {
        if (m_resource != nullptr) cudaGraphicsUnmapResources(1, &m_resource, m_stream);
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;

    cudaArray_t array() const {
        cudaArray_t array = nullptr;
        check(cudaGraphicsSubResourceGetMappedArray(&array, m_resource, 0, 0),
              "cudaGraphicsSubResourceGetMappedArray");
        return array;
    }
    void unmap() {
        cudaGraphicsResource_t resource = m_resource;
        m_resource = nullptr;
        check(cudaGraphicsUnmapResources(1, &resource, m_stream), "cudaGraphicsUnmapResources");
    }

private:
    cudaGraphicsResource_t m_resource;
    cudaStream_t m_stream;
};

} // namespace echolux::interop
