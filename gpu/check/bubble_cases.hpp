// SPDX-License-Identifier: GPL-3.0-or-later
// Generated lists of bubbles, with and without tracks.
#pragma once

#include "gpu/check/case_random.hpp"
#include "gpu/check/stage_run.hpp"
#include "gpu/flow/bubbles.hpp"

#include <cstring>

namespace echolux::check {

/// Bubbles, most of them within the image. Without an image they move little from frame to
/// frame. Tracks have random speeds, and lines that begin elsewhere in the image.
inline HostFrame bubblesOf(CaseRandom& random, const FrameSpec& list, const FrameSpec& image) {
    HostFrame made(list);
    const auto near = [&](AxisName name, std::int64_t place) {
        constexpr double kApart = 1e-3;
        constexpr double kMotion = 5e-5;
        const Axis* axis = image.find(name);
        const double at =
            axis == nullptr
                ? kApart * static_cast<double>(place) + random.uniform(-kMotion, kMotion)
                : axis->origin +
                      axis->spacing * random.uniform(-1.0, static_cast<double>(axis->size));
        return static_cast<float>(at);
    };
    const auto real = [&](double from, double to) {
        return static_cast<float>(random.uniform(from, to));
    };
    const std::int64_t most = list.sizeOf(AxisName::Bubble);
    const std::int64_t each = list.sizeOf(AxisName::Property);
    auto* row = made.as<float>().data();
    for (std::int64_t i = 0; i < list.count() / each; ++i, row += each) {
        constexpr std::int64_t kSide = 6;
        const std::int64_t z = i % most / kSide;
        const std::int64_t x = i % most % kSide;
        const flow::Bubble bubble{near(AxisName::Depth, z), near(AxisName::Lateral, x),
                                  random.chance(0.2) ? 0.0F : real(0.0, 1.0), real(0.0, 1e-3)};
        std::memcpy(row, &bubble, sizeof bubble);
        if (each != flow::kTrackProperties) continue;
        const flow::TrackedBubble tracked{bubble,
                                          static_cast<float>(i + 1),
                                          real(-0.1, 0.1),
                                          real(-0.1, 0.1),
                                          real(0.0, 50.0),
                                          near(AxisName::Depth, z),
                                          near(AxisName::Lateral, x),
                                          random.chance(0.3) ? 1.0F : 0.0F};
        std::memcpy(row, &tracked, sizeof tracked);
    }
    return made;
}

inline FrameSpec bubbleList(CaseRandom& random) {
    FrameSpec spec;
    spec.axes = {{AxisName::Bubble, random.whole(1, 40), 1.0, 0.0, ""},
                 {AxisName::Property,
                  random.chance(0.5) ? flow::kTrackProperties : flow::kBubbleProperties, 1.0, 0.0,
                  "m"}};
    return random.chance(0.4) ? ensembleOf(spec, random.whole(2, 5)) : spec;
}

} // namespace echolux::check
