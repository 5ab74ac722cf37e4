// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/fused/oct_chain_parts.hpp"

#include "gpu/fused/oct_chain_kernel.hpp"
#include "gpu/oct/oct_tables.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

namespace echolux::fused {
namespace {

constexpr std::int64_t kMostTaps = 32; ///< a row in shared memory repeats fewer samples than it has

/// The most that a chain of these parts may need while only live parameters change.
bool fitsSharedMemory(const OctChainParts& parts) {
    static const std::size_t kAvailable = [] {
        const std::vector<device::Info> found = device::probe();
        return found.empty() ? std::numeric_limits<std::size_t>::max()
                             : found.front().sharedBytesPerBlock;
    }();
    OctChainShape shape;
    shape.samples = static_cast<int>(parts.samples());
    shape.grid = static_cast<int>(parts.grid());
    shape.tapGroups = tapGroups(parts.mostTaps());
    shape.movingWindow = parts.movingAverage != nullptr ? 1 : 0;
    return warpsPerBlock(shape, kAvailable) > 0;
}

bool suits(const OctChainParts& parts) {
    if (parts.toFloat == nullptr || parts.inverse == nullptr || parts.magnitude == nullptr)
        return false;
    const FrameSpec& raw = parts.raw();
    const bool codes = raw.dtype == DType::U8 || raw.dtype == DType::U16 ||
                       raw.dtype == DType::I16 || raw.dtype == DType::Packed12;
    const std::int64_t grid = parts.grid();
    const auto& inverse = parts.inverse->params->as<oct::InverseFftParams>();
    const auto& magnitude = parts.magnitude->params->as<oct::MagnitudeLogParams>();
    // Codes are read in fours, of 8 bytes where they have 16 bits; packed ones in pairs of fours.
    constexpr std::int64_t kReadAtOnce = 8;
    return codes && parts.samples() % kReadAtOnce == 0 && parts.samples() <= grid &&
           parts.samples() >= kMostTaps && std::has_single_bit(static_cast<std::uint64_t>(grid)) &&
           grid >= kSmallestOctGrid && grid <= kLargestOctGrid &&
           inverse.padding == oct::Padding::None && inverse.range == oct::DepthRange::Half &&
           magnitude.scale == oct::MagnitudeScale::Decibels && parts.mostTaps() <= kMostTaps &&
           fitsSharedMemory(parts);
}

} // namespace

OctChainParts::OctChainParts(std::span<const ChainStage> stages) {
    const auto take = [&](const char* type) -> const ChainStage* {
        const bool here = count < stages.size() && stages[count].type->id == type;
        return here ? &stages[count++] : nullptr;
    };
    toFloat = take("spectrum_to_float");
    background = take("background_subtract");
    movingAverage = take("dc_removal_moving");
    if (movingAverage != nullptr &&
        movingAverage->params->as<oct::DcRemovalMovingParams>().method !=
            oct::DcMethod::MovingAverage) {
        movingAverage = nullptr;
        --count;
        return;
    }
    resampling = take("k_linearize");
    window = take("window");
    dispersion = take("dispersion");
    inverse = take("inverse_fft");
    pattern = take("fixed_pattern");
    magnitude = take("magnitude_log");
}

std::int64_t OctChainParts::mostTaps() const {
    return resampling == nullptr ? 1
                                 : oct::mostTaps(*resampling->input, resampling->plan->output,
                                                 resampling->params->as<oct::KLinearizeParams>());
}

oct::BackgroundSource OctChainParts::backgroundSource() const {
    return background == nullptr ? oct::BackgroundSource::None
                                 : background->params->as<oct::BackgroundParams>().source;
}

std::int64_t OctChainParts::meanLines() const {
    if (backgroundSource() != oct::BackgroundSource::FrameMean || pattern != nullptr) return 0;
    return oct::firstLines(background->params->as<oct::BackgroundParams>().lines, lines());
}

std::int64_t OctChainParts::patternLines() const {
    if (pattern == nullptr) return 0;
    const std::int64_t wanted = pattern->params->as<oct::FixedPatternParams>().lines;
    return oct::firstLines(wanted, lines());
}

int tapGroups(std::int64_t taps) {
    return static_cast<int>((taps + kTapsPerGroup - 1) / kTapsPerGroup);
}

std::size_t matchOctChain(std::span<const ChainStage> stages) {
    const OctChainParts parts(stages);
    return suits(parts) ? parts.count : 0;
}

} // namespace echolux::fused
