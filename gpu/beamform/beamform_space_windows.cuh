// SPDX-License-Identifier: GPL-3.0-or-later
// Loads the windows of records that a block of pixels reads from device memory into shared memory.
#pragma once

#include "gpu/beamform/beamform_shared_lines.cuh"
#include "gpu/beamform/beamform_space.hpp"

#include <type_traits>

#if defined(__CUDACC__)

namespace echolux::das {

struct SpaceArguments {
    Constants k;
    const void* samples;
    void* image;
    int across;
    int slices;
    int rows;
    int pitch;
    int chunk;
    int frames;    ///< frames of an ensemble, which form a tile instead of transmits; else 1
    float countsX; ///< 0 or 1 for the ways from all elements; not used with Weights::Faces
    float countsY;
    int firstHeard; ///< number of the first element that is heard
    bool alongY;    ///< see SpaceLayout
};

/// The content of windows: samples with kTaps, else lines.
template <class Sample, bool kTaps> using Stored = std::conditional_t<kTaps, Sample, Line<Sample>>;

/// Distance of the windows of one transmit of a tile from those of the next.
template <class Sample, bool kTaps>
constexpr int kWindowRow = kSpaceRowBytes / static_cast<int>(sizeof(Stored<Sample, kTaps>));

/// A transmit of the tile: where its windows begin, and the range of its paths.
struct TileTransmit {
    int first;
    float reach;
};

/// First frame of the tile that a block images.
template <int kTile> __device__ int firstFrame() { return static_cast<int>(blockIdx.y) * kTile; }

/// What is loaded of one element: the record of each transmit (or frame) of the tile, from sample
/// `first` on. Its weight is 0 where no channel listened.
template <class Sample, int kTile, bool kEnsemble> struct Records {
    const Sample* samples[kTile];
    float weight[kTile];
    int first[kTile];
    bool inside = true; ///< all `read` samples are inside the records, and weights are 1

    __device__ Records(const SpaceArguments& a, int firstTransmit, int e, int receiveFirst,
                       const TileTransmit* transmits, int read) {
        const Constants& k = a.k;
#pragma unroll
        for (int i = 0; i < kTile; ++i) {
            const int t = kEnsemble ? 0 : firstTransmit + i;
            const int frame = kEnsemble ? firstFrame<kTile>() + i : 0;
            const bool exists = t < k.transmits && frame < a.frames;
            const std::int64_t record = exists ? recordOf(k, k.transmit[t].line, e) : -1;
            const bool heard = record >= 0;
            const std::int64_t records = static_cast<std::int64_t>(k.transmitsInFrame) * k.channels;
            weight[i] = !heard ? 0.0F : k.receiveWeight != nullptr ? k.receiveWeight[record] : 1.0F;
            samples[i] = static_cast<const Sample*>(a.samples) +
                         (heard ? frame * records + record : 0) * k.samples;
            first[i] = receiveFirst + transmits[i].first;
            inside = inside && weight[i] == 1.0F && first[i] >= 0 && first[i] + read <= k.samples;
        }
    }
    __device__ Sample at(int i, int n, int length) const {
        const int index = first[i] + n;
        const bool read = index >= 0 && index < length && weight[i] != 0.0F;
        return read ? weight[i] * loaded(samples[i] + index) : Sample{};
    }
};

/// The content of a window for sample number n.
template <class Sample, bool kTaps>
__device__ Stored<Sample, kTaps> storedAs(float n, Sample here, Sample next) {
    if constexpr (kTaps) {
        return here;
    } else {
        return lineThrough(n, here, next);
    }
}

/// Number of samples that loading a window reads beyond it.
constexpr int kReadBeyond = 33;

/// Loads 32 * kSteps samples of one element's windows, beginning with number n of the warp's lane.
/// All of them are inside the records.
template <int kSteps, bool kTaps, class Sample, int kTile, bool kEnsemble>
__device__ void loadInside(const Records<Sample, kTile, kEnsemble>& from, int n, float index,
                           Stored<Sample, kTaps>* windows) {
    Sample here[kTile][kSteps];
    Sample next[kTile][kSteps];
#pragma unroll
    for (int i = 0; i < kTile; ++i) {
        const Sample* record = from.samples[i] + (from.first[i] + n);
#pragma unroll
        for (int j = 0; j < kSteps; ++j) {
            here[i][j] = loaded(record + 32 * j);
            if constexpr (!kTaps) next[i][j] = loaded(record + 32 * j + 1);
        }
    }
#pragma unroll
    for (int i = 0; i < kTile; ++i) {
        auto* window = windows + (i * kWindowRow<Sample, kTaps> + n);
#pragma unroll
        for (int j = 0; j < kSteps; ++j) {
            window[32 * j] = storedAs<Sample, kTaps>(index + static_cast<float>(n + 32 * j),
                                                     here[i][j], next[i][j]);
        }
    }
}

/// Fills the windows of one element, [transmit of the tile][kWindowRow]. One warp does the work, 32
/// samples at a time and with many loads in flight. The first sample of each window is number
/// `index`.
template <bool kTaps, class Sample, int kTile, bool kEnsemble>
__device__ void loadWindows(const Records<Sample, kTile, kEnsemble>& from, int length, int size,
                            float index, Stored<Sample, kTaps>* windows) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    int base = 0;
    if (from.inside) {
        constexpr int kSteps = kTile > 1 ? 2 : 4;
        for (; base + 32 * (kSteps - 1) < size; base += 32 * kSteps)
            loadInside<kSteps, kTaps>(from, base + lane, index, windows);
        if (kSteps > 2 && base + 32 < size) {
            loadInside<2, kTaps>(from, base + lane, index, windows);
            base += 64;
        }
        if (base < size) loadInside<1, kTaps>(from, base + lane, index, windows);
        return;
    }
    for (int n = lane; n < size; n += 32) {
#pragma unroll
        for (int i = 0; i < kTile; ++i) {
            windows[i * kWindowRow<Sample, kTaps> + n] = storedAs<Sample, kTaps>(
                index + static_cast<float>(n), from.at(i, n, length), from.at(i, n + 1, length));
        }
    }
}

} // namespace echolux::das

#endif
