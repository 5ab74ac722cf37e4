// SPDX-License-Identifier: GPL-3.0-or-later
// Makes pulses and their copies, and averages the results.
#include "app/lab/filter_test.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace echolux::lab {
namespace {

constexpr std::int64_t kTestSamples = 4096;
constexpr int kPulses = 200;
constexpr int kCopies = 16;
constexpr std::int64_t kEnds = 50; ///< samples at each end that are not counted
constexpr double kMargin = 100.0;  ///< samples at each end without centres of pulses
constexpr double kBandwidth = 0.6;
constexpr double kMostDb = 200.0;
constexpr double kTwoPi = 2.0 * std::numbers::pi;

/// Gives the same numbers on every machine. The standard's distributions do not guarantee this.
class Random {
public:
    explicit Random(std::uint64_t seed) : m_bits(seed) {}
    double uniform() { return (static_cast<double>(m_bits() >> 11U) + 0.5) * 0x1p-53; }
    double normal() { // method of Box and Muller
        const double radius = std::sqrt(-2.0 * std::log(uniform()));
        return radius * std::cos(kTwoPi * uniform());
    }

private:
    std::mt19937_64 m_bits;
};

struct Pulse {
    double time; ///< samples
    double amplitude;
    double phase;
};

std::vector<Pulse> randomPulses() {
    Random random(1);
    std::vector<Pulse> pulses(kPulses);
    for (Pulse& pulse : pulses) {
        pulse.time =
            kMargin + random.uniform() * (static_cast<double>(kTestSamples) - 2.0 * kMargin);
        pulse.amplitude = random.normal();
        pulse.phase = kTwoPi * random.uniform();
    }
    return pulses;
}

/// Sample n is the sum of the pulses at n + advance: exp(-u^2 / (2 s^2)) cos(2 pi f u + phase) with
/// u = n + advance - time and s = sqrt(2 ln 2) / (pi b f). Its spectrum has half the amplitude at f
/// (1 +- b / 2).
std::vector<float> signalOf(const std::vector<Pulse>& pulses, double frequency, double advance) {
    constexpr double kReach = 6.0;
    const double s =
        std::sqrt(2.0 * std::numbers::ln2) / (std::numbers::pi * kBandwidth * frequency);
    std::vector<double> sum(kTestSamples);
    for (const Pulse& pulse : pulses) {
        const double centre = pulse.time - advance;
        const auto from = std::max<std::int64_t>(0, std::llround(centre - kReach * s));
        const auto to = std::min<std::int64_t>(kTestSamples, std::llround(centre + kReach * s));
        for (std::int64_t n = from; n < to; ++n) {
            const double u = static_cast<double>(n) - centre;
            sum[static_cast<std::size_t>(n)] += pulse.amplitude * std::exp(-0.5 * u * u / (s * s)) *
                                                std::cos(kTwoPi * frequency * u + pulse.phase);
        }
    }
    return {sum.begin(), sum.end()};
}

double rootMeanSquare(const std::vector<float>& values) {
    double sum = 0.0;
    for (const float value : values) sum += static_cast<double>(value) * value;
    return std::sqrt(sum / static_cast<double>(values.size()));
}

/// The reference for one frequency, and its copies with noise.
struct Copies {
    std::vector<float> reference;
    std::vector<std::vector<float>> advanced;

    Copies(const FilterTest& test, double frequency)
        : reference(signalOf(randomPulses(), frequency, 0.0)) {
        const std::vector<Pulse> pulses = randomPulses();
        Random random(2);
        const double noise = test.noise * rootMeanSquare(reference);
        for (int i = 0; i < kCopies; ++i) {
            advanced.push_back(signalOf(pulses, frequency, delay(test, i)));
            if (noise == 0.0) continue;
            for (float& value : advanced.back())
                value += static_cast<float>(noise * random.normal());
        }
    }

    static double delay(const FilterTest& test, int i) { return i * test.spread / kCopies; }
};

double signalToNoise(const Interpolator& interpolator, const FilterTest& test, double frequency,
                     const Copies& copies) {
    const LineReader reader(interpolator, kTestSamples, {frequency, kBandwidth * frequency});
    std::vector<double> average(kTestSamples);
    for (int i = 0; i < kCopies; ++i) {
        reader.add(copies.advanced[static_cast<std::size_t>(i)], Copies::delay(test, i), kEnds,
                   kTestSamples - kEnds, average);
    }
    double signal = 0.0;
    double error = 0.0;
    for (std::int64_t n = kEnds; n < kTestSamples - kEnds; ++n) {
        const auto at = static_cast<std::size_t>(n);
        const double mean = average[at] / kCopies;
        const double off = static_cast<double>(copies.reference[at]) - mean;
        signal += mean * mean;
        error += off * off;
    }
    return error > 0.0 ? std::min(kMostDb, 10.0 * std::log10(signal / error)) : kMostDb;
}

} // namespace

std::vector<double> usualFrequencies() {
    std::vector<double> frequencies;
    for (int hundredths = 2; hundredths <= 45; ++hundredths)
        frequencies.push_back(0.01 * hundredths);
    return frequencies;
}

std::vector<std::vector<double>> signalToNoiseDb(std::span<const Interpolator> interpolators,
                                                 const FilterTest& test,
                                                 const std::stop_token& stop) {
    const std::size_t frequencies = test.frequencies.size();
    std::vector<std::vector<double>> found(interpolators.size(), std::vector<double>(frequencies));
    oneapi::tbb::parallel_for(std::size_t{0}, frequencies, [&](std::size_t f) {
        if (stop.stop_requested()) return;
        const Copies copies(test, test.frequencies[f]);
        for (std::size_t i = 0; i < interpolators.size() && !stop.stop_requested(); ++i)
            found[i][f] = signalToNoise(interpolators[i], test, test.frequencies[f], copies);
    });
    if (stop.stop_requested()) return {};
    return found;
}

} // namespace echolux::lab
