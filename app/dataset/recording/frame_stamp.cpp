// SPDX-License-Identifier: GPL-3.0-or-later
// Rates and times from stamps.
#include "app/dataset/recording/frame_stamp.hpp"

#include "app/dataset/recording/recording.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>

namespace echolux {
namespace {

/// Arrivals come in bursts, so a shorter time says nothing.
constexpr std::int64_t kShortestNs = 500'000'000;

double ratePerSecond(std::int64_t fromNs, std::int64_t toNs, std::int64_t intervals) {
    if (fromNs < 0 || toNs <= fromNs) return 0.0;
    return static_cast<double>(intervals) / (static_cast<double>(toNs - fromNs) * 1e-9);
}

std::vector<double> secondsBy(const std::vector<FrameStamp>& stamps,
                              std::int64_t FrameStamp::*clock) {
    const bool known = std::ranges::all_of(
        stamps, [](std::int64_t at) { return at >= 0; }, clock);
    const bool rises =
        std::ranges::adjacent_find(stamps, std::greater_equal<>{}, clock) == stamps.end();
    if (!known || !rises) return {};
    std::vector<double> seconds;
    for (const FrameStamp& each : stamps)
        seconds.push_back(static_cast<double>(each.*clock - stamps.front().*clock) * 1e-9);
    return seconds;
}

} // namespace

std::vector<FrameStamp> stampsOf(const Recording& recording, std::int64_t first,
                                 std::int64_t count) {
    const auto* stamped = dynamic_cast<const StampedFrames*>(&recording);
    return stamped != nullptr ? stamped->stamps(first, count) : std::vector<FrameStamp>();
}

std::array<double, 12> rowsOf(const Pose* pose) {
    std::array<double, 12> rows{};
    rows.fill(std::numeric_limits<double>::quiet_NaN());
    if (pose == nullptr) return rows;
    const std::array<Point, 4> columns{pose->along[0], pose->along[1], pose->along[2],
                                       pose->origin};
    for (std::size_t i = 0; i < columns.size(); ++i) {
        rows[i] = columns[i].x;
        rows[4 + i] = columns[i].y;
        rows[8 + i] = columns[i].z;
    }
    return rows;
}

std::shared_ptr<Pose> poseOfRows(const std::array<double, 12>& rows) {
    if (!std::ranges::all_of(rows, [](double value) { return std::isfinite(value); }))
        return nullptr;
    auto pose = std::make_shared<Pose>();
    const std::array<Point*, 4> columns{&pose->along[0], &pose->along[1], &pose->along[2],
                                        &pose->origin};
    for (std::size_t i = 0; i < columns.size(); ++i)
        *columns[i] = {rows[i], rows[4 + i], rows[8 + i]};
    return pose;
}

StampedRate rateBetween(const FrameStamp& first, const FrameStamp& last, std::int64_t frames) {
    const bool counted = first.number >= 0 && last.number - first.number >= frames - 1;
    const std::int64_t intervals = counted ? last.number - first.number : frames - 1;
    StampedRate rate{.deviceHz = ratePerSecond(first.deviceNs, last.deviceNs, intervals)};
    if (last.arrivalNs - first.arrivalNs >= kShortestNs)
        rate.arrivalHz = ratePerSecond(first.arrivalNs, last.arrivalNs, intervals);
    return rate;
}

std::vector<double> secondsOf(const std::vector<FrameStamp>& stamps) {
    if (stamps.size() < 2) return {};
    std::vector<double> seconds = secondsBy(stamps, &FrameStamp::deviceNs);
    return !seconds.empty() ? seconds : secondsBy(stamps, &FrameStamp::arrivalNs);
}

} // namespace echolux
