// SPDX-License-Identifier: GPL-3.0-or-later
// What somebody looks at more closely: the picked column, and a transmit's channels.
#include "app/session/engine.hpp"

namespace echolux {

void Engine::pickColumn(std::optional<double> lateralM) {
    m_column.pick(lateralM);
    wakeForColumn();
}

void Engine::wantChannels(std::optional<std::int64_t> transmit) {
    m_column.wantChannels(transmit);
    wakeForColumn();
}

void Engine::wakeForColumn() {
    { const std::lock_guard lock(m_mutex); } // orders this with the decision to sleep
    m_wake.notify_one();
}

bool Engine::columnDue() const { return !m_lastImages.empty() && m_column.isDue(); }

void Engine::updateColumn() {
    ShownImage shown{m_runner.snapshot(), m_lastRaw, m_lastImages, {}, mailbox().chosenBscan()};
    const StageState* envelope = shown.snapshot->findTap(Tap::Amplitude);
    if (envelope != nullptr && m_lastSlot >= 0)
        shown.envelope = m_runner.keptOutput(m_lastSlot, envelope->id);
    if (m_column.read(shown)) m_callbacks.columnReady();
}

} // namespace echolux
