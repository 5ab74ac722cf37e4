// SPDX-License-Identifier: GPL-3.0-or-later
// A histogram, and the distribution of speckle over the same bins (Wagner et al. 1983).
#include "app/measure/distribution.hpp"

#include "app/measure/figures.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux::measure {
namespace {

constexpr double kMostAmplitude = 3.0;
constexpr double kFewestBins = 10.0;
constexpr double kMostBins = 60.0;

double squared(double value) { return value * value; }

/// Share of speckle with a power above `power`, over the mean.
double speckleAbove(double power) { return std::exp(-power); }

} // namespace

Distribution distributionIn(const MeasuredImage& image, const Measurement& region,
                            Counted counted) {
    const std::vector<double> amplitudes =
        image.isVolume() ? amplitudesIn(image.planeAt(region.places[0].elevation), region)
                         : amplitudesIn(image.samples(), region);
    const auto count = static_cast<double>(amplitudes.size());
    double power = 0.0;
    for (const double amplitude : amplitudes) power += squared(amplitude) / count;
    if (!(power > 0.0 && std::isfinite(power)))
        throw Error(fmt::format("All amplitudes in '{}' are 0 or not finite, so they have no "
                                "distribution; choose another region.",
                                region.name));
    const bool ofPowers = counted == Counted::Powers;
    const double bins = std::clamp(std::round(std::sqrt(count)), kFewestBins, kMostBins);
    Distribution found;
    found.pixels = amplitudes.size();
    found.binWidth = (ofPowers ? squared(kMostAmplitude) : kMostAmplitude) / bins;
    found.density.resize(static_cast<std::size_t>(bins));
    const double each = 1.0 / (count * found.binWidth);
    for (const double amplitude : amplitudes) {
        const double share = squared(amplitude) / power;
        const double bin = std::floor((ofPowers ? share : std::sqrt(share)) / found.binWidth);
        if (bin < bins)
            found.density[static_cast<std::size_t>(bin)] += each;
        else
            found.beyond += 1.0 / count;
    }
    const auto aboveEdge = [&](double edge) {
        const double value = edge * found.binWidth;
        return speckleAbove(ofPowers ? value : squared(value));
    };
    for (double bin = 0.0; bin < bins; ++bin)
        found.speckle.push_back((aboveEdge(bin) - aboveEdge(bin + 1.0)) / found.binWidth);
    return found;
}

} // namespace echolux::measure
