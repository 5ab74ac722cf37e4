// SPDX-License-Identifier: GPL-3.0-or-later
// Frames and descriptions that the tests of the native recording write and expect back.
#pragma once

#include "app/dataset/native/native_recording.hpp"
#include "app/dataset/native/native_writer.hpp"
#include "gpu/core/error.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#if defined(ECHOLUX_ADDRESS_SANITIZER)
#include <sanitizer/lsan_interface.h>
#endif

namespace echolux::test {

/// While it lives, lost memory is not counted: HDF5 1.10 itself loses some hundred bytes each time
/// it fails on damaged metadata. Its free lists hand on memory: let it live as long as the test.
class Hdf5MayLeak {
#if defined(ECHOLUX_ADDRESS_SANITIZER)
    __lsan::ScopedDisabler m_disabled;
#else
public:
    Hdf5MayLeak() {} // not trivial: a variable of it is no unused one
#endif
};

inline Acquisition sampleAcquisition(int transmits, int channels) {
    Acquisition acquisition;
    acquisition.soundSpeedMps = 1480.5;
    acquisition.probe.name = "L7-4 (tëst)";
    acquisition.probe.pitchM = 0.3e-3;
    acquisition.probe.elementWidthM = 0.27e-3;
    acquisition.probe.centreFrequencyHz = 5.1e6;
    acquisition.probe.fractionalBandwidth = 0.6;
    for (int i = 0; i < channels; ++i)
        acquisition.probe.elements.push_back({(i - (channels - 1) / 2.0) * 0.3e-3, 1e-4 * i, 1e-5});
    for (int i = 0; i < transmits; ++i) {
        Transmit& transmit = acquisition.transmits.emplace_back();
        transmit.wave = static_cast<Wave>(i % 4);
        transmit.angleRad = 0.1 * i;
        transmit.source = {1e-3 * i, 2e-3, -5e-3};
        transmit.firstSampleS = 1.5e-6 + 1e-7 * i;
        transmit.iqPhaseZeroS = -2e-7 * i;
    }
    return acquisition;
}

inline FrameSpec sampleSpec(DType type, int transmits, int channels, int samples) {
    FrameSpec spec;
    spec.dtype = type;
    spec.axes = {{AxisName::Transmit, transmits, 1.0, 0.0, ""},
                 {AxisName::Channel, channels, 1.0, 0.0, ""},
                 {AxisName::Sample, samples, 1.0 / 20e6, 0.0, "s"}};
    spec.codeOffset = 3.0;
    spec.codeScale = 0.25;
    spec.converterRange = {-2048.0, 2047.0};
    spec.centreFrequencyHz = 5e6;
    spec.demodulationFrequencyHz = isComplex(type) ? 4.9e6 : 0.0;
    spec.acquisition = std::make_shared<const Acquisition>(sampleAcquisition(transmits, channels));
    return spec;
}

inline FrameSpec spectraSpec(DType type, int lines, int samples) {
    FrameSpec spec;
    spec.dtype = type;
    spec.axes = {{AxisName::Lateral, lines, 12e-6, -1e-4, "m"},
                 {AxisName::Sample, samples, 1.0, 0.0, ""}};
    spec.codeOffset = 2.0;
    spec.codeScale = 0.5;
    auto facts = std::make_shared<Spectrometer>();
    facts->centreWavelengthM = 930e-9;
    facts->bandwidthM = 124e-9;
    for (int i = 0; i < samples; ++i) {
        const double x = i / (samples - 1.0);
        facts->background.push_back(1000.0F + 0.25F * static_cast<float>(i));
        facts->resampling.push_back((samples - 1) * (0.9 * x + 0.1 * x * x));
        facts->dispersionRad.push_back(-7.25 * x * x);
    }
    spec.stack = {3, 20e-6, 3};
    spec.spectrometer = std::move(facts);
    return spec;
}

/// Bytes that differ from frame to frame and compress by about half.
inline std::vector<std::byte> sampleFrame(const FrameSpec& spec, std::int64_t index) {
    std::vector<std::byte> bytes(spec.bytes());
    std::uint64_t state = 0x9E3779B97F4A7C15ULL * static_cast<std::uint64_t>(index + 1);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        bytes[i] = static_cast<std::byte>((state >> 40) & (i % 2 == 0 ? 0x7F : 0x01));
    }
    return bytes;
}

inline Provenance sampleProvenance() {
    return {"echolux test",
            "a test",
            "2026-01-02T03:04:05Z",
            18446744073709551615ULL,
            {{"wire", "x 1 mm, z 2 mm"}, {"air", "none µ"}, {"empty", ""}}};
}

inline void writeSample(const std::filesystem::path& path, const FrameSpec& spec, int frames) {
    NativeWriter writer(path, spec, 25.0, sampleProvenance());
    for (int i = 0; i < frames; ++i) writer.append(sampleFrame(spec, i));
    writer.close();
}

/// Every frame is the one that was written under its number.
inline void expectFrames(Recording& recording) {
    const FrameSpec& spec = recording.info().frame;
    std::vector<std::byte> got(spec.bytes());
    for (std::int64_t i = 0; i < recording.info().frameCount; ++i) {
        recording.readFrame(i, got);
        ASSERT_TRUE(got == sampleFrame(spec, i)) << "frame " << i;
    }
}

inline std::vector<char> bytesOfFile(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void writeBytes(const std::filesystem::path& path, std::span<const char> bytes) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Opens the file 250 times, each time with another byte of it changed, and hands on what opens
/// with frames of the former size. Whatever is refused is done with; how often, it answers.
template <class Read>
int openDamaged(const std::filesystem::path& path, unsigned seed, const Read& read) {
    const std::vector<char> whole = bytesOfFile(path);
    const std::size_t frameBytes = openNative(path)->info().frame.bytes();
    std::mt19937 random(seed);
    int refused = 0;
    for (int round = 0; round < 250; ++round) {
        std::vector<char> bytes = whole;
        bytes[random() % bytes.size()] ^= static_cast<char>(1 + random() % 255);
        writeBytes(path, bytes);
        try {
            const auto recording = openNative(path);
            if (recording->info().frame.bytes() == frameBytes) read(*recording);
        } catch (const Error&) {
            ++refused;
        }
    }
    return refused;
}

} // namespace echolux::test
