// SPDX-License-Identifier: GPL-3.0-or-later
// Checks an OCT set-up, and derives its wavenumbers and the description of its frames.
#include "app/source/oct_setup.hpp"

#include "app/source/option_range.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace echolux {

namespace {

using std::numbers::pi;

/// (k(q) - k(0)) / (k(1) - k(0)) for q = p / (n - 1).
double wavenumberShare(const OctSetup& setup, double q) {
    if (setup.sampling == Sampling::Grating) {
        const double shortest = setup.centreWavelengthM - setup.bandwidthM / 2.0;
        const double longest = setup.centreWavelengthM + setup.bandwidthM / 2.0;
        const double wavelength =
            shortest + setup.bandwidthM * (q + 4.0 * setup.gratingBow * q * (1.0 - q));
        return (1.0 / wavelength - 1.0 / shortest) / (1.0 / longest - 1.0 / shortest);
    }
    if (setup.sampling == Sampling::Sweep)
        return 0.5 + std::sin(pi * setup.sweepShare * (q - 0.5)) /
                         (2.0 * std::sin(pi * setup.sweepShare / 2.0));
    return q;
}

double place(const OctSetup& setup, std::int64_t index) {
    return static_cast<double>(index) / static_cast<double>(setup.samples - 1);
}

void checkType(const OctSetup& setup) {
    const bool fits = setup.dtype == DType::U8         ? setup.bits == 8
                      : setup.dtype == DType::Packed12 ? setup.bits == 12
                                                       : setup.dtype == DType::U16;
    if (!fits)
        throw Error(fmt::format("--type {} does not hold codes of {} bits: choose u8 for 8, "
                                "packed12 for 12, or u16 for any.",
                                nameOf(setup.dtype), setup.bits));
}

} // namespace

double OctSetup::binM() const {
    const double half = bandwidthM / 2.0;
    const double span =
        2.0 * pi * bandwidthM / ((centreWavelengthM - half) * (centreWavelengthM + half));
    const double step = span / static_cast<double>(samples - 1);
    return pi / (refractiveIndex * static_cast<double>(samples) * step);
}

OctSetup octPreset(const std::string& name) {
    OctSetup setup;
    setup.dispersion = {400.0, 320.0, 0.0};
    if (name == "spectrometer") return setup;
    if (name != "swept_source")
        throw Error(
            fmt::format("There is no preset '{}': choose spectrometer or swept_source.", name));
    setup.centreWavelengthM = 1310e-9;
    setup.bandwidthM = 130e-9;
    setup.sourceWidthM = 70e-9;
    setup.sampling = Sampling::Sweep;
    setup.dispersion = {-300.0, -240.0, 0.0};
    setup.linePitchM = 12e-6;
    setup.bscanPitchM = 24e-6;
    setup.beamWidthM = 25e-6;
    setup.balanced = true;
    return setup;
}

void checkSetup(const OctSetup& setup) {
    const double nano = 1e9;
    const double micro = 1e6;
    checkRange("--samples", "", static_cast<double>(setup.samples), 64, 16384);
    checkRange("--lines", "", static_cast<double>(setup.lines), 1, 16384);
    checkRange("--bscans-per-volume", "", static_cast<double>(setup.bscansPerVolume), 1, 16384);
    checkRange("--bscans-per-place", "", static_cast<double>(setup.bscansPerPlace), 1,
               static_cast<double>(setup.bscansPerVolume));
    if (setup.bscansPerVolume % setup.bscansPerPlace != 0)
        throw Error(fmt::format("--bscans-per-volume is {}, which is no multiple of "
                                "--bscans-per-place {}.",
                                setup.bscansPerVolume, setup.bscansPerPlace));
    checkRange("--wavelength", " nm", setup.centreWavelengthM * nano, 300, 3000);
    checkRange("--bandwidth", " nm", setup.bandwidthM * nano, 1,
               setup.centreWavelengthM * nano / 2.0);
    checkRange("--source-width", " nm", setup.sourceWidthM * nano, setup.bandwidthM * nano / 50.0,
               setup.bandwidthM * nano * 10.0);
    checkRange("--index", "", setup.refractiveIndex, 1, 4);
    checkRange("--grating-bow", "", setup.gratingBow, -0.2, 0.2);
    checkRange("--sweep-share", "", setup.sweepShare, 0.01, 0.98);
    for (const double c : setup.dispersion) checkRange("--dispersion", "", c, -1e5, 1e5);
    checkRange("--line-pitch", " um", setup.linePitchM * micro, 0.1, 1e4);
    checkRange("--bscan-pitch", " um", setup.bscanPitchM * micro, 0.1, 1e4);
    checkRange("--beam-width", " um", setup.beamWidthM * micro, 0.1,
               setup.linePitchM * micro * 10.0);
    checkRange("--light", "", setup.light, 0.001, 0.95);
    checkRange("--visibility", "", setup.visibility, 0, 1);
    checkRange("--fixed-pattern", "", setup.fixedPattern, 0, 0.2);
    checkRange("--full-well", " electrons", setup.fullWellElectrons, 100, 1e12);
    checkRange("--read-noise", " electrons", setup.readNoiseElectrons, 0, setup.fullWellElectrons);
    checkRange("--bits", "", setup.bits, 8, 16);
    checkRange("--frame-rate", " Hz", setup.frameRateHz, 0.001, 1e6);
    checkType(setup);
    if (setup.samples * setup.lines > kMaxFrameSamples)
        throw Error(fmt::format("One B-scan would have {} samples, more than {}: reduce --samples "
                                "or --lines.",
                                setup.samples * setup.lines, kMaxFrameSamples));
}

std::vector<double> wavenumberIndex(const OctSetup& setup) {
    std::vector<double> index;
    for (std::int64_t p = 0; p < setup.samples; ++p)
        index.push_back(static_cast<double>(setup.samples - 1) *
                        wavenumberShare(setup, place(setup, p)));
    return index;
}

// By bisection, because the share rises strictly.
std::vector<double> resamplingOf(const OctSetup& setup) {
    constexpr int kHalvings = 60;
    std::vector<double> at;
    for (std::int64_t m = 0; m < setup.samples; ++m) {
        double low = 0.0;
        double high = 1.0;
        for (int i = 0; i < kHalvings; ++i) {
            const double middle = (low + high) / 2.0;
            (wavenumberShare(setup, middle) < place(setup, m) ? low : high) = middle;
        }
        at.push_back(static_cast<double>(setup.samples - 1) * (low + high) / 2.0);
    }
    at.front() = 0.0;
    at.back() = static_cast<double>(setup.samples - 1);
    return at;
}

double dispersionPhase(const OctSetup& setup, double m) {
    const double x = -m / (2.0 * static_cast<double>(setup.samples - 1));
    const auto& [c1, c2, c3] = setup.dispersion;
    return x * x * (c1 + x * (c2 + x * c3));
}

double lightAt(const OctSetup& setup, double m) {
    const double share = m / static_cast<double>(setup.samples - 1) - 0.5;
    const double widths = share * setup.bandwidthM / setup.sourceWidthM;
    return std::exp(-4.0 * std::numbers::ln2 * widths * widths);
}

FrameSpec frameOf(const OctSetup& setup) {
    auto spectrometer = std::make_shared<Spectrometer>();
    spectrometer->centreWavelengthM = setup.centreWavelengthM;
    spectrometer->bandwidthM = setup.bandwidthM;
    spectrometer->refractiveIndex = setup.refractiveIndex;
    if (setup.writesResampling) spectrometer->resampling = resamplingOf(setup);
    for (std::int64_t m = 0; setup.writesDispersion && m < setup.samples; ++m)
        spectrometer->dispersionRad.push_back(dispersionPhase(setup, static_cast<double>(m)));
    FrameSpec frame;
    frame.dtype = setup.dtype;
    frame.axes = {{AxisName::Lateral, setup.lines, setup.linePitchM,
                   -setup.linePitchM * static_cast<double>(setup.lines - 1) / 2.0, "m"},
                  {AxisName::Sample, setup.samples, 1.0, 0.0, ""}};
    frame.spectrometer = std::move(spectrometer);
    frame.stack.bscansPerVolume = setup.bscansPerVolume;
    frame.stack.repeats = setup.bscansPerPlace;
    if (setup.bscansPerVolume > 1) frame.stack.spacingM = setup.bscanPitchM;
    return frame;
}

} // namespace echolux
