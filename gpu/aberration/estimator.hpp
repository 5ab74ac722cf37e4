// SPDX-License-Identifier: GPL-3.0-or-later
// The estimate on either backend: from spectra of focused channels to one delay and one amplitude
// per element, without a copy to the host.
#pragma once

#include "gpu/aberration/aberration_params.hpp"
#include "gpu/aberration/aberration_problem.hpp"
#include "gpu/aberration/element_grid.hpp"
#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace echolux::aberration {

/// Figures that describe an estimate, one float each.
enum class Figure : std::uint8_t {
    Valid,       ///< 1: the filter is applied. 0: not coherent enough. -1: coherent, but the focus
                 ///< with the filter is no better than without; published methods are not tested
                 ///< for this
    Coherence,   ///< mean coherence of neighbours, 0 to 1
    FocusBefore, ///< focusing criterion of the weighted points, without the filter
    FocusAfter,  ///< with the filter
    SharpnessBefore, ///< sum I^2 / (sum I)^2 of the points' beam sums
    SharpnessAfter,
    CentreHz,   ///< mean frequency of the echoes, by power
    Iterations, ///< number of iterations
    Change,     ///< norm of the filter's change since its start, divided by its norm
    Magnitudes, ///< Herikstad's |mean(|S_old| / |S_new|) - 1|, the smallest so far
    RmsDelay,   ///< in s, over the elements, without piston
    Age,        ///< frames since the estimate was made
};
inline constexpr std::int32_t kFigures = 12;

/// Parts of an estimate that are timed apart.
enum class EstimatePart {
    Sums,     ///< beam sums, weights, and cross-spectra and coherence of neighbours
    Solution, ///< iterations, or least squares
    End       ///< unwrapped phase, figures, delays and amplitudes
};

/// Called while an estimate is enqueued.
struct EstimateHooks {
    /// On the host: with S after each iteration.
    std::function<void(const Complex*)> afterStep = {};
    /// After each piece of a part; a part may have several.
    std::function<void(EstimatePart)> afterPart = {};

    void end(EstimatePart part) const {
        if (afterPart) afterPart(part);
    }
};

/// Destination of the results, in compute memory, per element of the array.
struct Results {
    float* delayS = nullptr;
    float* amplitude = nullptr;
    float* coherence = nullptr;
    float* figures = nullptr; ///< [kFigures]
};

/// Sizes and tables of one problem. From prepare() on the tables are in compute memory.
class Estimator {
public:
    Estimator() = default;
    /// Throws Error where the kernel does not fit the array or the array has a single element.
    /// `independentBins` is the effective number of independent bins, see independentBins().
    Estimator(const ElementGrid& grid, std::int32_t points, std::vector<double> binsHz,
              double independentBins, const SolveParams& params);

    /// Compute memory that run() needs besides the spectra.
    std::size_t scratchBytes() const;
    std::size_t tableBytes() const;
    /// Fills `tables`, which are tableBytes() of compute memory and outlive this object. The values
    /// stay in this object until the stream has read them.
    void prepare(const Exec& exec, void* tables);
    /// Sets parameters that change no size. The radius must stay the same.
    void set(const SolveParams& params);

    std::int64_t spectraCount() const; ///< number of complex values
    std::int32_t elements() const { return static_cast<std::int32_t>(m_grid.elements()); }
    const ElementGrid& grid() const { return m_grid; }
    const Problem& problem() const { return m_problem; } ///< the sizes alone

    /// Enqueues the estimate. `spectra` are [place][point][bin]. `startPhase` is the phase per
    /// place where the solution begins; it is replaced by the result.
    void run(const Exec& exec, const Complex* spectra, float* startPhase, void* scratch,
             const Results& results, const EstimateHooks& hooks = {}) const;

    /// The same for an iterated method, without figures and delays: begins with S = 1 and returns
    /// the filter S [place], which is in the scratch memory.
    const Complex* iterateOnly(const Exec& exec, const Complex* spectra, void* scratch) const;

private:
    struct Memory;
    struct Tables;
    Memory layOut(const Complex* spectra, void* scratch) const;
    void solve(const Exec& exec, const Memory& memory) const;
    void weigh(const Exec& exec, const Memory& memory, bool first) const;
    void compare(const Exec& exec, const Memory& memory) const;
    void fitPasses(const Exec& exec, const Memory& memory, const EstimateHooks& hooks) const;
    void followBeam(const Exec& exec, const Memory& memory, const EstimateHooks& hooks) const;
    void iterate(const Exec& exec, const Memory& memory, const EstimateHooks& hooks) const;
    void unwrap(const Exec& exec, const Memory& memory) const;

    ElementGrid m_grid;
    std::int32_t m_points = 0;
    std::vector<double> m_binsHz;
    double m_independentBins = 1.0;
    SolveParams m_params;
    Problem m_problem;
    std::vector<float> m_floats; ///< the values of the tables
    const float* m_tables = nullptr;
    const std::int32_t* m_placeOf = nullptr;
};

/// Frequencies of `count` bins: `bandwidthHz` around `centreHz` is divided into `count` equal
/// parts, and the bins are their middles.
std::vector<double> binsOf(double centreHz, double bandwidthHz, std::int64_t count);

/// Effective number of independent bins among `count` bins over `bandwidthHz`, for a time gate of
/// length `gateS`.
double independentBins(double bandwidthHz, std::int64_t count, double gateS);

} // namespace echolux::aberration
