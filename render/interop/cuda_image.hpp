// SPDX-License-Identifier: GPL-3.0-or-later
// OpenGL textures that CUDA writes into without a detour through the host.
#pragma once

#include "gpu/exec/exec.hpp"
#include "gpu/volume/volume.hpp"

#include <memory>
#include <string>

namespace echolux {

/// Makes the device that owns `memory` the calling thread's.
void selectDeviceOf(const void* memory);

/// Registration of one texture with CUDA. Lives on the GL thread, no longer than the texture and
/// the context.
class CudaImage {
public:
    /// Null, with the driver's reason, where CUDA cannot share the texture (or is not built in).
    static std::unique_ptr<CudaImage> tryRegister(unsigned texture, std::string& reason);
    ~CudaImage();
    CudaImage(const CudaImage&) = delete;
    CudaImage& operator=(const CudaImage&) = delete;

    /// Enqueues on `stream`: wait for `ready`, then copy width x height dense floats from device
    /// memory to the texture. OpenGL commands issued afterwards see the new contents. Throws Error.
    void copyFrom(const float* pixels, int width, int height, device::Event ready,
                  device::Stream stream);

private:
    explicit CudaImage(void* resource) : m_resource(resource) {}
    void* m_resource; ///< cudaGraphicsResource_t
};

/// The same of a 3D texture of half-precision voxels: depth across, lateral down, elevation behind.
class CudaVolume {
public:
    static std::unique_ptr<CudaVolume> tryRegister(unsigned texture, std::string& reason);
    ~CudaVolume();
    CudaVolume(const CudaVolume&) = delete;
    CudaVolume& operator=(const CudaVolume&) = delete;

    /// Some B-scans of a volume, dense in device memory.
    struct Piece {
        const Half* voxels = nullptr;
        std::int64_t first = 0; ///< where they belong
        std::int64_t count = 0;
    };
    /// Enqueues the copy on `stream`. OpenGL commands issued afterwards see the new contents.
    /// Throws Error.
    void copyFrom(const Piece& piece, const VolumeShape& shape, device::Stream stream);

private:
    explicit CudaVolume(void* resource) : m_resource(resource) {}
    void* m_resource; ///< cudaGraphicsResource_t
};

} // namespace echolux
