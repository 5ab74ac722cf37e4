// SPDX-License-Identifier: GPL-3.0-or-later
// Echoes of point scatterers as the channels of each beam hear them, at any time, and scan lines
// summed from samples in double precision: what the kernels are compared with. Host only.
#pragma once

#include "gpu/ladder/scan_lines.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace echolux::ladder {

/// Every beam has kScatterers of its own, evenly spaced in range, some beside it. Their echoes are
/// Gaussian pulses of 1/8 cycle per sample; all together stay within -1 to 1.
class EchoField {
public:
    static constexpr int kScatterers = 12;

    /// Of the problem's channels, samples and beams.
    EchoField(const ScanProblem& problem, const ScanGeometry& geometry);

    /// `at`: in samples at fs.
    double at(int beam, int channel, double at) const;
    double range(int scatterer) const; ///< in samples at fs

    /// Records [beam][channel][sample], rounded to codes.
    std::vector<std::int16_t> codes() const;
    /// The same at `factor` times the samples, not rounded but to float.
    std::vector<float> values(int factor) const;

private:
    template <class Number, class Convert>
    std::vector<Number> records(int factor, const Convert& convert) const;
    const double* placesOf(int beam, int channel) const;

    ScanProblem m_problem;
    std::vector<double> m_places; ///< of echoes, [beam][channel][scatterer], in samples
};

/// What a record holds at sample n of factor fs, 0 <= n < problem.recordSamples().
using SampleAt = std::function<double(int beam, int channel, std::int64_t n)>;

/// Hann windows that widen with range up to the aperture (f-number 1), codes [channel][sample].
std::vector<std::int16_t> apodizationCodes(const ScanProblem& problem,
                                           const ScanGeometry& geometry);

/// One sample of a line by the formula of scan_lines.hpp, in double precision; weights not rounded.
double exactLineSample(const ScanProblem& problem, const ScanGeometry& geometry,
                       const SampleAt& record, int beam, int line, int sample);

/// max |reference - x| / max |x| over the first, the middle and the last line of such beams, round
/// the scatterers and at a spread of other places. `lines`: as sumScanLines() gives them, in host
/// memory.
double scanDeviation(const ScanProblem& problem, const ScanGeometry& geometry,
                     const EchoField& field, const SampleAt& record, const float* lines);

} // namespace echolux::ladder
