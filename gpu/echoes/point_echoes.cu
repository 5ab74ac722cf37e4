// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of pulses per channel, then noise and codes.
#include "gpu/echoes/point_echoes.hpp"

#include "gpu/exec/for_each.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace echolux {
namespace {

constexpr float kReferenceM = 10e-3F;
constexpr float kPi = 3.14159265358979F;
constexpr int kSegment = 4096; ///< samples of a channel that one block sums in shared memory
constexpr int kBlockThreads = 256;

/// Where the echo of a point begins in a channel, and how strong it is.
struct Echo {
    std::int64_t first = 0; ///< sample of the first tap
    std::int64_t phase = 0;
    float amplitude = 0.0F;
};

/// A place in the plane of the array.
struct FlatPoint {
    float x;
    float y;
    float z;
};

struct EchoModel {
    const float* elements;
    const PointEchoSetup::Wave* waves;
    const float* pulse;
    echoes::ScreensOf<float> screens;
    bool screensOnSent;
    const EchoedPoint* points;
    std::int64_t pointCount;
    std::int64_t channels;
    std::int64_t samples;
    std::int64_t phases;
    std::int64_t taps;
    std::int64_t lead;
    float soundSpeedMps;
    float samplingHz;
    float nepersPerM;
    float widthInWavelengths;
    float nearestM; ///< the amplitude does not rise closer than this

    /// What the screens do to the echo in an element at x, on the way there and back. The wave
    /// leaves z = 0 where its straight way to the point begins.
    ECHOLUX_HD echoes::ScreenEffectOf<float> past(const EchoedPoint& point, float x,
                                                  const PointEchoSetup::Wave& wave) const {
        const FlatPoint at{point.x, 0.0F, point.z};
        auto effect = passScreens(screens, FlatPoint{x, 0.0F, 0.0F}, at);
        if (!screensOnSent) return effect;
        const float leavesX = point.x - point.z * wave.sine / wave.cosine;
        const auto sent = passScreens(screens, FlatPoint{leavesX, 0.0F, 0.0F}, at);
        effect.delayS += sent.delayS;
        effect.logGain += sent.logGain;
        return effect;
    }

    /// `line` = wave * channels + channel.
    ECHOLUX_HD Echo echo(std::int64_t line, std::int64_t number) const {
        const EchoedPoint point = points[number];
        Echo echo;
        if (!(point.z > 0.0F)) return echo;
        const std::int64_t channel = line % channels;
        const PointEchoSetup::Wave wave = waves[line / channels];
        const float aside = point.x - elements[channel];
        const float away = std::sqrt(aside * aside + point.z * point.z);
        const float sent = point.x * wave.sine + point.z * wave.cosine;
        float seconds = (sent + away) / soundSpeedMps - wave.firstSampleS;
        float screenGain = 1.0F;
        if (screens.count > 0) {
            const auto effect = past(point, elements[channel], wave);
            seconds += effect.delayS;
            screenGain = std::exp(effect.logGain);
        }
        const float position = seconds * samplingHz;
        const float whole = std::floor(position);
        if (whole < -1e6F || whole > 1e9F) return echo;
        echo.first = static_cast<std::int64_t>(whole) - lead;
        echo.phase =
            static_cast<std::int64_t>((position - whole) * static_cast<float>(phases) + 0.5F);
        const float angle = kPi * widthInWavelengths * aside / away;
        const float sinc = std::fabs(angle) < 1e-4F ? 1.0F : std::sin(angle) / angle;
        const float spread = std::sqrt(kReferenceM / (away > nearestM ? away : nearestM));
        const float path = point.z / wave.cosine + away;
        echo.amplitude = point.amplitude * sinc * spread * point.z / away *
                         std::exp(-nepersPerM * path) * screenGain;
        return echo;
    }
    ECHOLUX_HD std::int32_t steps(const Echo& echo, std::int64_t tap) const {
        return static_cast<std::int32_t>(
            std::rint(PointEchoes::kUnit * echo.amplitude * pulse[echo.phase * taps + tap]));
    }
};

/// One channel on the CPU.
struct SumLine {
    EchoModel model;
    const std::int32_t* base; ///< null: zero
    std::int32_t* sums;

    void operator()(std::int64_t line) const {
        std::int32_t* out = sums + line * model.samples;
        const auto bytes = static_cast<std::size_t>(model.samples) * sizeof(std::int32_t);
        if (base != nullptr) {
            std::memcpy(out, base + line * model.samples, bytes);
        } else {
            std::memset(out, 0, bytes);
        }
        for (std::int64_t n = 0; n < model.pointCount; ++n) {
            const Echo echo = model.echo(line, n);
            if (echo.amplitude == 0.0F) continue;
            const std::int64_t from = echo.first < 0 ? -echo.first : 0;
            const std::int64_t to = std::min(model.taps, model.samples - echo.first);
            for (std::int64_t tap = from; tap < to; ++tap)
                out[echo.first + tap] += model.steps(echo, tap);
        }
    }
};

#if defined(__CUDACC__)
/// A block sums one segment of a channel. Whole numbers make the order of the points irrelevant.
__global__ void __launch_bounds__(kBlockThreads)
    sumSegments(EchoModel model, const std::int32_t* base, std::int32_t* sums) {
    __shared__ int segment[kSegment];
    const std::int64_t line = blockIdx.x;
    const std::int64_t start = static_cast<std::int64_t>(blockIdx.y) * kSegment;
    const auto length =
        static_cast<int>(model.samples - start < kSegment ? model.samples - start : kSegment);
    for (int i = static_cast<int>(threadIdx.x); i < length; i += kBlockThreads)
        segment[i] = base != nullptr ? base[line * model.samples + start + i] : 0;
    __syncthreads();
    for (std::int64_t n = threadIdx.x; n < model.pointCount; n += kBlockThreads) {
        const Echo echo = model.echo(line, n);
        if (echo.amplitude == 0.0F) continue;
        const std::int64_t first = echo.first - start;
        const std::int64_t from = first < 0 ? -first : 0;
        const std::int64_t to = length - first < model.taps ? length - first : model.taps;
        for (std::int64_t tap = from; tap < to; ++tap)
            atomicAdd(&segment[first + tap], model.steps(echo, tap));
    }
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < length; i += kBlockThreads)
        sums[line * model.samples + start + i] = segment[i];
}
#endif

ECHOLUX_HD inline std::uint32_t mixed(std::uint32_t x) { // the finaliser of MurmurHash3
    x ^= x >> 16;
    x *= 0x85ebca6bU;
    x ^= x >> 13;
    x *= 0xc2b2ae35U;
    return x ^ (x >> 16);
}

struct MakeCodes {
    const std::int32_t* sums;
    std::int16_t* out;
    PointEchoCodes codes;

    std::int64_t samples; ///< per line

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t n) const {
        const std::int64_t i = line * samples + n;
        const std::uint32_t key = mixed(codes.seed * 0x9e3779b9U + codes.frame);
        const std::uint32_t a = mixed(static_cast<std::uint32_t>(i) ^ key);
        const std::uint32_t b = mixed(a + 0x9e3779b9U);
        const auto four = static_cast<float>((a & 0xffffU) + (a >> 16) + (b & 0xffffU) + (b >> 16));
        // mean 2 * 65535; the variance of one number is 65536^2 / 12
        const float noise = (four - 131070.0F) * (1.7320508F / 65536.0F);
        const float value =
            codes.gain / PointEchoes::kUnit * static_cast<float>(sums[i]) + codes.noise * noise;
        const float code = std::rint(value);
        const float limited = code > codes.highest ? codes.highest : code;
        out[i] = static_cast<std::int16_t>(limited < -codes.highest ? -codes.highest : limited);
    }
};

} // namespace

PointEchoes::PointEchoes(Backend backend, const PointEchoSetup& setup)
    : m_setup(setup), m_stream(backend, "simulator"), m_exec{backend, m_stream.get()} {
    const auto put = [this](auto& table, const auto& values) {
        table.allocate(m_exec, values.size());
        table.set(m_exec, values);
    };
    put(m_elements, setup.elementX);
    put(m_waves, setup.waves);
    put(m_pulse, setup.pulse);
    const auto samples = static_cast<std::size_t>(count());
    m_still = Buffer(computeMemory(backend), samples * sizeof(std::int32_t));
    m_sums = Buffer(computeMemory(backend), samples * sizeof(std::int32_t));
    if (backend == Backend::Cuda)
        m_codes = Buffer(MemoryKind::Device, samples * sizeof(std::int16_t));
    setStill({});
}

void PointEchoes::setMedium(const PointEchoMedium& medium) {
    m_medium = medium;
    const auto put = [this](auto& table, const auto& values) {
        if (values.empty()) return;
        if (table.host().size() != values.size()) table.allocate(m_exec, values.size());
        table.set(m_exec, values);
    };
    m_stream.synchronize();
    put(m_screens, medium.screens.list);
    put(m_screenValues, medium.screens.values);
}

void PointEchoes::setStill(std::span<const EchoedPoint> points) {
    add(points, nullptr, m_still.as<std::int32_t>());
    m_stream.synchronize();
}

/// to = base + the echoes of `points`.
void PointEchoes::add(std::span<const EchoedPoint> points, const std::int32_t* base,
                      std::int32_t* to) {
    if (m_points.bytes() < points.size_bytes()) {
        m_stream.synchronize();
        m_points = Buffer(computeMemory(m_exec.backend), points.size_bytes());
        m_staging = Buffer(stagingMemory(m_exec.backend), points.size_bytes());
    }
    if (!points.empty()) {
        std::memcpy(m_staging.data(), points.data(), points.size_bytes());
        upload(m_exec, m_points.data(), m_staging.data(), points.size_bytes());
    }
    const float wavelengthM = m_medium.soundSpeedMps / m_setup.centreFrequencyHz;
    const auto channels = static_cast<std::int64_t>(m_setup.elementX.size());
    const EchoModel model{.elements = m_elements.data(),
                          .waves = m_waves.data(),
                          .pulse = m_pulse.data(),
                          .screens = {m_screens.data(), std::ssize(m_medium.screens.list),
                                      m_screenValues.data(), m_medium.screens.shape},
                          .screensOnSent = m_medium.screensOnSent,
                          .points = m_points.as<EchoedPoint>(),
                          .pointCount = static_cast<std::int64_t>(points.size()),
                          .channels = channels,
                          .samples = m_setup.samples,
                          .phases = m_setup.phases,
                          .taps = m_setup.taps,
                          .lead = m_setup.lead,
                          .soundSpeedMps = m_medium.soundSpeedMps,
                          .samplingHz = m_setup.samplingHz,
                          .nepersPerM = m_medium.nepersPerM,
                          .widthInWavelengths = m_setup.elementWidthM / wavelengthM,
                          .nearestM = wavelengthM};
    const std::int64_t lines = channels * static_cast<std::int64_t>(m_setup.waves.size());
    if (m_exec.backend == Backend::Cpu) {
        host::eachIndex(lines, SumLine{model, base, to});
        return;
    }
#if defined(__CUDACC__)
    const dim3 blocks(static_cast<unsigned>(lines),
                      static_cast<unsigned>((m_setup.samples + kSegment - 1) / kSegment));
    sumSegments<<<blocks, kBlockThreads, 0, static_cast<cudaStream_t>(m_exec.stream)>>>(model, base,
                                                                                        to);
    device::checkLaunch("simulated echoes");
#endif
}

void PointEchoes::render(std::span<const EchoedPoint> moving, const PointEchoCodes& codes,
                         std::int16_t* out) {
    add(moving, m_still.as<std::int32_t>(), m_sums.as<std::int32_t>());
    const bool here = m_exec.backend == Backend::Cpu;
    const std::int64_t samples = m_setup.samples;
    forEachInLines(m_exec, "simulated codes", count() / samples, samples,
                   MakeCodes{m_sums.as<std::int32_t>(), here ? out : m_codes.as<std::int16_t>(),
                             codes, samples});
    if (here) return;
    downloadRaw(m_exec, out, m_codes.data(),
                static_cast<std::size_t>(count()) * sizeof(std::int16_t));
    m_stream.synchronize();
}

std::vector<std::int32_t> PointEchoes::sums() const {
    std::vector<std::int32_t> sums(static_cast<std::size_t>(count()));
    downloadRaw(m_exec, sums.data(), m_sums.data(), sums.size() * sizeof(std::int32_t));
    m_stream.synchronize();
    return sums;
}

} // namespace echolux
