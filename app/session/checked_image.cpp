// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/checked_image.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <string>

namespace echolux {
namespace {

/// True for images of depths and lines, for several B-scans of them, for channel data of one
/// transmit, and for pictures of one place over time.
bool isImage(const FrameSpec& output) {
    const auto has = [&](AxisName name) { return output.find(name) != nullptr; };
    const bool several = output.axes.size() == 3 && has(AxisName::Elevation);
    return output.dtype == DType::F32 && (output.axes.size() == 2 || several) &&
           ((has(AxisName::Depth) && has(AxisName::Lateral)) ||
            (has(AxisName::Channel) && has(AxisName::Sample)) ||
            (has(AxisName::SlowTime) && (has(AxisName::Depth) || has(AxisName::Velocity))));
}

} // namespace

SnapshotPtr checkedImage(SnapshotPtr snapshot) {
    for (const ViewState& view : snapshot->views) {
        const FrameSpec& output = snapshot->outputOf(view.source);
        if (isImage(output)) continue;
        const std::string what = snapshot->views.size() == 1
                                     ? fmt::format("The pipeline '{}'", snapshot->name)
                                     : fmt::format("The view '{}'", view.id);
        if (output.isEnsemble()) {
            throw Error(fmt::format("{} would end in {}, an ensemble of {} frames and no image; "
                                    "add one_frame, ensemble_mean or flow.",
                                    what, output.describe(), output.axes.front().size));
        }
        throw Error(fmt::format(
            "{} would end in {}, which is no image; switch on the stages that form one (beamform, "
            "envelope, log_compression; of spectra inverse_fft, magnitude_log).",
            what, output.describe()));
    }
    return snapshot;
}

SnapshotPtr imagingSnapshot(const FrameSpec& raw, const std::optional<PipelineConfig>& config) {
    return checkedImage(instantiate(config ? *config : defaultPipeline(raw), raw));
}

} // namespace echolux
