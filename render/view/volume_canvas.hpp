// SPDX-License-Identifier: GPL-3.0-or-later
// Everything of one volume view that lives in an OpenGL context. Needs no OpenGL header, so that a
// widget can host it beside its toolkit's own.
#pragma once

#include "render/interop/display_path.hpp"
#include "render/interop/volume_supplier.hpp"
#include "render/view/auto_range.hpp"
#include "render/view/colour_map.hpp"
#include "render/view/volume_scene.hpp"

#include <memory>
#include <optional>

namespace echolux {

/// Construct, use and destroy it with the same OpenGL context current, on one thread. Its first
/// volume after construction must be wholly new: call VolumeSupplier::offerAgain() before.
class VolumeCanvas {
public:
    static constexpr std::size_t kMaxTextureBytes = std::size_t{1} << 30U;

    /// Volumes of more than `maxTextureBytes` are shrunk. Throws Error where the context offers
    /// less than OpenGL 3.3.
    explicit VolumeCanvas(std::size_t maxTextureBytes = kMaxTextureBytes);
    ~VolumeCanvas();
    VolumeCanvas(const VolumeCanvas&) = delete;
    VolumeCanvas& operator=(const VolumeCanvas&) = delete;

    /// Takes over what has changed; false where nothing has. Throws Error for a volume that cannot
    /// be drawn; it is released all the same.
    bool takeNewest(VolumeSupplier& supplier);
    void clear();

    bool empty() const;
    const FrameSpec& spec() const;    ///< axes elevation, lateral, depth of the whole volume
    VolumeShape textureShape() const; ///< as drawn; smaller where it had to be shrunk
    const Exposure& exposure() const { return m_exposure; } ///< of the volume taken last
    const std::optional<DisplayPath>& path() const;
    /// Of the last picture; below 1 a still picture is worth drawing once nothing moves.
    double lastScale() const;

    void setColourMap(const ColourMap& map);
    /// Blackens the current framebuffer and draws into `viewport`, device pixels, y down. Words and
    /// ticks are the widget's: VolumeProjection::axisMarks().
    void draw(const VolumeScene& scene, const Rect& viewport, Vec2 framebufferSize);
    /// Asks for quantiles of what the maximum projection shows from there, without what lies beside
    /// the box; takeLevels() has them once they have come, a picture or two later.
    void askForLevels(const Orbit& orbit, Content content);
    std::optional<Levels> takeLevels();
    bool levelsPending() const;

private:
    struct Parts;
    std::size_t m_maxTextureBytes;
    std::unique_ptr<Parts> m_parts;
    Exposure m_exposure;
};

} // namespace echolux
