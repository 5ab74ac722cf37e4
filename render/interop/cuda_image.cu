// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA-OpenGL interop of one texture, or its absence.
#include "render/interop/cuda_image.hpp"

#include "gpu/core/error.hpp"

#if defined(__CUDACC__)
#include <GL/glew.h>

#include <cuda_gl_interop.h>
#include <cuda_runtime.h>
#endif

namespace echolux {

#if defined(__CUDACC__)

namespace {

void check(cudaError_t code, const char* call) {
    if (code == cudaSuccess) return;
    cudaGetLastError(); // reported here, not again by the next check
    throw Error(std::string("The GPU failed to show a frame in ") + call + ": " +
                cudaGetErrorString(code) +
                "; close other programs that use it, or use the CPU backend.");
}

/// Unmaps even where the copy throws.
class Mapping {
public:
    Mapping(cudaGraphicsResource_t resource, cudaStream_t stream)
        : m_resource(resource), m_stream(stream) {
        check(cudaGraphicsMapResources(1, &m_resource, stream), "cudaGraphicsMapResources");
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

} // namespace

void selectDeviceOf(const void* pixels) {
    cudaPointerAttributes attributes{};
    check(cudaPointerGetAttributes(&attributes, pixels), "cudaPointerGetAttributes");
    device::select(attributes.device);
}

std::unique_ptr<CudaImage> CudaImage::tryRegister(unsigned texture, std::string& reason) {
    cudaGraphicsResource_t resource = nullptr;
    const cudaError_t code = cudaGraphicsGLRegisterImage(&resource, texture, GL_TEXTURE_2D,
                                                         cudaGraphicsRegisterFlagsWriteDiscard);
    if (code != cudaSuccess) {
        cudaGetLastError();
        reason = std::string("cudaGraphicsGLRegisterImage: ") + cudaGetErrorString(code);
        return nullptr;
    }
    return std::unique_ptr<CudaImage>(new CudaImage(resource));
}

CudaImage::~CudaImage() {
    cudaGraphicsUnregisterResource(static_cast<cudaGraphicsResource_t>(m_resource));
}

void CudaImage::copyFrom(const float* pixels, int width, int height, device::Event ready,
                         device::Stream stream) {
    const auto cudaStream = static_cast<cudaStream_t>(stream);
    Mapping mapping(static_cast<cudaGraphicsResource_t>(m_resource), cudaStream);
    if (ready != nullptr) device::wait(stream, ready);
    const std::size_t rowBytes = static_cast<std::size_t>(width) * sizeof(float);
    check(cudaMemcpy2DToArrayAsync(mapping.array(), 0, 0, pixels, rowBytes, rowBytes,
                                   static_cast<std::size_t>(height), cudaMemcpyDeviceToDevice,
                                   cudaStream),
          "cudaMemcpy2DToArrayAsync");
    mapping.unmap();
}

#else

namespace {
[[noreturn]] void refuse() {
    throw Error("This program was built without CUDA and cannot show frames of the CUDA backend; "
                "use the CPU backend.");
}
} // namespace

void selectDeviceOf(const void*) { refuse(); }
std::unique_ptr<CudaImage> CudaImage::tryRegister(unsigned, std::string& reason) {
    reason = "built without CUDA";
    return nullptr;
}
CudaImage::~CudaImage() = default;
void CudaImage::copyFrom(const float*, int, int, device::Event, device::Stream) {
    (void)m_resource;
    refuse();
}

#endif

} // namespace echolux
