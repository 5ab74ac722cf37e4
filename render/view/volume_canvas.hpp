// SPDX-License-Identifier: GPL-3.0-or-later
// The OpenGL objects of one volume view. This header includes no OpenGL header, so a widget can use
// it beside the OpenGL headers of its toolkit.
#pragma once

#include "render/interop/display_path.hpp"
#include "render/interop/volume_supplier.hpp"
#include "render/view/auto_range.hpp"
#include "render/view/colour_map.hpp"
#include "render/view/volume_scene.hpp"

#include <memory>
#include <optional>

namespace echolux {

/// Construct, use and destroy it with the same OpenGL context current, on one thread. Call
/// VolumeSupplier::offerAgain() before the first volume after construction, because the canvas
/// needs all of it.
class VolumeCanvas {
public:
    static constexpr std::size_t kMaxTextureBytes = std::size_t{1} << 30U;

    /// Volumes larger than `maxTextureBytes` are shrunk. Throws Error where the context offers less
    /// than OpenGL 3.3.
    explicit VolumeCanvas(std::size_t maxTextureBytes = kMaxTextureBytes);
    ~VolumeCanvas();
    VolumeCanvas(const VolumeCanvas&) = delete;
    VolumeCanvas& operator=(const VolumeCanvas&) = delete;

    /// Copies what has changed. Returns false where nothing has. Throws Error for a volume that
    /// cannot be drawn; the volume is released in any case.
    bool takeNewest(VolumeSupplier& supplier);
    void clear();

    bool empty() const;
    const FrameSpec& spec() const;    ///< axes elevation, lateral, depth of the whole volume
    VolumeShape textureShape() const; ///< shape of the drawn texture; smaller than the volume where
                                      ///< it was shrunk
    const Exposure& exposure() const { return m_exposure; } ///< of the volume taken last
    const std::optional<DisplayPath>& path() const;
    /// Resolution of the last picture. Below 1 it should be drawn again as a still picture when
    /// nothing moves.
    double lastScale() const;

    void setColourMap(const ColourMap& map);
    /// Clears the current framebuffer to black and draws into `viewport`, in device pixels, y down.
    /// The widget draws labels and ticks, see VolumeProjection::axisMarks().
    void draw(const VolumeScene& scene, const Rect& viewport, Vec2 framebufferSize);
    /// Requests quantiles of the maximum projection seen with this orbit, without pixels beside the
    /// box. takeLevels() returns them when they have arrived, one or two pictures later.
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
