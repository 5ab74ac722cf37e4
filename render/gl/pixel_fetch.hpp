// SPDX-License-Identifier: GPL-3.0-or-later
// A few floats of a framebuffer, fetched without waiting for the graphics card.
#pragma once

#include "render/gl/objects.hpp"

#include <optional>

namespace echolux::gl {

/// One pixel at a time: four floats, on their way while others are drawn.
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

    /// Asks for pixel (x, y), y up, of the framebuffer bound for reading as it is now; what was
    /// asked for before is forgotten.
    void ask(int x, int y);
    void forget();
    bool pending() const { return m_fence != nullptr; }
    /// Once, when it has come; never waits.
    std::optional<Pixel> take();

private:
    PixelBuffer m_buffer;
    GLsync m_fence = nullptr;
};

} // namespace echolux::gl
