// SPDX-License-Identifier: GPL-3.0-or-later
// Opens recordings, applies edits, and refuses them.
#include "app/session/session.hpp"

#include "app/session/checked_image.hpp"

#include <utility>

namespace echolux {

Session::Session(BackendChoice backend, Engine::Callbacks callbacks, int inFlight)
    : m_backend(std::move(backend)), m_inFlight(inFlight), m_callbacks(std::move(callbacks)) {}

PreparedEngine Session::adopt(PreparedEngine next) {
    PreparedEngine former = std::exchange(m_open, std::move(next));
    if (m_open.choice) m_backend = *m_open.choice;
    if (former.engine) {
        former.relay->detach();
        former.engine->player().freeze(); // in case another object still holds the engine
    }
    m_open.suspended.release(); // the new engine runs
    m_open.engine->resetCounters();
    m_open.engine->mailbox().restartLatency();
    m_open.relay->attach(m_callbacks);
    return former;
}

bool Session::isPlaying() const { return isOpen() && m_open.engine->player().state().playing; }

LiveRecording* Session::live() { return isOpen() ? m_open.engine->live() : nullptr; }

std::optional<VolumeProgress> Session::volumeProgress() const {
    return isOpen() ? m_open.engine->volumeProgress() : std::nullopt;
}

void Session::giveUpStale() {
    if (isOpen()) m_open.engine->giveUpStale();
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
