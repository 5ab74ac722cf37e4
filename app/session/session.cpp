// SPDX-License-Identifier: GPL-3.0-or-later
// Opening, editing, refusing.
#include "app/session/session.hpp"

#include <fmt/format.h>

#include <utility>

namespace echolux {
namespace {

/// Of depths and lines, of several B-scans of them, or channel data of one transmit.
bool isImage(const FrameSpec& output) {
    const auto has = [&](AxisName name) { return output.find(name) != nullptr; };
    const bool several = output.axes.size() == 3 && has(AxisName::Elevation);
    return output.dtype == DType::F32 && (output.axes.size() == 2 || several) &&
           ((has(AxisName::Depth) && has(AxisName::Lateral)) ||
            (has(AxisName::Channel) && has(AxisName::Sample)));
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
                                    "add one_frame or ensemble_mean.",
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

Session::Session(BackendChoice backend, Engine::Callbacks callbacks, int inFlight)
    : m_backend(std::move(backend)), m_inFlight(inFlight), m_callbacks(std::move(callbacks)) {}

PreparedEngine Session::adopt(PreparedEngine next) {
    PreparedEngine former = std::exchange(m_open, std::move(next));
    if (m_open.choice) m_backend = *m_open.choice;
    if (former.engine) {
        former.relay->detach();
        former.engine->player().freeze(); // whoever still holds it
    }
    m_open.suspended.release(); // it goes
    m_open.engine->resetCounters();
    m_open.engine->mailbox().restartLatency();
    m_open.relay->attach(m_callbacks);
    return former;
}

SnapshotPtr Session::snapshot() const { return m_open.engine->snapshot(); }

void Session::post(SnapshotPtr next) {
    windowsOf(m_open.engine->info(), next->ensemble(), next->name);
    m_open.engine->post(checkedImage(std::move(next)));
}

void Session::setValue(std::string_view stage, std::string_view key, const ParamValue& value) {
    post(withValue(*snapshot(), stage, key, value));
}

void Session::setBypass(std::string_view stage, bool bypass) {
    post(withBypass(*snapshot(), stage, bypass));
}

void Session::resetParameters() { post(withDefaults(*snapshot())); }

void Session::applyPipeline(const PipelineConfig& pipeline) {
    post(instantiate(pipeline, snapshot()->input));
}

void Session::applyCalibration(std::shared_ptr<const Spectrometer> facts,
                               const PipelineConfig& pipeline) {
    FrameSpec raw = snapshot()->input;
    raw.spectrometer = std::move(facts);
    post(instantiate(pipeline, raw));
}

std::shared_ptr<const Spectrometer> Session::spectrometer() const {
    return snapshot()->input.spectrometer;
}

} // namespace echolux
