// SPDX-License-Identifier: GPL-3.0-or-later
// Closer looks at the shown frame, and the state that a stage leaves to the next one.
#include "app/session/engine.hpp"

#include "gpu/core/error.hpp"

namespace echolux {

Look& Engine::look(const LookType& type) {
    const auto [look, isNew] = m_looks.of(type);
    if (isNew && !type.outputs(*snapshot()).empty()) wish(&Wishes::edit);
    if (isNew) wake();
    return look;
}

/// NOTE: requests come again and again. A broken engine would tell of its failure each time.
bool Engine::isLookDue() const { return !m_broken && !m_lastImages.empty() && m_looks.areDue(); }

void Engine::lookClosely() {
    const auto kept = [this](std::string_view name) {
        return m_lastSlot >= 0 ? m_runner.keptOutput(m_lastSlot, name) : ConstTensorView{};
    };
    if (m_looks.run({m_runner.snapshot(), m_lastRaw, m_lastImages, mailbox().chosenBscan(), kept}))
        m_callbacks.looked();
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
