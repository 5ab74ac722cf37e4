// SPDX-License-Identifier: GPL-3.0-or-later
// A kind of view that a plugin brings: it draws what it makes of a shown image, in a dock.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

/// A shown image, valid during the call.
struct ViewedImage {
    const FrameSpec& spec;         ///< of f32 samples; of a volume the shown plane
    std::span<const float> values; ///< row-major, spec.count() of them
};

/// The room inside the axes, in pixels of the screen.
struct ViewRoom {
    int width = 0;  ///< pixels
    int height = 0; ///< pixels

    bool operator==(const ViewRoom&) const = default; ///< the same size
};

/// The window draws its line, ticks and label.
struct DrawnAxis {
    std::string label; ///< "depth"
    /// "m", "s", "Hz" and "rad" are shown in a unit that suits the extent, such as mm or um, and
    /// angles in degrees. Others are shown as they are. May be empty.
    std::string unit;
    double from = 0.0; ///< at the left edge, or at the lower one
    double to = 1.0;   ///< at the opposite edge; may be less than `from`
};

/// The points in the axes' units. A point that is not finite is a gap.
struct DrawnCurve {
    std::string label;     ///< in the legend
    std::vector<double> x; ///< along DrawnAxis horizontal
    std::vector<double> y; ///< as many
};

/// What a view shows: a picture, curves above it, or both.
struct ViewDrawing {
    DrawnAxis horizontal; ///< below
    DrawnAxis vertical;   ///< at the left
    int width = 0;        ///< of the picture, in pixels; 0: there is none
    int height = 0;       ///< of the picture, in pixels
    /// [height][width][4], the top row first: red, green, blue, opacity. The picture fills the
    /// axes. One of ViewRoom's size is shown pixel by pixel, others are scaled.
    std::vector<std::uint8_t> rgba;
    std::vector<DrawnCurve> curves; ///< in colours that the window chooses
    std::string caption;            ///< one line below; may be empty

    static constexpr int kMostPixels = 4096;              ///< of each side of the picture
    static constexpr std::size_t kMostCurves = 16;        ///< of a drawing
    static constexpr std::size_t kMostPoints = 1'000'000; ///< of each curve
};

/// All calls, the destructor's included, come from one thread of this view. They may take long: the
/// window stays usable, and images that come in the meantime are left out.
class PluginView {
public:
    virtual ~PluginView() = default;
    PluginView() = default;
    PluginView(const PluginView&) = delete;
    PluginView& operator=(const PluginView&) = delete;

    /// Called a few times per second while images come and the dock is in sight. The specification
    /// may differ from call to call. Throws Error where the image does not suit: its sentence is
    /// shown in the dock until another image is drawn.
    virtual ViewDrawing draw(const ViewedImage& image, const ViewRoom& room) = 0;
};

/// What a plugin says of a view.
struct ViewType {
    /// Key in saved layouts: small letters, digits and '_', unlike that of any other view of a
    /// plugin.
    std::string_view name = {};
    std::string_view label = {}; ///< on the dock's tab and in the menu; empty: the name
    std::string_view help = {};  ///< one line
    /// What the view draws: a view of the pipeline by its id, or the output of a stage
    /// ("map@speed") that the pipeline shows. Empty: the image that the user chooses.
    std::string_view output = {};
    std::unique_ptr<PluginView> (*open)() = nullptr; ///< makes a view
};

} // namespace echolux
