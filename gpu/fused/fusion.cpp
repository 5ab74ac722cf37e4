// SPDX-License-Identifier: GPL-3.0-or-later
// The list of fusions.
#include "gpu/fused/fusion.hpp"

#include "gpu/fused/front_end.hpp"
#include "gpu/fused/oct_chain.hpp"

namespace echolux {

FusionMatch findFusion(Backend backend, std::span<const ChainStage> stages) {
    if (backend != Backend::Cuda) return {};
    static constexpr const Fusion* kAll[] = {&fused::kOctChain, &fused::kFrontEnd};
    FusionMatch best;
    for (const Fusion* fusion : kAll) {
        const std::size_t count = fusion->match(stages);
        if (count > best.stages) best = {fusion, count};
    }
    return best;
}

} // namespace echolux
