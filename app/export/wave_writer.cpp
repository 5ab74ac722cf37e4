// SPDX-License-Identifier: GPL-3.0-or-later
// WAV: the gate of spectral Doppler as stereo sound of 16 bit. The loudest sample is 9/10 of full
// scale.
#include "app/export/subject.hpp"
#include "app/sound/doppler_sound.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace echolux {
namespace {

constexpr std::uint32_t kRateHz = 48000;
constexpr std::uint16_t kChannels = 2;
constexpr std::uint16_t kBits = 16;
constexpr std::uint32_t kSampleBytes = kChannels * kBits / 8;
constexpr float kLoudest = 0.9F;

class WaveWriter : public FrameWriter {
public:
    WaveWriter(const ExportSubject& subject, OutputFiles& files)
        : m_files(files), m_perFrame(subject.gate->perFrame),
          m_sound({.pulseRateHz = subject.gate->rateHz,
                   .wallHz = subject.gate->wallHz,
                   .rateHz = kRateHz,
                   .inverted = subject.gate->inverted}) {}
    /// The newest pulses of each frame are new.
    void add(std::span<const std::byte> frame) override {
        const auto* pulses = reinterpret_cast<const Complex*>(frame.data());
        const auto count = frame.size() / sizeof(Complex);
        const std::size_t fresh = std::min(count, static_cast<std::size_t>(m_perFrame));
        m_sound.add({pulses + count - fresh, fresh}, m_samples);
    }
    void finish() override {
        m_sound.finish(m_samples);
        float loudest = 0.0F;
        for (const StereoSample& each : m_samples)
            loudest = std::max({loudest, std::abs(each.left), std::abs(each.right)});
        const float scale = loudest > 0.0F ? kLoudest * 32767.0F / loudest : 0.0F;
        const std::size_t bytes = m_samples.size() * kSampleBytes;
        constexpr std::size_t kMost = 0xffffffffU - 36U;
        if (bytes > kMost) m_files.refuse("the sound is longer than a WAV file can hold");
        std::string data = head(static_cast<std::uint32_t>(bytes));
        for (const StereoSample& each : m_samples)
            for (const float value : {each.left, each.right})
                put(data, static_cast<std::uint16_t>(
                              static_cast<std::int16_t>(std::lround(scale * value))));
        ByteWriter file(m_files, m_files.partial());
        file.write(data);
        file.close();
    }

private:
    /// Little-endian.
    template <class Number> static void put(std::string& data, Number number) {
        for (std::size_t byte = 0; byte < sizeof number; ++byte)
            data += static_cast<char>(number >> (8 * byte) & 0xff);
    }
    static std::string head(std::uint32_t bytes) {
        constexpr std::uint32_t kRest = 36; // of the head
        constexpr std::uint32_t kFormatBytes = 16;
        constexpr std::uint16_t kIntegers = 1;
        std::string data = "RIFF";
        put(data, kRest + bytes);
        data += "WAVEfmt ";
        put(data, kFormatBytes);
        put(data, kIntegers);
        put(data, kChannels);
        put(data, kRateHz);
        put(data, kRateHz * kSampleBytes);
        put(data, static_cast<std::uint16_t>(kSampleBytes));
        put(data, kBits);
        data += "data";
        put(data, bytes);
        return data;
    }

    OutputFiles& m_files;
    std::int64_t m_perFrame;
    DopplerSound m_sound;
    std::vector<StereoSample> m_samples;
};

} // namespace

std::unique_ptr<FrameWriter> makeWaveWriter(const ExportSubject& subject, OutputFiles& files) {
    if (!subject.gate || subject.frame.dtype != DType::ComplexF32)
        refuseContent(files, subject, "a sound is made of the gate of spectral Doppler");
    if (subject.remarks != nullptr)
        subject.remarks->push_back("Left is flow towards the probe, right is flow away from it.");
    return std::make_unique<WaveWriter>(subject, files);
}

} // namespace echolux
