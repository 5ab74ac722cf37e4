// SPDX-License-Identifier: GPL-3.0-or-later
// The gate or the line of a stage over the image: shown, dragged, and placed by a click.
#pragma once

#include "render/view/view_transform.hpp"

#include "ui/views/overlay/box_overlay.hpp"

#include <QObject>

namespace echolux {

struct StageState;
class Workbench;

class GateDesk : public QObject {
    Q_OBJECT
public:
    explicit GateDesk(Workbench& bench);

private:
    void sync();
    void drag(const Rect& box);
    void place(Vec2 inMillimetres);
    void edit(const StageState& stage, const Rect& box);

    Workbench& m_bench;
    BoxOverlay m_box;
};

} // namespace echolux
