// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/aberration/estimator.hpp"

#include "gpu/aberration/aberration_formula.hpp"
#include "gpu/aberration/estimator_steps.hpp"
#include "gpu/core/error.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/stage/memory_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux::aberration {
namespace {

constexpr const char* kName = "aberration";

std::vector<Offset> offsetsOf(const ElementGrid& grid, int radius) {
    std::vector<Offset> offsets;
    for (int row = 0; row <= (grid.isLine() ? 0 : radius); ++row) {
        for (int column = -radius; column <= radius; ++column)
            if (row > 0 || column > 0) offsets.push_back({row, column});
    }
    return offsets;
}

/// Orthonormal cosines, [place][kMostModes].
void addModes(std::vector<float>& to, std::int32_t size) {
    for (std::int32_t i = 0; i < size; ++i) {
        for (int mode = 0; mode < kMostModes; ++mode) {
            const double scale = std::sqrt((mode == 0 ? 1.0 : 2.0) / size);
            const double at = std::numbers::pi * mode * (i + 0.5) / size;
            to.push_back(static_cast<float>(mode < size ? scale * std::cos(at) : 0.0));
        }
    }
}

/// Runs a functor with one lane, for items that are too short for several.
template <class F> struct ByOneLane {
    F functor;

    ECHOLUX_HD void operator()(std::int64_t i) const { functor(i, Lanes<1>{0}); }
};

void copyFilter(const Exec& exec, const Problem& p, Complex* to, const Complex* from) {
    copyWithin(exec, to, from, static_cast<std::size_t>(p.places()) * sizeof(Complex));
}

} // namespace

struct Estimator::Memory {
    Problem problem;
    SolverMemory solver = {};
    float* figures = nullptr;
    float* stopped = nullptr;
    float* amplitude = nullptr;
    float* coherence = nullptr; ///< [place]
    Complex* other = nullptr;   ///< [place] a second filter
    Complex* inverse = nullptr; ///< [2][place]
};

std::vector<double> binsOf(double centreHz, double bandwidthHz, std::int64_t count) {
    std::vector<double> bins;
    for (std::int64_t b = 0; b < count; ++b) {
        const double part = (static_cast<double>(b) + 0.5) / static_cast<double>(count) - 0.5;
        bins.push_back(centreHz + bandwidthHz * part);
    }
    return bins;
}

double independentBins(double bandwidthHz, std::int64_t count, double gateS) {
    return std::clamp(bandwidthHz * gateS, 1.0, static_cast<double>(count));
}

Estimator::Estimator(const ElementGrid& grid, std::int32_t points, std::vector<double> binsHz,
                     double independentBins, const SolveParams& params)
    : m_grid(grid), m_points(points), m_binsHz(std::move(binsHz)),
      m_independentBins(independentBins), m_params(params) {
    if (grid.elements() < 2) {
        throw Error("An estimate of aberration compares the channels of an array, but this one "
                    "has one element.");
    }
    const int most = grid.isLine() ? kMostLineRadius : kMostRadius;
    const int radius = static_cast<int>(std::clamp<std::int64_t>(params.radius, 1, most));
    const std::vector<Offset> offsets = offsetsOf(grid, radius);
    m_problem.rows = grid.rows;
    m_problem.columns = grid.columns;
    m_problem.points = points;
    m_problem.bins = static_cast<std::int32_t>(m_binsHz.size());
    m_problem.offsets = static_cast<std::int32_t>(offsets.size());
    std::ranges::copy(offsets, m_problem.offset);
    m_problem.kernelPlaces = (2 * radius + 1) * (grid.isLine() ? 1 : 2 * radius + 1);
    set(params);
    for (const double hz : m_binsHz) m_floats.push_back(static_cast<float>(hz));
    addModes(m_floats, grid.rows);
    addModes(m_floats, grid.columns);
}

void Estimator::set(const SolveParams& params) {
    m_params = params;
    m_problem.published = isPublished(params.method);
    m_problem.iterated = isIterated(params.method);
}

std::int64_t Estimator::spectraCount() const { return m_problem.places() * m_problem.perPlace(); }

std::size_t Estimator::tableBytes() const {
    return aligned(m_floats.size() * sizeof(float)) +
           aligned(m_grid.elements() * sizeof(std::int32_t));
}

void Estimator::prepare(const Exec& exec, void* tables) {
    auto* bytes = static_cast<std::byte*>(tables);
    const std::size_t floats = m_floats.size() * sizeof(float);
    upload(exec, bytes, m_floats.data(), floats);
    upload(exec, bytes + aligned(floats), m_grid.placeOf.data(),
           m_grid.elements() * sizeof(std::int32_t));
    m_tables = static_cast<const float*>(tables);
    m_placeOf = reinterpret_cast<const std::int32_t*>(bytes + aligned(floats));
}

namespace {

template <class Memory> void takeParts(MemoryParts& parts, Memory& memory) {
    Problem& p = memory.problem;
    const std::int64_t places = p.places();
    const std::int64_t perPlace = p.perPlace();
    p.loudness = parts.take<float>(1);
    p.weight = parts.take<float>(p.points);
    p.partWeight = parts.take<float>(std::int64_t{p.parts()} * p.points);
    p.share = parts.take<float>(p.points);
    p.evened = parts.take<float>(p.points);
    p.sum = parts.take<BeamSum>(perPlace);
    p.part = parts.take<BeamSum>(p.parts() * perPlace);
    p.cross = parts.take<Complex>(p.offsets * places);
    p.power = parts.take<float>(places);
    p.alike = parts.take<float>(places);
    p.level = parts.take<float>(places);
    p.listened = parts.take<float>(places);
    p.coherence = parts.take<float>(p.offsets * places);
    p.filter = parts.take<Complex>(places);
    memory.other = parts.take<Complex>(places);
    memory.inverse = parts.take<Complex>(2 * places);
    memory.amplitude = parts.take<float>(places);
    memory.coherence = parts.take<float>(places);
    memory.figures = parts.take<float>(kFigures);
    memory.stopped = parts.take<float>(1);
    auto* solver =
        parts.take<float>(static_cast<std::int64_t>(SolverMemory::floatsFor(p.rows, p.columns)));
    if (solver != nullptr) memory.solver.layOut(solver, p.rows, p.columns);
}

} // namespace

std::size_t Estimator::scratchBytes() const {
    Memory memory{.problem = m_problem};
    MemoryParts parts(nullptr);
    takeParts(parts, memory);
    return parts.bytes();
}

Estimator::Memory Estimator::layOut(const Complex* spectra, void* scratch) const {
    Memory memory{.problem = m_problem};
    MemoryParts parts(scratch);
    takeParts(parts, memory);
    memory.problem.spectra = spectra;
    memory.problem.binHz = m_tables;
    memory.solver.rowModes = m_tables + m_problem.bins;
    memory.solver.columnModes =
        memory.solver.rowModes + std::ptrdiff_t{m_problem.rows} * kMostModes;
    return memory;
}

namespace {

template <class Memory> Judge judgeOf(const Memory& memory, const SolveParams& params) {
    return {memory.problem.places(), memory.figures, memory.stopped,
            static_cast<float>(params.epsilon), memory.problem.published};
}

void sumBeam(const Exec& exec, const Problem& p) {
    forEach(exec, kName, p.parts() * p.perPlace(), SumPart{p});
    forEachByLanes(exec, kName, p.perPlace(), SumBeam{p});
}

} // namespace

void Estimator::weigh(const Exec& exec, const Memory& memory, bool first) const {
    const Problem& p = memory.problem;
    if (!p.published) {
        sumBeam(exec, p);
        if (first) asTeam(exec, kName, Loudness{p}); // does not depend on the filter
    }
    forEach(exec, kName, std::int64_t{p.parts()} * p.points,
            WeighPoint{p, static_cast<float>(m_params.focusPower),
                       static_cast<float>(m_params.partPower),
                       m_params.method == Method::LeastSquares});
}

void Estimator::compare(const Exec& exec, const Memory& memory) const {
    const Problem& p = memory.problem;
    constexpr std::int64_t kShort = 64; // values of a place: points times bins
    const std::int64_t pairs = (p.offsets + std::int64_t{1}) * p.places();
    if (p.perPlace() < kShort) {
        forEach(exec, kName, pairs, ByOneLane<CrossSpectra>{CrossSpectra{p}});
    } else {
        forEachByLanes(exec, kName, pairs, CrossSpectra{p});
    }
    forEach(exec, kName, std::int64_t{p.offsets} * p.places(), Coherence{p});
}

void Estimator::solve(const Exec& exec, const Memory& memory) const {
    constexpr std::int64_t kLanes = 4; // with fewer threads the steps of the team take longer
    asWideTeam(exec, kName, kLanes * memory.problem.places(), memory.solver.partials,
               Solve{memory.problem, memory.solver, memory.figures,
                     static_cast<int>(m_params.iterations),
                     m_params.method == Method::LeastSquares});
}

void Estimator::fitPasses(const Exec& exec, const Memory& memory,
                          const EstimateHooks& hooks) const {
    const std::int64_t passes = m_points > 1 ? std::max<std::int64_t>(m_params.passes, 1) : 1;
    for (std::int64_t pass = 0; pass < passes; ++pass) {
        weigh(exec, memory, pass == 0);
        compare(exec, memory);
        hooks.end(EstimatePart::Sums);
        solve(exec, memory);
        hooks.end(EstimatePart::Solution);
        if (hooks.afterStep) hooks.afterStep(memory.problem.filter);
    }
}

void Estimator::followBeam(const Exec& exec, const Memory& memory,
                           const EstimateHooks& hooks) const {
    const Problem& p = memory.problem;
    for (std::int64_t i = 0; i < m_params.iterations; ++i) {
        weigh(exec, memory, i == 0);
        forEachByLanes(exec, kName, p.places(), AgainstBeam{p, memory.other});
        asTeam(exec, kName, JudgeStep{judgeOf(memory, m_params), p.filter, memory.other});
        copyFilter(exec, p, p.filter, memory.other);
        if (hooks.afterStep) hooks.afterStep(p.filter);
    }
    hooks.end(EstimatePart::Solution);
    weigh(exec, memory, m_params.iterations == 0);
    compare(exec, memory);
    hooks.end(EstimatePart::Sums);
}

void Estimator::iterate(const Exec& exec, const Memory& memory, const EstimateHooks& hooks) const {
    const Problem& p = memory.problem;
    weigh(exec, memory, true);
    compare(exec, memory);
    hooks.end(EstimatePart::Sums);
    const bool watched = static_cast<bool>(hooks.afterStep);
    const Iterate steps{p,
                        m_params.method,
                        static_cast<float>(m_params.mu),
                        watched ? 1 : m_params.iterations,
                        watched || m_params.epsilon > 0.0,
                        judgeOf(memory, m_params),
                        memory.other,
                        memory.inverse};
    for (std::int64_t i = 0; i < m_params.iterations; i += steps.steps) {
        asWideTeam(exec, kName, kIterateLanes * std::int64_t{p.places()}, memory.solver.partials,
                   steps);
        if (watched) hooks.afterStep(p.filter);
    }
    hooks.end(EstimatePart::Solution);
}

/// Unwraps the phase of the filter, along the pairs that are coherent.
void Estimator::unwrap(const Exec& exec, const Memory& memory) const {
    const Problem& p = memory.problem;
    forEach(exec, kName, std::int64_t{p.offsets} * p.places(), PairPhases{p});
    Complex* own = memory.other;
    copyFilter(exec, p, own, p.filter);
    solve(exec, memory);
    forEach(exec, kName, p.places(), OwnPhase{own, memory.solver.phase});
    copyFilter(exec, p, p.filter, own);
}

void Estimator::run(const Exec& exec, const Complex* spectra, float* startPhase, void* scratch,
                    const Results& results, const EstimateHooks& hooks) const {
    Memory memory = layOut(spectra, scratch);
    memory.figures = results.figures;
    const Problem& p = memory.problem;
    fillBytes(exec, results.figures, 0, kFigures * sizeof(float));
    fillBytes(exec, memory.stopped, 0, sizeof(float));
    forEach(exec, kName, p.places(), FillFilter{startPhase, p.filter});
    copyWithin(exec, memory.solver.phase, startPhase,
               static_cast<std::size_t>(p.places()) * sizeof(float));
    if (m_params.method == Method::LeastSquares) {
        fitPasses(exec, memory, hooks);
    } else {
        m_params.method == Method::BeamSum ? followBeam(exec, memory, hooks)
                                           : iterate(exec, memory, hooks);
        unwrap(exec, memory);
    }
    // Both figures use the weights of the last pass, so that they can be compared.
    copyFilter(exec, p, memory.other, p.filter);
    forEach(exec, kName, p.places(), FillFilter{nullptr, p.filter});
    sumBeam(exec, p);
    asTeam(exec, kName,
           FocusFigures{p, results.figures, Figure::FocusBefore, Figure::SharpnessBefore});
    copyFilter(exec, p, p.filter, memory.other);
    sumBeam(exec, p);
    asTeam(exec, kName,
           FocusFigures{p, results.figures, Figure::FocusAfter, Figure::SharpnessAfter});
    if (isIterated(m_params.method)) {
        forEach(exec, kName, p.places(), FilterSize{p.filter, memory.amplitude});
    } else {
        asTeam(exec, kName, ChannelSize{p, memory.amplitude});
    }
    asWideTeam(exec, kName, p.places(), memory.solver.partials,
               Finish{p, memory.solver.phase, memory.amplitude, m_placeOf, elements(),
                      static_cast<float>(m_params.minCoherence),
                      static_cast<float>(m_independentBins), startPhase, memory.coherence,
                      results});
    hooks.end(EstimatePart::End);
}

const Complex* Estimator::iterateOnly(const Exec& exec, const Complex* spectra,
                                      void* scratch) const {
    const Memory memory = layOut(spectra, scratch);
    fillBytes(exec, memory.stopped, 0, sizeof(float));
    forEach(exec, kName, m_problem.places(), FillFilter{nullptr, memory.problem.filter});
    iterate(exec, memory, {});
    return memory.problem.filter;
}

} // namespace echolux::aberration
