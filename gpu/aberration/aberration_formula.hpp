// SPDX-License-Identifier: GPL-3.0-or-later
// The formulas that estimate an aberrating screen, for host and device (Herikstad 2009, chapter 4).
// With Y_k(q) the spectrum of element k, q counting points and bins, w_q the weight of its point,
// and neighbours n of k:
//   cross spectrum  R_kn = sum_q w_q Y_k conj(Y_n) / sum_q w_q,   power P_k = R_kk
//   coherence       W_kn = R_kn / (sqrt(P_k P_n) + floor),        0 <= |W| <= 1
//   filter          S_k = a_k exp(j phi_k),  delay_k = -phi_k / (2 pi f)
//   amplitude       a_k^2 = sum_q s_q |Y_k|^2 / x_q / sum_q s_q over the points that k heard,
//                   x_q the mean |Y|^2 of all elements that heard q, s_q how well q is in focus; an
//                   element that heard few points is compared in those points only
#pragma once

#include "gpu/aberration/aberration_params.hpp"
#include "gpu/aberration/aberration_problem.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/core/portable.hpp"
#include "gpu/exec/lane_sum.hpp"

#include <cmath>
#include <cstdint>

namespace echolux::aberration {

ECHOLUX_HD inline float magnitude(Complex z) { return std::sqrt(norm(z)); }
ECHOLUX_HD inline float angle(Complex z) { return std::atan2(z.im, z.re); }
ECHOLUX_HD inline Complex turn(float angleRad) { return {std::cos(angleRad), std::sin(angleRad)}; }
/// z / |z|; 1 for 0.
ECHOLUX_HD inline Complex direction(Complex z) {
    const float size = magnitude(z);
    return size > 0.0F ? (1.0F / size) * z : Complex{1.0F, 0.0F};
}

/// False for NaN and for values too large to compute with.
ECHOLUX_HD inline bool isSound(float power) { return power < 1e30F; }

/// The beam sum of one point in one bin over the places of one part, with its energy and number of
/// elements. Index: part * points * bins + point * bins + bin.
struct SumPart {
    Problem p;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t part = i / p.perPlace();
        const std::int64_t q = i - part * p.perPlace();
        const std::int64_t end = p.beginOf(static_cast<std::int32_t>(part) + 1);
        BeamSum sum;
        for (std::int64_t k = p.beginOf(static_cast<std::int32_t>(part)); k < end; ++k) {
            Complex y = p.spectra[k * p.perPlace() + q];
            y = isSound(norm(y)) ? y : Complex{};
            sum.beam = sum.beam + conj(direction(p.filter[k])) * y;
            sum.energy += norm(y);
            sum.heard += norm(y) > 0.0F ? 1.0F : 0.0F;
        }
        p.part[i] = sum;
    }
};

/// The beam sum over all places. Item: point * bins + bin.
struct SumBeam {
    Problem p;

    template <class Lanes> ECHOLUX_HD void operator()(std::int64_t q, const Lanes& lanes) const {
        BeamSum sum;
        for (std::int64_t part = lanes.startAt(0); part < p.parts(); part += Lanes::step) {
            const BeamSum one = p.part[part * p.perPlace() + q];
            sum = {sum.beam + one.beam, sum.energy + one.energy, sum.heard + one.heard};
        }
        sum = {{laneSum(lanes, sum.beam.re), laneSum(lanes, sum.beam.im)},
               laneSum(lanes, sum.energy),
               laneSum(lanes, sum.heard)};
        if (lanes.own == 0) p.sum[q] = sum;
    }
};

/// Focusing criterion of a point, coherent / most: |sum_k Y_k|^2 / (elements sum_k |Y_k|^2), over
/// its bins.
struct FocusOf {
    float coherent = 0.0F;
    float most = 0.0F;
    float energy = 0.0F;
    float heard = 0.0F; ///< number of elements that heard the point, summed over the bins

    ECHOLUX_HD float criterion() const { return most > 0.0F ? coherent / most : 0.0F; }
};
/// `sums` is [point][bin], of the whole aperture or of a part.
ECHOLUX_HD inline FocusOf focusOf(const Problem& p, const BeamSum* sums, std::int64_t point) {
    FocusOf focus;
    for (std::int64_t q = point * p.bins; q < (point + 1) * p.bins; ++q) {
        focus.coherent += norm(sums[q].beam);
        focus.most += sums[q].heard * sums[q].energy;
        focus.energy += sums[q].energy;
        focus.heard += sums[q].heard;
    }
    return focus;
}

/// The weight of a point depends on how well it is in focus, not on how loud it is. A loud
/// reflector beside the point (a wire in a side lobe) may reach into its gate; it is loud but not
/// in focus. This affects some elements only, and other elements at other points. So with `byParts`
/// the weight for an element depends on the focus in the part of the aperture around it as well as
/// in the whole aperture. Index: part * points + point.
struct WeighPoint {
    Problem p;
    float focusPower;
    float partPower;
    bool byParts;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t part = i / p.points;
        const std::int64_t point = i - part * p.points;
        if (p.published) {
            p.partWeight[i] = 1.0F;
            if (part == 0) p.weight[point] = p.share[point] = p.evened[point] = 1.0F;
            if (i == 0) *p.loudness = 1.0F;
            return;
        }
        const FocusOf whole = focusOf(p, p.sum, point);
        const FocusOf own = byParts ? focusOf(p, p.part + part * p.perPlace(), point) : whole;
        const float share = std::pow(whole.criterion(), focusPower);
        p.partWeight[i] = weightOf(share, own);
        if (part != 0) return;
        p.weight[point] = weightOf(share, whole);
        const bool heard = whole.energy > 0.0F && whole.heard > 0.0F;
        p.share[point] = heard ? share * std::pow(whole.criterion(), partPower) : 0.0F;
        p.evened[point] = heard ? p.share[point] * (whole.heard / whole.energy) : 0.0F;
    }

private:
    ECHOLUX_HD float weightOf(float share, const FocusOf& focus) const {
        if (!(focus.energy > 0.0F)) return 0.0F;
        return share * std::pow(focus.criterion(), partPower) * (*p.loudness / focus.energy);
    }
};

/// Cross spectra R and powers P (see above), divided by the loudness except for iterated methods.
/// Item: offset * places + place; offset number `offsets` means the place itself.
struct CrossSpectra {
    Problem p;

    template <class Lanes> ECHOLUX_HD void operator()(std::int64_t item, const Lanes& lanes) const {
        const auto o = static_cast<int>(item / p.places());
        const auto place = static_cast<std::int32_t>(item % p.places());
        const bool self = o == p.offsets;
        const std::int32_t n = self ? place : p.neighbour(place, p.offset[o], 1);
        Complex sum{};
        float weights = 0.0F;
        float squares = 0.0F;
        float level = 0.0F;
        float listened = 0.0F;
        const float* const weightOf = p.partWeight + std::int64_t{p.partOf(place)} * p.points;
        if (n >= 0) {
            const Complex* y = p.spectra + place * p.perPlace();
            const Complex* other = p.spectra + n * p.perPlace();
            for (std::int64_t q = lanes.startAt(0); q < p.perPlace(); q += Lanes::step) {
                const float weight = weightOf[q / p.bins];
                sum = sum + weight * (y[q] * conj(other[q]));
                weights += weight;
                squares += weight * weight;
                if (!self) continue;
                const float energy = isSound(norm(y[q])) ? norm(y[q]) : 0.0F;
                level += p.evened[q / p.bins] * energy;
                listened += energy > 0.0F ? p.share[q / p.bins] : 0.0F;
            }
        }
        sum = {laneSum(lanes, sum.re), laneSum(lanes, sum.im)};
        weights = laneSum(lanes, weights);
        squares = laneSum(lanes, squares);
        level = laneSum(lanes, level);
        listened = laneSum(lanes, listened);
        if (lanes.own != 0) return;
        if (!isSound(norm(sum))) sum = {}; // such an element counts as silent
        const float scale = weights > 0.0F ? 1.0F / (weights * *p.loudness) : 0.0F;
        if (self) {
            p.power[place] = scale * sum.re;
            p.level[place] = listened > 0.0F ? level / listened : 0.0F;
            p.listened[place] = listened;
            p.alike[place] =
                weights > 0.0F ? weights * weights / (squares * static_cast<float>(p.bins)) : 0.0F;
        } else {
            p.cross[p.at(o, place)] = scale * sum;
        }
    }
};

/// Coherence |W| (see above); for iterated methods also M = |W| R. Index: offset * places + place.
struct Coherence {
    Problem p;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const auto o = static_cast<int>(i / p.places());
        const auto place = static_cast<std::int32_t>(i % p.places());
        const std::int32_t n = p.neighbour(place, p.offset[o], 1);
        float value = 0.0F;
        if (n >= 0) {
            const float most = std::sqrt(p.power[place]) * std::sqrt(p.power[n]);
            const float size = magnitude(p.cross[i]);
            const float floored = most + (p.published ? kFloor : 0.0F);
            value = floored > 0.0F ? size / floored : 0.0F;
            if (!p.published && value > 1.0F) value = 1.0F; // rounding
        }
        p.coherence[i] = value;
        if (p.iterated) p.cross[i] = value * p.cross[i];
    }
};

/// Mean coherence of an element with its neighbours.
ECHOLUX_HD inline float coherenceOf(const Problem& p, std::int32_t place) {
    float sum = 0.0F;
    float count = 0.0F;
    p.neighbours(place, 0, 1, [&](int pair, int n, int) {
        const bool present = p.power[n] > 0.0F;
        sum += present ? p.coherence[pair] : 0.0F;
        count += present ? 1.0F : 0.0F;
    });
    return count > 0.0F ? sum / count : 0.0F;
}

/// 1 / S with the published regularisation, which assumes data whose maximum is 1.
ECHOLUX_HD inline Complex inverseOf(Method method, Complex filter) {
    if (method == Method::Matlab) {
        const Complex below{filter.re + kFloor, filter.im};
        return (1.0F / norm(below)) * conj(below);
    }
    const Complex above = method == Method::Conjugate ? filter : conj(filter);
    return (1.0F / (norm(filter) + kFloor)) * above;
}

/// One value of an iteration S <- (1 - mu) S + mu sum_n M_n / S_n, M = |W| R, in the variant
/// `method`, see Method. `inverse` holds 1 / S of all places. The lanes share the neighbours; only
/// the result of the first lane is valid.
template <class Lanes> ECHOLUX_HD inline Complex iterated(const Problem& p, Method method, float mu,
                                                          Complex own, const Complex* inverse,
                                                          int place, const Lanes& lanes) {
    Complex sum{};
    float count = 0.0F;
    if (lanes.own == 0) {
        const float power = p.power[place];
        const float coherence =
            p.published ? power / (power + kFloor) : (power > 0.0F ? 1.0F : 0.0F);
        sum = (coherence * power) * inverse[place];
        count = power > 0.0F ? 1.0F : 0.0F;
    }
    const bool conjugate = method == Method::Conjugate;
    p.neighbours(place, static_cast<int>(lanes.own), static_cast<int>(Lanes::step),
                 [&](int pair, int n, int sign) {
                     const Complex m = p.cross[pair];
                     sum = sum + (sign > 0 ? m : conj(m)) * inverse[n];
                     if (conjugate) count += p.power[n] > 0.0F ? 1.0F : 0.0F;
                 });
    sum = {laneSum(lanes, sum.re), laneSum(lanes, sum.im)};
    if (conjugate) {
        count = laneSum(lanes, count);
        sum = (count > 0.0F ? 1.0F / count : 0.0F) * sum;
    }
    const Complex relaxed = (1.0F - mu) * own + mu * sum;
    if (method == Method::Gpu) return (1.0F / static_cast<float>(p.kernelPlaces)) * relaxed;
    return relaxed;
}

/// Compares each element with the sum of all others: the direction of sum_q w_q Y_k conj(beam_q -
/// own).
struct AgainstBeam {
    Problem p;
    Complex* filter; ///< [place]

    template <class Lanes>
    ECHOLUX_HD void operator()(std::int64_t place, const Lanes& lanes) const {
        const Complex mine = direction(p.filter[place]);
        const Complex* y = p.spectra + place * p.perPlace();
        Complex sum{};
        for (std::int64_t q = lanes.startAt(0); q < p.perPlace(); q += Lanes::step) {
            const Complex own = conj(mine) * y[q];
            sum = sum + p.weight[q / p.bins] * (own * conj(p.sum[q].beam - own));
        }
        sum = {laneSum(lanes, sum.re), laneSum(lanes, sum.im)};
        if (lanes.own == 0) filter[place] = mine * direction(sum);
    }
};

} // namespace echolux::aberration
