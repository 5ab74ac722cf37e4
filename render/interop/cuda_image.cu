// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA-OpenGL interop of one texture, and its replacement in builds without CUDA.
#include "render/interop/cuda_image.hpp"

#include "gpu/core/error.hpp"

#if defined(__CUDACC__)
#include "render/interop/cuda_gl.cuh"
#endif

namespace echolux {

#if defined(__CUDACC__)

using interop::check;
using interop::Mapping;

void selectDeviceOf(const void* memory) {
    cudaPointerAttributes attributes{};
    check(cudaPointerGetAttributes(&attributes, memory), "cudaPointerGetAttributes");
    device::select(attributes.device);
}

std::unique_ptr<CudaImage> CudaImage::tryRegister(unsigned texture, std::string& reason) {
    cudaGraphicsResource_t resource =
        interop::tryRegister(texture, GL_TEXTURE_2D, cudaGraphicsRegisterFlagsWriteDiscard, reason);
    if (resource == nullptr) return nullptr;
    return std::unique_ptr<CudaImage>(new CudaImage(resource));
}

CudaImage::~CudaImage() {
    cudaGraphicsUnregisterResource(static_cast<cudaGraphicsResource_t>(m_resource));
}

void CudaImage::copyFrom(const float* pixels, int width, int height, device::Event ready,
                         device::Stream stream) {
    Mapping mapping(m_resource, stream);
    if (ready != nullptr) device::wait(stream, ready);
    const std::size_t rowBytes = static_cast<std::size_t>(width) * sizeof(float);
    check(cudaMemcpy2DToArrayAsync(mapping.array(), 0, 0, pixels, rowBytes, rowBytes,
                                   static_cast<std::size_t>(height), cudaMemcpyDeviceToDevice,
                                   static_cast<cudaStream_t>(stream)),
          "cudaMemcpy2DToArrayAsync");
    mapping.unmap();
}

std::unique_ptr<CudaVolume> CudaVolume::tryRegister(unsigned texture, std::string& reason) {
    cudaGraphicsResource_t resource =
        interop::tryRegister(texture, GL_TEXTURE_3D, cudaGraphicsRegisterFlagsNone, reason);
    if (resource == nullptr) return nullptr;
    return std::unique_ptr<CudaVolume>(new CudaVolume(resource));
}

CudaVolume::~CudaVolume() {
    cudaGraphicsUnregisterResource(static_cast<cudaGraphicsResource_t>(m_resource));
}

void CudaVolume::copyFrom(const Piece& piece, const VolumeShape& shape, device::Stream stream) {
    Mapping mapping(m_resource, stream);
    cudaMemcpy3DParms copy{};
    const auto bins = static_cast<std::size_t>(shape.bins);
    const auto lines = static_cast<std::size_t>(shape.lines);
    copy.srcPtr =
        make_cudaPitchedPtr(const_cast<Half*>(piece.voxels), bins * sizeof(Half), bins, lines);
    copy.dstArray = mapping.array();
    copy.dstPos = make_cudaPos(0, 0, static_cast<std::size_t>(piece.first));
    copy.extent = make_cudaExtent(bins, lines, static_cast<std::size_t>(piece.count));
    copy.kind = cudaMemcpyDeviceToDevice;
    check(cudaMemcpy3DAsync(&copy, static_cast<cudaStream_t>(stream)), "cudaMemcpy3DAsync");
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
std::unique_ptr<CudaVolume> CudaVolume::tryRegister(unsigned, std::string& reason) {
    reason = "built without CUDA";
    return nullptr;
}
CudaVolume::~CudaVolume() = default;
void CudaVolume::copyFrom(const Piece&, const VolumeShape&, device::Stream) {
    (void)m_resource;
    refuse();
}

#endif

} // namespace echolux
