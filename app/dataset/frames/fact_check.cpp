// SPDX-License-Identifier: GPL-3.0-or-later
// Checks facts as the built-in readers do.
#include "app/dataset/frames/fact_check.hpp"

#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/frames/image_check.hpp"
#include "app/dataset/frames/layout_check.hpp"
#include "app/dataset/frames/spectra_check.hpp"
#include "app/dataset/recording/input_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>

namespace echolux {
namespace {

bool hasAxes(const FrameSpec& frame, std::initializer_list<AxisName> names) {
    return std::ranges::equal(frame.axes, names, {}, &Axis::name);
}

} // namespace

void checkFacts(RecordingInfo& info) {
    const auto refuse = [&](const std::string& what) { throw fileError(info.path, what); };
    constexpr std::int64_t kMostFrames = std::int64_t{1} << 40;
    const FrameSpec& frame = info.frame;
    if (const auto wrong = contradictionInLayout(frame)) refuse(*wrong);
    if (frame.bytes() == 0) refuse("its sample type does not exist");
    if (info.frameCount < 1 || info.frameCount > kMostFrames)
        refuse(fmt::format("it has {} frames", info.frameCount));
    if (!std::isfinite(info.frameRateHz) || info.frameRateHz < 0.0)
        refuse(fmt::format("its frame rate is {} Hz", info.frameRateHz));
    if (!info.tracks.empty() && info.track >= info.tracks.size())
        refuse(fmt::format("it is track {} of {}", info.track + 1, info.tracks.size()));
    checkLoadSize(info.path, "one frame", frame.bytes());
    if (frame.recordedForm != RecordedForm::Signals) {
        const bool known =
            hasAxes(frame, {AxisName::Depth, AxisName::Lateral}) ||
            hasAxes(frame, {AxisName::Lateral, AxisName::Depth}) ||
            hasAxes(frame, {AxisName::Elevation, AxisName::Depth, AxisName::Lateral});
        if (!known) refuse("its images are not [depth][lateral] or [elevation][depth][lateral]");
        checkImages(info);
    } else if (frame.spectrometer != nullptr) {
        checkSpectra(info);
    } else {
        if (!hasAxes(frame, {AxisName::Transmit, AxisName::Channel, AxisName::Sample}))
            refuse("its frames are not [transmit][channel][sample]");
        checkRecording(info);
    }
}

} // namespace echolux
