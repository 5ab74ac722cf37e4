// SPDX-License-Identifier: GPL-3.0-or-later
// Sets up the simulated OCT device and applies the sliders.
#include "app/live/oct_source.hpp"

#include "app/source/option_range.hpp"

#include <algorithm>

namespace echolux {
namespace {

constexpr double kWidthM = 1.5e-3;
constexpr double kPeriodS = 2.0; ///< of the sample's motion

OctSetup octSetup(const OctSourceSetup& asked) {
    checkRange("lines", "", static_cast<double>(asked.lines), 2, 4096);
    checkRange("rate", " Hz", asked.frameRateHz, 0, 1e5);
    OctSetup setup = octPreset(asked.preset);
    checkRange("places", "", static_cast<double>(asked.places), 1, 4096);
    checkRange("repeats", "", static_cast<double>(asked.repeats), 1, kMostEnsembleFrames);
    setup.lines = asked.lines;
    setup.bscansPerVolume = asked.places * asked.repeats;
    setup.bscansPerPlace = asked.repeats;
    if (asked.places > 1) setup.bscanPitchM = kWidthM / static_cast<double>(asked.places);
    setup.linePitchM = kWidthM / static_cast<double>(asked.lines);
    setup.frameRateHz = std::max(asked.frameRateHz, 1.0);
    checkSetup(setup);
    return setup;
}

OctSample sampleOf(const OctSourceSetup& asked, const OctSetup& setup) {
    OctSampleRequest request;
    request.name = asked.sample;
    request.widthM = setup.linePitchM * static_cast<double>(setup.lines);
    request.rangeM = setup.rangeM();
    request.vesselMoves = true;
    chooseFlow(setup, request);
    request.breathingM = hasBlood(asked.sample) ? 0.3e-6 : 6e-6;
    request.periodS = kPeriodS;
    return makeOctSample(request);
}

std::vector<LiveParameter> parametersOf(const OctSourceSetup& asked, const OctSetup& setup) {
    return {{"rate", "B-scan rate", "Hz",
             "B-scans per second that the device makes. 0: as many as it can", 0.0,
             std::max(200.0, asked.frameRateHz), asked.frameRateHz, 1},
            {"light", "Light", "%", "Share of the converter's range that the reference arm reaches",
             5.0, 100.0, 100.0 * setup.light, 0},
            {"visibility", "Visibility", "%", "Amplitude of the largest fringe over the light", 0.1,
             60.0, 100.0 * setup.visibility, 1},
            {"read_noise", "Read noise", "electrons", "Noise of the detector without light", 0.0,
             5000.0, setup.readNoiseElectrons, 0},
            {"dispersion_2", "Dispersion, second order", "rad",
             "Added behind the device's calibration: the pipeline has to undo it", -60.0, 60.0, 0.0,
             1},
            {"dispersion_3", "Dispersion, third order", "rad",
             "Added behind the device's calibration: the pipeline has to undo it", -60.0, 60.0, 0.0,
             1}};
}

} // namespace

OctSource::OctSource(const OctSourceSetup& setup, const std::string& name)
    : m_asked(setup), m_setup(octSetup(setup)), m_sample(sampleOf(setup, m_setup)),
      m_clock(setup.frameRateHz), m_parameters(parametersOf(setup, m_setup)) {
    renew();
    m_info.path = name;
    m_info.format = "Simulated OCT device";
    m_info.frame = m_simulator->frame();
    m_info.frameRateHz = setup.frameRateHz;
    m_info.notes = m_sample.truth;
}

void OctSource::setParameter(const std::string& key, double value) {
    const auto now = m_parameters.set(key, value);
    if (!now) return;
    if (key == "rate") {
        m_clock.setRate(*now);
    } else {
        m_changed = true;
    }
}

OctSetup OctSource::setUp() const {
    OctSetup setup = m_setup;
    setup.light = m_parameters.value("light") / 100.0;
    setup.visibility = m_parameters.value("visibility") / 100.0;
    setup.readNoiseElectrons = m_parameters.value("read_noise");
    setup.dispersion[0] += m_parameters.value("dispersion_2");
    setup.dispersion[1] += m_parameters.value("dispersion_3");
    return setup;
}

void OctSource::renew() {
    if (!m_changed.exchange(false)) return;
    m_simulator = std::make_unique<OctSimulator>(setUp(), m_sample);
}

LiveSource::Outcome OctSource::next(std::span<std::byte> out, FrameStamp& stamp,
                                    const std::stop_token& stop) {
    if (!m_clock.waitDue(stop)) return Outcome::Nothing;
    renew();
    m_simulator->render(m_number, out);
    stamp.number = m_number++;
    return Outcome::Frame;
}

} // namespace echolux
