// SPDX-License-Identifier: GPL-3.0-or-later
// A volume as a 3D texture in half precision, kept up to date B-scan by B-scan by CUDA-OpenGL
// interop or by upload from the host.
#pragma once

#include "render/gl/objects.hpp"
#include "render/interop/cuda_image.hpp"
#include "render/interop/display_path.hpp"
#include "render/interop/volume_supplier.hpp"

#include "gpu/memory/buffer.hpp"

#include <memory>
#include <optional>

namespace echolux {

/// Used on the GL thread with its context current. Texture coordinates are (depth, lateral,
/// elevation). In steady state it allocates nothing and, on the interop path, copies nothing to the
/// host.
class VolumeTexture {
public:
    /// `maxBytes` is the most memory of the texture. A larger volume is shrunk: shrinkBscans()
    /// merges voxels.
    explicit VolumeTexture(std::size_t maxBytes) : m_maxBytes(maxBytes) {}

    /// Copies what has changed and releases the volume, also where it throws. Throws Error where
    /// the graphics card cannot hold even a shrunk volume.
    void take(const DisplayVolume& volume, VolumeSupplier& supplier);

    bool empty() const { return m_texture.name() == 0; }
    GLuint name() const { return m_texture.name(); }
    const FrameSpec& spec() const { return m_spec; }     ///< of the volume before it was shrunk
    const VolumeShape& shape() const { return m_small; } ///< of the texture
    const Shrink& shrink() const { return m_shrink; }
    const std::optional<DisplayPath>& path() const { return m_path; }

private:
    void resize(const DisplayVolume& volume);
    bool allocateTexture();
    void choosePath(const DisplayVolume& volume);
    void fallBack(const std::string& badge, const std::string& reason);
    void takePiece(const DisplayVolume& volume, std::int64_t first, std::int64_t count);
    std::int64_t bscansPerPiece() const;

    std::size_t m_maxBytes;
    FrameSpec m_spec;
    VolumeShape m_whole;
    Shrink m_shrink;
    VolumeShape m_small;
    Stream m_stream;
    gl::Texture m_texture;
    std::unique_ptr<CudaVolume> m_cuda; ///< destroyed before the texture
    Buffer m_reduced;                   ///< a piece, shrunk, in compute memory
    Buffer m_staging;                   ///< a piece on the host, where interop fails
    std::optional<DisplayPath> m_path;
    std::optional<Backend> m_backend; ///< the backend that m_path was chosen for
};

} // namespace echolux
