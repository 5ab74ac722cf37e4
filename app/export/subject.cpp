// SPDX-License-Identifier: GPL-3.0-or-later
// Determines the kind of the frames, and the sentence that refuses them.
#include "app/export/subject.hpp"

#include "app/pipeline/pipeline_config.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace echolux {

bool ExportSubject::isRecorded() const { return source == kRecording; }

bool ExportSubject::isChannelData() const {
    return frame.acquisition && frame.axes.size() == 3 &&
           frame.axes[0].name == AxisName::Transmit && frame.axes[1].name == AxisName::Channel &&
           frame.axes[2].name == AxisName::Sample;
}

bool ExportSubject::isImage() const {
    const auto has = [&](AxisName name) { return frame.find(name) != nullptr; };
    const std::size_t axes = frame.axes.size();
    return has(AxisName::Depth) && has(AxisName::Lateral) &&
           (axes == 2 || (axes == 3 && has(AxisName::Elevation)));
}

void refuseContent(const OutputFiles& files, const ExportSubject& subject, const std::string& why) {
    throw Error(fmt::format("Cannot write '{}': {}, but the frames are {}; choose another output "
                            "with --output-of, or .npz or .mat, which hold anything.",
                            files.target().string(), why, subject.frame.describe()));
}

} // namespace echolux
