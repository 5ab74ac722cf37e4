// SPDX-License-Identifier: GPL-3.0-or-later
// Decides from which output a picked column is read.
#include "app/session/column/picked_column.hpp"

#include "gpu/core/sector.hpp"
#include "gpu/memory/transfer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {
namespace {

std::int64_t oneOf(const FrameSpec& frame, std::int64_t bscan) {
    return std::clamp<std::int64_t>(bscan, 0, bscansIn(frame) - 1);
}

/// The axis along the lines of an image; null where it has none.
const Axis* alongOf(const FrameSpec& image) {
    const Axis* depth = image.find(AxisName::Depth);
    if (depth != nullptr) return depth;
    const Axis* sample = image.find(AxisName::Sample);
    return sample != nullptr ? sample : image.find(AxisName::Velocity);
}

/// Samples from one index of `axis` to the next.
std::int64_t strideOf(const FrameSpec& image, const Axis* axis) {
    std::int64_t stride = 1;
    for (const Axis& each : image.axes)
        if (&each > axis) stride *= each.size;
    return stride;
}

/// The A-scan that the image shows at `lateralM`, counted through the raw frame.
std::int64_t recordedLine(const LookFrame& shown, double lateralM) {
    const FrameSpec& raw = shown.snapshot->input;
    const std::int64_t lines = raw.sizeOf(AxisName::Lateral);
    const std::int64_t bscan = oneOf(raw, shown.bscan);
    std::int64_t line = columnIndex(raw, lateralM);
    const std::int64_t number = shown.raw.index() * bscansIn(raw) + bscan;
    const std::vector<StageState>& stages = shown.snapshot->stages;
    for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
        if (stage->type->recordedLine != nullptr && !stage->bypass)
            line = stage->type->recordedLine(stage->params, number, line, lines);
    }
    return bscan * lines + line;
}

/// Where the column begins on the array's face. In beam space: where its line leaves the array.
Point beginOf(const FrameSpec& image, double place, std::int64_t bscan) {
    Point begin{place, 0.0, 0.0};
    if (image.sector != nullptr)
        begin.x = image.sector->startOf(static_cast<std::size_t>(columnIndex(image, place))).x;
    const Axis* elevation = image.find(AxisName::Elevation);
    if (elevation != nullptr && elevation->unit == "m")
        begin.y = elevation->origin + static_cast<double>(oneOf(image, bscan)) * elevation->spacing;
    return begin;
}

/// True where a lateral place of one image is the same place in the other.
bool shareColumns(const FrameSpec& a, const FrameSpec& b) {
    const auto overTime = [](const FrameSpec& image) {
        return image.find(AxisName::SlowTime) != nullptr;
    };
    return (a.sector == nullptr) == (b.sector == nullptr) && overTime(a) == overTime(b);
}

} // namespace

PickedColumn::PickedColumn(const LookPlace& place)
    : StandingLook(place), m_backend(place.backend), m_raw(place.raw), m_lines(place.raw),
      m_stream(place.backend, "column") {}

std::vector<std::string> PickedColumn::outputs(const Snapshot& snapshot) {
    const StageState* envelope = snapshot.findTap(Tap::Amplitude);
    return envelope != nullptr ? std::vector{envelope->id} : std::vector<std::string>();
}

std::shared_ptr<const ColumnData> PickedColumn::look(const double& lateralM,
                                                     const LookFrame& shown) {
    const auto made = std::make_shared<ColumnData>();
    ColumnData& column = *made;
    column.lateralM = lateralM;
    // A time is no place on the array, so no recorded line belongs to it.
    const bool isPlace = shown.images.front().spec->find(AxisName::SlowTime) == nullptr;
    if (shown.raw && isPlace && m_raw.find(AxisName::Sample) != nullptr) {
        column.frame = shown.raw.index();
        const std::byte* raw = shown.raw.samples();
        if (m_raw.find(AxisName::Lateral) == nullptr) {
            const FrameSpec& image = *shown.images.front().spec;
            if (image.find(AxisName::Channel) != nullptr)
                m_lines.readChannel(column, raw, std::lround(column.lateralM));
            else
                m_lines.readChannel(column, raw, beginOf(image, column.lateralM, shown.bscan));
            column.iq = m_iq.spectrum(shown.snapshot, raw, column.transmit, column.channel);
        } else {
            const std::int64_t line = recordedLine(shown, column.lateralM);
            m_lines.readSpectrum(column, raw, line);
            column.remapped = m_probe.remapped(shown.snapshot, raw, line);
            readAscan(column, shown.images.front(), shown.bscan);
        }
    }
    const ConstTensorView envelope = shown.envelope();
    if (envelope.data != nullptr && shareColumns(*shown.images.front().spec, *envelope.spec))
        readEnvelope(column, envelope, shown.bscan);
    else if (!column.oct)
        readShown(column, shown.images.front(), shown.bscan);
    readViews(column, shown);
    return made;
}

std::vector<float> PickedColumn::lineOf(const ConstTensorView& view, double place,
                                        std::int64_t bscan) {
    const FrameSpec& image = *view.spec;
    const Axis* along = alongOf(image);
    const auto count = static_cast<std::size_t>(along->size);
    const auto stride = static_cast<std::size_t>(strideOf(image, along)) * sizeof(float);
    std::int64_t first = columnIndex(image, place) * strideOf(image, acrossOf(image));
    if (const Axis* elevation = image.find(AxisName::Elevation))
        first += oneOf(image, bscan) * strideOf(image, elevation);
    if (image.isEnsemble()) // the last frame, as for the recorded line
        first += (image.axes.front().size - 1) * strideOf(image, image.axes.data());
    const bool whole = stride == sizeof(float);
    if (m_staging.bytes() < count * sizeof(float))
        m_staging = Buffer(stagingMemory(m_backend), count * sizeof(float));
    downloadLine({m_backend, m_stream.get()}, m_staging.data(), view.as<float>() + first,
                 whole ? count * sizeof(float) : sizeof(float), whole ? 1 : count,
                 whole ? count * sizeof(float) : stride);
    m_stream.synchronize();
    return {m_staging.as<float>(), m_staging.as<float>() + count};
}

void PickedColumn::readEnvelope(ColumnData& column, const ConstTensorView& envelope,
                                std::int64_t bscan) {
    const Axis* depth = envelope.spec->find(AxisName::Depth);
    if (depth == nullptr) return;
    column.envelope = lineOf(envelope, column.lateralM, bscan);
    column.depthStartM = depth->origin;
    column.depthStepM = depth->spacing;
}

void PickedColumn::readShown(ColumnData& column, const ConstTensorView& image, std::int64_t bscan) {
    const FrameSpec& spec = *image.spec;
    const bool asShown =
        spec.recordedForm == RecordedForm::Decibels || spec.recordedForm == RecordedForm::Picture;
    const Axis* depth = spec.find(AxisName::Depth);
    if (!asShown || depth == nullptr || spec.dtype != DType::F32) return;
    column.shown = lineOf(image, column.lateralM, bscan);
    column.shownRange = spec.valueRange;
    column.depthStartM = depth->origin;
    column.depthStepM = depth->spacing;
}

void PickedColumn::readAscan(ColumnData& column, const ConstTensorView& image, std::int64_t bscan) {
    const FrameSpec& spec = *image.spec;
    const Axis& depth = spec.axes.back();
    if (depth.name != AxisName::Depth || spec.dtype != DType::F32) return;
    column.ascan = lineOf(image, column.lateralM, bscan);
    if (spec.valueRange) column.ascanUnit = spec.valueRange->unit;
    column.depthStartM = depth.origin;
    column.depthStepM = depth.spacing;
    column.depthUnit = depth.unit;
    if (column.ascanUnit == "dB") column.peak = highestPeak(column.ascan);
}

void PickedColumn::readViews(ColumnData& column, const LookFrame& shown) {
    const Axis* picked = acrossOf(*shown.images.front().spec);
    if (picked == nullptr) return;
    if (shown.images.size() == 1 && picked->name == AxisName::Lateral) return;
    for (std::size_t i = 0; i < shown.images.size(); ++i) {
        const FrameSpec& spec = *shown.images[i].spec;
        const Axis* across = acrossOf(spec);
        const Axis* along = alongOf(spec);
        if (spec.dtype != DType::F32 || across == nullptr || along == nullptr) continue;
        if (across->name != picked->name || across->unit != picked->unit) continue;
        column.views.push_back({nameOf(shown.snapshot->views[i]),
                                lineOf(shown.images[i], column.lateralM, shown.bscan),
                                spec.valueRange, *along});
    }
}

} // namespace echolux
