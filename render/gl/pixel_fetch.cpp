// SPDX-License-Identifier: GPL-3.0-or-later
// A pixel buffer that the driver owns, and the fence that shows when it is filled.
#include "render/gl/pixel_fetch.hpp"

namespace echolux::gl {

PixelFetch::PixelFetch(PixelFetch&& other) noexcept
    : m_buffer(std::move(other.m_buffer)), m_fence(std::exchange(other.m_fence, nullptr)) {}

PixelFetch& PixelFetch::operator=(PixelFetch&& other) noexcept {
    std::swap(m_buffer, other.m_buffer);
    std::swap(m_fence, other.m_fence);
    return *this;
}

void PixelFetch::forget() {
    if (m_fence != nullptr) glDeleteSync(m_fence);
    m_fence = nullptr;
}

void PixelFetch::ask(int x, int y) {
    forget();
    const bool isNew = m_buffer.name() == 0;
    if (isNew) m_buffer = PixelBuffer::make();
    glBindBuffer(GL_PIXEL_PACK_BUFFER, m_buffer.name());
    if (isNew) glBufferData(GL_PIXEL_PACK_BUFFER, sizeof(Pixel), nullptr, GL_STREAM_READ);
    glReadPixels(x, y, 1, 1, GL_RGBA, GL_FLOAT, nullptr);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    m_fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

std::optional<PixelFetch::Pixel> PixelFetch::take() {
    if (m_fence == nullptr) return std::nullopt;
    const GLenum state = glClientWaitSync(m_fence, GL_SYNC_FLUSH_COMMANDS_BIT, 0);
    if (state == GL_TIMEOUT_EXPIRED) return std::nullopt;
    forget();
    if (state == GL_WAIT_FAILED) return std::nullopt;
    Pixel pixel{};
    glBindBuffer(GL_PIXEL_PACK_BUFFER, m_buffer.name());
    glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, sizeof pixel, &pixel);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return pixel;
}

} // namespace echolux::gl
