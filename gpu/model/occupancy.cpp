// SPDX-License-Identifier: GPL-3.0-or-later
// Rules of the CUDA programming guide for resident blocks.
#include "gpu/model/occupancy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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
    const double each = launch.blocks / multiprocessors;
    return each > 0.0 ? std::ceil(each) / each : 1.0;
}

} // namespace echolux::model
