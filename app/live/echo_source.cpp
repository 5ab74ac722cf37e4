// SPDX-License-Identifier: GPL-3.0-or-later
// Sets up the simulated scanner, moves the phantom and applies the sliders.
#include "app/live/echo_source.hpp"

#include "app/source/option_range.hpp"
#include "app/source/pulse_bank.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kWidestAngle = 10.0 * kDegree;
constexpr double kSoundSpeed = 1540.0; ///< that the scanner assumes
constexpr double kUsualAttenuation = 0.3;
constexpr double kMm = 1e-3;
constexpr double kNs = 1e-9;
constexpr double kDeepestScreenM = 20e-3;

std::vector<double> anglesOf(std::int64_t waves) {
    std::vector<double> angles;
    for (std::int64_t i = 0; i < waves; ++i) {
        const double place =
            waves == 1 ? 0.0 : 2.0 * static_cast<double>(i) / static_cast<double>(waves - 1) - 1.0;
        angles.push_back(place * kWidestAngle);
    }
    return angles;
}

/// The screens of the wall at its usual strength.
std::vector<ScreenDesign> wallOf(const EchoSourceSetup& setup) {
    return setup.wall.empty() ? std::vector<ScreenDesign>{}
                              : wallScreens(setup.wall, kSoundSpeed, setup.seed);
}

double mostScreens(const EchoSourceSetup& setup) {
    return static_cast<double>(ScreenSetup::kMost - wallOf(setup).size());
}

double numberOfScreens(const EchoSourceSetup& setup) {
    return setup.screens ? static_cast<double>(*setup.screens) : std::min(1.0, mostScreens(setup));
}

/// A screen lies before what it blurs.
double deepestScreenM(const EchoSourceSetup& setup) {
    return std::min(kDeepestScreenM, 0.5 * setup.depthM);
}

void checkScreens(const EchoSourceSetup& setup) {
    checkRange("screens", "", numberOfScreens(setup), 0, mostScreens(setup));
    checkRange("screen", " ns", setup.screenDelayS / kNs, 0, 150);
    checkRange("screen_gain", " dB", setup.screenGainDb, 0, 6);
    checkRange("screen_depth", " mm", setup.screenDepthM / kMm, 0, deepestScreenM(setup) / kMm);
    checkRange("screen_length", " mm", setup.screenLengthM / kMm, 0.5, 50);
    for (const ScreenDesign& design : wallOf(setup)) {
        if (design.depthM < setup.depthM) continue;
        throw Error(fmt::format("The wall '{}' is {:g} mm thick, but what is imaged ends at depth "
                                "{:g} mm; choose a greater depth.",
                                setup.wall, design.depthM / kMm, setup.depthM / kMm));
    }
}

PlaneWaveSetup waveSetup(const EchoSourceSetup& setup) {
    checkRange("elements", "", static_cast<double>(setup.elements), 2, 512);
    checkRange("waves", "", static_cast<double>(setup.waves), 1, 128);
    checkRange("depth", " mm", setup.depthM * 1e3, 5, 200);
    checkRange("fc", " MHz", setup.centreFrequencyHz * 1e-6, 0.5, 40);
    checkRange("rate", " Hz", setup.frameRateHz, 0, 1e5);
    checkScreens(setup);
    PlaneWaveSetup waves;
    waves.elements = setup.elements;
    waves.centreFrequencyHz = setup.centreFrequencyHz;
    waves.samplingHz = 4.0 * setup.centreFrequencyHz;
    waves.pitchM = kSoundSpeed / setup.centreFrequencyHz; // one wavelength
    waves.elementWidthM = 0.9 * waves.pitchM;
    waves.anglesRad = anglesOf(setup.waves);
    waves.depthM = setup.depthM;
    waves.soundSpeedMps = kSoundSpeed;
    waves.frameRateHz = std::max(setup.frameRateHz, 1.0);
    checkSetup(waves);
    return waves;
}

Phantom phantomOf(const EchoSourceSetup& setup, const PlaneWaveSetup& waves) {
    PhantomRequest request;
    request.name = setup.phantom;
    request.halfWidthM = 0.5 * waves.apertureM();
    request.depthM = 0.95 * setup.depthM;
    request.wavelengthM = waves.wavelengthM();
    request.scatterersPerSquareWavelength = setup.scatterersPerSquareWavelength;
    request.seed = setup.seed;
    return makePhantom(request);
}

void convert(const std::vector<Scatterer>& from, std::vector<EchoedPoint>& to) {
    to.clear();
    for (const Scatterer& each : from)
        to.push_back({static_cast<float>(each.x), static_cast<float>(each.z),
                      static_cast<float>(each.amplitude)});
}

std::vector<LiveParameter> parametersOf(const EchoSourceSetup& setup) {
    std::vector<LiveParameter> list{
        {"rate", "Frame rate", "Hz",
         "Frames per second that the scanner makes. 0: as many as it can", 0.0,
         std::max(1000.0, setup.frameRateHz), setup.frameRateHz, 1},
        {"motion", "Motion", "x", "Speed at which the phantom moves", 0.0, 4.0, 1.0, 2},
        {"snr", "Signal to noise", "dB", "RMS of the echoes over the RMS of the noise", -20.0, 80.0,
         50.0, 1},
        {"sound_speed", "True speed of sound", "m/s",
         "Speed of sound in the phantom. The scanner says 1540 m/s: the image is sharp where the "
         "pipeline knows the true one",
         1400.0, 1700.0, kSoundSpeed, 0},
        {"attenuation", "Attenuation", "dB/(cm MHz)", "Attenuation in the phantom", 0.0, 1.5,
         kUsualAttenuation, 2}};
    if (!setup.wall.empty())
        list.push_back({"wall", "Strength of the wall", "x",
                        "Delays and gains of the wall, relative to its usual ones", 0.0, 3.0, 1.0,
                        2});
    if (mostScreens(setup) < 1.0) return list;
    list.push_back({"screen", "Aberrating screens", "ns",
                    "RMS delay of the random screens together. They delay sent waves and echoes",
                    0.0, 150.0, setup.screenDelayS / kNs, 0});
    if (!setup.screensOnSent)
        list.back().help = "RMS delay of the random screens together. They "
                           "delay echoes; sent waves pass undisturbed";
    list.push_back({"screen_gain", "Gain of the screens", "dB",
                    "RMS gain of the random screens together", 0.0, 6.0, setup.screenGainDb, 1});
    list.push_back({"screens", "Number of screens", "",
                    "The screens lie in even steps between the array and the deepest one", 0.0,
                    mostScreens(setup), numberOfScreens(setup), 0});
    list.push_back({"screen_depth", "Depth of the screens", "mm",
                    "Depth of the deepest screen. 0: all lie on the array", 0.0,
                    deepestScreenM(setup) / kMm, setup.screenDepthM / kMm, 1});
    list.push_back({"screen_length", "Length of the screens", "mm",
                    "Correlation length: how far apart delays along a screen differ", 0.5, 50.0,
                    setup.screenLengthM / kMm, 1});
    return list;
}

} // namespace

PointEchoSetup pointEchoes(const PlaneWaveSetup& waves, const FrameSpec& frame) {
    const PulseBank pulses({waves.centreFrequencyHz, waves.fractionalBandwidth}, waves.samplingHz,
                           0.0, 1.0);
    PointEchoSetup setup;
    for (std::int64_t i = 0; i < waves.elements; ++i)
        setup.elementX.push_back(static_cast<float>(waves.elementX(i)));
    setup.elementWidthM = static_cast<float>(waves.elementWidthM);
    for (const Transmit& transmit : frame.acquisition->transmits) {
        setup.waves.push_back({static_cast<float>(std::sin(transmit.angleRad)),
                               static_cast<float>(std::cos(transmit.angleRad)),
                               static_cast<float>(transmit.firstSampleS)});
    }
    setup.samples = frame.sizeOf(AxisName::Sample);
    setup.samplingHz = static_cast<float>(waves.samplingHz);
    setup.centreFrequencyHz = static_cast<float>(waves.centreFrequencyHz);
    setup.phases = static_cast<std::int64_t>(PulseBank::phases());
    setup.taps = static_cast<std::int64_t>(pulses.taps());
    setup.lead = pulses.lead();
    const auto first = pulses.table().begin() + static_cast<std::ptrdiff_t>(pulses.firstOf(0.0));
    setup.pulse.assign(first, first + (setup.phases + 1) * setup.taps);
    return setup;
}

EchoSource::EchoSource(const EchoSourceSetup& setup, const std::string& name, Backend backend)
    : m_setup(setup), m_waves(waveSetup(setup)), m_backend(backend),
      m_phantom(phantomOf(setup, m_waves)), m_clock(setup.frameRateHz),
      m_parameters(parametersOf(setup)) {
    m_info.path = name;
    m_info.format = "Simulated scanner";
    m_info.frame = frameOf(m_waves);
    m_info.frameRateHz = setup.frameRateHz;
    m_info.notes = m_phantom.truth;
}

void EchoSource::setParameter(const std::string& key, double value) {
    const auto now = m_parameters.set(key, value);
    if (!now) return;
    if (key == "rate") m_clock.setRate(*now);
    if (key != "rate" && key != "motion" && key != "snr") m_mediumChanged = true;
}

/// Those that do something. Seeds follow one another as in `echolux simulate`.
std::vector<ScreenDesign> EchoSource::screens() const {
    std::vector<ScreenDesign> all = wallOf(m_setup);
    const std::size_t ofWall = all.size();
    const double strength = ofWall > 0 ? m_parameters.value("wall") : 0.0;
    for (ScreenDesign& design : all) {
        design.delayRmsS *= strength;
        design.gainRmsDb *= strength;
    }
    const double number =
        mostScreens(m_setup) < 1.0 ? 0.0 : std::round(m_parameters.value("screens"));
    for (double i = 0.0; i < number; ++i) {
        const double each = 1.0 / std::sqrt(number);
        const double length = m_parameters.value("screen_length") * kMm;
        all.push_back({.depthM = m_parameters.value("screen_depth") * kMm * (i + 1.0) / number,
                       .delayRmsS = m_parameters.value("screen") * kNs * each,
                       .gainRmsDb = m_parameters.value("screen_gain") * each,
                       .lengthXM = length,
                       .lengthYM = length,
                       .seed = m_setup.seed + all.size()});
    }
    std::erase_if(all, [](const ScreenDesign& design) {
        return design.delayRmsS <= 0.0 && design.gainRmsDb <= 0.0;
    });
    return all;
}

PointEchoMedium EchoSource::medium() const {
    PointEchoMedium medium;
    medium.soundSpeedMps = static_cast<float>(m_parameters.value("sound_speed"));
    const double decibelsPerM =
        m_parameters.value("attenuation") * 100.0 * m_setup.centreFrequencyHz * 1e-6;
    medium.nepersPerM = static_cast<float>(decibelsPerM * std::numbers::ln10 / 20.0);
    PlaneWaveSetup waves = m_waves;
    waves.screens.screens = screens();
    medium.screens = echoes::inSinglePrecision(screensOf(waves));
    medium.screensOnSent = m_setup.screensOnSent;
    return medium;
}

void EchoSource::applyMedium() {
    if (!m_mediumChanged.exchange(false)) return;
    m_echoes->setMedium(medium());
    m_echoes->setStill(m_still);
}

/// Makes the first frame without noise: it decides the gain, as in EchoConverter.
void EchoSource::start() {
    m_echoes = std::make_unique<PointEchoes>(m_backend, pointEchoes(m_waves, m_info.frame));
    convert(m_phantom.still, m_still);
    applyMedium();
    m_phantom.movingAt(0.0, m_moving);
    convert(m_moving, m_movingPoints);
    Buffer codes(stagingMemory(m_backend), m_info.frame.bytes());
    m_echoes->render(m_movingPoints, {}, codes.as<std::int16_t>());
    double peak = 0.0;
    double energy = 0.0;
    const std::vector<std::int32_t> sums = m_echoes->sums();
    for (const std::int32_t sum : sums) {
        const double value = static_cast<double>(sum) / PointEchoes::kUnit;
        peak = std::max(peak, std::abs(value));
        energy += value * value;
    }
    const double full = m_waves.converter.highestCode();
    m_gain = static_cast<float>(peak > 0.0 ? m_waves.converter.headroom * full / peak : 1.0);
    m_rms = m_gain * static_cast<float>(std::sqrt(energy / static_cast<double>(sums.size())));
}

LiveSource::Outcome EchoSource::next(std::span<std::byte> out, FrameStamp& stamp,
                                     const std::stop_token& stop) {
    if (!m_echoes) start();
    if (!m_clock.waitDue(stop)) return Outcome::Nothing;
    applyMedium();
    const double snr = m_parameters.value("snr");
    const double motion = m_parameters.value("motion");
    const double rate = m_clock.rate();
    m_timeS += motion / (rate > 0.0 ? rate : 1000.0);
    m_phantom.movingAt(m_timeS, m_moving);
    convert(m_moving, m_movingPoints);
    m_echoes->render(m_movingPoints,
                     {.gain = m_gain,
                      .noise = m_rms * static_cast<float>(std::pow(10.0, -snr / 20.0)),
                      .highest = static_cast<float>(m_waves.converter.highestCode()),
                      .seed = static_cast<std::uint32_t>(m_setup.seed),
                      .frame = static_cast<std::uint32_t>(m_number)},
                     reinterpret_cast<std::int16_t*>(out.data()));
    stamp.number = m_number++;
    return Outcome::Frame;
}

} // namespace echolux
