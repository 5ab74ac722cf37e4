// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of lines. Each has a limited cost.
#include "app/dataset/frames/line_statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace echolux {

std::vector<double> valuesAt(const InputFile& file, std::uint64_t offset, const ElementType& type,
                             std::size_t most) {
    if (offset >= file.size()) return {};
    const std::uint64_t room = (file.size() - offset) / type.size();
    std::vector<std::byte> bytes(static_cast<std::size_t>(std::min<std::uint64_t>(room, most)) *
                                 type.size());
    file.read(offset, bytes);
    toNativeOrder(type, bytes);
    std::vector<double> values = toDoubles(type, bytes);
    for (double& value : values)
        if (!std::isfinite(value) || std::abs(value) > 1e30) value = 0.0;
    return values;
}

double predictionGainDb(std::span<const double> values, const LineGrid& grid) {
    constexpr std::size_t kOrder = 8;
    if (grid.length < 3 * kOrder) return 0.0;
    std::array<double, kOrder + 1> r{};
    for (const std::size_t start : grid.starts) {
        const auto at = [&](std::size_t i) { return values[start + i * grid.stride]; };
        double mean = 0.0;
        for (std::size_t i = 0; i < grid.length; ++i) mean += at(i);
        mean /= static_cast<double>(grid.length);
        for (std::size_t i = kOrder; i < grid.length; ++i)
            for (std::size_t k = 0; k <= kOrder; ++k) r[k] += (at(i) - mean) * (at(i - k) - mean);
    }
    if (!(r[0] > 0.0)) return 0.0;
    // Levinson's recursion. The term on the diagonal limits the result for exactly predictable
    // values.
    std::array<double, kOrder + 1> a{1.0};
    double error = r[0] * (1.0 + 1e-6);
    for (std::size_t k = 1; k <= kOrder; ++k) {
        double sum = r[k];
        for (std::size_t j = 1; j < k; ++j) sum += a[j] * r[k - j];
        const double reflection = std::clamp(-sum / error, -0.9999, 0.9999);
        std::array<double, kOrder + 1> next = a;
        for (std::size_t j = 1; j < k; ++j) next[j] += reflection * a[k - j];
        next[k] = reflection;
        a = next;
        error *= 1.0 - reflection * reflection;
    }
    return 10.0 * std::log10(r[0] / error);
}

double selfLikeness(std::span<const double> values, std::size_t lag) {
    if (lag + 2 > values.size()) return 0.0;
    const std::size_t count = values.size() - lag;
    const double mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    double both = 0.0;
    double first = 0.0;
    double second = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        const double a = values[i] - mean;
        const double b = values[i + lag] - mean;
        both += a * b;
        first += a * a;
        second += b * b;
    }
    const double norm = std::sqrt(first * second);
    return norm > 0.0 ? both / norm : 0.0;
}

std::vector<double> courseOf(std::span<const double> values) {
    constexpr std::size_t kOver = 8;
    std::vector<double> course(values.size());
    double mean = 0.0;
    for (const double value : values) mean += value / static_cast<double>(values.size());
    double sum = 0.0;
    double largest = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        sum += std::abs(values[i] - mean);
        if (i >= kOver) sum -= std::abs(values[i - kOver] - mean);
        course[i] = std::max(sum, 0.0);
        largest = std::max(largest, course[i]);
    }
    const double floor = 1e-3 * largest;
    for (double& value : course) value = floor > 0.0 ? std::log(value + floor) : 0.0;
    return course;
}

std::vector<double> powerSpectrum(std::span<const double> values, const LineGrid& grid) {
    constexpr std::size_t kPiece = 128;
    constexpr std::size_t kMostPieces = 1024;
    if (grid.length < kPiece || grid.starts.empty()) return {};
    std::array<double, kPiece> window{};
    std::array<double, kPiece> cosine{};
    for (std::size_t i = 0; i < kPiece; ++i) {
        cosine[i] = std::cos(2.0 * std::numbers::pi * static_cast<double>(i) / kPiece);
        window[i] = 0.5 - 0.5 * cosine[i];
    }
    std::vector<double> power(kPiece / 2 + 1, 0.0);
    const std::size_t perLine = grid.length / kPiece;
    const std::size_t step = std::max<std::size_t>(1, grid.starts.size() * perLine / kMostPieces);
    for (std::size_t piece = 0; piece < grid.starts.size() * perLine; piece += step) {
        const std::size_t start =
            grid.starts[piece / perLine] + piece % perLine * kPiece * grid.stride;
        double mean = 0.0;
        for (std::size_t i = 0; i < kPiece; ++i)
            mean += values[start + i * grid.stride] / static_cast<double>(kPiece);
        for (std::size_t k = 0; k < power.size(); ++k) {
            double re = 0.0;
            double im = 0.0;
            for (std::size_t i = 0; i < kPiece; ++i) {
                const double value = window[i] * (values[start + i * grid.stride] - mean);
                re += value * cosine[i * k % kPiece];
                im += value * cosine[(i * k + 3 * kPiece / 4) % kPiece];
            }
            power[k] += re * re + im * im;
        }
    }
    return power;
}

double bandCentreOf(std::span<const double> power) {
    if (power.empty()) return 0.0;
    std::vector<double> rising(power.begin(), power.end());
    std::ranges::sort(rising);
    const auto quarter = std::max<std::ptrdiff_t>(std::ssize(rising) / 4, 1);
    const double noise = std::accumulate(rising.begin(), rising.begin() + quarter, 0.0) /
                         static_cast<double>(quarter);
    const auto peak = std::ranges::max_element(power);
    // The spectrum of white noise, a mean over some hundred pieces, stays within this factor.
    constexpr double kAboveNoise = 1.5;
    if (!(*peak > kAboveNoise * noise)) return 0.0;
    const double least = noise + 0.25 * (*peak - noise);
    auto first = peak;
    while (first != power.begin() && *(first - 1) >= least) --first;
    auto last = peak;
    while (last + 1 != power.end() && *(last + 1) >= least) ++last;
    double sum = 0.0;
    double moment = 0.0;
    for (auto at = first; at <= last; ++at) {
        sum += *at - noise;
        moment += (*at - noise) * static_cast<double>(at - power.begin());
    }
    return moment / sum / static_cast<double>(2 * (power.size() - 1));
}

} // namespace echolux
