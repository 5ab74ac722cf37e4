// SPDX-License-Identifier: GPL-3.0-or-later
// Sums over powers, and powers divided by their local mean.
#include "app/measure/sharpness.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace echolux {

namespace {

constexpr std::int64_t kAsideDepths = 19; ///< half bins
constexpr float kLeastMean = 0.03F;

/// Sum of `term` of each power times its share.
template <class Term> double sumOf(const RegionPower& region, Term term) {
    double sum = 0.0;
    for (std::size_t i = 0; i < region.power.size(); ++i)
        sum += term(double{region.share[i % region.share.size()]} * region.power[i]);
    return sum;
}

double sumOfShares(const RegionPower& region) {
    const auto lines = static_cast<double>(region.power.size() / region.share.size());
    return lines * std::accumulate(region.share.begin(), region.share.end(), 0.0);
}

/// The mean of each of `count` values with up to kAsideDepths values before and behind it.
void boxMeans(const float* from, float* to, std::int64_t count) {
    double sum = 0.0;
    std::int64_t first = 0;
    std::int64_t last = -1;
    for (std::int64_t i = 0; i < count; ++i) {
        while (last < std::min(i + kAsideDepths, count - 1)) sum += from[++last];
        while (first < i - kAsideDepths) sum -= from[first++];
        to[i] = static_cast<float>(std::max(sum, 0.0) / static_cast<double>(last - first + 1));
    }
}

double contrast(const RegionPower& region) {
    const std::vector<float> means = localMeans(region);
    double shares = 0.0;
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < means.size(); ++i) {
        const double share = region.share[i % region.share.size()];
        const double ratio = region.power[i] / means[i];
        shares += share;
        sum += share * ratio;
        squares += share * ratio * ratio;
    }
    return shares * squares / (sum * sum);
}

} // namespace

const std::vector<std::pair<std::string, SharpnessMetric>>& sharpnessMetrics() {
    static const std::vector<std::pair<std::string, SharpnessMetric>> all{
        {"contrast", SharpnessMetric::Contrast},
        {"entropy", SharpnessMetric::Entropy},
        {"third_power", SharpnessMetric::Third},
        {"fourth_power", SharpnessMetric::Fourth}};
    return all;
}

SharpnessMetric sharpnessMetric(const std::string& name) {
    std::string names;
    for (const auto& [known, metric] : sharpnessMetrics()) {
        if (known == name) return metric;
        names += (names.empty() ? "" : ", ") + known;
    }
    throw Error(fmt::format("There is no sharpness metric '{}'; choose one of {}.", name, names));
}

Error darkRegion() {
    return Error("The region is dark: its spectra are constant or equal to the background; choose "
                 "a region or a frame that shows the sample.");
}

std::vector<float> localMeans(const RegionPower& region) {
    std::vector<float> means(region.power.size());
    std::vector<float> other(static_cast<std::size_t>(region.depths));
    for (std::size_t at = 0; at < means.size(); at += other.size()) {
        boxMeans(&region.power[at], other.data(), region.depths);
        boxMeans(other.data(), &means[at], region.depths);
    }
    const double all = std::accumulate(means.begin(), means.end(), 0.0);
    const auto least = static_cast<float>(kLeastMean * all / static_cast<double>(means.size()));
    for (float& mean : means) mean += least;
    return means;
}

double sharpness(const RegionPower& region, SharpnessMetric metric) {
    const double power = sumOf(region, [](double p) { return p; });
    if (!std::isfinite(power))
        throw Error("The region's spectra hold values that are not numbers; choose another region "
                    "or frame.");
    if (power == 0.0) throw darkRegion();
    switch (metric) {
    case SharpnessMetric::Contrast: break;
    case SharpnessMetric::Entropy:
        return sumOf(region, [](double p) { return p > 0.0 ? p * std::log(p) : 0.0; }) / power -
               std::log(power);
    case SharpnessMetric::Third:
        return std::sqrt(sumOfShares(region)) *
               sumOf(region, [](double p) { return p * std::sqrt(p); }) / std::pow(power, 1.5);
    case SharpnessMetric::Fourth:
        return sumOfShares(region) * sumOf(region, [](double p) { return p * p; }) /
               (power * power);
    }
    return contrast(region);
}

} // namespace echolux
