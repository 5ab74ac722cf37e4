// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/overlay/overlay.hpp"

#include <utility>

namespace echolux {

Overlay::~Overlay() {
    for (const Attached& each : std::exchange(m_attached, {})) each.remove();
}

void Overlay::changed() {
    for (const Attached& each : m_attached) each.repaint();
}

} // namespace echolux
