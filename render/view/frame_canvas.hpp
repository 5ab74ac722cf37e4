// SPDX-License-Identifier: GPL-3.0-or-later
// Everything of one view that lives in an OpenGL context: the newest frame and the means to draw
// it. Needs no OpenGL header, so that a widget can host it beside its toolkit's own.
#pragma once

#include "render/interop/display_path.hpp"
#include "render/interop/frame_supplier.hpp"
#include "render/view/auto_range.hpp"
#include "render/view/colour_map.hpp"
#include "render/view/display_settings.hpp"
#include "render/view/view_transform.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace echolux {

/// Construct, use and destroy it with the same OpenGL context current, on one thread.
class FrameCanvas {
public:
    FrameCanvas(); ///< throws Error where the context offers less than OpenGL 3.3
    ~FrameCanvas();
    FrameCanvas(const FrameCanvas&) = delete;
    FrameCanvas& operator=(const FrameCanvas&) = delete;

    /// The newest frame becomes the one that is drawn; returns its serial, or nothing where there
    /// is no new one. Throws Error for a frame that cannot be drawn; it is released all the same.
    std::optional<std::uint64_t> takeNewest(FrameSupplier& supplier);
    void restore(const FrameSpec& spec, std::span<const float> pixels); ///< after a lost context
    void clear();                                                       ///< forgets the frame

    bool empty() const;
    const FrameSpec& spec() const;                          ///< of the frame
    const Exposure& exposure() const { return m_exposure; } ///< of the frame taken last
    /// Of the picture, where depth points down, whichever order the frame has.
    int width() const;
    int height() const;
    /// Asks for one pixel; takeValue() has it once it has come, a picture or so later.
    void askForValue(int column, int row);
    std::optional<float> takeValue();
    bool valuePending() const;
    /// The same of the whole frame's quantiles, found on the graphics card.
    void askForLevels(Content content);
    std::optional<Levels> takeLevels();
    bool levelsPending() const;
    std::vector<float> readBack() const; ///< in the frame's own order; waits, see FrameTexture
    const std::optional<DisplayPath>& path() const;

    void setColourMap(const ColourMap& map);
    /// Blackens the current framebuffer and draws the frame. In device pixels, y down: the whole
    /// frame covers `image`, of which what lies in `clip` is drawn.
    void draw(const Rect& image, const Rect& clip, Vec2 framebufferSize,
              const DisplaySettings& settings) const;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
    Exposure m_exposure;
};

} // namespace echolux
