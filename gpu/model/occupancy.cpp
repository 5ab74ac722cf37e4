// SPDX-License-Identifier: GPL-3.0-or-later
// Rules of the CUDA programming guide for resident blocks.
#include "gpu/model/occupancy.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

namespace echolux::model {
namespace {

constexpr double kWarp = 32.0;
constexpr double kRegisterPiece = 256.0; ///< registers, per warp
constexpr double kSharedPiece = 128.0;   ///< bytes, per block

double inPieces(double amount, double piece) { return std::ceil(amount / piece) * piece; }

} // namespace

Occupancy occupancyOf(const Launch& launch, const Limits& limits) {
    Occupancy most;
    double blocks = std::numeric_limits<double>::infinity();
    const auto bind = [&](std::string_view what, double limit, double perBlock) {
        if (limit <= 0.0 || perBlock <= 0.0 || std::floor(limit / perBlock) >= blocks) return;
        blocks = std::floor(limit / perBlock);
        most.limit = what;
    };
    const double threads = inPieces(launch.threads, kWarp);
    bind("threads", limits.threads, threads);
    bind("blocks", limits.blocks, 1.0);
    bind("registers", limits.registers,
         threads / kWarp * inPieces(launch.registers * kWarp, kRegisterPiece));
    if (launch.sharedBytes > 0.0)
        bind("shared memory", limits.sharedBytes,
             inPieces(launch.sharedBytes + limits.sharedReserve, kSharedPiece));
    if (limits.sharedBytes > 0.0 && launch.sharedBytes > limits.mostShared()) blocks = 0.0;
    if (std::isinf(blocks)) return most;
    most.blocks = blocks;
    if (limits.threads > 0.0) most.threads = blocks * threads / limits.threads;
    return most;
}

double unevenness(const Launch& launch, double multiprocessors) {
    constexpr double kMany = 32.0; // blocks of each multiprocessor; then they are as good as even
    const double each = launch.blocks / multiprocessors;
    if (each <= 0.0) return 1.0;
    if (launch.heaviest <= 1.0 || each > kMany) return std::ceil(each) / each;
    std::priority_queue<double, std::vector<double>, std::greater<>> loads;
    for (double i = 0.0; i < multiprocessors; i += 1.0) loads.push(0.0);
    const double lightest = std::max(2.0 - launch.heaviest, 0.0);
    double sum = 0.0;
    double longest = 0.0;
    for (double i = 0.0; i < launch.blocks; i += 1.0) {
        const double work = std::lerp(launch.heaviest, lightest, i / launch.blocks);
        const double load = loads.top() + work;
        loads.pop();
        loads.push(load);
        sum += work;
        longest = std::max(longest, load);
    }
    return longest * multiprocessors / sum;
}

} // namespace echolux::model
