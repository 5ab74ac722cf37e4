// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pairs/scene_recordings.hpp"

#include "app/dataset/native/native_writer.hpp"
#include "app/source/echo_simulator.hpp"
#include "gpu/dsp/fir_design.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <span>
#include <vector>

namespace echolux::pairs {
namespace {

constexpr std::int64_t kEvery = 2; ///< RF samples of which one IQ sample is kept

std::string keyOf(const Acquired& acquired, Scene scene) {
    constexpr std::array kScenes{"points", "cyst", "moving"};
    return fmt::format("{}_{}_{}_{}", acquired.array->name, acquired.transmit->name,
                       kScenes.at(static_cast<std::size_t>(scene)), nameOf(acquired.signal));
}

FrameSpec asIq(FrameSpec frame) {
    Axis& samples = frame.axes.back();
    samples.size /= kEvery;
    samples.spacing *= kEvery;
    frame.dtype = DType::ComplexF32;
    frame.codeScale = 1.0;
    frame.converterRange.reset();
    frame.demodulationFrequencyHz = frame.centreFrequencyHz;
    auto acquisition = std::make_shared<Acquisition>(*frame.acquisition);
    for (Transmit& transmit : acquisition->transmits) transmit.iqPhaseZeroS = transmit.firstSampleS;
    frame.acquisition = std::move(acquisition);
    return frame;
}

/// y[n] = 2 sum_k h[k] x[2 n + k] exp(-2 pi j f (2 n + k) / fs), of each record.
std::vector<std::complex<float>> mixedDown(std::span<const std::int16_t> codes,
                                           const FrameSpec& frame) {
    constexpr std::int64_t kTaps = 63;
    constexpr double kCutOff = 0.22; ///< of the sampling frequency
    const std::vector<double> h = designFir(kTaps, {0.0, kCutOff}, FirWindow::Hamming);
    const std::int64_t samples = frame.axes.back().size;
    const double turns = frame.centreFrequencyHz / frame.samplingFrequencyHz();
    std::vector<std::complex<double>> mixed;
    std::vector<std::complex<float>> iq;
    for (std::size_t first = 0; first < codes.size(); first += static_cast<std::size_t>(samples)) {
        mixed.clear();
        for (std::int64_t n = 0; n < samples; ++n)
            mixed.push_back(
                2.0 * frame.codeScale * codes[first + static_cast<std::size_t>(n)] *
                std::polar(1.0, -2.0 * std::numbers::pi * turns * static_cast<double>(n)));
        for (std::int64_t n = 0; n + 1 < samples; n += kEvery) {
            std::complex<double> sum;
            for (std::int64_t k = 0; k < kTaps; ++k) {
                const std::int64_t at = n + k - kTaps / 2;
                if (at >= 0 && at < samples)
                    sum += h[static_cast<std::size_t>(k)] * mixed[static_cast<std::size_t>(at)];
            }
            iq.emplace_back(sum);
        }
    }
    return iq;
}

} // namespace

std::string_view nameOf(Signal signal) { return signal == Signal::Rf ? "RF" : "IQ"; }

const std::filesystem::path& SceneRecordings::fileOf(const Acquired& acquired, Scene scene) {
    const std::string key = keyOf(acquired, scene);
    if (!m_files.contains(key)) write(acquired, scene);
    return m_files.at(key);
}

void SceneRecordings::write(const Acquired& acquired, Scene scene) {
    const EchoSetup setup = setupOf(*acquired.array, *acquired.transmit);
    EchoSimulator simulator(setup, phantomOf(*acquired.array, setup, scene));
    const FrameSpec rf = simulator.frame();
    const FrameSpec iq = asIq(rf);
    const auto fileFor = [&](Signal signal) {
        const std::string key = keyOf({acquired.array, acquired.transmit, signal}, scene);
        return m_files[key] = m_folder / (key + ".echolux.h5");
    };
    const NativeWriterOptions options{.overwrite = true, .deflateLevel = 0};
    Provenance provenance;
    provenance.program = "echolux check pairs";
    provenance.source = keyOf(acquired, scene);
    NativeWriter rfFile(fileFor(Signal::Rf), rf, setup.frameRateHz, provenance, options);
    NativeWriter iqFile(fileFor(Signal::Iq), iq, setup.frameRateHz, provenance, options);
    std::vector<std::int16_t> codes(static_cast<std::size_t>(rf.count()));
    const std::int64_t frames = scene == Scene::Moving ? kMovingFrames : 2;
    for (std::int64_t i = 0; i < frames; ++i) {
        simulator.render(i, codes);
        rfFile.append(std::as_bytes(std::span(codes)));
        const auto samples = mixedDown(codes, rf);
        iqFile.append(std::as_bytes(std::span(samples)));
    }
    rfFile.close();
    iqFile.close();
}

} // namespace echolux::pairs
