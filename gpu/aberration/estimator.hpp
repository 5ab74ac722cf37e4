// SPDX-License-Identifier: GPL-3.0-or-later
// An estimate, step by step, on either backend: from spectra of focused channels to one delay and
// one amplitude per element, without a word to the host.
#pragma once

#include "gpu/aberration/aberration_params.hpp"
#include "gpu/aberration/aberration_problem.hpp"
#include "gpu/aberration/element_grid.hpp"
#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace echolux::aberration {

/// What an estimate says of itself, one float each.
enum class Figure : std::uint8_t {
    Valid,       ///< 1: applied; 0: not coherent enough; -1: coherent, but in no better focus with
                 ///< the filter than without (published methods are not asked)
    Coherence,   ///< mean of neighbours, 0 to 1
    FocusBefore, ///< focusing criterion of the points as they weigh, without the filter
    FocusAfter,  ///< with it
    SharpnessBefore, ///< sum I^2 / (sum I)^2 of the points' beam sums
    SharpnessAfter,
    CentreHz,   ///< mean frequency of the echoes, by power
    Iterations, ///< that were taken
    Change,     ///< norm of the filter's change against where it began, over its norm
    Magnitudes, ///< Herikstad's |mean(|S_old| / |S_new|) - 1|, smallest so far
    RmsDelay,   ///< s, over the elements, piston removed
    Age,        ///< frames since it was made
};
inline constexpr std::int32_t kFigures = 12;

/// Where the results go, in compute memory; per element of the array.
struct Results {
    float* delayS = nullptr;
    float* amplitude = nullptr;
    float* coherence = nullptr;
    float* figures = nullptr; ///< [kFigures]
};

/// Sizes and tables of one problem. Tables lie in compute memory from prepare() on.
class Estimator {
public:
    Estimator() = default;
    /// Throws Error where the kernel does not fit the array or there is one element only.
    /// `independentBins`: as many tell as much of noise as all bins do.
    Estimator(const ElementGrid& grid, std::int32_t points, std::vector<double> binsHz,
              double independentBins, const SolveParams& params);

    /// Compute memory that run() takes besides the spectra.
    std::size_t scratchBytes() const;
    std::size_t tableBytes() const;
    /// Takes `tables`, tableBytes() of compute memory that outlives this, and fills it. The values
    /// stay here until the stream has read them.
    void prepare(const Exec& exec, void* tables);
    /// Parameters that change no size; the radius stays.
    void set(const SolveParams& params);

    std::int64_t spectraCount() const; ///< complex numbers
    std::int32_t elements() const { return static_cast<std::int32_t>(m_grid.elements()); }
    const ElementGrid& grid() const { return m_grid; }

    /// Enqueues the estimate. `spectra`: [place][point][bin]. `startPhase`, in and out: the
    /// solution's phase per place, from which it begins. `afterStep`: on the host, called with S
    /// after each iteration.
    void run(const Exec& exec, const Complex* spectra, float* startPhase, void* scratch,
             const Results& results,
             const std::function<void(const Complex*)>& afterStep = {}) const;

    /// The same without figures and without delays: the filter S [place] of an iterated method,
    /// from 1 on, as it stands in the scratch memory then.
    const Complex* iterateOnly(const Exec& exec, const Complex* spectra, void* scratch) const;

private:
    struct Memory;
    struct Tables;
    Memory layOut(const Complex* spectra, void* scratch) const;
    void solve(const Exec& exec, const Memory& memory) const;
    void weigh(const Exec& exec, const Memory& memory, bool first) const;
    void compare(const Exec& exec, const Memory& memory) const;
    void fitPasses(const Exec& exec, const Memory& memory,
                   const std::function<void(const Complex*)>& afterStep) const;
    void followBeam(const Exec& exec, const Memory& memory,
                    const std::function<void(const Complex*)>& afterStep) const;
    void iterate(const Exec& exec, const Memory& memory,
                 const std::function<void(const Complex*)>& afterStep) const;
    void unwrap(const Exec& exec, const Memory& memory) const;

    ElementGrid m_grid;
    std::int32_t m_points = 0;
    std::vector<double> m_binsHz;
    double m_independentBins = 1.0;
    SolveParams m_params;
    Problem m_problem;
    std::vector<float> m_floats; ///< what the tables are filled with
    const float* m_tables = nullptr;
    const std::int32_t* m_placeOf = nullptr;
};

/// Bins of a pass band: `count` of them evenly over `bandwidthHz` round `centreHz`, the middles of
/// as many parts.
std::vector<double> binsOf(double centreHz, double bandwidthHz, std::int64_t count);

/// Of `count` bins over `bandwidthHz`, of a time gate.
double independentBins(double bandwidthHz, std::int64_t count, double gateS);

} // namespace echolux::aberration
