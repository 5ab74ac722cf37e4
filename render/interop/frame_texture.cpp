// SPDX-License-Identifier: GPL-3.0-or-later
// Choice of the display path, the two paths, and reading back on demand.
#include "render/interop/frame_texture.hpp"

#include "gpu/core/error.hpp"
#include "gpu/memory/transfer.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cstring>

namespace echolux {
namespace {

void checkIsImage(const FrameSpec& spec) {
    if (spec.dtype == DType::F32 && spec.axes.size() == 2 && spec.count() > 0) return;
    throw Error(fmt::format("The pipeline delivers {}, which is no image; end it with envelope and "
                            "log_compression.",
                            spec.describe()));
}

void checkFits(const FrameSpec& spec) {
    GLint limit = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    if (spec.axes[0].size <= limit && spec.axes[1].size <= limit) return;
    throw Error(fmt::format("The image has {} x {} pixels but the graphics card draws at most "
                            "{} x {}; make the image grid coarser.",
                            spec.axes[1].size, spec.axes[0].size, limit, limit));
}

/// Compares all shown parts of a frame's description, so that an unchanged one is not copied.
bool sameDescription(const FrameSpec& a, const FrameSpec& b) {
    return a.dtype == b.dtype && a.axes == b.axes && a.valueRange == b.valueRange;
}

} // namespace

std::size_t FrameTexture::bytes() const {
    return static_cast<std::size_t>(m_width) * static_cast<std::size_t>(m_height) * sizeof(float);
}

void FrameTexture::take(const DisplayFrame& frame, Release<FrameSupplier>& release) {
    resize(*frame.spec);
    choosePath(frame);
    if (frame.backend == Backend::Cuda) release.after(m_stream.get());
    if (m_path->interop) {
        try {
            takeByInterop(frame);
            return;
        } catch (const Error& error) {
            m_cudaImage.reset();
            fallBack("upload: interop failed", error.what());
        }
    }
    takeByUpload(frame);
}

void FrameTexture::restore(const FrameSpec& spec, std::span<const float> pixels) {
    resize(spec);
    if (pixels.size_bytes() != bytes()) throw Error("A frame to restore has the wrong size.");
    uploadFromHost(pixels.data());
}

void FrameTexture::resize(const FrameSpec& spec) {
    if (!empty() && sameDescription(spec, m_spec)) return;
    checkIsImage(spec);
    checkFits(spec);
    const auto width = static_cast<int>(spec.axes[1].size);
    const auto height = static_cast<int>(spec.axes[0].size);
    if (empty() || width != m_width || height != m_height) {
        m_cudaImage.reset();
        glActiveTexture(GL_TEXTURE0);
        m_texture = gl::makeTexture2d(GL_R32F, width, height, GL_RED, GL_FLOAT);
        attachReader();
        m_pixelBuffers = {};
        m_staging = {};
        m_width = width;
        m_height = height;
    }
    m_spec = spec;
}

void FrameTexture::attachReader() {
    GLint previous = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &previous);
    if (m_reader.name() == 0) m_reader = gl::Framebuffer::make();
    glBindFramebuffer(GL_READ_FRAMEBUFFER, m_reader.name());
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                           m_texture.name(), 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(previous));
}

void FrameTexture::choosePath(const DisplayFrame& frame) {
    const bool chosen = m_path && m_backend == frame.backend;
    if (chosen && (!m_path->interop || m_cudaImage)) return;
    m_backend = frame.backend;
    if (frame.backend == Backend::Cpu) {
        m_cudaImage.reset();
        fallBack("upload: CPU backend", "The CPU backend computes in host memory, so each shown "
                                        "frame is copied to the graphics card once.");
        return;
    }
    selectDeviceOf(frame.pixels);
    if (m_stream.get() == nullptr) m_stream = Stream(Backend::Cuda, "display");
    if (gl::vendorName().find("NVIDIA") == std::string::npos) {
        fallBack("upload: no NVIDIA OpenGL",
                 fmt::format("OpenGL is drawn by {}, not by the NVIDIA driver, so each shown frame "
                             "is copied to the host and from there to the screen.",
                             gl::rendererName()));
        return;
    }
    std::string refusal;
    m_cudaImage = CudaImage::tryRegister(m_texture.name(), refusal);
    if (!m_cudaImage) {
        fallBack("upload: interop refused",
                 fmt::format("The driver does not share textures between CUDA and OpenGL ({}), so "
                             "each shown frame is copied to the host and from there to the screen.",
                             refusal));
        return;
    }
    if (chosen) return; // only the size has changed
    m_path = {true, "interop, 0 copies to host",
              "CUDA writes each shown frame straight into the OpenGL texture."};
    spdlog::info("display path: {}", m_path->badge);
}

void FrameTexture::fallBack(const std::string& badge, const std::string& reason) {
    m_path = {false, badge, reason};
    spdlog::info("display path: {}. {}", badge, reason);
}

void FrameTexture::takeByInterop(const DisplayFrame& frame) {
    m_cudaImage->copyFrom(frame.pixels, m_width, m_height, frame.ready, m_stream.get());
}

void FrameTexture::takeByUpload(const DisplayFrame& frame) {
    if (frame.backend == Backend::Cpu) {
        uploadFromHost(frame.pixels);
        return;
    }
    if (m_staging.bytes() == 0) m_staging = Buffer(MemoryKind::Pinned, bytes());
    if (frame.ready != nullptr) device::wait(m_stream.get(), frame.ready);
    download({Backend::Cuda, m_stream.get()}, m_staging.data(), frame.pixels, bytes());
    m_stream.synchronize();
    uploadFromHost(m_staging.as<float>());
}

void FrameTexture::uploadFromHost(const float* pixels) {
    gl::PixelBuffer& buffer = m_pixelBuffers[m_nextPixelBuffer];
    m_nextPixelBuffer = (m_nextPixelBuffer + 1) % m_pixelBuffers.size();
    const auto size = static_cast<GLsizeiptr>(bytes());
    if (buffer.name() == 0) {
        buffer = gl::PixelBuffer::make();
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer.name());
        glBufferData(GL_PIXEL_UNPACK_BUFFER, size, nullptr, GL_STREAM_DRAW);
    }
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer.name());
    void* mapped = glMapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, size,
                                    GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
    if (mapped != nullptr) {
        std::memcpy(mapped, pixels, bytes());
        glUnmapBuffer(GL_PIXEL_UNPACK_BUFFER);
    } else {
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    }
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, m_texture.name());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, m_width, m_height, GL_RED, GL_FLOAT,
                    mapped != nullptr ? nullptr : pixels);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

void FrameTexture::askForValue(int column, int row) {
    GLint previous = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &previous);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, m_reader.name());
    m_value.ask(column, row);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(previous));
}

std::optional<float> FrameTexture::takeValue() {
    const auto pixel = m_value.take();
    return pixel ? std::optional(pixel->red) : std::nullopt;
}

std::vector<float> FrameTexture::readBack() const {
    std::vector<float> pixels(static_cast<std::size_t>(m_width) *
                              static_cast<std::size_t>(m_height));
    if (pixels.empty()) return pixels;
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, m_texture.name());
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_FLOAT, pixels.data());
    countImageToHost();
    return pixels;
}

} // namespace echolux
