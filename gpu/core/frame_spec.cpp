// SPDX-License-Identifier: GPL-3.0-or-later
// Look-ups and text of frame specifications.
#include "gpu/core/frame_spec.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace echolux {

std::string_view nameOf(AxisName name) {
    switch (name) {
    case AxisName::Frame: return "frame";
    case AxisName::Transmit: return "transmit";
    case AxisName::Channel: return "channel";
    case AxisName::Sample: return "sample";
    case AxisName::Elevation: return "elevation";
    case AxisName::Depth: return "depth";
    case AxisName::Lateral: return "lateral";
    case AxisName::Velocity: return "velocity";
    case AxisName::SlowTime: return "slow_time";
    case AxisName::Bubble: return "bubble";
    case AxisName::Property: return "property";
    }
    return "unknown";
}

std::string_view nameOf(RecordedForm form) {
    switch (form) {
    case RecordedForm::Signals: return "signals";
    case RecordedForm::Beamformed: return "beamformed";
    case RecordedForm::Envelope: return "envelope";
    case RecordedForm::Decibels: return "decibels";
    case RecordedForm::Picture: return "picture";
    }
    return "unknown";
}

ConverterRange ConverterRange::mapped(double factor, double offset) const {
    const double first = lowest * factor + offset;
    const double last = highest * factor + offset;
    return {std::min(first, last), std::max(first, last)};
}

std::int64_t FrameSpec::count() const {
    std::int64_t product = 1;
    for (const Axis& axis : axes) product *= axis.size;
    return product;
}

std::size_t FrameSpec::bytes() const { return bytesOf(dtype, static_cast<std::size_t>(count())); }

const Axis* FrameSpec::find(AxisName name) const {
    const auto at = std::ranges::find(axes, name, &Axis::name);
    return at == axes.end() ? nullptr : &*at;
}

std::int64_t FrameSpec::sizeOf(AxisName name) const {
    const Axis* axis = find(name);
    return axis != nullptr ? axis->size : 1;
}

double FrameSpec::samplingFrequencyHz() const {
    const Axis* axis = find(AxisName::Sample);
    return axis != nullptr && axis->spacing > 0.0 ? 1.0 / axis->spacing : 0.0;
}

std::string FrameSpec::describe() const {
    std::string text(nameOf(dtype));
    text += ' ';
    for (const Axis& axis : axes) text += fmt::format("[{} {}]", nameOf(axis.name), axis.size);
    return text;
}

bool FrameSpec::sameLayout(const FrameSpec& other) const {
    return dtype == other.dtype &&
           std::ranges::equal(axes, other.axes, [](const Axis& a, const Axis& b) {
               return a.name == b.name && a.size == b.size;
           });
}

VolumeStack stackOfEnsembles(const VolumeStack& stack, std::int64_t frames) {
    const std::int64_t repeats = std::max<std::int64_t>(stack.repeats / frames, 1);
    if (stack.bscansPerVolume % (repeats * frames) != 0) return {};
    const double places =
        static_cast<double>(repeats * frames) / static_cast<double>(stack.repeats);
    return {stack.bscansPerVolume / frames, stack.spacingM * places, repeats};
}

FrameSpec ensembleOf(FrameSpec frame, std::int64_t frames) {
    if (frames <= 1) return frame;
    const bool timed = frame.frameIntervalS > 0.0;
    frame.axes.insert(
        frame.axes.begin(),
        {AxisName::Frame, frames, timed ? frame.frameIntervalS : 1.0, 0.0, timed ? "s" : ""});
    return frame;
}

FrameSpec oneFrameOf(FrameSpec spec) {
    if (spec.isEnsemble()) spec.axes.erase(spec.axes.begin());
    spec.bands = 1;
    spec.slides = false;
    return spec;
}

} // namespace echolux
