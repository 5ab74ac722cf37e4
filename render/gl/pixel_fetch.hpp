// SPDX-License-Identifier: GPL-3.0-or-later
// Fetches a few floats of a framebuffer without waiting for the graphics card.
#pragma once

#include "render/gl/objects.hpp"

#include <optional>

namespace echolux::gl {

/// Fetches one pixel at a time: four floats, which are transferred while drawing continues.
class PixelFetch {
public:
    struct Pixel {
        float red, green, blue, alpha;
    };

    PixelFetch() = default;
    PixelFetch(PixelFetch&& other) noexcept;
    PixelFetch& operator=(PixelFetch&& other) noexcept;
    PixelFetch(const PixelFetch&) = delete;
    PixelFetch& operator=(const PixelFetch&) = delete;
    ~PixelFetch() { forget(); }

    /// Requests pixel (x, y), y up, of the framebuffer that is bound for reading, as it is now.
    /// Forgets an earlier request.
    void ask(int x, int y);
    void forget();
    bool pending() const { return m_fence != nullptr; }
    /// Returns the pixel once, when it has arrived. Never waits.
    std::optional<Pixel> take();

private:
    PixelBuffer m_buffer;
    GLsync m_fence = nullptr;
};

} // namespace echolux::gl
