// SPDX-License-Identifier: GPL-3.0-or-later
// OpenGL textures that CUDA writes directly, without a copy through the host.
#pragma once

#include "gpu/exec/exec.hpp"
#include "gpu/volume/volume.hpp"

#include <memory>
#include <string>

namespace echolux {

/// Makes the device that owns `memory` the calling thread's device.
void selectDeviceOf(const void* memory);

/// Registration of one texture with CUDA. Used on the GL thread. Destroyed before the texture and
/// the context.
class CudaImage {
public:
    /// Null, with the driver's reason in `reason`, where CUDA cannot share the texture or is not
    /// built in.
    static std::unique_ptr<CudaImage> tryRegister(unsigned texture, std::string& reason);
    ~CudaImage();
    CudaImage(const CudaImage&) = delete;
    CudaImage& operator=(const CudaImage&) = delete;

    /// Enqueues two things on `stream`: a wait for `ready`, then a copy of width x height dense
    /// floats from device memory to the texture. OpenGL commands issued afterwards see the new
    /// contents. Throws Error.
    void copyFrom(const float* pixels, int width, int height, device::Event ready,
                  device::Stream stream);

private:
    explicit CudaImage(void* resource) : m_resource(resource) {}
    void* m_resource; ///< cudaGraphicsResource_t
};

/// The same for a 3D texture of half-precision voxels. Its axes are depth, lateral and elevation,
/// in this order.
class CudaVolume {
public:
    static std::unique_ptr<CudaVolume> tryRegister(unsigned texture, std::string& reason);
    ~CudaVolume();
    CudaVolume(const CudaVolume&) = delete;
    CudaVolume& operator=(const CudaVolume&) = delete;

    /// Some B-scans of a volume, dense in device memory.
    struct Piece {
        const Half* voxels = nullptr;
        std::int64_t first = 0; ///< number of the first one in the volume
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
