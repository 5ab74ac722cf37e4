// SPDX-License-Identifier: GPL-3.0-or-later
// Images at other speeds of sound, brought to the same echoes: at a greater speed an echo lies
// deeper, so a shape that stays where it is would lie on other echoes.
#pragma once

#include "app/measure/measured_image.hpp"
#include "app/pipeline/snapshot.hpp"

namespace echolux {

/// An echo that comes back after the time t lies at the depth c (t - t0) / 2 (one way: c (t - t0)),
/// on a sector at this range of its beam.
struct SameEchoes {
    /// The pipeline, with the rows of its grid on the echoes on which they lie in the reference.
    SnapshotPtr snapshot;
    double scale = 1.0;   ///< depth in the reference = scale * depth + shiftMm
    double shiftMm = 0.0; ///<

    /// `image`, made by `snapshot`, with the depths of the reference: shapes then lie on the same
    /// echoes, and widths are compared in samples.
    measure::MeasuredImage inReference(measure::MeasuredImage image) const;
};

/// `swept` is `reference` with another value of a parameter. Where this is no speed of sound and no
/// t0 offset of beamform, it stays as it is. Throws Error where a grid on the same echoes is
/// refused.
SameEchoes onSameEchoes(const Snapshot& reference, const SnapshotPtr& swept);

} // namespace echolux
