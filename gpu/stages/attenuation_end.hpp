// SPDX-License-Identifier: GPL-3.0-or-later
// What `attenuation` finds in the mean profile of a B-scan: whether quiet depths are noise, where
// the tissue ends, and how much light goes on below. Include it only from .cu files.
#pragma once

#include "gpu/exec/lane_sum.hpp"

#include <cmath>
#include <cstdint>

namespace echolux {

/// Depths whose light counts, and T as a share of the sum over the last of them.
struct TissueEnd {
    std::int64_t used; ///< one beyond the last
    std::int64_t last; ///< so many are summed
    float share;       ///< 0: no light comes from below
};

/// Of each B-scan, or one for all.
struct TissueEnds {
    const TissueEnd* found; ///< null: `given` counts
    TissueEnd given;

    ECHOLUX_HD TissueEnd of(std::int64_t bscan) const {
        return found != nullptr ? found[bscan] : given;
    }
};

/// Where the light still fades in the deepest fifth of the depths, quiet depths are no noise. With
/// a, b, c the mean power of the last three fifths, noise below light that fades exponentially is
///   N = (a c - b^2) / (a + c - 2 b)
/// (Aitken's limit of a geometric series), 0 where that is not above 0 or where a > b > c does not
/// hold, and at most that of the quiet depths. Item: B-scan.
struct NoiseBelowLight {
    const float* means; ///< [bscan][depth]: power
    float* noise;       ///< [bscan]
    std::int64_t depths;
    std::int64_t samples; ///< whose mean a depth is

    template <class Lanes>
    ECHOLUX_HD void operator()(std::int64_t bscan, const Lanes& lanes) const {
        const float* profile = means + bscan * depths;
        const std::int64_t fifth = depths / 5;
        const std::int64_t half = fifth / 2;
        if (half < 1) return;
        const auto mean = [&](std::int64_t begin, std::int64_t end) {
            float sum = 0.0F;
            for (std::int64_t z = begin + lanes.own; z < end; z += Lanes::step) sum += profile[z];
            return laneSum(lanes, sum) / static_cast<float>(end - begin);
        };
        const float above = mean(depths - 2 * half, depths - half);
        const float below = mean(depths - half, depths);
        const float a = mean(depths - 3 * fifth, depths - 2 * fifth);
        const float b = mean(depths - 2 * fifth, depths - fifth);
        const float c = mean(depths - fifth, depths);
        constexpr float kFlat = 0.1F;
        const float speckle = 4.0F / sqrtf(static_cast<float>(samples * half));
        if (lanes.own != 0) return;
        if (!(above > below * (1.0F + (speckle > kFlat ? speckle : kFlat)))) return;
        const float limit = a > b && b > c ? (a * c - b * b) / (a + c - 2.0F * b) : 0.0F;
        const float quiet = noise[bscan];
        noise[bscan] = !(limit > 0.0F) ? 0.0F : limit < quiet ? limit : quiet;
    }
};

/// Depths of the profile whose light is above its least are light, the others dark. Tissue ends
/// with the first dark depth below which less than kRest of all light comes back: artefacts at the
/// end of the range are no tissue. Its attenuation there follows from a line through the logarithm
/// of the profile in its lower half, and tells the light from below. `Noise` is IntensityNoise of
/// the stage, `Gain` its roll-off. Item: B-scan.
template <class Noise, class Gain> struct FindTissueEnd {
    const float* profile; ///< [bscan][depth]: mean intensity
    TissueEnd* ends;
    std::int64_t depths;
    std::int64_t zeroDelay;
    std::int64_t used;
    std::int64_t edge; ///< depths over which a box blurs an end
    Noise noise;
    Gain rollOff;

    template <class Lanes>
    ECHOLUX_HD void operator()(std::int64_t bscan, const Lanes& lanes) const {
        const float* mean = profile + bscan * depths;
        const float least = noise.least(bscan);
        const auto isLight = [&](std::int64_t z) {
            return mean[z] > 0.0F && mean[z] >= rollOff.gain(z) * least;
        };
        auto first = static_cast<float>(used);
        float light = 0.0F;
        for (std::int64_t z = zeroDelay + lanes.own; z < used; z += Lanes::step) {
            if (!isLight(z)) continue;
            const auto here = static_cast<float>(z);
            first = here < first ? here : first;
            light += mean[z];
        }
        const auto from = static_cast<std::int64_t>(laneLeast(lanes, first));
        const float all = laneSum(lanes, light);
        std::int64_t dark = used;
        float rest = 0.0F;
        for (std::int64_t z = used - 1; lanes.own == 0 && z > from && rest <= kRest * all; --z) {
            if (isLight(z))
                rest += mean[z];
            else
                dark = z;
        }
        auto to = static_cast<std::int64_t>(
            laneMost(lanes, lanes.own == 0 ? static_cast<float>(dark) : 0.0F));
        if (to < used) to -= edge;
        const std::int64_t region = to - from;
        if (region < kFewest) {
            if (lanes.own == 0) ends[bscan] = {used, 1, 0.0F};
            return;
        }
        const std::int64_t begin = to - atMost(region, atLeast(kFitted, region / 2));
        double n = 0.0;
        double x = 0.0;
        double y = 0.0;
        double xx = 0.0;
        double xy = 0.0;
        for (std::int64_t z = begin + lanes.own; z < to; z += Lanes::step) {
            if (!isLight(z)) continue;
            const auto at = static_cast<double>(z - begin);
            const auto value = static_cast<double>(logf(mean[z]));
            n += 1.0;
            x += at;
            y += value;
            xx += at * at;
            xy += at * value;
        }
        n = laneSum(lanes, n);
        x = laneSum(lanes, x);
        y = laneSum(lanes, y);
        xx = laneSum(lanes, xx);
        xy = laneSum(lanes, xy);
        if (lanes.own != 0) return;
        const double spread = n * xx - x * x;
        const double fade = spread > 0.0 ? (x * y - n * xy) / spread : 0.0; // per depth
        const double flattest = kLeastLoss / static_cast<double>(region);
        const std::int64_t last = atMost(region, atLeast(kSummed, region / 10));
        const double lost = (fade > flattest ? fade : flattest) * static_cast<double>(last);
        ends[bscan] = {to, last, static_cast<float>(1.0 / expm1(lost))};
    }

private:
    static constexpr float kRest = 0.01F;
    static constexpr std::int64_t kFewest = 4; ///< depths that tell anything
    static constexpr std::int64_t kFitted = 16;
    static constexpr std::int64_t kSummed = 8;
    static constexpr double kLeastLoss = 0.2; ///< of the light's logarithm in all of the tissue

    ECHOLUX_HD static std::int64_t atMost(std::int64_t most, std::int64_t n) {
        return n < most ? n : most;
    }
    ECHOLUX_HD static std::int64_t atLeast(std::int64_t least, std::int64_t n) {
        return n > least ? n : least;
    }
};

} // namespace echolux
