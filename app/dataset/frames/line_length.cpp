// SPDX-License-Identifier: GPL-3.0-or-later
// Compares values with earlier ones, at all distances that may be the length of a line.
#include "app/dataset/frames/line_length.hpp"

#include "app/dataset/frames/line_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace echolux {

bool lookLikePairs(const std::vector<double>& values) {
    constexpr std::size_t kEnds = 16;
    const auto power = powerSpectrum(values, {values.size(), 1, {0}});
    if (power.empty()) return false;
    double low = 0.0;
    double high = 0.0;
    double all = 0.0;
    for (std::size_t k = 0; k < power.size(); ++k) {
        all += power[k];
        if (k <= kEnds) low += power[k];
        if (k + kEnds >= power.size() - 1) high += power[k];
    }
    return low + high > 0.7 * all && low > 0.15 * all && high > 0.15 * all;
}

std::vector<std::int64_t> divisorsOf(std::int64_t number, std::int64_t least, std::int64_t most) {
    std::vector<std::int64_t> divisors;
    for (std::int64_t i = least; i <= std::min(most, number); ++i)
        if (number % i == 0) divisors.push_back(i);
    return divisors;
}

std::vector<double> textureOf(const std::vector<double>& values) {
    constexpr std::size_t kHalf = 24;
    const std::vector<double> course = courseOf(values);
    std::vector<double> sums(course.size() + 1, 0.0);
    for (std::size_t i = 0; i < course.size(); ++i) sums[i + 1] = sums[i] + course[i];
    std::vector<double> texture(course.size());
    for (std::size_t i = 0; i < course.size(); ++i) {
        const std::size_t from = i < kHalf ? 0 : i - kHalf;
        const std::size_t to = std::min(course.size(), i + kHalf + 1);
        texture[i] = course[i] - (sums[to] - sums[from]) / static_cast<double>(to - from);
    }
    return texture;
}

LineLength lineLengthOf(const std::vector<double>& texture,
                        const std::vector<std::int64_t>& lengths, std::int64_t step) {
    constexpr std::size_t kEnough = std::size_t{1} << 17U;
    const auto likeness = [&](std::int64_t length) {
        const auto lag = static_cast<std::size_t>(length);
        const std::size_t most = lag * 4 > kEnough ? texture.size() : kEnough;
        return selfLikeness(std::span(texture.data(), std::min(texture.size(), most)), lag);
    };
    std::vector<LineLength> all;
    double best = 0.0;
    for (const std::int64_t length : lengths) {
        if (static_cast<std::size_t>(length) * 2 > texture.size()) break;
        all.push_back({length, likeness(length)});
        best = std::max(best, all.back().likeness);
    }
    for (const LineLength& rows : all) {
        if (rows.likeness <= 0.8 * best) continue;
        bool highest = true;
        for (const std::int64_t away : {-4, -2, -1, 1, 2, 4})
            highest = highest && likeness(rows.length + away * step) <= rows.likeness;
        if (highest) return rows;
    }
    return {};
}

} // namespace echolux
