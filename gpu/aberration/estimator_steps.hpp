// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of an estimate as functors of indices and of teams. Include it only from .cu files.
#pragma once

#include "gpu/aberration/aberration_formula.hpp"
#include "gpu/aberration/estimator.hpp"
#include "gpu/aberration/least_squares.hpp"
#include "gpu/exec/team.hpp"

#include <cmath>

namespace echolux::aberration {

constexpr int kIterateLanes = 4; ///< lanes that share the neighbours of an element

struct FillFilter {
    const float* phase; ///< null: 0
    Complex* filter;

    ECHOLUX_HD void operator()(std::int64_t k) const {
        filter[k] = phase != nullptr ? turn(phase[k]) : Complex{1.0F, 0.0F};
    }
};

/// The mean energy, which makes weights and cross spectra independent of the data's scale. For
/// iterated methods it is 1: their filter grows with the scale, as Herikstad's does.
struct Loudness {
    Problem p;

    template <class Team> ECHOLUX_HD void operator()(const Team& team) const {
        const auto all = static_cast<int>(p.perPlace());
        const Several<2> sums = team.template sums<2>(all, [&](int q) {
            return Several<2>{{p.sum[q].energy, p.sum[q].heard}};
        });
        team.each(1, [&](int) {
            const bool scaled = !p.iterated && sums.of[1] > 0.0F;
            *p.loudness = scaled ? sums.of[0] / sums.of[1] : 1.0F;
        });
    }
};

struct FocusFigures {
    Problem p;
    float* figures;
    Figure focus;
    Figure sharpness;

    template <class Team> ECHOLUX_HD void operator()(const Team& team) const {
        const auto intensity = [&](int point) {
            float sum = 0.0F;
            for (std::int64_t q = std::int64_t{point} * p.bins;
                 q < (std::int64_t{point} + 1) * p.bins; ++q)
                sum += norm(p.sum[q].beam);
            return sum;
        };
        const Several<3> sums = team.template sums<3>(p.points, [&](int point) {
            const FocusOf own = focusOf(p, p.sum, point);
            return Several<3>{
                {intensity(point), p.weight[point] * own.coherent, p.weight[point] * own.most}};
        });
        const float criterion = sums.of[2] > 0.0F ? sums.of[1] / sums.of[2] : 0.0F;
        const float scale = sums.of[0] > 0.0F ? 1.0F / sums.of[0] : 0.0F;
        const float square = team.sum(p.points, [&](int point) {
            const float share = scale * intensity(point);
            return share * share;
        });
        team.each(1, [&](int) {
            figures[static_cast<int>(focus)] = criterion;
            figures[static_cast<int>(sharpness)] = square;
        });
    }
};

struct Solve {
    Problem p;
    SolverMemory memory;
    float* figures;
    int mostSteps;
    bool counted; ///< the solver's steps count as iterations of the estimate

    template <class Team> ECHOLUX_HD void operator()(const Team& team) const {
        LeastSquares<Team> solver(team, p, memory);
        const int steps = solver.solve(mostSteps);
        team.each(p.places(), [&](int k) { p.filter[k] = turn(memory.phase[k]); });
        team.each(1, [&](int) {
            if (counted) figures[static_cast<int>(Figure::Iterations)] += static_cast<float>(steps);
        });
    }
};

/// Measures the progress of an iteration and decides whether it ends: by Herikstad's rule for his
/// methods, else by the norm of the complex change.
struct Judge {
    std::int32_t places;
    float* figures;
    float* stopped;
    float epsilon;
    bool byMagnitudes;

    template <class Team>
    ECHOLUX_HD void operator()(const Team& team, const Complex* from, const Complex* to) const {
        if (*stopped != 0.0F) return;
        const Several<3> all = team.template sums<3>(places, [&](int k) {
            const float now = magnitude(to[k]);
            return Several<3>{
                {norm(to[k] - from[k]), norm(to[k]), now > 0.0F ? magnitude(from[k]) / now : 1.0F}};
        });
        const float moved = all.of[0];
        const float size = all.of[1];
        const float ratio = all.of[2];
        team.each(1, [&](int) {
            const float change = size > 0.0F ? std::sqrt(moved / size) : 0.0F;
            float& smallest = figures[static_cast<int>(Figure::Magnitudes)];
            float& count = figures[static_cast<int>(Figure::Iterations)];
            const float error = std::fabs(ratio / static_cast<float>(places) - 1.0F);
            smallest = count == 0.0F || error < smallest ? error : smallest;
            count += 1.0F;
            figures[static_cast<int>(Figure::Change)] = change;
            if ((byMagnitudes ? smallest : change) < epsilon) *stopped = 1.0F;
        });
    }
};

/// Some steps of an iteration. Reads and writes p.filter.
struct Iterate {
    Problem p;
    Method method;
    float mu;
    std::int64_t steps;
    bool judged; ///< false: all steps are done
    Judge judge;
    Complex* other;   ///< [place] scratch
    Complex* inverse; ///< [2][place] scratch

    template <class Team> ECHOLUX_HD void operator()(const Team& team) const {
        const int places = p.places();
        Complex* from = p.filter;
        Complex* to = other;
        Complex* inverseFrom = inverse;
        Complex* inverseTo = inverse + places;
        team.each(places, [&](int k) { inverseFrom[k] = inverseOf(method, from[k]); });
        for (std::int64_t i = 0; i < steps && (!judged || *judge.stopped == 0.0F); ++i) {
            team.template eachByLanes<kIterateLanes>(places, [&](int k, const auto& lanes) {
                const Complex next = iterated(p, method, mu, from[k], inverseFrom, k, lanes);
                if (lanes.own != 0) return;
                to[k] = next;
                inverseTo[k] = inverseOf(method, next);
            });
            if (judged) judge(team, from, to);
            swap(from, to);
            swap(inverseFrom, inverseTo);
        }
        if (from != p.filter) team.each(places, [&](int k) { p.filter[k] = from[k]; });
    }

private:
    static ECHOLUX_HD void swap(Complex*& a, Complex*& b) {
        Complex* const was = a;
        a = b;
        b = was;
    }
};

/// Writes the phase differences of the filter between neighbouring elements to p.cross, as numbers
/// of magnitude 1. The solver, which reads cross spectra there, then unwraps the filter's phase.
struct PairPhases {
    Problem p;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const auto o = static_cast<int>(i / p.places());
        const auto place = static_cast<std::int32_t>(i % p.places());
        const std::int32_t n = p.neighbour(place, p.offset[o], 1);
        p.cross[i] = n < 0 ? Complex{} : direction(p.filter[place] * conj(p.filter[n]));
    }
};

/// Restores what the solver smoothed: the phase becomes the filter's own, apart from whole turns.
struct OwnPhase {
    const Complex* filter;
    float* phase;

    ECHOLUX_HD void operator()(std::int64_t k) const {
        phase[k] += angle(filter[k] * turn(-phase[k]));
    }
};

struct FilterSize {
    const Complex* filter;
    float* amplitude;

    ECHOLUX_HD void operator()(std::int64_t k) const { amplitude[k] = magnitude(filter[k]); }
};

/// The amplitude of each channel relative to all channels that heard the same points. Where an
/// element heard less than a quarter of what the others heard, little is known of it; its amplitude
/// is drawn towards the mean.
struct ChannelSize {
    Problem p;
    float* amplitude;

    template <class Team> ECHOLUX_HD void operator()(const Team& team) const {
        constexpr float kEnough = 0.25F;
        const Several<2> all = team.template sums<2>(p.places(), [&](int k) {
            return Several<2>{{p.listened[k], p.listened[k] > 0.0F ? 1.0F : 0.0F}};
        });
        const float enough = all.of[1] > 0.0F ? kEnough * all.of[0] / all.of[1] : 0.0F;
        team.each(p.places(), [&](int k) {
            const float trust = p.listened[k] < enough ? p.listened[k] / enough : 1.0F;
            amplitude[k] = p.level[k] > 0.0F ? std::pow(p.level[k], 0.5F * trust) : 0.0F;
        });
    }
};

/// Judges one step of an iteration that is computed elsewhere.
struct JudgeStep {
    Judge judge;
    const Complex* from;
    const Complex* to;

    template <class Team> ECHOLUX_HD void operator()(const Team& team) const {
        judge(team, from, to);
    }
};

struct Finish {
    Problem p;
    const float* phase;
    const float* amplitude;
    const std::int32_t* placeOf;
    std::int32_t elements;
    float minCoherence;
    float independentBins;
    float* startPhase;    ///< in: start of the estimate; out: its phase
    float* meanCoherence; ///< [place] scratch
    Results results;

    template <class Team> ECHOLUX_HD void operator()(const Team& team) const {
        constexpr float kTurn = 6.28318531F;
        const int places = p.places();
        const auto present = [&](int k) { return p.power[k] > 0.0F ? 1.0F : 0.0F; };
        const Several<5> elementSums = team.template sums<5>(places, [&](int k) {
            meanCoherence[k] = coherenceOf(p, k);
            const float here = present(k);
            return Several<5>{{here, here * meanCoherence[k], here * amplitude[k], here * phase[k],
                               here * p.alike[k]}};
        });
        const float count = elementSums.of[0];
        const float share = count > 0.0F ? 1.0F / count : 0.0F;
        const float coherence = share * elementSums.of[1];
        const float loudness = share * elementSums.of[2];
        const float piston = share * elementSums.of[3];
        const float points = share * elementSums.of[4];
        // The coherence that noise alone has for this many complex numbers, with a margin.
        const float noise = 1.5F * 0.886F / std::sqrt(points * independentBins);
        const Several<3> powers = team.template sums<3>(static_cast<int>(p.perPlace()), [&](int q) {
            const float weight = p.weight[q / p.bins];
            const float power = weight * p.sum[q].energy;
            return Several<3>{{power, power * p.binHz[q % p.bins], power > 0.0F ? 1.0F : 0.0F}};
        });
        // One point alone tells which way the array looks; echoes of many may lie beside them all.
        const bool isTiltKnown = p.published || powers.of[2] <= static_cast<float>(p.bins);
        const float centre =
            powers.of[0] > 0.0F ? powers.of[1] / powers.of[0] : p.binHz[p.bins / 2];
        const Tilt tilt = tiltOf(team, piston);
        const Tilt applied = isTiltKnown ? Tilt{} : tilt;
        const Several<2> spreads = team.template sums<2>(places, [&](int k) {
            const float off = restOf(k, piston, applied);
            return Several<2>{{off * off, present(k) * norm(turn(phase[k]) - turn(startPhase[k]))}};
        });
        const float rms = share * spreads.of[0];
        const float moved = share * spreads.of[1];
        const bool coherent = coherence >= minCoherence && coherence >= noise && count > 1.0F &&
                              centre > 0.0F && rms < 1e30F;
        const bool valid = coherent && (p.published || gains(team, piston, tilt, share));
        const float seconds = centre > 0.0F ? -1.0F / (kTurn * centre) : 0.0F;
        team.each(elements, [&](int e) {
            const std::int32_t k = placeOf[e];
            const bool heard = valid && present(k) > 0.0F;
            results.delayS[e] = heard ? seconds * restOf(k, piston, applied) : 0.0F;
            results.amplitude[e] = heard && loudness > 0.0F ? amplitude[k] / loudness : 1.0F;
            results.coherence[e] = meanCoherence[k];
        });
        team.each(places, [&](int k) { startPhase[k] = valid ? phase[k] : 0.0F; });
        team.each(1, [&](int) {
            float* figures = results.figures;
            figures[static_cast<int>(Figure::Valid)] = valid ? 1.0F : coherent ? -1.0F : 0.0F;
            figures[static_cast<int>(Figure::Coherence)] = coherence;
            figures[static_cast<int>(Figure::CentreHz)] = centre;
            if (figures[static_cast<int>(Figure::Change)] == 0.0F)
                figures[static_cast<int>(Figure::Change)] = std::sqrt(moved);
            figures[static_cast<int>(Figure::RmsDelay)] = std::fabs(seconds) * std::sqrt(rms);
            figures[static_cast<int>(Figure::Age)] = 0.0F;
        });
    }

private:
    /// Phase from place to place.
    struct Tilt {
        float alongX = 0.0F;
        float alongY = 0.0F;
    };

    ECHOLUX_HD float xOf(int k) const {
        return static_cast<float>(k % p.columns) - 0.5F * static_cast<float>(p.columns - 1);
    }
    ECHOLUX_HD float yOf(int k) const {
        return static_cast<float>(k / p.columns) - 0.5F * static_cast<float>(p.rows - 1);
    }
    ECHOLUX_HD float restOf(int k, float piston, const Tilt& tilt) const {
        const bool heard = p.power[k] > 0.0F;
        return heard ? phase[k] - piston - tilt.alongX * xOf(k) - tilt.alongY * yOf(k) : 0.0F;
    }
    template <class Team> ECHOLUX_HD Tilt tiltOf(const Team& team, float piston) const {
        const Several<4> sums = team.template sums<4>(p.places(), [&](int k) {
            const float off = restOf(k, piston, {});
            return Several<4>{{xOf(k) * off, xOf(k) * xOf(k), yOf(k) * off, yOf(k) * yOf(k)}};
        });
        return {sums.of[1] > 0.0F ? sums.of[0] / sums.of[1] : 0.0F,
                sums.of[3] > 0.0F ? sums.of[2] / sums.of[3] : 0.0F};
    }
    /// True where the filter raises the focus criterion by at least a tenth of rms^2, the mean
    /// square of its phases, and by a tenth where rms^2 exceeds 1. Real phases lower the criterion
    /// to exp(-rms^2) of its value without them, and by less where channels are coherent over few
    /// elements only. Phases that the estimate invented do not lower it. A tilt over the array
    /// moves the focus and does not change the criterion, so it does not count.
    template <class Team>
    ECHOLUX_HD bool gains(const Team& team, float piston, const Tilt& tilt, float share) const {
        constexpr float kOfTheirs = 0.1F;
        const float square = share * team.sum(p.places(), [&](int k) {
            const float rest = restOf(k, piston, tilt);
            return rest * rest;
        });
        const float before = results.figures[static_cast<int>(Figure::FocusBefore)];
        const float after = results.figures[static_cast<int>(Figure::FocusAfter)];
        return after >= before * (1.0F + kOfTheirs * (square < 1.0F ? square : 1.0F));
    }
};

} // namespace echolux::aberration
