// SPDX-License-Identifier: GPL-3.0-or-later
// The newest frame as an R32F texture, filled by CUDA-OpenGL interop or by upload from the host.
#pragma once

#include "render/gl/objects.hpp"
#include "render/gl/pixel_fetch.hpp"
#include "render/interop/cuda_image.hpp"
#include "render/interop/display_path.hpp"
#include "render/interop/frame_supplier.hpp"

#include "gpu/memory/buffer.hpp"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace echolux {

/// Lives on the GL thread with its context current, from construction to destruction. In steady
/// state (frames of one size and backend) it allocates nothing and, on the interop path, copies
/// nothing to the host.
class FrameTexture {
public:
    FrameTexture() = default;

    /// Takes the frame's pixels over and releases the frame, also where it throws. Throws Error for
    /// frames that are no image, or larger than the graphics card's limit.
    void take(const DisplayFrame& frame, FrameSupplier& supplier);
    /// Fills from host memory, in the order that `spec` says: after a lost context.
    void restore(const FrameSpec& spec, std::span<const float> pixels);

    bool empty() const { return m_texture.name() == 0; }
    GLuint name() const { return m_texture.name(); }
    int width() const { return m_width; } ///< of the last axis, contiguous in memory
    int height() const { return m_height; }
    const FrameSpec& spec() const { return m_spec; }
    /// Of the frames taken so far; empty before the first one.
    const std::optional<DisplayPath>& path() const { return m_path; }

    /// Asks for one texel as it is now; takeValue() has it once it has come, a picture or so later.
    void askForValue(int column, int row);
    std::optional<float> takeValue();
    bool valuePending() const { return m_value.pending(); }
    /// All texels in the frame's order. On demand only: it waits for the graphics card, and counts
    /// as a copy of an image to the host.
    std::vector<float> readBack() const;

private:
    void resize(const FrameSpec& spec);
    void attachReader();
    void choosePath(const DisplayFrame& frame);
    void fallBack(const std::string& badge, const std::string& reason);
    void takeByInterop(const DisplayFrame& frame);
    void takeByUpload(const DisplayFrame& frame);
    void uploadFromHost(const float* pixels);
    std::size_t bytes() const;

    FrameSpec m_spec;
    int m_width = 0;
    int m_height = 0;
    Stream m_stream; ///< of CUDA frames; outlives the registration
    gl::Texture m_texture;
    std::unique_ptr<CudaImage> m_cudaImage; ///< unregistered before the texture goes
    gl::Framebuffer m_reader;
    gl::PixelFetch m_value;
    std::array<gl::PixelBuffer, 2> m_pixelBuffers; ///< one fills while the other is drawn from
    std::size_t m_nextPixelBuffer = 0;
    Buffer m_staging; ///< host copy of CUDA frames on the upload path
    std::optional<DisplayPath> m_path;
    std::optional<Backend> m_backend; ///< that m_path was chosen for
};

} // namespace echolux
