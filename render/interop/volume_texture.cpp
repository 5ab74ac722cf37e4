// SPDX-License-Identifier: GPL-3.0-or-later
// Size of the texture, choice of the path, and the copies of what has changed.
#include "render/interop/volume_texture.hpp"

#include "gpu/core/error.hpp"
#include "gpu/memory/transfer.hpp"
#include "render/interop/release.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

namespace echolux {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{16} << 20U;

} // namespace

void VolumeTexture::take(const DisplayVolume& volume, VolumeSupplier& supplier) {
    Release release(supplier);
    resize(volume);
    choosePath(volume);
    if (volume.backend == Backend::Cuda) {
        release.after(m_stream.get());
        if (volume.ready != nullptr) device::wait(m_stream.get(), volume.ready);
    }
    // A shared texture needs no memory for pieces, and each mapping waits until drawing ends. So it
    // is written in one piece.
    const bool shared = m_cuda && m_shrink.none();
    const std::int64_t most = shared ? m_small.bscans : bscansPerPiece();
    for (const BscanRange& range : volume.changed) {
        const std::int64_t end =
            (range.first + range.count + m_shrink.bscans - 1) / m_shrink.bscans;
        for (std::int64_t first = range.first / m_shrink.bscans; first < end; first += most)
            takePiece(volume, first, std::min(most, end - first));
    }
}

std::int64_t VolumeTexture::bscansPerPiece() const {
    const auto bytes = static_cast<std::size_t>(m_small.slice()) * sizeof(Half);
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(kPieceBytes / bytes), 1,
                                    m_small.bscans);
}

void VolumeTexture::resize(const DisplayVolume& volume) {
    m_spec = volume.spec;
    if (!empty() && volume.shape == m_whole) return;
    m_cuda.reset();
    m_reduced = {};
    m_staging = {};
    m_whole = volume.shape;
    GLint longest = 0;
    glGetIntegerv(GL_MAX_3D_TEXTURE_SIZE, &longest);
    for (std::size_t bytes = m_maxBytes;; bytes /= 2) {
        m_shrink = shrinkToFit(m_whole, bytes, longest);
        m_small = m_shrink.of(m_whole);
        if (allocateTexture()) break;
        m_texture = {};
        if (m_small.count() == 1) {
            throw Error("The graphics card has no memory left for a volume; close other programs "
                        "that use it, or the volume view.");
        }
    }
    if (m_shrink.none()) return;
    spdlog::info("volume view: {} x {} x {} voxels are drawn as {} x {} x {}", m_whole.bscans,
                 m_whole.lines, m_whole.bins, m_small.bscans, m_small.lines, m_small.bins);
}

bool VolumeTexture::allocateTexture() {
    glActiveTexture(GL_TEXTURE0);
    while (glGetError() != GL_NO_ERROR) {
    } // errors of earlier calls
    m_texture =
        gl::makeTexture3d(GL_R16F, static_cast<int>(m_small.bins), static_cast<int>(m_small.lines),
                          static_cast<int>(m_small.bscans), GL_RED, GL_HALF_FLOAT);
    return glGetError() == GL_NO_ERROR;
}

void VolumeTexture::choosePath(const DisplayVolume& volume) {
    const bool chosen = m_path && m_backend == volume.backend;
    if (chosen && (!m_path->interop || m_cuda)) return;
    m_backend = volume.backend;
    if (volume.backend == Backend::Cpu) {
        m_cuda.reset();
        fallBack("upload: CPU backend", "The CPU backend computes in host memory, so each B-scan "
                                        "of the volume is copied to the graphics card once.");
        return;
    }
    selectDeviceOf(volume.voxels);
    if (m_stream.get() == nullptr) m_stream = Stream(Backend::Cuda, "volume display");
    std::string refusal = fmt::format("OpenGL is drawn by {}", gl::rendererName());
    if (gl::vendorName().find("NVIDIA") != std::string::npos)
        m_cuda = CudaVolume::tryRegister(m_texture.name(), refusal);
    if (!m_cuda) {
        fallBack("upload: no interop",
                 fmt::format("CUDA and OpenGL share no volume ({}), so each B-scan is copied to "
                             "the host and from there to the screen.",
                             refusal));
        return;
    }
    if (chosen) return; // only the size has changed
    m_path = {true, "interop, 0 copies to host",
              "CUDA writes each B-scan straight into the OpenGL volume."};
    spdlog::info("volume path: {}", m_path->badge);
}

void VolumeTexture::fallBack(const std::string& badge, const std::string& reason) {
    m_path = {false, badge, reason};
    spdlog::info("volume path: {}. {}", badge, reason);
}

void VolumeTexture::takePiece(const DisplayVolume& volume, std::int64_t first, std::int64_t count) {
    const Exec exec{volume.backend, m_stream.get()};
    const auto pieceBytes =
        static_cast<std::size_t>(bscansPerPiece() * m_small.slice()) * sizeof(Half);
    const Half* voxels = volume.voxels + first * m_small.slice();
    if (!m_shrink.none()) {
        if (m_reduced.bytes() == 0) m_reduced = Buffer(computeMemory(volume.backend), pieceBytes);
        shrinkBscans(exec, volume.voxels, m_whole, m_shrink, first, count, m_reduced.as<Half>());
        voxels = m_reduced.as<const Half>();
    }
    if (m_cuda) {
        try {
            m_cuda->copyFrom({voxels, first, count}, m_small, m_stream.get());
            return;
        } catch (const Error& error) {
            m_cuda.reset();
            fallBack("upload: interop failed", error.what());
        }
    }
    if (volume.backend == Backend::Cuda) {
        if (m_staging.bytes() == 0) m_staging = Buffer(MemoryKind::Pinned, pieceBytes);
        download(exec, m_staging.data(), voxels,
                 static_cast<std::size_t>(count * m_small.slice()) * sizeof(Half));
        m_stream.synchronize();
        voxels = m_staging.as<const Half>();
    }
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_3D, m_texture.name());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 2);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTexSubImage3D(GL_TEXTURE_3D, 0, 0, 0, static_cast<GLint>(first),
                    static_cast<GLsizei>(m_small.bins), static_cast<GLsizei>(m_small.lines),
                    static_cast<GLsizei>(count), GL_RED, GL_HALF_FLOAT, voxels);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

} // namespace echolux
