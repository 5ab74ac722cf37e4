// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sound_speed/speed_search.hpp"

#include "gpu/core/error.hpp"
#include "gpu/memory/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace echolux::sound_speed {
namespace {

constexpr std::int64_t kCoarseSpeeds = 36;
constexpr std::int64_t kCoarseEvery = 4; ///< places
constexpr std::int64_t kFineSpeeds = 5;
constexpr double kFinest = 0.8; ///< coarse steps
constexpr double kBeside = 10.0;
constexpr int kMostTurns = 4;

// An estimate outside these is doubted. Chosen on simulated recordings and phantoms.
constexpr double kLeastRise = 0.01;
constexpr double kLeastRiseOverError = 3.0;
constexpr double kMostOfSecondPeak = 0.7;
constexpr double kMostError = 8.0 / 1540.0;
constexpr std::int64_t kFewestPlaces = 2000;

void finish(const Exec& exec) {
    if (exec.backend == Backend::Cuda) device::synchronize(exec.stream);
}
Buffer bufferOf(const Exec& exec, std::size_t bytes) {
    return Buffer(computeMemory(exec.backend), bytes);
}
template <class T> Buffer sent(const Exec& exec, const std::vector<T>& values) {
    Buffer buffer = bufferOf(exec, values.size() * sizeof(T));
    upload(exec, buffer.data(), values.data(), buffer.bytes());
    finish(exec);
    return buffer;
}

std::vector<Receiver> receiversOf(const FrameSpec& channels) {
    const Acquisition& acquisition = *channels.acquisition;
    const auto count = static_cast<std::size_t>(channels.sizeOf(AxisName::Channel));
    std::vector<Receiver> receivers;
    for (std::size_t i = 0; i < acquisition.transmits.size() * count; ++i) {
        const std::int32_t element = acquisition.receiveElements.empty()
                                         ? static_cast<std::int32_t>(i % count)
                                         : acquisition.receiveElements[i];
        const float weight =
            acquisition.receiveWeights.empty() ? 1.0F : acquisition.receiveWeights[i];
        const bool isThere =
            element >= 0 && element < std::ssize(acquisition.probe.elements) && weight != 0.0F;
        if (!isThere) {
            receivers.push_back({{}, 0.0F});
            continue;
        }
        const Point& p = acquisition.probe.elements[static_cast<std::size_t>(element)];
        receivers.push_back(
            {{static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)}, weight});
    }
    return receivers;
}

std::vector<double> spread(double first, double last, std::int64_t count) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(
            std::lerp(first, last, static_cast<double>(i) / static_cast<double>(count - 1)));
    return values;
}
std::vector<double> round(double middle, double step) {
    constexpr auto half = static_cast<double>(kFineSpeeds / 2);
    return spread(middle - half * step, middle + half * step, kFineSpeeds);
}

/// The top of the parabola through values at even steps, by least squares; not a number without
/// one.
double topOf(const std::vector<double>& at, const std::vector<double>& values) {
    const double half = static_cast<double>(at.size() / 2);
    const auto n = static_cast<double>(at.size());
    double slope = 0.0, bend = 0.0, squares = 0.0, fourths = 0.0, sum = 0.0;
    for (std::size_t i = 0; i < at.size(); ++i) {
        const double u = static_cast<double>(i) - half;
        squares += u * u;
        fourths += u * u * u * u;
        slope += u * values[i];
        bend += u * u * values[i];
        sum += values[i];
    }
    slope /= squares;
    bend = (n * bend - squares * sum) / (n * fourths - squares * squares);
    if (!(bend < 0.0)) return std::numeric_limits<double>::quiet_NaN();
    return at[at.size() / 2] - 0.5 * slope / bend * (at[1] - at[0]);
}

std::size_t indexOfLargest(const std::vector<double>& values) {
    return static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
}

/// The standard error of a figure from its values with a block left out each.
double jackknife(const std::vector<double>& without) {
    const auto n = static_cast<double>(without.size());
    double mean = 0.0;
    for (const double each : without) mean += each / n;
    double squares = 0.0;
    for (const double each : without) squares += (each - mean) * (each - mean);
    return std::sqrt((n - 1.0) / n * squares);
}

/// The highest rise of the curve far from its peak, as a part of the peak's. Rises are from the
/// median.
double secondPeakOf(const Estimate& found) {
    std::vector<double> sorted = found.unevenness;
    std::ranges::sort(sorted);
    const double median = sorted[sorted.size() / 2];
    const std::size_t peak = indexOfLargest(found.unevenness);
    constexpr std::size_t kFar = 6; // coarse steps
    double second = 0.0;
    for (std::size_t i = 0; i < found.unevenness.size(); ++i) {
        const std::size_t off = i > peak ? i - peak : peak - i;
        if (off >= kFar) second = std::max(second, found.unevenness[i] - median);
    }
    return second / std::max(found.unevenness[peak] - median, 1e-12);
}

} // namespace

Speeds usualSpeeds(double recordedMps) { return {recordedMps / 1.1, recordedMps * 1.1364}; }

std::vector<double> SpeedSearch::Sums::unevenness(std::int32_t without) const {
    std::vector<double> values;
    for (std::size_t s = 0; s < agreement.size(); ++s) {
        double n = 0.0, q = 0.0, r = 0.0;
        for (std::size_t b = 0; b < kBlocks; ++b) {
            if (static_cast<std::int32_t>(b) == without) continue;
            n += places[b];
            q += agreement[s][b];
            r += roots[s][b];
        }
        values.push_back(r > 0.0 ? std::log(n * q / (r * r)) : 0.0);
    }
    return values;
}

SpeedSearch::SpeedSearch(const Exec& exec, const FrameSpec& channels, const Search& search)
    : m_channels(channels), m_search(search) {
    if (!channels.acquisition || channels.find(AxisName::Channel) == nullptr ||
        !isComplex(channels.dtype) || !(channels.centreFrequencyHz > 0.0))
        throw Error("The speed of sound is estimated from channel data whose array and centre "
                    "frequency are known.");
    if (m_search.speeds.highestMps <= 0.0)
        m_search.speeds = usualSpeeds(channels.acquisition->soundSpeedMps);
    m_placed = placesFor(channels, m_search.speeds, m_search.places);
    if (m_placed.empty())
        throw Error("No place of the region is insonified and recorded at all speeds of the "
                    "search; choose another region.");
    m_places = sent(exec, m_placed);
    m_receivers = sent(exec, receiversOf(channels));
    const auto transmits = channels.acquisition->transmits.size();
    m_waves = bufferOf(exec, static_cast<std::size_t>(kCoarseSpeeds) * transmits * sizeof(WaveAt));
    const std::int64_t most = std::max(kCoarseSpeeds * (std::ssize(m_placed) / kCoarseEvery + 1),
                                       kFineSpeeds * std::ssize(m_placed));
    m_agreement = bufferOf(exec, static_cast<std::size_t>(most) * sizeof(float));
    m_staging = Buffer(stagingMemory(exec.backend), m_agreement.bytes());
}

SpeedSearch::Sums SpeedSearch::sumsAt(const Exec& exec, const Complex* samples,
                                      const std::vector<double>& speeds, std::int64_t every) {
    const Acquisition& acquisition = *m_channels.acquisition;
    std::vector<WaveAt> waves;
    for (const double speed : speeds)
        for (const WaveAt& wave : wavesAt(acquisition, speed, m_search.places.delayS))
            waves.push_back(wave);
    upload(exec, m_waves.data(), waves.data(), waves.size() * sizeof(WaveAt));
    const bool isMixed = m_channels.demodulationFrequencyHz != 0.0;
    AgreementTask task{
        .samples = samples,
        .receivers = m_receivers.as<Receiver>(),
        .places = m_places.as<Place>(),
        .waves = m_waves.as<WaveAt>(),
        .agreement = m_agreement.as<float>(),
        .every = every,
        .used = (std::ssize(m_placed) + every - 1) / every,
        .speeds = std::ssize(speeds),
        .transmits = static_cast<std::int32_t>(acquisition.transmits.size()),
        .channels = static_cast<std::int32_t>(m_channels.sizeOf(AxisName::Channel)),
        .recordLength = static_cast<std::int32_t>(m_channels.sizeOf(AxisName::Sample)),
        .samplingHz = static_cast<float>(m_channels.samplingFrequencyHz()),
        .carrierHz = isMixed ? 0.0F : static_cast<float>(m_channels.centreFrequencyHz),
        .mixedHz = static_cast<float>(m_channels.demodulationFrequencyHz),
        .tapTurns = {}};
    for (int k = 0; k < 4; ++k) {
        const double turn = -2.0 * std::numbers::pi * static_cast<double>(task.carrierHz) *
                            (k - 1) / m_channels.samplingFrequencyHz();
        task.tapTurns[k] = {static_cast<float>(std::cos(turn)), static_cast<float>(std::sin(turn))};
    }
    agreementsOf(exec, task);
    const auto count = static_cast<std::size_t>(task.used * task.speeds);
    download(exec, m_staging.data(), m_agreement.data(), count * sizeof(float));
    finish(exec);
    Sums sums{.agreement = std::vector<std::array<double, kBlocks>>(speeds.size()),
              .roots = std::vector<std::array<double, kBlocks>>(speeds.size())};
    const auto* agreement = m_staging.as<float>();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t place = i % static_cast<std::size_t>(task.used);
        const std::size_t speed = i / static_cast<std::size_t>(task.used);
        const auto block =
            static_cast<std::size_t>(m_placed[place * static_cast<std::size_t>(every)].block);
        const auto q = static_cast<double>(agreement[i]);
        if (speed == 0) sums.places[block] += 1.0;
        sums.agreement[speed][block] += q;
        sums.roots[speed][block] += std::sqrt(q);
    }
    return sums;
}

Estimate SpeedSearch::estimate(const Exec& exec, const Complex* samples) {
    Estimate found;
    found.places = std::ssize(m_placed);
    found.triedMps = spread(m_search.speeds.lowestMps, m_search.speeds.highestMps, kCoarseSpeeds);
    const Sums coarse = sumsAt(exec, samples, found.triedMps, kCoarseEvery);
    found.unevenness = coarse.unevenness();
    const bool isSilent = std::ranges::all_of(
        found.unevenness, [](double j) { return !std::isfinite(j) || j == 0.0; });
    if (isSilent) {
        found.doubt = "there are no echoes";
        return found;
    }
    refine(exec, samples, found);
    return found;
}

/// On all places: five speeds round the peak, moved until it lies among them; then five closer ones
/// round its top.
void SpeedSearch::refine(const Exec& exec, const Complex* samples, Estimate& found) {
    const double step = found.triedMps[1] - found.triedMps[0];
    double middle = found.triedMps[indexOfLargest(found.unevenness)];
    const auto clamped = [&](double speed) {
        return std::clamp(speed, m_search.speeds.lowestMps, m_search.speeds.highestMps);
    };
    std::vector<double> speeds;
    Sums sums;
    for (int turn = 0; turn < kMostTurns; ++turn) {
        speeds = round(middle, step);
        sums = sumsAt(exec, samples, speeds, 1);
        const std::size_t largest = indexOfLargest(sums.unevenness());
        if (largest == kFineSpeeds / 2) break;
        middle = clamped(speeds[largest]);
    }
    double top = topOf(speeds, sums.unevenness());
    if (std::abs(top - speeds[kFineSpeeds / 2]) < 2.0 * step) {
        speeds = round(top, kFinest * step);
        sums = sumsAt(exec, samples, speeds, 1);
        top = topOf(speeds, sums.unevenness());
    }
    found.speedMps = std::isfinite(top) ? clamped(top) : middle;
    const Sums aside = sumsAt(
        exec, samples, {found.speedMps - kBeside * step, found.speedMps + kBeside * step}, 1);
    const auto riseWithout = [&](std::int32_t block) {
        const std::vector<double> far = aside.unevenness(block);
        const std::vector<double> near = sums.unevenness(block);
        return *std::ranges::max_element(near) - 0.5 * (far[0] + far[1]);
    };
    std::vector<double> tops, rises;
    for (std::int32_t b = 0; b < kBlocks; ++b) {
        if (sums.places[static_cast<std::size_t>(b)] == 0.0) continue;
        tops.push_back(topOf(speeds, sums.unevenness(b)));
        rises.push_back(riseWithout(b));
    }
    found.errorMps = jackknife(tops);
    const double rise = riseWithout(-1);
    const bool isInside = std::isfinite(top) && top > m_search.speeds.lowestMps + step &&
                          top < m_search.speeds.highestMps - step;
    if (found.places < kFewestPlaces) {
        found.doubt =
            fmt::format("the region has {} places, and {} are needed", found.places, kFewestPlaces);
    } else if (!isInside) {
        found.doubt = "the curve has no peak inside the search";
    } else if (!(rise >= kLeastRise) || !(rise >= kLeastRiseOverError * jackknife(rises))) {
        found.doubt = "the curve has no clear peak, as with noise or very dense scatterers";
    } else if (secondPeakOf(found) > kMostOfSecondPeak) {
        found.doubt = "the curve has a second peak";
    } else if (!(found.errorMps <= kMostError * found.speedMps)) {
        found.doubt = "parts of the region disagree";
    }
}

} // namespace echolux::sound_speed
