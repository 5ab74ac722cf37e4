// SPDX-License-Identifier: GPL-3.0-or-later
// A view of how levels are spread at each depth: the share of lines per level as brightness, and as
// curves the level that 10 %, 50 % and 90 % of the lines do not exceed. It shows where the gain
// over depth is too low or too high, and where samples are clipped.
#include "app/session/view_type.hpp"
#include "gpu/core/error.hpp"
#include "gpu/stage/plugin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace echolux;

constexpr std::array<double, 3> kShares{0.1, 0.5, 0.9};
constexpr std::array<const char*, 3> kNames{"10 %", "median", "90 %"};
constexpr std::array<std::uint8_t, 3> kColour{86, 180, 233};
constexpr double kMostOpaque = 140.0; // of 255, so that curves stand out
constexpr int kPixelsPerRow = 5;

/// An image as levels per depth: images of ultrasound are [depth][lateral], of OCT
/// [lateral][depth].
class Levels {
public:
    explicit Levels(const ViewedImage& image) : m_values(image.values) {
        const std::vector<Axis>& axes = image.spec.axes;
        const bool is2d = axes.size() == 2;
        const bool first = is2d && axes[0].name == AxisName::Depth;
        if (!first && !(is2d && axes[1].name == AxisName::Depth))
            throw Error("it needs an image with a depth axis and one other axis; choose another "
                        "image");
        const auto rows = static_cast<std::size_t>(axes[0].size);
        const auto columns = static_cast<std::size_t>(axes[1].size);
        m_depth = axes[first ? 0 : 1];
        m_depths = first ? rows : columns;
        m_lines = first ? columns : rows;
        m_perDepth = first ? columns : 1;
        m_perLine = first ? 1 : columns;
    }
    const Axis& depth() const { return m_depth; }
    std::size_t depths() const { return m_depths; }
    /// The finite levels at a depth, in no order.
    std::vector<double> at(std::size_t depth) const {
        std::vector<double> levels;
        for (std::size_t line = 0; line < m_lines; ++line) {
            const double level = m_values[depth * m_perDepth + line * m_perLine];
            if (std::isfinite(level)) levels.push_back(level);
        }
        return levels;
    }

private:
    std::span<const float> m_values;
    Axis m_depth;
    std::size_t m_depths = 0, m_lines = 0, m_perDepth = 0, m_perLine = 0;
};

/// The level that this share of `levels` does not exceed, by the nearest rank. NaN where there are
/// no levels.
double quantileOf(std::vector<double>& levels, double share) {
    if (levels.empty()) return std::nan("");
    const double rank = share * static_cast<double>(levels.size() - 1);
    const auto at = levels.begin() + std::lround(rank);
    std::nth_element(levels.begin(), at, levels.end());
    return *at;
}

/// From the range in which the image is shown, or else over all levels.
DrawnAxis levelAxisOf(const ViewedImage& image) {
    if (const auto& range = image.spec.valueRange; range && range->min < range->max)
        return {"level", range->unit + (range->reference.empty() ? "" : " re " + range->reference),
                range->min, range->max};
    double least = 0.0;
    double most = 0.0;
    for (const float value : image.values) {
        if (!std::isfinite(value)) continue;
        least = std::min(least, static_cast<double>(value));
        most = std::max(most, static_cast<double>(value));
    }
    return {"level", "", least, most > least ? most : least + 1.0};
}

class LevelProfile final : public PluginView {
public:
    ViewDrawing draw(const ViewedImage& image, const ViewRoom& room) override {
        const Levels levels(image);
        const Axis& depth = levels.depth();
        ViewDrawing drawing;
        const auto depthAt = [&](double index) { return depth.origin + index * depth.spacing; };
        const auto depths = static_cast<double>(levels.depths());
        drawing.horizontal = {depth.unit.empty() ? "sample" : "depth", depth.unit, depthAt(-0.5),
                              depthAt(depths - 0.5)};
        drawing.vertical = levelAxisOf(image);
        drawing.width = std::clamp(room.width, 1, static_cast<int>(std::min(depths, 4096.0)));
        drawing.height = std::clamp(room.height / kPixelsPerRow, 1, 128);
        for (const char* name : kNames) drawing.curves.push_back({name, {}, {}});

        const auto width = static_cast<std::size_t>(drawing.width);
        const auto height = static_cast<std::size_t>(drawing.height);
        std::vector<double> shares(width * height);
        std::vector<double> highest(width); // of each column
        for (std::size_t index = 0; index < levels.depths(); ++index) {
            std::vector<double> here = levels.at(index);
            const std::size_t column = index * width / levels.depths();
            for (const double level : here) {
                const std::size_t row = rowOf(level, drawing.vertical, height);
                double& share = shares[row * width + column];
                share += 1.0 / static_cast<double>(here.size());
                highest[column] = std::max(highest[column], share);
            }
            for (std::size_t curve = 0; curve < kShares.size(); ++curve) {
                drawing.curves[curve].x.push_back(depthAt(static_cast<double>(index)));
                drawing.curves[curve].y.push_back(quantileOf(here, kShares[curve]));
            }
        }
        for (std::size_t i = 0; i < shares.size(); ++i) {
            const double part = shares[i] > 0.0 ? shares[i] / highest[i % width] : 0.0;
            drawing.rgba.insert(drawing.rgba.end(), kColour.begin(), kColour.end());
            drawing.rgba.push_back(static_cast<std::uint8_t>(std::lround(kMostOpaque * part)));
        }
        drawing.caption =
            captionOf(drawing, image.spec.valueRange ? image.spec.valueRange->unit : "");
        return drawing;
    }

private:
    /// Levels beyond the axis stand at its ends.
    static std::size_t rowOf(double level, const DrawnAxis& axis, std::size_t height) {
        const double fromTop = (axis.to - level) / (axis.to - axis.from);
        const double row = std::clamp(fromTop, 0.0, 1.0) * static_cast<double>(height);
        return std::min(static_cast<std::size_t>(row), height - 1);
    }
    static std::string captionOf(const ViewDrawing& drawing, const std::string& unit) {
        std::vector<double> spreads;
        for (std::size_t i = 0; i < drawing.curves[0].y.size(); ++i) {
            const double spread = drawing.curves[2].y[i] - drawing.curves[0].y[i];
            if (std::isfinite(spread)) spreads.push_back(spread);
        }
        if (spreads.empty()) return "no levels";
        return fmt::format("10 % to 90 %: {:.1f}{}{}, median over depth", quantileOf(spreads, 0.5),
                           unit.empty() ? "" : " ", unit);
    }
};

constexpr ViewType kView{
    .name = "level_profile",
    .label = "Levels over depth",
    .help = "How the levels of all lines are spread at each depth",
    .open = []() -> std::unique_ptr<PluginView> { return std::make_unique<LevelProfile>(); },
};

} // namespace

ECHOLUX_PLUGIN_PARTS("Level profile", "1.0", .views = {&kView})
