// SPDX-License-Identifier: GPL-3.0-or-later
// Raw spectra of a sample, as a spectrometer or a swept source would record them.
#pragma once

#include "app/source/fringe_sum.hpp"
#include "app/source/oct_tissue.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace echolux {

/// The code of raw sample p, before noise and converter:
///   background  B = o + L S (b + f cos(2 pi u d / n)) + f F r_p / 4
///   fringe      L S V Re(exp(j phi(u)) E(p)) / max |E of the first frame|
/// with F full scale, u the wavenumber index of p, S the light's spectrum, L = light F, V the
/// visibility, f the fixed pattern (an etalon of d = 0.11 n bins, and pixels that differ: r_p is
/// normal), phi the residual dispersion and E the sum over the reflectors (see FringeSum), so that
/// exp(+j phi) times the spectrum makes positive depths of an inverse transform sharp. o = 0.02 F
/// and b = 1; o = F / 2 and b = 0.02 for balanced detectors. Noise is normal: shot noise of
/// variance F N / W for N codes of light, W electrons of full well, and read noise. Not simulated:
/// fringes of the sample with itself, loss of fringes with depth, multiple scattering, light that
/// leaves the beam's focus.
class OctSimulator {
public:
    /// Throws Error where the set-up cannot be simulated (see checkSetup).
    OctSimulator(const OctSetup& setup, OctSample sample);

    const OctSetup& setup() const { return m_setup; }
    const OctSample& sample() const { return m_tissue.sample(); }
    const FrameSpec& frame() const { return m_frame; }
    /// B, in codes.
    std::span<const double> background() const { return m_background; }

    /// Codes of B-scan `index` before noise and converter, [lateral][sample]; valid until the next
    /// call.
    std::span<const double> spectra(std::int64_t index);
    /// The output of the converter, FrameSpec::bytes() long.
    void render(std::int64_t index, std::span<std::byte> out);
    /// Variance of the noise in codes squared, at raw sample p with the expected value `codes`.
    double noiseVariance(std::size_t p, double codes) const;
    /// Number of samples of the last render() that were limited to the converter's range.
    std::int64_t limitedSamples() const { return m_limited; }

private:
    struct Buffers {
        std::vector<Reflector> reflectors;
        std::vector<std::complex<double>> fringe;
        FringeSum::Scratch scratch;
    };

    void makeBackground();
    void addMirror(std::vector<std::complex<double>>& fringe) const;
    void fringesOf(std::int64_t line, Buffers& buffers) const;
    void findGain();

    OctSetup m_setup;
    double m_full; ///< largest code
    std::vector<double> m_index;
    FrameSpec m_frame;
    OctTissue m_tissue;
    FringeSum m_fringes;
    std::vector<std::complex<double>> m_dispersion; ///< exp(j phi)
    std::vector<double> m_light;                    ///< L S
    std::vector<double> m_background;
    double m_gain = 0.0; ///< V / max |E|
    std::vector<double> m_spectra;
    std::vector<std::uint16_t> m_codes;
    std::int64_t m_limited = 0;
};

/// Stores codes as u8, u16 or packed12; `out` has bytesOf(type, codes.size()) bytes.
void storeCodes(std::span<const std::uint16_t> codes, DType type, std::span<std::byte> out);

} // namespace echolux
