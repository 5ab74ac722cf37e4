// SPDX-License-Identifier: GPL-3.0-or-later
// The list of fusions.
#include "gpu/fused/fusion.hpp"

#include "gpu/fused/front_end.hpp"
#include "gpu/fused/oct_chain.hpp"

namespace echolux {
namespace {

constexpr const Fusion* kFusions[] = {&fused::kOctChain, &fused::kFrontEnd};

} // namespace

FusionMatch findFusion(Backend backend, std::span<const ChainStage> stages) {
    if (backend != Backend::Cuda) return {};
    FusionMatch best;
    for (const Fusion* fusion : kFusions) {
        const std::size_t count = fusion->match(stages);
        if (count > best.stages) best = {fusion, count};
    }
    return best;
}

std::string refusalOfFusions(Backend backend, std::span<const ChainStage> stages) {
    if (backend != Backend::Cuda) return {};
    for (const Fusion* fusion : kFusions) {
        if (fusion->refusal == nullptr) continue;
        const std::string refusal = fusion->refusal(stages);
        if (!refusal.empty()) return refusal;
    }
    return {};
}

} // namespace echolux
