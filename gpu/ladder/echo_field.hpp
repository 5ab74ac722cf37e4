// SPDX-License-Identifier: GPL-3.0-or-later
// References for the kernels: echoes of point scatterers in the channels of each beam, at any time,
// and scan lines summed in double precision. Host only.
#pragma once

#include "gpu/ladder/scan_lines.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace echolux::ladder {

/// Every beam has kScatterers scatterers of its own, evenly spaced in range; some are beside the
/// beam. Their echoes are Gaussian pulses of 1/8 cycle per sample. Their sum stays within -1 to 1.
class EchoField {
public:
    static constexpr int kScatterers = 12;

    /// Makes the echoes for the problem's channels, samples and beams.
    EchoField(const ScanProblem& problem, const ScanGeometry& geometry);

    /// The signal at the time `at`, in samples at fs.
    double at(int beam, int channel, double at) const;
    double range(int scatterer) const; ///< range in samples at fs

    /// Records [beam][channel][sample] with `factor` times the samples, rounded to codes.
    std::vector<std::int16_t> codes(int factor) const;
    /// The same as floats, without rounding to codes.
    std::vector<float> values(int factor) const;

private:
    template <class Number, class Convert>
    std::vector<Number> records(int factor, const Convert& convert) const;
    const double* placesOf(int beam, int channel) const;

    ScanProblem m_problem;
    std::vector<double> m_places; ///< positions of echoes, [beam][channel][scatterer], in samples
};

/// The value of a record at sample n, at factor fs; 0 <= n < problem.recordSamples().
using SampleAt = std::function<double(int beam, int channel, std::int64_t n)>;

/// Codes [channel][sample] of Hann windows that widen with range up to the aperture (f-number 1).
std::vector<std::int16_t> apodizationCodes(const ScanProblem& problem,
                                           const ScanGeometry& geometry);

/// One sample of a line by the formula of scan_lines.hpp, in double precision and with weights that
/// are not rounded.
double exactLineSample(const ScanProblem& problem, const ScanGeometry& geometry,
                       const SampleAt& record, int beam, int line, int sample);

/// max |reference - x| / max |x| over the first, the middle and the last line of the first, the
/// middle and the last beam, around the scatterers and at other places spread over the line.
/// `lines` are the result of sumScanLines(), in host memory.
double scanDeviation(const ScanProblem& problem, const ScanGeometry& geometry,
                     const EchoField& field, const SampleAt& record, const float* lines);

} // namespace echolux::ladder
