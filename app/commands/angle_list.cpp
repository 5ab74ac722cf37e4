// SPDX-License-Identifier: GPL-3.0-or-later
// Reads ranges and lists of angles.
#include "app/commands/angle_list.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>

namespace echolux {

namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kMostAngles = 1024;

Error angleError(const std::string& text, const char* why) {
    return Error(fmt::format("--angles '{}' {}: write first:last:step such as -10:10:5, or a list "
                             "such as -10,0,10, in degrees.",
                             text, why));
}

std::vector<double> numbersIn(const std::string& text, char separator) {
    std::vector<double> numbers;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (true) {
        if (at != end && *at == '+') ++at;
        double value = 0.0;
        const auto [next, error] = std::from_chars(at, end, value);
        if (error != std::errc() || !std::isfinite(value))
            throw angleError(text, "holds something else than numbers");
        numbers.push_back(value);
        if (next == end) return numbers;
        if (*next != separator) throw angleError(text, "holds something else than numbers");
        at = next + 1;
    }
}

std::vector<double> range(const std::string& text) {
    const std::vector<double> parts = numbersIn(text, ':');
    if (parts.size() != 3) throw angleError(text, "is no range");
    const double span = parts[1] - parts[0];
    const double step = parts[2];
    if (step == 0.0 || span / step < 0.0) throw angleError(text, "never reaches its last angle");
    constexpr double kRounding = 1e-9;
    const double steps = std::floor(span / step + kRounding);
    if (!(steps < kMostAngles)) throw angleError(text, "names more than 1024 angles");
    std::vector<double> angles;
    for (int i = 0; i <= static_cast<int>(steps); ++i) angles.push_back(parts[0] + i * step);
    return angles;
}

} // namespace

std::vector<double> parseAngles(const std::string& text) {
    std::vector<double> angles =
        text.find(':') != std::string::npos ? range(text) : numbersIn(text, ',');
    if (static_cast<double>(angles.size()) > kMostAngles)
        throw angleError(text, "names more than 1024 angles");
    for (double& angle : angles) angle *= kDegree;
    return angles;
}

} // namespace echolux
