// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes of spectra imaged by one runner and by several.
#pragma once

#include "app/bench/split_runners.hpp"
#include "tests/pipeline/test_frames.hpp"
#include "tests/support/oct_frames.hpp"

#include <cstddef>
#include <vector>

namespace echolux::test {

/// `bscans` in a frame; 0: single B-scans without that axis.
inline SnapshotPtr octVolumes(std::int64_t bscans) {
    FrameSpec spec = testing_support::spectraSpec(DType::U16, 6, 64);
    if (bscans > 0)
        spec.axes.insert(spec.axes.begin(), {AxisName::Elevation, bscans, 1.0, 0.0, ""});
    return instantiate(chainOf({"spectrum_to_float", "window", "inverse_fft", "magnitude_log"}),
                       spec);
}

/// Images of `frames` frames that all differ.
inline std::vector<std::byte> imagesBy(const SnapshotPtr& snapshot, Backend backend,
                                       const std::vector<int>& gpus, SplitBy by,
                                       std::size_t frames) {
    std::vector<std::vector<std::byte>> raws;
    std::vector<const std::byte*> places;
    for (std::size_t i = 0; i < frames; ++i) {
        raws.push_back(
            testing_support::spectraCodes(snapshot->input, static_cast<unsigned>(i + 1)));
        places.push_back(raws.back().data());
    }
    SplitRunners runners(snapshot, backend, gpus, by);
    std::vector<std::byte> images(frames * runners.imageBytes(), std::byte{0x55});
    runners.image(places, images);
    return images;
}

} // namespace echolux::test
