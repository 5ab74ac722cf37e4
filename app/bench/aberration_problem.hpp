// SPDX-License-Identifier: GPL-3.0-or-later
// The problem of Herikstad 2009 for `echolux bench documents s2`: a cube of aligned channels behind
// a known screen, its way from samples to a filter, and the reference of the published iteration.
#pragma once

#include "app/dataset/formats/aligned_cube.hpp"
#include "gpu/aberration/aligned_bins.hpp"
#include "gpu/aberration/estimator.hpp"
#include "gpu/memory/buffer.hpp"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace echolux::herikstad {

inline constexpr std::int64_t kSamples = 512;
inline constexpr aberration::BinRange kBins{18, 15}; ///< round bin 25, the centre frequency
inline constexpr int kIterations = 21;

struct Cube {
    aberration::ElementGrid grid;
    std::vector<double> delayS;
    std::vector<float> samples; ///< [place][sample], maximum 1
};

/// One echo in every element, behind a screen of 50 ns and 3 dB rms with a correlation of `length`
/// elements, and with noise 10 dB below it.
Cube makeCube(std::int32_t rows, std::int32_t columns, double length);

/// The iteration of the published CUDA program without an early end, for which times are published.
aberration::SolveParams published(int iterations);

/// The published iteration in double precision, applied to spectra in single precision.
std::vector<std::complex<double>> reference(const aberration::ElementGrid& grid,
                                            const std::vector<float>& spectra, std::int64_t bins,
                                            int iterations);
double deviationOf(const std::vector<float>& filter,
                   const std::vector<std::complex<double>>& expected);

/// A cube in compute memory, with memory for all results.
class Problem {
public:
    Problem(const Exec& exec, const Cube& cube, const aberration::SolveParams& params,
            const aberration::BinRange& bins = kBins);

    void transform() const;
    const Complex* iterate() const; ///< returns the filter, in compute memory
    void estimate() const;
    const Buffer& samples() const { return m_samples; }
    const Buffer& spectra() const { return m_spectra; }
    std::vector<float> delays() const;
    double iterations() const;

private:
    Exec m_exec;
    aberration::BinRange m_bins;
    aberration::Estimator m_estimator;
    Buffer m_samples;
    Buffer m_turns;
    Buffer m_spectra;
    Buffer m_scratch;
    Buffer m_tables;
    Buffer m_phase;
    Buffer m_results;
};

} // namespace echolux::herikstad
