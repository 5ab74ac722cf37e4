// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/beamform/beamform_cuda.hpp"

#include <algorithm>

namespace echolux::das {

namespace {

/// See evening(): the tuned kernels have no place for it.
bool sharesAreEvened(const Model& model) { return model.constants.beams > 0; }

} // namespace

CudaSum chooseCudaSum(const Model& model, bool complex, int frames, int pitch,
                      std::size_t packedBytes) {
    if (model.transmits.empty() || sharesAreEvened(model)) return {};
    if (tunedSuits(model)) {
        if (ensembleBytes(model, complex, frames) > 0) {
            const TunedLayout all = tunedLayout(model, complex, frames, pitch);
            if (all.bytes(model.constants) <= packedBytes) return {.tuned = all};
        }
        return {.tuned = tunedLayout(model, complex, 1, pitch)};
    }
    if (const auto lines = ownLinesLayout(model, complex)) return {.ownLines = lines};
    return {.space = spaceLayout(model, complex, frames)};
}

std::string whyUntuned(const Model& model, DelaySource delays, bool complex) {
    if (model.transmits.empty()) return {};
    if (sharesAreEvened(model))
        return "focused waves count at each pixel by their amplitudes there";
    if (delays != DelaySource::Kernel) return "its delays come from a table";
    if (model.constants.interpolation == DelayInterpolation::Texture)
        return "textures are read pixel by pixel";
    if (!model.rangeWeights.empty()) return "its receive weights change over range";
    if (tunedSuits(model) || ownLinesLayout(model, complex) || spaceLayout(model, complex, 1))
        return {};
    if ((model.constants.coherenceFactor || model.constants.normalized) &&
        !recordsWeighAlike(model))
        return "the weights of its records count in the coherence factor or the normalisation";
    if (std::ranges::any_of(model.transmits, &TransmitConstants::focused))
        return "focused waves are imaged before and behind their focus";
    return "its records or pixels are more than the tuned kernels take";
}

std::size_t mostWorkspaceBytes(const Model& model, bool complex, int frames) {
    return std::max(mostPackedBytes(model, complex), ensembleBytes(model, complex, frames));
}

void sumOnCuda(const Exec& exec, const Constants& constants, const CudaSum& chosen,
               const void* samples, void* workspace, void* image) {
#if defined(ECHOLUX_HAS_CUDA)
    if (chosen.ownLines) return sumOwnLines(exec, constants, *chosen.ownLines, samples, image);
    if (chosen.space) return sumInSpace(exec, constants, *chosen.space, samples, image);
#endif
    tunedPack(exec, constants, *chosen.tuned, samples, workspace);
    tunedSum(exec, constants, *chosen.tuned, samples, workspace, image);
}

} // namespace echolux::das
