// SPDX-License-Identifier: GPL-3.0-or-later
// Noise, half power, medians, upstrokes.
#include "app/measure/envelope.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace echolux::measure {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kLeastLines = 5;
constexpr std::int64_t kLeastVelocities = 8;
constexpr double kLeastOverNoise = 4.0; ///< 6 dB

/// Powers [row][line] of the searched part, with its axes.
struct Powers {
    PixelAxis velocity;
    PixelAxis time;
    std::vector<double> values;

    double& at(std::int64_t row, std::int64_t line) {
        return values[static_cast<std::size_t>(row * time.size + line)];
    }
    double at(std::int64_t row, std::int64_t line) const {
        return values[static_cast<std::size_t>(row * time.size + line)];
    }
};

/// The pixels of an axis between two places.
struct Part {
    std::int64_t first = 0;
    std::int64_t count = 0;
};

Part partOf(const PixelAxis& axis, double a, double b) {
    const auto [low, high] = std::minmax({axis.indexOf(a), axis.indexOf(b)});
    const auto last = static_cast<double>(axis.size - 1);
    constexpr double kRounding = 1e-6;
    const auto first = static_cast<std::int64_t>(std::ceil(std::clamp(low, 0.0, last) - kRounding));
    const auto end = static_cast<std::int64_t>(std::floor(std::clamp(high, 0.0, last) + kRounding));
    return {first, low > last || high < 0.0 ? 0 : std::max<std::int64_t>(0, end - first + 1)};
}

PixelAxis cut(PixelAxis axis, const Part& part) {
    axis.start = axis.at(part.first);
    axis.size = part.count;
    return axis;
}

Powers powersOf(const MeasuredImage& image, const Part& rows, const Part& lines) {
    Powers powers{cut(image.depth, rows), cut(image.lateral, lines), {}};
    for (std::int64_t row = rows.first; row < rows.first + rows.count; ++row)
        for (std::int64_t line = lines.first; line < lines.first + lines.count; ++line)
            powers.values.push_back(
                std::pow(10.0, 0.1 * static_cast<double>(image.value(row, line))));
    return powers;
}

/// The mean over three lines, then over three velocities. Ends take what they have.
Powers smoothed(const Powers& raw) {
    Powers over = raw;
    const std::int64_t rows = raw.velocity.size;
    const std::int64_t lines = raw.time.size;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t line = 0; line < lines; ++line) {
            const std::int64_t first = std::max<std::int64_t>(0, line - 1);
            const std::int64_t last = std::min(lines - 1, line + 1);
            double sum = 0.0;
            for (std::int64_t each = first; each <= last; ++each) sum += raw.at(row, each);
            over.at(row, line) = sum / static_cast<double>(last - first + 1);
        }
    Powers smooth = over;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t line = 0; line < lines; ++line) {
            const double above = over.at(std::max<std::int64_t>(0, row - 1), line);
            const double below = over.at(std::min(rows - 1, row + 1), line);
            smooth.at(row, line) = 0.5 * over.at(row, line) + 0.25 * (above + below);
        }
    return smooth;
}

/// Rows round the velocity 0 that hold nothing at any time. The smoothing brings power into the
/// outermost two of them, so it is told of the raw powers.
std::vector<bool> blankedRows(const Powers& raw) {
    const std::int64_t rows = raw.velocity.size;
    std::vector<bool> blanked(static_cast<std::size_t>(rows), false);
    const double floor = *std::ranges::min_element(raw.values);
    const auto isEmpty = [&](std::int64_t row) {
        for (std::int64_t line = 0; line < raw.time.size; ++line)
            if (raw.at(row, line) > floor) return false;
        return true;
    };
    const auto zero = static_cast<std::int64_t>(std::llround(raw.velocity.indexOf(0.0)));
    for (const std::int64_t step : {-1, 1})
        for (std::int64_t row = std::clamp<std::int64_t>(zero, 0, rows - 1);
             row >= 0 && row < rows && isEmpty(row); row += step)
            blanked[static_cast<std::size_t>(row)] = true;
    return blanked;
}

double noiseOf(const Powers& raw) {
    const std::vector<bool> blanked = blankedRows(raw);
    std::vector<double> means;
    for (std::int64_t row = 0; row < raw.velocity.size; ++row) {
        if (blanked[static_cast<std::size_t>(row)]) continue;
        double sum = 0.0;
        for (std::int64_t line = 0; line < raw.time.size; ++line) sum += raw.at(row, line);
        means.push_back(sum / static_cast<double>(raw.time.size));
    }
    if (means.empty()) return *std::ranges::max_element(raw.values);
    std::ranges::sort(means);
    constexpr std::size_t kFifth = 5;
    const std::size_t count = std::max<std::size_t>(1, means.size() / kFifth);
    return std::accumulate(means.begin(), means.begin() + static_cast<std::ptrdiff_t>(count), 0.0) /
           static_cast<double>(count);
}

bool isTowards(const Powers& powers, double noise) {
    double balance = 0.0;
    for (std::int64_t row = 0; row < powers.velocity.size; ++row) {
        const double velocity = powers.velocity.at(row);
        for (std::int64_t line = 0; line < powers.time.size; ++line)
            if (velocity != 0.0)
                balance += std::copysign(1.0, velocity) * (powers.at(row, line) - noise);
    }
    return balance >= 0.0;
}

struct LineMaximum {
    double velocity = kNone;
    bool atLimit = false;
};

/// From the fastest row of a direction to the slowest one.
std::vector<std::int64_t> rowsOf(const PixelAxis& velocities, bool towards) {
    std::vector<std::int64_t> rows;
    for (std::int64_t row = 0; row < velocities.size; ++row)
        if (towards ? velocities.at(row) > 0.0 : velocities.at(row) < 0.0) rows.push_back(row);
    std::ranges::sort(rows, std::ranges::greater{},
                      [&](std::int64_t row) { return std::abs(velocities.at(row)); });
    return rows;
}

/// `rows`: those of its direction, the fastest one first.
LineMaximum maximumOf(const Powers& powers, const std::vector<std::int64_t>& rows,
                      std::int64_t line, double noise) {
    double strongest = 0.0;
    for (const std::int64_t row : rows) strongest = std::max(strongest, powers.at(row, line));
    if (rows.empty() || strongest < kLeastOverNoise * noise) return {};
    const double half = noise + 0.5 * (strongest - noise);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double here = powers.at(rows[i], line);
        if (here < half) continue;
        const double velocity = powers.velocity.at(rows[i]);
        if (i == 0) return {velocity, true};
        const double outside = powers.at(rows[i - 1], line);
        const double part = (here - half) / (here - outside);
        return {velocity + part * (powers.velocity.at(rows[i - 1]) - velocity), false};
    }
    return {};
}

double meanOf(const Powers& powers, std::int64_t line, double noise) {
    double sum = 0.0;
    double moment = 0.0;
    for (std::int64_t row = 0; row < powers.velocity.size; ++row) {
        const double power = powers.at(row, line) - noise;
        sum += power;
        moment += power * powers.velocity.at(row);
    }
    return sum > 0.0 ? moment / sum : kNone;
}

/// Over five lines, of those that have a value. A line without one stays without.
std::vector<double> medians(const std::vector<double>& values) {
    constexpr std::size_t kHalf = 2;
    std::vector<double> filtered = values;
    for (std::size_t line = 0; line < values.size(); ++line) {
        if (std::isnan(values[line])) continue;
        std::vector<double> near;
        const std::size_t first = line < kHalf ? 0 : line - kHalf;
        for (std::size_t i = first; i <= std::min(values.size() - 1, line + kHalf); ++i)
            if (!std::isnan(values[i])) near.push_back(values[i]);
        const auto middle = near.begin() + static_cast<std::ptrdiff_t>(near.size() / 2);
        std::ranges::nth_element(near, middle);
        filtered[line] = *middle;
    }
    return filtered;
}

Envelope envelopeOf(const MeasuredImage& image, const Part& rows, const Part& lines) {
    const Powers raw = powersOf(image, rows, lines);
    const double noise = noiseOf(raw);
    const Powers powers = smoothed(raw);
    Envelope envelope{raw.time, raw.velocity.unit, {}, {}, isTowards(powers, noise), 0};
    const std::vector<std::int64_t> directed = rowsOf(raw.velocity, envelope.isTowards);
    for (std::int64_t line = 0; line < lines.count; ++line) {
        const LineMaximum maximum = maximumOf(powers, directed, line, noise);
        envelope.maximum.push_back(maximum.velocity);
        envelope.mean.push_back(std::isnan(maximum.velocity) ? kNone : meanOf(powers, line, noise));
        if (maximum.atLimit) ++envelope.linesAtLimit;
    }
    envelope.maximum = medians(envelope.maximum);
    envelope.mean = medians(envelope.mean);
    return envelope;
}

void checkSonogram(const MeasuredImage& image) {
    if (!image.isOverTime() || image.depth.quantity != Quantity::Velocity || !image.isDb)
        throw Error("An envelope is measured on a sonogram in dB; choose the view of the stage "
                    "'spectral_doppler'.");
}

double magnitudeOrNothing(double value) { return std::isnan(value) ? 0.0 : std::abs(value); }

/// Of sorted values, by a straight line between them.
double percentile(const std::vector<double>& sorted, double part) {
    const double place = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

/// Places of upstrokes, counted in lines: the last passage of the range's middle before each rise
/// to two thirds.
std::vector<double> upstrokes(const std::vector<double>& speeds) {
    std::vector<double> sorted = speeds;
    std::ranges::sort(sorted);
    constexpr double kLow = 0.05;
    constexpr double kHigh = 0.95;
    constexpr double kLeastSwing = 0.2;
    const double low = percentile(sorted, kLow);
    const double high = percentile(sorted, kHigh);
    std::vector<double> found;
    if (!(high - low > kLeastSwing * high)) return found;
    const double middle = 0.5 * (low + high);
    bool armed = false;
    double passage = 0.0;
    for (std::size_t i = 0; i < speeds.size(); ++i) {
        if (speeds[i] <= std::lerp(low, high, 1.0 / 3.0)) armed = true;
        if (i > 0 && speeds[i - 1] < middle && speeds[i] >= middle)
            passage =
                static_cast<double>(i - 1) + (middle - speeds[i - 1]) / (speeds[i] - speeds[i - 1]);
        if (armed && speeds[i] >= std::lerp(low, high, 2.0 / 3.0)) {
            found.push_back(passage);
            armed = false;
        }
    }
    return found;
}

} // namespace

double Beat::resistivity() const {
    return peakSystolic != 0.0 ? (peakSystolic - endDiastolic) / peakSystolic : kNone;
}

double Beat::pulsatility() const {
    return meanOfMaximum != 0.0 ? (peakSystolic - endDiastolic) / meanOfMaximum : kNone;
}

double Beat::rate() const {
    constexpr double kMsPerMinute = 60e3;
    return kMsPerMinute / (end - start);
}

Envelope envelopeOf(const MeasuredImage& image, const Place& corner, const Place& opposite) {
    checkSonogram(image);
    const Part rows = partOf(image.depth, corner.depth, opposite.depth);
    const Part lines = partOf(image.lateral, corner.lateral, opposite.lateral);
    if (rows.count < kLeastVelocities || lines.count < kLeastLines)
        throw Error("An envelope needs five lines of time and eight velocities of the sonogram; "
                    "make its rectangle larger.");
    return envelopeOf(image, rows, lines);
}

Envelope envelopeOf(const MeasuredImage& image) {
    checkSonogram(image);
    return envelopeOf(
        image, Place{image.lateral.at(0), image.depth.at(0)},
        Place{image.lateral.at(image.lateral.size - 1), image.depth.at(image.depth.size - 1)});
}

std::vector<Beat> beatsOf(const Envelope& envelope) {
    const auto isThere = [](double value) { return !std::isnan(value); };
    const auto from = std::ranges::find_if(envelope.maximum, isThere);
    std::vector<Beat> beats;
    if (from == envelope.maximum.end()) return beats;
    const auto skipped = static_cast<std::size_t>(from - envelope.maximum.begin());
    std::vector<double> speeds;
    for (std::size_t i = skipped; i < envelope.maximum.size(); ++i)
        speeds.push_back(magnitudeOrNothing(envelope.maximum[i]));
    const std::vector<double> ups = upstrokes(speeds);
    const double sign = envelope.isTowards ? 1.0 : -1.0;
    for (std::size_t n = 1; n < ups.size(); ++n) {
        const auto first = static_cast<std::size_t>(std::ceil(ups[n - 1]));
        const auto end = static_cast<std::size_t>(std::ceil(ups[n]));
        const std::size_t count = end - first;
        Beat beat;
        beat.start =
            envelope.time.start + envelope.time.step * (ups[n - 1] + static_cast<double>(skipped));
        beat.end =
            envelope.time.start + envelope.time.step * (ups[n] + static_cast<double>(skipped));
        const auto begin = speeds.begin() + static_cast<std::ptrdiff_t>(first);
        const auto stop = speeds.begin() + static_cast<std::ptrdiff_t>(end);
        beat.peakSystolic = sign * *std::max_element(begin, stop);
        beat.endDiastolic =
            sign * *std::min_element(begin + static_cast<std::ptrdiff_t>(count / 2), stop);
        beat.meanOfMaximum = sign * std::accumulate(begin, stop, 0.0) / static_cast<double>(count);
        for (std::size_t i = first; i < end; ++i) {
            const double mean = envelope.mean[i + skipped];
            if (isThere(mean)) beat.meanOfMean += mean / static_cast<double>(count);
        }
        beats.push_back(beat);
    }
    return beats;
}

std::vector<std::vector<Place>> tracesOf(const Envelope& envelope,
                                         const std::vector<double>& velocities) {
    std::vector<std::vector<Place>> traces;
    bool open = false;
    for (std::size_t line = 0; line < velocities.size(); ++line) {
        if (std::isnan(velocities[line])) {
            open = false;
            continue;
        }
        if (!open) traces.emplace_back();
        open = true;
        traces.back().push_back(
            {envelope.time.at(static_cast<std::int64_t>(line)), velocities[line]});
    }
    std::erase_if(traces, [](const auto& trace) { return trace.size() < 2; });
    return traces;
}

} // namespace echolux::measure
