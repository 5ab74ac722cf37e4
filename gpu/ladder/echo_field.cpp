// SPDX-License-Identifier: GPL-3.0-or-later
// Echoes, windows, and the lines in double precision.
#include "gpu/ladder/echo_field.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <set>
#include <utility>

namespace echolux::ladder {
namespace {

constexpr double kCyclesPerSample = 0.125;
constexpr double kPulseWidth = 10.0; ///< standard deviation of the amplitude, in samples
constexpr double kPulseReach = 60.0; ///< farther out the pulse is below exp(-18) of its amplitude
                                     ///< and counts as 0
constexpr double kAmplitude = 0.25;
constexpr double kBeside = 0.05; ///< difference of sines between the beam and a scatterer beside it
constexpr int kRoundScatterer = 10;
constexpr int kSpread = 61;

double pulse(double t) {
    return std::exp(-0.5 * t * t / (kPulseWidth * kPulseWidth)) *
           std::cos(2.0 * std::numbers::pi * kCyclesPerSample * t);
}

/// The index, in the record of an element at `a`, of range index `i` along the direction of `sine`.
double indexOf(double i, double a, double sine) {
    return 0.5 * i + std::sqrt(0.25 * i * i + a * a - i * a * sine);
}

double windowAt(const ScanProblem& problem, const ScanGeometry& geometry, int channel, int sample) {
    // z / (2 F) with F = 1, in samples: z = c i / (2 fs), because places are in units of c / fs.
    const double half =
        std::max(0.25 * sample, geometry.pitchM * geometry.samplingHz / geometry.soundSpeedMps);
    const double u = geometry.place(problem, channel) / half;
    return std::abs(u) < 1.0 ? 0.5 + 0.5 * std::cos(std::numbers::pi * u) : 0.0;
}

} // namespace

EchoField::EchoField(const ScanProblem& problem, const ScanGeometry& geometry)
    : m_problem(problem) {
    m_places.reserve(static_cast<std::size_t>(problem.records()) * kScatterers);
    for (int beam = 0; beam < problem.beams; ++beam) {
        // The middle of the beam, however many lines it has.
        ScanProblem middle = problem;
        middle.lines = 1;
        const double sine = geometry.sine(middle, beam, 0);
        for (int n = 0; n < problem.channels; ++n) {
            for (int s = 0; s < kScatterers; ++s) {
                const double beside = kBeside * (s % 3 - 1);
                m_places.push_back(indexOf(range(s), geometry.place(problem, n), sine + beside));
            }
        }
    }
}

double EchoField::range(int scatterer) const {
    return std::floor(m_problem.samples * (scatterer + 0.5) / kScatterers);
}

const double* EchoField::placesOf(int beam, int channel) const {
    return m_places.data() +
           (static_cast<std::ptrdiff_t>(beam) * m_problem.channels + channel) * kScatterers;
}

double EchoField::at(int beam, int channel, double at) const {
    const double* places = placesOf(beam, channel);
    double sum = 0.0;
    for (int s = 0; s < kScatterers; ++s) {
        const double t = at - places[s];
        if (std::abs(t) < kPulseReach) sum += kAmplitude * pulse(t);
    }
    return std::clamp(sum, -1.0, 1.0);
}

template <class Number, class Convert>
std::vector<Number> EchoField::records(int factor, const Convert& convert) const {
    const std::int64_t length = std::int64_t{m_problem.samples} * factor;
    std::vector<Number> all(static_cast<std::size_t>(m_problem.records() * length));
    oneapi::tbb::parallel_for(std::int64_t{0}, m_problem.records(), [&](std::int64_t record) {
        const auto beam = static_cast<int>(record / m_problem.channels);
        const auto channel = static_cast<int>(record % m_problem.channels);
        Number* line = all.data() + record * length;
        for (int s = 0; s < kScatterers; ++s) {
            const double place = placesOf(beam, channel)[s];
            const auto first = static_cast<std::int64_t>(std::ceil((place - kPulseReach) * factor));
            const auto last = static_cast<std::int64_t>((place + kPulseReach) * factor);
            for (std::int64_t n = std::max<std::int64_t>(first, 0); n <= last && n < length; ++n)
                line[n] = convert(at(beam, channel, static_cast<double>(n) / factor));
        }
    });
    return all;
}

std::vector<std::int16_t> EchoField::codes(int factor) const {
    return records<std::int16_t>(factor, [](double value) {
        return static_cast<std::int16_t>(std::lround(value * kCodePeak));
    });
}

std::vector<float> EchoField::values(int factor) const {
    return records<float>(factor, [](double value) { return static_cast<float>(value); });
}

std::vector<std::int16_t> apodizationCodes(const ScanProblem& problem,
                                           const ScanGeometry& geometry) {
    std::vector<std::int16_t> codes;
    codes.reserve(static_cast<std::size_t>(problem.channels) *
                  static_cast<std::size_t>(problem.samples));
    for (int n = 0; n < problem.channels; ++n)
        for (int i = 0; i < problem.samples; ++i)
            codes.push_back(static_cast<std::int16_t>(
                std::lround(windowAt(problem, geometry, n, i) * kCodePeak)));
    return codes;
}

double exactLineSample(const ScanProblem& problem, const ScanGeometry& geometry,
                       const SampleAt& record, int beam, int line, int sample) {
    const double i = static_cast<double>(sample) * problem.factor;
    const double sine = geometry.sine(problem, beam, line);
    const auto last = static_cast<double>(problem.recordSamples() - 1);
    double sum = 0.0;
    for (int n = 0; n < problem.channels; ++n) {
        const double a = geometry.place(problem, n) * problem.factor;
        const double index = std::clamp(indexOf(i, a, sine), 0.0, last);
        const double whole = std::min(std::floor(index), last - 1.0);
        const auto at = static_cast<std::int64_t>(whole);
        const double fraction = index - whole;
        const double value =
            (1.0 - fraction) * record(beam, n, at) + fraction * record(beam, n, at + 1);
        sum += problem.apodized ? windowAt(problem, geometry, n, sample) * value : value;
    }
    return sum;
}

double scanDeviation(const ScanProblem& problem, const ScanGeometry& geometry,
                     const EchoField& field, const SampleAt& record, const float* lines) {
    std::vector<int> compared;
    for (int i = 0; i < problem.samples; ++i) {
        bool near = i % kSpread == 0;
        for (int s = 0; s < EchoField::kScatterers; ++s)
            near = near || std::abs(i - field.range(s)) <= kRoundScatterer;
        if (near) compared.push_back(i);
    }
    std::vector<std::pair<std::int64_t, double>> expected;
    for (const int beam : std::set<int>{0, problem.beams / 2, problem.beams - 1}) {
        for (const int line : std::set<int>{0, problem.lines / 2, problem.lines - 1})
            for (const int i : compared)
                expected.emplace_back(
                    (std::int64_t{beam} * problem.lines + line) * problem.samples + i, 0.0);
    }
    oneapi::tbb::parallel_for(std::size_t{0}, expected.size(), [&](std::size_t at) {
        const std::int64_t place = expected[at].first;
        const std::int64_t ofLine = place / problem.samples;
        expected[at].second = exactLineSample(
            problem, geometry, record, static_cast<int>(ofLine / problem.lines),
            static_cast<int>(ofLine % problem.lines), static_cast<int>(place % problem.samples));
    });
    double greatest = 0.0;
    double worst = 0.0;
    for (const auto& [place, value] : expected) {
        greatest = std::max(greatest, std::abs(double{lines[place]}));
        if (std::isnan(lines[place])) return std::numeric_limits<double>::max();
        worst = std::max(worst, std::abs(value - double{lines[place]}));
    }
    return greatest > 0.0 ? worst / greatest : 1.0;
}

} // namespace echolux::ladder
