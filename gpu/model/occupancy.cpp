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

double activeBlocks(const Launch& launch, const Limits& limits) {
    double blocks = std::numeric_limits<double>::infinity();
    const auto bind = [&](double limit, double perBlock) {
        if (limit > 0.0 && perBlock > 0.0) blocks = std::min(blocks, std::floor(limit / perBlock));
    };
    const double warps = std::ceil(launch.threads / kWarp);
    bind(limits.threads, warps * kWarp);
    bind(limits.blocks, 1.0);
    bind(limits.registers, warps * inPieces(launch.registers * kWarp, kRegisterPiece));
    if (launch.sharedBytes > 0.0)
        bind(limits.sharedBytes, inPieces(launch.sharedBytes + limits.sharedReserve, kSharedPiece));
    return std::isinf(blocks) ? 1.0 : blocks;
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
