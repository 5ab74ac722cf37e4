// SPDX-License-Identifier: GPL-3.0-or-later
// From echoes without noise to the codes of a converter.
#pragma once

#include <cstdint>
#include <span>

namespace echolux {

struct ConverterSetup {
    double snrDb = 50.0;   ///< RMS of the first frame's echoes over the RMS of the noise
    int bits = 14;         ///< of the converter
    double headroom = 0.7; ///< share of full scale that the first frame's largest echo reaches
    std::uint64_t seed = 1;

    double highestCode() const; ///< the lowest code is its negative
    double codeScale() const;   ///< a code of full scale stands for 1
};

/// Throws Error that names the command's option.
void checkConverter(const ConverterSetup& setup);

/// The first frame sets gain and noise.
class EchoConverter {
public:
    EchoConverter() = default;
    EchoConverter(const ConverterSetup& setup, std::span<const double> firstFrame);

    /// Adds noise, rounds, and limits to the range. `echoes` are traces of `samples` values each,
    /// one after the other. The noise of a sample depends on the seed, on `index` and on the
    /// sample's position only.
    void convert(std::int64_t index, std::span<const double> echoes, std::size_t samples,
                 std::span<std::int16_t> out);

    double codesPerUnit() const { return m_codesPerUnit; }
    double noiseCodes() const { return m_noiseCodes; } ///< standard deviation
    /// Number of samples of the last convert() that were limited to the range.
    std::int64_t limitedSamples() const { return m_limited; }

private:
    ConverterSetup m_setup;
    double m_codesPerUnit = 1.0;
    double m_noiseCodes = 0.0;
    std::int64_t m_limited = 0;
};

} // namespace echolux
