// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the geometry of a recording for contradictions within itself and with its data.
#include "gpu/beamform/beamform_check.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux::das {
namespace {

constexpr double kRightAngle = 0.5 * std::numbers::pi;
constexpr const char* kCorrect = "; correct it in the recording or its sidecar file.";

bool finite(const Point& p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

bool finite(const Transmit& t) {
    return std::isfinite(t.angleRad) && std::isfinite(t.elevationRad) && finite(t.source) &&
           finite(t.origin) && std::isfinite(t.firstSampleS) && std::isfinite(t.iqPhaseZeroS) &&
           std::ranges::all_of(t.apodization, [](float w) { return std::isfinite(w); });
}

[[noreturn]] void refuse(const std::string& what) {
    throw Error("Stage 'beamform' " + what + kCorrect);
}

void checkProbe(const Probe& probe) {
    const std::size_t count = probe.elements.size();
    if (!std::ranges::all_of(probe.elements, [](const Point& p) { return finite(p); }))
        refuse("found an element whose place is not a finite number");
    if (!probe.longAxes.empty() && probe.longAxes.size() != count) {
        refuse(fmt::format("got the long axes of {} elements for an array of {}",
                           probe.longAxes.size(), count));
    }
    if (probe.normals.empty()) return;
    if (probe.normals.size() != count)
        refuse(fmt::format("got {} normals for {} elements", probe.normals.size(), count));
    const bool unit = std::ranges::all_of(probe.normals, [](const Point& n) {
        return std::abs(std::hypot(n.x, n.y, n.z) - 1.0) < 1e-3;
    });
    if (!unit) refuse("found an element's normal that is no vector of length 1");
}

void checkTransmit(const Transmit& t, std::size_t elements, std::size_t number) {
    if (!finite(t))
        refuse(fmt::format("found a number that is not finite in transmit {} of the geometry",
                           number));
    if (std::max(std::abs(t.angleRad), std::abs(t.elevationRad)) > kRightAngle) {
        const double angle = std::abs(t.angleRad) > kRightAngle ? t.angleRad : t.elevationRad;
        refuse(fmt::format("cannot steer transmit {} by {:g} rad, more than a right angle (are "
                           "these degrees?)",
                           number, angle));
    }
    if (t.wave == Wave::Focused && !(t.source.z > t.origin.z)) {
        refuse(fmt::format("found the focus of transmit {} at {:g} mm of depth, not in front of "
                           "the array",
                           number, 1e3 * t.source.z));
    }
    if (t.apodization.empty()) return;
    if (t.apodization.size() != elements) {
        refuse(fmt::format("got {} transmit weights for {} elements in transmit {}",
                           t.apodization.size(), elements, number));
    }
    if (std::ranges::all_of(t.apodization, [](float w) { return w == 0.0F; }))
        refuse(fmt::format("found no element that fires in transmit {}", number));
}

void checkReceiveElements(const Acquisition& acquisition, std::int64_t channels) {
    const auto& heard = acquisition.receiveElements;
    const std::int64_t elements = std::ssize(acquisition.probe.elements);
    std::vector<std::int64_t> lastTransmit(static_cast<std::size_t>(elements), -1);
    for (std::int64_t i = 0; i < std::ssize(heard); ++i) {
        const std::int32_t e = heard[static_cast<std::size_t>(i)];
        if (e == -1) continue;
        const std::int64_t transmit = i / channels;
        if (e < 0 || e >= elements) {
            refuse(fmt::format("found that channel {} of transmit {} listened to element {} of {}",
                               i % channels + 1, transmit + 1, e + 1, elements));
        }
        std::int64_t& last = lastTransmit[static_cast<std::size_t>(e)];
        if (last == transmit) {
            refuse(fmt::format("found two channels that listened to element {} in transmit {}",
                               e + 1, transmit + 1));
        }
        last = transmit;
    }
}

void checkWeights(const std::vector<float>& weights, std::int64_t transmits,
                  std::int64_t channels) {
    if (!weights.empty() && std::ssize(weights) != channels * transmits) {
        refuse(fmt::format("got {} receive weights for {} transmits x {} channels", weights.size(),
                           transmits, channels));
    }
    if (!std::ranges::all_of(weights, [](float w) { return std::isfinite(w); }))
        refuse("found a receive weight that is not a finite number");
}

void checkRangeWeights(const RangeWeights& weights, std::size_t channels) {
    if (weights.values.empty()) return;
    if (weights.values.size() % channels != 0) {
        refuse(fmt::format("got {} receive weights over range, which are not as many for each of "
                           "{} channels",
                           weights.values.size(), channels));
    }
    const std::size_t steps = weights.values.size() / channels;
    if (steps > RangeWeights::kMostSteps) {
        refuse(fmt::format("got receive weights at {} ranges, more than {}", steps,
                           RangeWeights::kMostSteps));
    }
    if (!std::ranges::all_of(weights.values, [](float w) { return std::isfinite(w) && w >= 0.0F; }))
        refuse("found a receive weight over range that is negative or not a finite number");
    if (!std::isfinite(weights.firstM))
        refuse("found receive weights over range that begin at no finite number");
    if (!std::isfinite(weights.stepM) || !(weights.stepM > 0.0)) {
        refuse(
            fmt::format("got receive weights over range in steps of {:g} m instead of more than 0",
                        weights.stepM));
    }
}

} // namespace

void checkGeometry(const FrameSpec& input) {
    if (!input.acquisition) {
        throw Error("Stage 'beamform' needs the probe's geometry, but this recording carries none; "
                    "describe it in a sidecar file.");
    }
    const Acquisition& acquisition = *input.acquisition;
    const std::size_t elements = acquisition.probe.elements.size();
    const std::int64_t channels = input.sizeOf(AxisName::Channel);
    const std::int64_t transmits = input.sizeOf(AxisName::Transmit);
    if (elements == 0) {
        throw Error("Stage 'beamform' cannot work with a probe of 0 elements; give the elements' "
                    "places in the recording or its sidecar file.");
    }
    const bool mapped = !acquisition.receiveElements.empty();
    if ((!mapped && static_cast<std::int64_t>(elements) != channels) ||
        std::ssize(acquisition.transmits) != transmits) {
        throw Error(fmt::format(
            "Stage 'beamform' got geometry for {} elements and {} transmits, but the data is {}; "
            "correct the recording's or the sidecar's geometry.",
            elements, acquisition.transmits.size(), input.describe()));
    }
    if (mapped && std::ssize(acquisition.receiveElements) != channels * transmits) {
        refuse(fmt::format("got the elements of {} channels for {} transmits x {} channels",
                           acquisition.receiveElements.size(), transmits, channels));
    }
    checkProbe(acquisition.probe);
    for (std::size_t i = 0; i < acquisition.transmits.size(); ++i)
        checkTransmit(acquisition.transmits[i], elements, i + 1);
    checkReceiveElements(acquisition, channels);
    checkWeights(acquisition.receiveWeights, transmits, channels);
    checkRangeWeights(acquisition.rangeWeights, static_cast<std::size_t>(channels));
}

} // namespace echolux::das
