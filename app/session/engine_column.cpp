// SPDX-License-Identifier: GPL-3.0-or-later
// Data for a closer look: the picked column, a transmit's channels, the histogram and the pixels of
// the image, the pulses of a gate, the state that a stage leaves to the next frame.
#include "app/session/engine.hpp"

#include "gpu/core/error.hpp"

namespace echolux {

void Engine::pickColumn(std::optional<double> lateralM) {
    m_column.pick(lateralM);
    wakeForLook();
}

void Engine::wantChannels(std::optional<std::int64_t> transmit) {
    m_column.wantChannels(transmit);
    wakeForLook();
}

void Engine::wantHistogram(const std::optional<HistogramRequest>& request) {
    m_histogram.want(request);
    if (request) wakeForLook();
}

void Engine::wantPixels(std::optional<std::size_t> view) {
    m_pixels.want(view);
    if (view) wakeForLook();
}

void Engine::wantSingularValues(const std::optional<std::string>& stage) {
    m_singular.want(stage);
    if (stage) wakeForLook();
}

void Engine::wantPulses(const std::optional<std::string>& output) {
    m_pulses.want(output);
    if (output) wakeForLook();
}

void Engine::wakeForLook() {
    { const std::lock_guard lock(m_mutex); } // orders this before or after the decision to sleep
    m_wake.notify_one();
}

bool Engine::isColumnDue() const { return !m_lastImages.empty() && m_column.isDue(); }

/// NOTE: a request comes again and again. Where an engine is broken it would tell of it each time.
bool Engine::isHistogramDue() const {
    return !m_broken && !m_lastImages.empty() && m_histogram.isWanted();
}

bool Engine::arePixelsDue() const {
    return !m_broken && !m_lastImages.empty() && m_pixels.isWanted();
}

bool Engine::areSingularValuesDue() const {
    return !m_broken && m_lastSlot >= 0 && !m_lastImages.empty() && m_singular.isWanted();
}

bool Engine::arePulsesDue() const {
    return !m_broken && m_lastSlot >= 0 && !m_lastImages.empty() && m_pulses.isWanted();
}

bool Engine::isRequestDue() const {
    return isHistogramDue() || arePixelsDue() || areSingularValuesDue() || arePulsesDue();
}

bool Engine::isLookDue() const { return isColumnDue() || isRequestDue(); }

void Engine::lookClosely() {
    ShownImage shown{m_runner.snapshot(), m_lastRaw, m_lastImages, {}, mailbox().chosenBscan()};
    const StageState* envelope = shown.snapshot->findTap(Tap::Amplitude);
    if (envelope != nullptr && m_lastSlot >= 0)
        shown.envelope = m_runner.keptOutput(m_lastSlot, envelope->id);
    if (isHistogramDue()) m_histogram.count(shown);
    const auto kept = [&](std::string_view name) {
        return m_lastSlot >= 0 ? m_runner.keptOutput(m_lastSlot, name) : ConstTensorView{};
    };
    if (arePixelsDue()) m_pixels.copy(shown, kept);
    if (areSingularValuesDue()) findSingularValues(*shown.snapshot);
    if (arePulsesDue()) {
        const auto pulses = gatePulses(*shown.snapshot);
        if (pulses)
            m_pulses.copy(m_runner.keptOutput(m_lastSlot, pulses->output));
        else
            m_pulses.want(std::nullopt);
    }
    if (isColumnDue() && m_column.read(shown)) m_callbacks.columnReady();
}

void Engine::findSingularValues(const Snapshot& snapshot) {
    const StageState* stage = singularStage(snapshot);
    const auto ensemble = ensembleStage(snapshot);
    if (stage == nullptr || !ensemble) return m_singular.want(std::nullopt);
    m_singular.find(*stage, m_runner.keptOutput(m_lastSlot, *ensemble));
}

Engine::ShownFrame Engine::shownFrame(const std::string& stage) {
    ShownFrame shown;
    atBoundary([&] {
        retireAll();
        shown.raw = {m_lastRaw.run.forOther(), m_lastRaw.at};
        if (m_statesAreTorn) return;
        shown.snapshot = m_runner.snapshot();
        shown.state = m_runner.stateOf(stage);
    });
    if (!shown.raw)
        throw Error("No frame has been processed yet; step to a frame that can be read.");
    return shown;
}

} // namespace echolux
