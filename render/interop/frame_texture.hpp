// SPDX-License-Identifier: GPL-3.0-or-later
// The newest frame as an R32F texture, filled by CUDA-OpenGL interop or by upload from the host.
#pragma once

#include "render/gl/objects.hpp"
#include "render/gl/pixel_fetch.hpp"
#include "render/interop/cuda_image.hpp"
#include "render/interop/display_path.hpp"
#include "render/interop/frame_supplier.hpp"
#include "render/interop/release.hpp"

#include "gpu/memory/buffer.hpp"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace echolux {

/// Constructed, used and destroyed on the GL thread with its context current. In steady state
/// (frames of one size and backend) it allocates nothing and, on the interop path, copies nothing
/// to the host.
class FrameTexture {
public:
    FrameTexture() = default;

    /// Copies the frame's pixels. Where the copy is only enqueued, it is on stream(), and `release`
    /// is told so. Throws Error where the frame is no image or is larger than the graphics card's
    /// limit.
    void take(const DisplayFrame& frame, Release<FrameSupplier>& release);
    device::Stream stream() const { return m_stream.get(); } ///< null before the first CUDA frame
    /// Fills the texture from host memory in the order of `spec`, after a lost context.
    void restore(const FrameSpec& spec, std::span<const float> pixels);

    bool empty() const { return m_texture.name() == 0; }
    GLuint name() const { return m_texture.name(); }
    int width() const { return m_width; } ///< size of the last axis, which is contiguous in memory
    int height() const { return m_height; }
    const FrameSpec& spec() const { return m_spec; }
    /// The display path of the frames so far; empty before the first frame.
    const std::optional<DisplayPath>& path() const { return m_path; }

    /// Requests one texel as it is now. takeValue() returns it when it has arrived, about one
    /// picture later.
    void askForValue(int column, int row);
    std::optional<float> takeValue();
    bool valuePending() const { return m_value.pending(); }
    /// All texels in the frame's order. It waits for the graphics card and counts as a copy of an
    /// image to the host, so it is used on demand only.
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
    Stream m_stream; ///< for CUDA frames; outlives the registration
    gl::Texture m_texture;
    std::unique_ptr<CudaImage> m_cudaImage; ///< destroyed before the texture
    gl::Framebuffer m_reader;
    gl::PixelFetch m_value;
    std::array<gl::PixelBuffer, 2> m_pixelBuffers; ///< one is filled while the texture is updated
                                                   ///< from the other
    std::size_t m_nextPixelBuffer = 0;
    Buffer m_staging; ///< host copy of CUDA frames on the upload path
    std::optional<DisplayPath> m_path;
    std::optional<Backend> m_backend; ///< the backend that m_path was chosen for
};

} // namespace echolux
