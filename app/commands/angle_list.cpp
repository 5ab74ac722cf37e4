// SPDX-License-Identifier: GPL-3.0-or-later
// Reads ranges and lists of angles.
#include "app/commands/angle_list.hpp"

#include "app/commands/number_span.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

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

std::vector<double> anglesIn(const std::string& text, char separator) {
    const auto numbers = numbersIn(text, separator);
    if (!numbers) throw angleError(text, "holds something else than numbers");
    return *numbers;
}

std::vector<double> range(const std::string& text) {
    const std::vector<double> parts = anglesIn(text, ':');
    if (parts.size() != 3) throw angleError(text, "is no range");
    const NumberSpan span{parts[0], parts[1], parts[2]};
    if (!span.arrives()) throw angleError(text, "never reaches its last angle");
    if (!(span.count() <= kMostAngles)) throw angleError(text, "names more than 1024 angles");
    std::vector<double> angles;
    for (double n = 0.0; n < span.count(); ++n) angles.push_back(span.at(n));
    return angles;
}

} // namespace

std::vector<double> parseAngles(const std::string& text) {
    std::vector<double> angles =
        text.find(':') != std::string::npos ? range(text) : anglesIn(text, ',');
    if (static_cast<double>(angles.size()) > kMostAngles)
        throw angleError(text, "names more than 1024 angles");
    for (double& angle : angles) angle *= kDegree;
    return angles;
}

} // namespace echolux
