// SPDX-License-Identifier: GPL-3.0-or-later
// Runs raw frames through a runner, one at a time and in order.
#include "app/export/frame_flow.hpp"

#include "app/pipeline/linked_config.hpp"
#include "app/pipeline/runner.hpp"
#include "app/session/offline/offline.hpp"
#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/error.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/stage/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

std::string namesIn(const PipelineConfig& config) {
    std::vector<std::string> names{kRecording};
    for (const StageConfig& stage : config.stages) names.push_back(stage.id);
    for (const ViewConfig& view : config.views) names.push_back(view.id);
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

SnapshotPtr snapshotOf(const PipelineConfig& config, const FrameSpec& raw,
                       const std::string& outputOf) {
    if (outputOf == kRecording) return nullptr;
    if (outputOf.empty()) return instantiate(config, raw);
    ViewConfig shown;
    const auto view = std::ranges::find(config.views, outputOf, &ViewConfig::id);
    const std::string stageId = outputOf.substr(outputOf.find('@') + 1);
    const auto stage = std::ranges::find(config.stages, stageId, &StageConfig::id);
    if (stage != config.stages.end()) {
        const std::string port = outputOf == stageId ? stageType(stage->type).outputs[0].name
                                                     : outputOf.substr(0, outputOf.find('@'));
        shown = {"export", "", {port, stageId}};
    } else if (view != config.views.end()) {
        shown = *view;
    } else {
        throw Error(
            fmt::format("The pipeline '{}' has no output '{}'; choose one of {}, or one of a "
                        "stage's outputs as in transmits@beamform.",
                        config.name, outputOf, namesIn(config)));
    }
    return instantiate(onlyView(config, shown), raw);
}

RecordedForm formOf(const Snapshot& snapshot, std::size_t view) {
    Source at = snapshot.resolved(snapshot.views[view].source);
    const FrameSpec& output = snapshot.outputOf(at);
    if (output.find(AxisName::Depth) == nullptr) return RecordedForm::Signals;
    if (isComplex(output.dtype)) return RecordedForm::Beamformed;
    if (output.valueRange && output.valueRange->unit == "dB") return RecordedForm::Decibels;
    while (!at.isRecording()) {
        const StageState& stage = snapshot.stages[at.stage];
        if (stage.type->form) return *stage.type->form;
        at = snapshot.resolved(stage.sources.front());
    }
    return snapshot.input.recordedForm;
}

double beamformedAtMps(const Snapshot& snapshot) {
    Source at = snapshot.resolved(snapshot.views.front().source);
    while (!at.isRecording()) {
        const StageState& stage = snapshot.stages[at.stage];
        if (stage.type->has<BeamformParams>())
            return stage.params.as<BeamformParams>().soundSpeedMps;
        at = snapshot.resolved(stage.sources.front());
    }
    return 0.0;
}

FrameFlow::FrameFlow(Recording& recording, SnapshotPtr snapshot, Backend backend)
    : m_recording(recording), m_snapshot(std::move(snapshot)),
      m_windows(m_snapshot ? windowsOf(recording.info(), m_snapshot->ensemble(), m_snapshot->name)
                           : EnsembleWindows{1, recording.info().frameCount}),
      m_output(m_snapshot ? m_snapshot->output() : recording.info().frame),
      m_frame(oneFrameOf(m_output)), m_backend(backend) {
    if (m_output.isEnsemble()) m_perWindow = m_output.axes.front().size;
}

FrameFlow::~FrameFlow() = default;

double FrameFlow::frameRateHz() const {
    return m_recording.info().frameRateHz * static_cast<double>(m_perWindow) /
           static_cast<double>(m_windows.each);
}

void FrameFlow::check(std::int64_t first, std::int64_t last) const {
    if (first >= 0 && last >= first && last < frameCount()) return;
    throw Error(fmt::format(
        "{} has frames 1 to {}{}, but frames {} to {} were asked for.",
        m_recording.info().path.filename().string(), frameCount(),
        m_windows.each > 1 ? fmt::format(" in whole ensembles of {}", m_windows.each) : "",
        first + 1, last + 1));
}

std::int64_t FrameFlow::count(std::int64_t first, std::int64_t last) const {
    const std::int64_t windows =
        (m_windows.firstOf(last) - m_windows.firstOf(first)) / m_windows.each + 1;
    return windows * m_perWindow;
}

void FrameFlow::run(std::int64_t first, std::int64_t last,
                    const std::function<bool(std::vector<std::byte> frame)>& take) {
    check(first, last);
    if (!m_snapshot) {
        for (std::int64_t index = first; index <= last; ++index) {
            std::vector<std::byte> frame(m_frame.bytes());
            m_recording.readFrame(index, frame);
            if (!take(std::move(frame))) return;
        }
        return;
    }
    const Buffer raw(stagingMemory(m_backend), m_snapshot->input.bytes());
    Runner runner(m_backend, 1);
    runner.apply(m_snapshot);
    runPast(m_recording, runner, m_windows, m_windows.firstOf(first), raw);
    const std::size_t each = m_frame.bytes();
    for (std::int64_t at = m_windows.firstOf(first); at <= m_windows.firstOf(last);
         at += m_windows.each) {
        readFrames(m_recording, at, {raw.as<std::byte>(), raw.bytes()});
        const int slot = runner.enqueue({.raw = raw.as<std::byte>(), .frame = at});
        const ConstTensorView image = runner.viewOutput(slot, 0);
        std::vector<std::byte> window(m_output.bytes());
        download(runner.exec(slot), window.data(), image.data, window.size());
        runner.drain();
        if (m_perWindow == 1) {
            if (!take(std::move(window))) return;
            continue;
        }
        for (std::int64_t n = 0; n < m_perWindow; ++n) {
            const auto begin = window.begin() + static_cast<std::ptrdiff_t>(each) * n;
            if (!take({begin, begin + static_cast<std::ptrdiff_t>(each)})) return;
        }
    }
}

} // namespace echolux
