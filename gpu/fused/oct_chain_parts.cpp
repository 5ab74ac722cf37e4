// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/fused/oct_chain_parts.hpp"

#include "gpu/fused/oct_chain_kernel.hpp"
#include "gpu/oct/oct_limits.hpp"
#include "gpu/oct/oct_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace echolux::fused {
namespace {

constexpr std::int64_t kMostTaps = 32; ///< of a point; shared memory repeats fewer samples behind a
                                       ///< row than the row has

/// True where shared memory suffices for all values of the live parameters.
bool fitsSharedMemory(const OctChainParts& parts) {
    OctChainShape shape;
    shape.samples = static_cast<int>(parts.samples());
    shape.grid = static_cast<int>(parts.grid());
    shape.tapGroups = tapGroups(parts.mostTaps());
    shape.movingWindow = parts.movingAverage != nullptr ? 1 : 0;
    return warpsPerBlock(shape, device::sharedBytesEverywhere()) > 0;
}

/// The reason why the kernel does not take the chain. Empty where it takes the chain, and where the
/// chain is of another kind.
std::string refusalOf(const OctChainParts& parts) {
    if (parts.toFloat == nullptr) return {};
    if (parts.fourierBins != nullptr)
        return "the one kernel subtracts a moving average, not Fourier bins";
    if (parts.inverse == nullptr || parts.magnitude == nullptr) return {};
    const DType type = parts.raw().dtype;
    if (type != DType::U8 && type != DType::U16 && type != DType::I16 && type != DType::Packed12)
        return fmt::format("the one kernel takes codes, not {} samples", nameOf(type));
    // The kernel reads four codes at once, 8 bytes where codes have 16 bits, and packed codes in
    // pairs of fours.
    constexpr std::int64_t kReadAtOnce = 8;
    if (parts.samples() % kReadAtOnce != 0 || parts.samples() < kMostTaps) {
        return fmt::format("the one kernel takes lines of a multiple of {} samples, {} at least",
                           kReadAtOnce, kMostTaps);
    }
    if (parts.inverse->params->as<oct::InverseFftParams>().padding != oct::Padding::None)
        return "the one kernel does not pad with zeros; set padding of 'inverse_fft' to none";
    const std::int64_t grid = parts.grid();
    if (!oct::isKernelGrid(grid) || parts.samples() > grid) {
        return fmt::format("lines have {} points, the one kernel takes {}; 'nufft' in "
                           "'k_linearize' brings them there with a suitable oversampling",
                           grid, fmt::join(oct::kKernelGrids, ", "));
    }
    if (parts.mostTaps() > kMostTaps) {
        return fmt::format("a point gathers up to {} samples, the one kernel takes {}; make "
                           "kernel_width of 'k_linearize' smaller",
                           parts.mostTaps(), kMostTaps);
    }
    if (!fitsSharedMemory(parts)) return "the GPU has too little shared memory for the one kernel";
    return {};
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
        fourierBins = std::exchange(movingAverage, nullptr);
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

bool OctChainParts::isFullRange() const {
    return inverse->params->as<oct::InverseFftParams>().range == oct::DepthRange::Full;
}

std::int64_t OctChainParts::mostTaps() const {
    return resampling == nullptr ? 1
                                 : oct::mostTaps(resampling->plan->outputs[0],
                                                 resampling->params->as<oct::KLinearizeParams>());
}

std::vector<float> OctChainParts::windowValues() const {
    if (window == nullptr) return std::vector<float>(static_cast<std::size_t>(samples()), 1.0F);
    return oct::windowTable(oct::positionsOf(*window->input), samples(),
                            window->params->as<oct::WindowParams>());
}

std::vector<Complex> OctChainParts::phasors() const {
    if (dispersion == nullptr)
        return std::vector<Complex>(static_cast<std::size_t>(samples()), {1.0F, 0.0F});
    return oct::dispersionPhasors(*dispersion->input,
                                  dispersion->params->as<oct::DispersionParams>());
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
    const bool isWhole =
        parts.toFloat != nullptr && parts.inverse != nullptr && parts.magnitude != nullptr;
    return isWhole && refusalOf(parts).empty() ? parts.count : 0;
}

std::string refusalOfOctChain(std::span<const ChainStage> stages) {
    return refusalOf(OctChainParts(stages));
}

} // namespace echolux::fused
