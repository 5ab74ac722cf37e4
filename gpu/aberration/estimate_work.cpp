// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of the steps of an estimate: those of estimator_steps.hpp, aberration_formula.hpp and
// least_squares.hpp. A complex product has two products and two FFMA.
#include "gpu/aberration/estimate_work.hpp"

#include "gpu/aberration/team_work.hpp"
#include "gpu/stage/function_work.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace echolux::aberration {
namespace {

using model::Kernel;
using model::Part;

constexpr const char* kName = "aberration";
constexpr double kSample = sizeof(Complex);
constexpr double kSum = sizeof(BeamSum);

/// The kernels of one problem, in the order of their launches.
class Estimates {
public:
    Estimates(Backend backend, const Problem& problem, const SolveParams& params)
        : m_backend(backend), p(problem), m_params(params), m_places(problem.places()),
          m_perPlace(static_cast<double>(problem.perPlace())), m_parts(problem.parts()) {
        for (int o = 0; o < p.offsets; ++o) {
            const double rows = p.rows - std::abs(p.offset[o].row);
            const double columns = p.columns - std::abs(p.offset[o].column);
            m_pairs += std::max(rows, 0.0) * std::max(columns, 0.0);
        }
        m_neighbours = 2.0 * m_pairs / m_places; // of a place, on both sides
    }

    std::vector<Kernel> all() {
        copy(4.0 * m_places); // and the fills, which are shorter
        fillFilter(true);
        copy(4.0 * m_places);
        if (m_params.method == Method::LeastSquares) {
            const std::int64_t passes =
                p.points > 1 ? std::max<std::int64_t>(m_params.passes, 1) : 1;
            for (std::int64_t pass = 0; pass < passes; ++pass) {
                weigh(pass == 0);
                compare();
                solve();
            }
        } else {
            m_params.method == Method::BeamSum ? followBeam() : iterate();
            unwrap();
        }
        for (const bool filtered : {false, true}) {
            copy(kSample * m_places);
            if (!filtered) fillFilter(false);
            sumBeam();
            focusFigures();
        }
        sizes();
        finish();
        return std::move(m_kernels);
    }

private:
    Part scalar(const Part& part) const { return oneByOne(m_backend, part); }
    Part root() const { return rootWork(m_backend); }
    Part division() const { return divisionWork(m_backend); }
    /// Magnitude 1 in the same direction.
    Part direction() const {
        return addedUp(
            {scalar({.ffma = 1.0, .fmul = 3.0, .fadd = 1.0, .offsets = 3.0}), root(), division()});
    }
    std::int64_t count(double items) const { return static_cast<std::int64_t>(items); }
    void add(Kernel kernel) { m_kernels.push_back(std::move(kernel)); }
    void forItems(double items, const ElementWork& each) {
        add(forEachWork(m_backend, kName, count(items), each));
    }
    void copy(double bytes) { add(copyWork(kName, static_cast<std::size_t>(bytes))); }

    void fillFilter(bool fromPhase) {
        forItems(m_places, {.bytesRead = fromPhase ? 4.0 : 0.0,
                            .bytesWritten = kSample,
                            .counts = fromPhase ? turnWork(m_backend) : Part{}});
    }

    /// SumPart and SumBeam. Per place: the filter's direction, the turned spectrum and its power.
    void sumBeam() {
        const double each = m_places / m_parts;
        const Part place =
            addedUp({scalar({.ffma = 3.0, .fmul = 3.0, .fadd = 7.0, .offsets = 8.0}), direction()});
        forItems(m_parts * m_perPlace, {.bytesRead = 2.0 * kSample * each,
                                        .bytesWritten = kSum,
                                        .distinctRead = kSample * each,
                                        .counts = place.times(each),
                                        .divisions = 3.0});
        add(forEachByLanesWork(m_backend, kName, p.perPlace(),
                               {.bytesRead = kSum * m_parts,
                                .bytesWritten = kSum,
                                .counts = scalar({.fadd = 4.0, .offsets = 5.0}).times(m_parts)},
                               4.0));
    }

    /// sumBeam(), Loudness and WeighPoint. WeighPoint adds up the bins of the whole aperture and of
    /// its part, and takes three powers.
    void weigh(bool first) {
        if (!p.published) {
            sumBeam();
            if (first) {
                TeamWork team(m_backend, kName);
                team.sums(m_perPlace, {8.0, scalar({.fadd = 2.0, .offsets = 3.0})}, 2.0);
                team.each(1.0, {12.0, division()});
                add(team.kernel(kSum * m_perPlace + 4.0));
            }
        }
        const double points = m_parts * p.points;
        if (p.published) return forItems(points, {.bytesWritten = 4.0, .divisions = 1.0});
        const double sums = m_params.method == Method::LeastSquares ? 2.0 : 1.0;
        const Part bin = scalar({.ffma = 2.0, .fmul = 1.0, .fadd = 3.0, .offsets = 5.0});
        forItems(points, {.bytesRead = kSum * p.bins * sums,
                          .bytesWritten = 4.0,
                          .distinctRead =
                              kSum * p.bins * (sums > 1.0 ? 1.0 + 1.0 / m_parts : 1.0 / m_parts),
                          .counts = addedUp({bin.times(sums * p.bins),
                                             powerWork(m_backend).times(3.0),
                                             division().times(3.0),
                                             {.offsets = 16.0}}),
                          .divisions = 1.0});
    }

    /// CrossSpectra and Coherence. Each value of a pair takes a division that finds the weight of
    /// its point.
    void compare() {
        constexpr std::int64_t kShort = 64;
        const double items = (p.offsets + 1.0) * m_places;
        const double present = (m_pairs + m_places) / items; // others lie beside the array
        const double selves = m_places / items;
        const double divisions = m_backend == Backend::Cuda ? 25.0 : 10.0;
        const Part value =
            scalar({.ffma = 3.0, .fmul = 4.0, .fadd = 3.0, .offsets = 8.0 + divisions});
        const Part self = scalar({.ffma = 2.0, .fmul = 1.0, .fadd = 4.0, .offsets = 6.0});
        const ElementWork each{.bytesRead =
                                   (present * (2.0 * kSample + 4.0) + selves * 8.0) * m_perPlace,
                               .bytesWritten = kSample * (1.0 - selves) + 16.0 * selves,
                               .distinctRead = kSample * m_perPlace * selves,
                               .counts = addedUp({value.times(present * m_perPlace),
                                                  self.times(selves * m_perPlace),
                                                  division().times(2.0),
                                                  {.offsets = 20.0}}),
                               .divisions = 2.0};
        add(p.perPlace() < kShort ? forEachWork(m_backend, kName, count(items), each)
                                  : forEachByLanesWork(m_backend, kName, count(items), each, 6.0));
        forItems(
            m_places * p.offsets,
            {.bytesRead = kSample + 8.0,
             .bytesWritten = 4.0,
             .distinctRead = kSample,
             .counts = addedUp({scalar({.ffma = 1.0, .fmul = 2.0, .fadd = 3.0, .offsets = 20.0}),
                                root().times(3.0), division()}),
             .divisions = 3.0});
    }

    /// Three steps over the lowest modes, and one over the places.
    void precondition(TeamWork& team) const {
        const double across = std::min(p.columns, kMostModes);
        const double down = std::min(p.rows, kMostModes);
        const auto terms = [&](double number) {
            return TeamItem{8.0 * number + 4.0,
                            scalar({.ffma = 1.0, .offsets = 4.0}).times(number)};
        };
        team.each(p.rows * across, terms(p.columns), 32.0);
        TeamItem modes = terms(p.rows);
        modes.counts = addedUp({modes.counts, division()});
        team.each(down * across, modes, 32.0);
        team.each(p.rows * across, terms(down), 8.0);
        TeamItem place = terms(across);
        place.bytes += 12.0;
        place.counts = addedUp({place.counts, division(), scalar({.fmul = 1.0, .offsets = 6.0})});
        team.sums(m_places, place);
    }

    /// Solve. Each step of the conjugate gradients applies the operator, adds up, and
    /// preconditions.
    void solve() {
        const auto neighbours = [&](double bytes, const Part& each) {
            return TeamItem{bytes * m_neighbours + 8.0,
                            addedUp({each.times(m_neighbours), {.offsets = 20.0}})};
        };
        TeamWork team(m_backend, kName, 4.0 * m_places);
        team.sums(m_places, neighbours(4.0, scalar({.fmul = 1.0, .fadd = 1.0, .offsets = 8.0})));
        for (int o = 0; o < p.offsets; ++o)
            team.sums(m_places, {4.0, scalar({.fmul = 1.0, .offsets = 20.0})});
        team.each(std::min(p.rows, kMostModes) * 1.0 * std::min(p.columns, kMostModes),
                  {4.0, addedUp({scalar({.ffma = 1.0, .fmul = 3.0, .fadd = 1.0, .offsets = 6.0}),
                                 sineWork(m_backend).times(2.0)})
                            .times(p.offsets)});
        for (int descent = 0; descent < 2; ++descent) {
            const Part missing =
                addedUp({scalar({.ffma = 3.0, .fmul = 3.0, .fadd = 2.0, .offsets = 12.0}),
                         turnWork(m_backend), arcTangentWork(m_backend)});
            team.each(m_places, neighbours(4.0 + kSample + 4.0, missing));
            precondition(team);
            team.each(m_places, {8.0, {}});
            for (std::int64_t step = 0; step < m_params.iterations; ++step) {
                const Part applied = scalar({.ffma = 1.0, .fmul = 1.0, .offsets = 8.0});
                team.sums(m_places, neighbours(8.0, applied));
                team.each(m_places, {24.0, scalar({.ffma = 2.0, .offsets = 6.0})});
                precondition(team);
                team.each(m_places, {12.0, scalar({.ffma = 1.0, .offsets = 4.0})});
            }
        }
        team.each(m_places, {4.0 + kSample, turnWork(m_backend)});
        team.each(1.0, {8.0, {.fadd = 1.0}});
        const double floats =
            6.0 * m_places + (p.rows + p.columns + 3.0 * kMostModes) * kMostModes; // of the solver
        add(team.kernel(4.0 * floats + (kSample + 4.0) * p.offsets * m_places +
                        kSample * m_places));
    }

    /// Sums of Judge.
    TeamItem judged() const {
        return {2.0 * kSample,
                addedUp({scalar({.ffma = 3.0, .fmul = 3.0, .fadd = 2.0, .offsets = 6.0}),
                         root().times(2.0), division()})};
    }

    /// Each step compares every element with the beam sum.
    void followBeam() {
        for (std::int64_t i = 0; i < m_params.iterations; ++i) {
            weigh(i == 0);
            const Part value = scalar({.ffma = 6.0, .fmul = 4.0, .fadd = 2.0, .offsets = 18.0});
            add(forEachByLanesWork(
                m_backend, kName, count(m_places),
                {.bytesRead = (2.0 * kSample + 4.0) * m_perPlace,
                 .bytesWritten = kSample,
                 .distinctRead = kSample * m_perPlace,
                 .counts = addedUp({value.times(m_perPlace), direction().times(2.0)})},
                2.0));
            TeamWork judge(m_backend, kName);
            judge.sums(m_places, judged(), 3.0);
            judge.each(1.0, {24.0, root()});
            add(judge.kernel(2.0 * kSample * m_places));
            copy(kSample * m_places);
        }
        weigh(m_params.iterations == 0);
        compare();
    }

    /// One team makes all steps of an iteration.
    void iterate() {
        weigh(true);
        compare();
        constexpr double kShared = 4.0; // lanes that share the neighbours of an element
        const Part inverse =
            addedUp({scalar({.ffma = 1.0, .fmul = 3.0, .fadd = 1.0, .offsets = 4.0}), division()});
        TeamWork team(m_backend, kName, kShared * m_places);
        team.each(m_places, {2.0 * kSample, inverse});
        const Part neighbour = scalar({.ffma = 2.0, .fmul = 2.0, .fadd = 2.0, .offsets = 9.0});
        const Part relaxed = scalar({.ffma = 2.0, .fmul = 4.0, .fadd = 2.0, .offsets = 10.0});
        for (std::int64_t step = 0; step < m_params.iterations; ++step) {
            team.each(m_places,
                      {2.0 * kSample * m_neighbours + 4.0 * kSample,
                       addedUp({neighbour.times(m_neighbours), relaxed, inverse, division()})},
                      kShared);
            if (m_params.epsilon <= 0.0) continue;
            team.sums(m_places, judged(), 3.0);
            team.each(1.0, {24.0, root()});
        }
        team.each(m_places, {2.0 * kSample, {}});
        add(team.kernel(kSample * (p.offsets + 4.0) * m_places + 4.0 * m_places));
    }

    void unwrap() {
        forItems(
            m_places * p.offsets,
            {.bytesRead = 2.0 * kSample,
             .bytesWritten = kSample,
             .distinctRead = kSample / p.offsets,
             .counts = addedUp({scalar({.ffma = 2.0, .fmul = 2.0, .offsets = 20.0}), direction()}),
             .divisions = 3.0});
        copy(kSample * m_places);
        solve();
        forItems(m_places, {.bytesRead = kSample + 4.0,
                            .bytesWritten = 4.0,
                            .counts = addedUp({scalar({.ffma = 2.0, .fmul = 2.0, .fadd = 1.0}),
                                               turnWork(m_backend), arcTangentWork(m_backend)})});
        copy(kSample * m_places);
    }

    void focusFigures() {
        TeamWork team(m_backend, kName);
        const Part bin = scalar({.ffma = 3.0, .fmul = 2.0, .fadd = 4.0, .offsets = 8.0});
        team.sums(p.points, {2.0 * kSum * p.bins + 4.0, bin.times(p.bins)}, 3.0);
        team.sums(p.points,
                  {kSum * p.bins,
                   scalar({.ffma = 1.0, .fmul = 1.0, .fadd = 1.0, .offsets = 5.0}).times(p.bins)});
        team.each(1.0, {8.0, {}});
        add(team.kernel(kSum * m_perPlace + 4.0 * p.points));
    }

    /// FilterSize or ChannelSize.
    void sizes() {
        if (isIterated(m_params.method))
            return forItems(m_places,
                            {.bytesRead = kSample,
                             .bytesWritten = 4.0,
                             .counts = addedUp({scalar({.ffma = 1.0, .fmul = 1.0}), root()})});
        TeamWork team(m_backend, kName);
        team.sums(m_places, {8.0, scalar({.fadd = 2.0, .offsets = 3.0})}, 2.0);
        team.each(m_places, {12.0, addedUp({powerWork(m_backend), division(), {.offsets = 6.0}})});
        add(team.kernel(12.0 * m_places));
    }

    void finish() {
        TeamWork team(m_backend, kName, m_places);
        team.sums(m_places,
                  {8.0 * m_neighbours + 20.0,
                   addedUp({scalar({.fadd = 3.0, .offsets = 9.0}).times(m_neighbours), division(),
                            scalar({.fmul = 4.0, .offsets = 16.0})})},
                  5.0);
        const Part power = scalar({.fmul = 2.0, .offsets = 40.0}); // and two divisions
        team.sums(m_perPlace, {12.0, power}, 3.0);
        const Part tilt = scalar({.fmul = 4.0, .fadd = 5.0, .offsets = 24.0});
        team.sums(m_places, {8.0, tilt}, 4.0);
        team.sums(m_places,
                  {12.0, addedUp({scalar({.ffma = 2.0, .fmul = 4.0, .fadd = 3.0, .offsets = 6.0}),
                                  turnWork(m_backend).times(2.0)})},
                  2.0);
        if (!p.published) // gains()
            team.sums(m_places, {8.0, addedUp({tilt, scalar({.ffma = 2.0})})});
        team.each(m_places, {32.0, addedUp({scalar({.fmul = 1.0, .fadd = 2.0, .offsets = 10.0}),
                                            division()})});
        team.each(m_places, {8.0, {}});
        team.each(1.0, {32.0, root().times(2.0)});
        add(team.kernel(4.0 * (p.offsets + 9.0) * m_places + (kSum + 4.0) * m_perPlace));
    }

    Backend m_backend;
    const Problem& p;
    const SolveParams& m_params;
    double m_places;
    double m_perPlace;
    double m_parts;
    double m_pairs = 0.0;
    double m_neighbours = 0.0;
    std::vector<Kernel> m_kernels;
};

} // namespace

std::vector<Kernel> estimateWork(Backend backend, const Problem& problem,
                                 const SolveParams& params) {
    return Estimates(backend, problem, params).all();
}

} // namespace echolux::aberration
