// SPDX-License-Identifier: GPL-3.0-or-later
// Describes transmits, apertures and times of a recording in one line each.
#include "app/session/acquisition_words.hpp"

#include "app/dataset/transmit/beam_origins.hpp"
#include "app/dataset/transmit/wave_name.hpp"
#include "gpu/beamform/beamform_grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace echolux {

namespace {

constexpr double kDegPerRad = 180.0 / std::numbers::pi;

/// Four digits. Values that are 0 except for rounding become 0.
std::string tidy(double value) {
    constexpr double kNothing = 1e-9;
    return fmt::format("{:.4g}", std::abs(value) < kNothing ? 0.0 : value);
}

/// "3 x plane waves"
std::string countOf(std::ptrdiff_t count, Wave wave) {
    if (wave == Wave::None) return fmt::format("{} x nothing sent (sound travels one way)", count);
    return fmt::format("{} x {} wave{}", count,
                       wave == Wave::Element ? "single-element" : nameOf(wave),
                       count == 1 ? "" : "s");
}

/// Whether waves leave the x-z plane.
bool leavesPlane(const std::vector<Transmit>& transmits) {
    return std::ranges::any_of(
        transmits, [](const Transmit& t) { return t.elevationRad != 0.0 || t.source.y != 0.0; });
}

std::string anglesOf(const Transmit& t, bool space) {
    const std::string angle = tidy(t.angleRad * kDegPerRad);
    return space ? fmt::format("({}, {})", angle, tidy(t.elevationRad * kDegPerRad)) : angle;
}

std::string placeOf(const Point& p, bool space) {
    const std::string x = tidy(p.x * 1e3);
    const std::string z = tidy(p.z * 1e3);
    return space ? fmt::format("({}, {}, {})", x, tidy(p.y * 1e3), z)
                 : fmt::format("({}, {})", x, z);
}

std::string unitsOf(const Acquisition& acquisition, Wave wave, bool space) {
    if (wave == Wave::Plane && space)
        return acquisition.steering == Steering::Tilts ? "deg (in x-z, then out of it)"
                                                       : "deg (as seen in x-z, as seen in y-z)";
    if (wave == Wave::Plane) return "deg";
    return fmt::format("{} {} mm", wave == Wave::Focused ? "to" : "from",
                       space ? "(x, y, z)" : "(x, z)");
}

} // namespace

std::string describeTransmits(const Acquisition& acquisition) {
    const auto& transmits = acquisition.transmits;
    const Wave wave = transmits.front().wave;
    std::string kinds;
    for (const Wave kind :
         {Wave::Plane, Wave::Diverging, Wave::Focused, Wave::Element, Wave::None}) {
        const auto count = std::ranges::count(transmits, kind, &Transmit::wave);
        if (count > 0) kinds += (kinds.empty() ? "" : ", ") + countOf(count, kind);
        if (count == std::ssize(transmits)) break;
    }
    if (wave == Wave::None ||
        !std::ranges::all_of(transmits, [&](const Transmit& t) { return t.wave == wave; }))
        return kinds;
    constexpr std::size_t kMostListed = 15;
    const bool space = leavesPlane(transmits);
    std::string list;
    for (std::size_t i = 0; i < std::min(transmits.size(), kMostListed); ++i) {
        const Transmit& t = transmits[i];
        list += ' ';
        list += wave == Wave::Plane ? anglesOf(t, space) : placeOf(t.source, space);
    }
    if (transmits.size() > kMostListed) list += " ...";
    return fmt::format("{}, {}:{}", kinds, unitsOf(acquisition, wave, space), list);
}

std::string describeFiring(const Acquisition& acquisition) {
    std::size_t least = acquisition.probe.elements.size();
    std::size_t most = 0;
    for (const Transmit& t : acquisition.transmits) {
        if (t.apodization.empty()) return {};
        const auto silent = std::ranges::count(t.apodization, 0.0F);
        const std::size_t firing = t.apodization.size() - static_cast<std::size_t>(silent);
        least = std::min(least, firing);
        most = std::max(most, firing);
    }
    return fmt::format("{} of {} elements fire",
                       least == most ? fmt::format("{}", least)
                                     : fmt::format("{} to {}", least, most),
                       acquisition.probe.elements.size());
}

std::string describeHearing(const Acquisition& acquisition, std::int64_t channels) {
    const auto& heard = acquisition.receiveElements;
    if (heard.empty()) return {};
    const auto range = [&](auto first) {
        const auto [least, most] = std::minmax_element(first, first + channels);
        return fmt::format("{} to {}", *least, *most);
    };
    return fmt::format("{} channels hear elements {} first, {} last", channels,
                       range(heard.begin()), range(heard.end() - channels));
}

std::string describeRangeWeights(const RangeWeights& weights, std::int64_t channels) {
    if (weights.values.empty()) return {};
    const std::int64_t steps = std::ssize(weights.values) / channels;
    const double last = weights.firstM + static_cast<double>(steps - 1) * weights.stepM;
    return fmt::format("at {} ranges, {} to {} mm", steps, tidy(1e3 * weights.firstM),
                       tidy(1e3 * last));
}

std::string describeAberration(const AberrationTruth& truth, const Probe& probe) {
    const AberrationFigures figures = figuresOf(truth, probe.elements);
    std::string text =
        fmt::format("delays of {:.1f} ns rms, {:.0f} to {:.0f} ns", figures.delayRmsS * 1e9,
                    figures.leastDelayS * 1e9, figures.greatestDelayS * 1e9);
    if (figures.lengthXM > 0.0 || figures.lengthYM > 0.0) {
        text += ", correlated (1/e) over";
        if (figures.lengthXM > 0.0)
            text += fmt::format(" {:.2g} mm along x", figures.lengthXM * 1e3);
        if (figures.lengthXM > 0.0 && figures.lengthYM > 0.0) text += ",";
        if (figures.lengthYM > 0.0)
            text += fmt::format(" {:.2g} mm along y", figures.lengthYM * 1e3);
    }
    if (!truth.amplitude.empty())
        text += fmt::format("; amplitudes of {:.1f} dB rms", figures.gainRmsDb);
    return text;
}

std::string describeFirstSample(const Acquisition& acquisition) {
    const auto [least, most] =
        std::ranges::minmax(acquisition.transmits, {}, &Transmit::firstSampleS);
    if (most.firstSampleS - least.firstSampleS < 5e-11)
        return fmt::format("{:.4f} us", least.firstSampleS * 1e6);
    return fmt::format("{:.4f} to {:.4f} us", least.firstSampleS * 1e6, most.firstSampleS * 1e6);
}

std::string describeOrigin(const Probe& probe) {
    constexpr double kTolerance = 1e-6; // m
    if (probe.elements.empty() || !das::isInOnePlane(probe)) return {};
    const Point middle = middleOfFiring({}, probe.elements);
    const auto [near, deep] = std::ranges::minmax(probe.elements, {}, &Point::z);
    std::vector<std::string> parts;
    const auto add = [&](double metres, const char* less, const char* more) {
        if (std::abs(metres) > kTolerance)
            parts.push_back(
                fmt::format("{:.3g} mm {}", std::abs(metres) * 1e3, metres > 0.0 ? less : more));
    };
    add(middle.x, "left of", "right of");
    add(middle.z, "above", "below");
    if (!parts.empty()) return fmt::format("{} the middle of the array", fmt::join(parts, " and "));
    return deep.z - near.z > kTolerance ? "in the middle of the array" : "";
}

} // namespace echolux
