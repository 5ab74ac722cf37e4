// SPDX-License-Identifier: GPL-3.0-or-later
// Images of the simulated recordings, and the points in them.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "app/pipeline/snapshot.hpp"
#include "gpu/exec/exec.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace echolux::pairs {

struct Image {
    FrameSpec spec;
    std::vector<float> values;

    /// Place of value number `index`: on its line in beam space, else by the axes.
    Point placeOf(std::size_t index) const;
    bool isInSpace() const; ///< it has depths and lines in m, so that placeOf() holds
};

/// All views, in order, of the last frame or ensemble of the first `frames` that the pipeline needs
/// for a full image: those that `gather` holds, or that its links of the frame before lead from.
std::vector<Image> viewsOf(Recording& recording, const SnapshotPtr& snapshot, Backend backend);
/// The output of one stage for the first frame, or the first view.
Image outputOf(Recording& recording, const SnapshotPtr& snapshot, Backend backend,
               const std::optional<std::string>& stage = {});

/// The largest value that is a number, within `reachM` of a place; empty where there is none.
struct Peak {
    double value = 0.0;
    Point place; ///< the middle of the spot round it
    std::size_t index = 0;
};
std::optional<Peak> peakNear(const Image& image, const Point& place, double reachM);
/// The largest value of all.
double largest(const Image& image);

/// `config` with the beamformers' grids so fine round a place that sampling loses nothing: a
/// fourth of the distances that the pipeline planned, in a box that reaches `reachM` to all sides.
PipelineConfig finelyRound(PipelineConfig config, const FrameSpec& raw, const Point& place,
                           double reachM);
/// `config` with coarser grids, and for volumes fewer planes, for pipelines of many frames.
PipelineConfig coarsely(PipelineConfig config, const FrameSpec& raw);

} // namespace echolux::pairs
