// SPDX-License-Identifier: GPL-3.0-or-later
// The OpenGL objects of one view: the newest frame and what is needed to draw it. This header
// includes no OpenGL header, so a widget can use it beside the OpenGL headers of its toolkit.
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

/// Where the image beneath a frame is drawn, and how.
struct ImageBeneath {
    Rect image;
    DisplaySettings settings;
    BlendSettings blend;
};

/// Construct, use and destroy it with the same OpenGL context current, on one thread.
class FrameCanvas {
public:
    FrameCanvas(); ///< throws Error where the context offers less than OpenGL 3.3
    ~FrameCanvas();
    FrameCanvas(const FrameCanvas&) = delete;
    FrameCanvas& operator=(const FrameCanvas&) = delete;

    /// Takes the newest frame to draw. Returns its serial, or nothing where there is no new frame.
    /// Throws Error for a frame that cannot be drawn; the frame is released in any case.
    std::optional<std::uint64_t> takeNewest(FrameSupplier& supplier);
    /// After a lost context.
    void restore(const FrameSpec& spec, std::span<const float> pixels);
    void restoreBeneath(const FrameSpec& spec, std::span<const float> pixels);
    void clear(); ///< forgets the frame
    /// Counts from the next frame on, the number at once.
    void setParticles(const ParticleSettings& particles) { m_particles = particles; }

    bool empty() const;
    const FrameSpec& spec() const;                          ///< of the frame
    const Exposure& exposure() const { return m_exposure; } ///< of the frame taken last
    /// Size of the picture in pixels. Depth points down in it, whatever the frame's order of axes
    /// is.
    int width() const;
    int height() const;
    /// Requests the value of one pixel. takeValue() returns it when it has arrived, about one
    /// picture later.
    void askForValue(int column, int row);
    std::optional<float> takeValue();
    bool valuePending() const;
    /// Requests quantiles of the whole frame, computed on the graphics card. takeLevels() returns
    /// them when they have arrived.
    void askForLevels(Content content);
    std::optional<Levels> takeLevels();
    bool levelsPending() const;
    std::vector<float> readBack() const; ///< in the frame's own order; waits, see
                                         ///< FrameTexture::readBack()
    /// The image of the same frame that this one is drawn over; null: none.
    const FrameSpec* beneath() const;
    std::vector<float> readBackBeneath() const;
    const std::optional<DisplayPath>& path() const;

    void setColourMap(const ColourMap& map);
    void setColourMapBeneath(const ColourMap& map);
    /// Clears the current framebuffer to black and draws the frame. The whole frame covers `image`;
    /// only the part within `clip` is drawn. Both are in device pixels, y down.
    void draw(const Rect& image, const Rect& clip, Vec2 framebufferSize,
              const DisplaySettings& settings, const ImageBeneath& beneath = {}) const;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
    Exposure m_exposure;
    ParticleSettings m_particles;
};

} // namespace echolux
