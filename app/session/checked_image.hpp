// SPDX-License-Identifier: GPL-3.0-or-later
// Pipelines that end in images.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <optional>

namespace echolux {

/// Returns `snapshot`. Throws Error where one of its views is no image that can be shown: f32 with
/// depth and lateral in either order, or channel data of one transmit.
SnapshotPtr checkedImage(SnapshotPtr snapshot);
/// `config` planned for these frames, or the shipped pipeline that suits them. Throws Error where
/// planning or checkedImage() does.
SnapshotPtr imagingSnapshot(const FrameSpec& raw, const std::optional<PipelineConfig>& config);

} // namespace echolux
