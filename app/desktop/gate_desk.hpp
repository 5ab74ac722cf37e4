// SPDX-License-Identifier: GPL-3.0-or-later
// The gate of spectral Doppler over the image: shown, dragged, and placed by a click. A click also
// chooses the line of M-mode.
#pragma once

#include "render/view/view_transform.hpp"

#include "ui/views/overlay/box_overlay.hpp"

#include <QObject>

#include <string>

namespace echolux {

struct Snapshot;
class Workbench;

class GateDesk : public QObject {
    Q_OBJECT
public:
    explicit GateDesk(Workbench& bench);

private:
    void sync();
    void drag(const Rect& box);
    void place(Vec2 inMillimetres);
    void edit(const std::string& stage, double depthM, double lateralM, double lengthM);

    Workbench& m_bench;
    BoxOverlay m_box;
};

} // namespace echolux
