// SPDX-License-Identifier: GPL-3.0-or-later
// From echoes without noise to the codes of a converter.
#pragma once

#include <cstdint>
#include <span>

namespace echolux {

struct ConverterSetup {
    double snrDb = 50.0;   ///< RMS of the first frame's echoes over that of the noise
    int bits = 14;         ///< of the converter
    double headroom = 0.7; ///< of full scale that the first frame's largest echo reaches
    std::uint64_t seed = 1;

    double highestCode() const; ///< lowest: its negative
    double codeScale() const;   ///< a code of full scale stands for 1
};

/// Throws Error, naming the command's option.
void checkConverter(const ConverterSetup& setup);

/// Gain and noise are set by the first frame.
class EchoConverter {
public:
    EchoConverter() = default;
    EchoConverter(const ConverterSetup& setup, std::span<const double> firstFrame);

    /// Adds noise, rounds and limits to the range: traces of `samples` values each, one after the
    /// other. The noise of a sample depends on the seed, `index` and the place of the sample.
    void convert(std::int64_t index, std::span<const double> echoes, std::size_t samples,
                 std::span<std::int16_t> out);

    double codesPerUnit() const { return m_codesPerUnit; }
    double noiseCodes() const { return m_noiseCodes; } ///< standard deviation
    /// Samples of the last convert() that the range limited.
    std::int64_t limitedSamples() const { return m_limited; }

private:
    ConverterSetup m_setup;
    double m_codesPerUnit = 1.0;
    double m_noiseCodes = 0.0;
    std::int64_t m_limited = 0;
};

} // namespace echolux
