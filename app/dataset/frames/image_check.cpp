// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/frames/image_check.hpp"

#include "app/dataset/recording/input_file.hpp"
#include "gpu/core/sector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace echolux {

void checkImages(const RecordingInfo& info) {
    const auto refuse = [&](const std::string& what) { throw fileError(info.path, what); };
    const FrameSpec& frame = info.frame;
    if (info.frameCount < 1) refuse("it holds no frame; record it again");
    for (const Axis& axis : frame.axes) {
        if (axis.size < 1) refuse(fmt::format("its {} axis is empty", nameOf(axis.name)));
        if (!std::isfinite(axis.origin) || !std::isfinite(axis.spacing) || axis.spacing <= 0.0)
            refuse(fmt::format("its {} axis starts at {:g} and goes on in steps of {:g}; give "
                               "finite places that rise",
                               nameOf(axis.name), axis.origin, axis.spacing));
    }
    if (isComplex(frame.dtype) && frame.recordedForm != RecordedForm::Beamformed)
        refuse(fmt::format("its samples are complex, but as {} they have no phase",
                           nameOf(frame.recordedForm)));
    for (const double frequency : {frame.centreFrequencyHz, frame.demodulationFrequencyHz})
        if (!std::isfinite(frequency) || frequency < 0.0)
            refuse("its centre or demodulation frequency is negative or no number; correct it");
    if (frame.sector == nullptr) return;
    const Sector& sector = *frame.sector;
    if (std::ssize(sector.anglesRad) != frame.sizeOf(AxisName::Lateral))
        refuse(fmt::format("{} lines have angles, but the images have {}; correct the one that is "
                           "wrong",
                           sector.anglesRad.size(), frame.sizeOf(AxisName::Lateral)));
    const bool finite =
        std::ranges::all_of(sector.anglesRad, [](double angle) { return std::isfinite(angle); });
    if (!sector.hasOneApex()) {
        if (sector.starts.size() != sector.lines())
            refuse(fmt::format("{} lines have angles, but {} have starts; correct the one that is "
                               "wrong",
                               sector.lines(), sector.starts.size()));
        const Axis& range = *frame.find(AxisName::Depth);
        const double farthest = range.origin + static_cast<double>(range.size - 1) * range.spacing;
        const bool placed = std::ranges::all_of(sector.starts, [](const Point& start) {
            return std::isfinite(start.x) && std::isfinite(start.z);
        });
        if (!finite || !placed || !linesKeepOrder(sector, range.origin, farthest))
            refuse("its lines meet or cross each other, or do not go from left to right; correct "
                   "their starts and angles");
        return;
    }
    const bool rise = std::ranges::adjacent_find(sector.anglesRad, std::greater_equal<>{}) ==
                      sector.anglesRad.end();
    if (!finite || !rise)
        refuse("the angles of its lines do not rise from one to the next; correct them");
    if (!std::isfinite(sector.apexXM) || !std::isfinite(sector.apexZM) ||
        !std::isfinite(sector.radiusM))
        refuse("its sector's apex or radius is no number; correct it");
    constexpr double kTurn = 2.0 * std::numbers::pi;
    constexpr double kRounding = 1e-6; // rad
    const double span = sector.anglesRad.back() - sector.anglesRad.front();
    if (span > kTurn + kRounding)
        refuse(fmt::format("its lines go round by {:.6g} degrees, more than a full circle; correct "
                           "their angles",
                           360.0 * span / kTurn));
}

} // namespace echolux
