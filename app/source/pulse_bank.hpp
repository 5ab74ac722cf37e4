// SPDX-License-Identifier: GPL-3.0-or-later
// Table of a point's echo at any fraction of a sample and for any path length.
#pragma once

#include "app/source/chirp.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace echolux {

/// p(t) = exp(-t^2 / (2 s^2)) cos(2 pi f t), s = sqrt(2 ln 2) / (pi b f): a pulse with its peak at
/// t = 0, centre frequency f (Hz) and -6 dB bandwidth b f.
struct GaussianPulse {
    double centreFrequencyHz = 5e6;
    double fractionalBandwidth = 0.6;

    double sigmaS() const;
    double sigmaHz() const;     ///< of the spectrum: 1 / (2 pi s)
    double halfLengthS() const; ///< beyond it the pulse is below -80 dB
};

/// What PulseBank holds besides a Gaussian pulse.
struct PulseDetails {
    /// With a chirp x, the pulse is x * h, with the Gaussian pulse's own spectrum as the band h of
    /// the transducer, scaled to 1 at its centre. It begins at t = 0.
    std::optional<Chirp> chirp = {};
    bool turned = false; ///< hold the quadratures of all pulses, too
};

/// Attenuation in proportion to frequency, exp(-a f L) with a in Np/(Hz m) and L the path (m),
/// turns a Gaussian spectrum into a Gaussian of lower centre frequency, f - sigma^2 a L, with the
/// peak amplitude exp(-a L f + (a L sigma)^2 / 2) (Kuc, Bioacoustic tissue characterization from
/// reflected ultrasound, Proc. IEEE 72, 1984; Szabo, Diagnostic Ultrasound Imaging, ch. 4). The
/// centre frequency does not fall below f / 2. Beyond that the pulse attenuates like a tone of that
/// frequency. A chirp has the same amplitude; its band moves as the Gaussian does.
class PulseBank {
public:
    /// Echoes along paths up to `longestPathM` in a medium of `attenuationDbPerCmMhz`, sampled at
    /// `samplingHz`.
    PulseBank(const GaussianPulse& pulse, double samplingHz, double attenuationDbPerCmMhz,
              double longestPathM, const PulseDetails& details = {});

    std::size_t taps() const { return m_taps; }
    /// The first tap belongs to sample floor(position) - lead().
    std::ptrdiff_t lead() const { return m_lead; }
    /// Taps of an echo whose peak lies `fraction` (0 to 1) of a sample behind a sample; exact
    /// within 1/512 sample.
    const double* echo(double pathM, double fraction) const;
    /// [path][phases() + 1][tap]: phase n lies n / phases() behind a sample.
    const std::vector<double>& table() const { return m_table; }
    /// The quadrature of each value of table(); empty unless asked for. A Gaussian's is that with a
    /// sine instead of the cosine.
    const std::vector<double>& turned() const { return m_turned; }
    static std::size_t phases();
    /// Number of the first value for `pathM` in table().
    std::size_t firstOf(double pathM) const;
    /// Amplitude of the pulse after `pathM`, relative to none.
    double amplitude(double pathM) const;
    double centreFrequencyHz(double pathM) const;
    /// Attenuation per additional length of path at `pathM`, in Np/m: a f.
    double decay(double pathM) const { return m_nepersPerHzM * centreFrequencyHz(pathM); }

private:
    double shift(double pathM) const; ///< a L, limited to where the shift of the centre frequency
                                      ///< is valid

    void addGaussian(double centreHz, double samplingHz, bool turned);
    void setChirp(const Chirp& chirp, std::size_t path, double samplingHz, bool turned);

    GaussianPulse m_pulse;
    double m_nepersPerHzM = 0.0;
    double m_pathStepM = 0.0;
    std::size_t m_paths = 1;
    std::size_t m_taps = 0;
    std::ptrdiff_t m_lead = 0;
    std::vector<double> m_table; ///< [path][phase][tap]
    std::vector<double> m_turned;
};

} // namespace echolux
