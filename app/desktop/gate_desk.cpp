// SPDX-License-Identifier: GPL-3.0-or-later
// Between the parameters of a gate or a line and the box over the first view.
#include "app/desktop/gate_desk.hpp"

#include "app/desktop/workbench/label_text.hpp"
#include "app/desktop/workbench/stage_box.hpp"

#include <optional>
#include <vector>

namespace echolux {
namespace {

constexpr double kPartOfStep = 0.1; ///< boxes are placed more finely than sliders

/// The stage whose gate follows clicks; with `line`, the one whose line over all depths does.
const StageState* stageWith(const Snapshot& snapshot, bool line) {
    return snapshot.findActive([line](const StageType& type) {
        const std::optional<ImageBox>& box = type.shown.box;
        return box && box->followsClicks && box->depth.empty() == line;
    });
}

const StageState* drawnStage(const Snapshot& snapshot) {
    const StageState* gate = stageWith(snapshot, false);
    return gate != nullptr ? gate : stageWith(snapshot, true);
}

} // namespace

GateDesk::GateDesk(Workbench& bench)
    : m_bench(bench), m_box([this](const Rect& box) { drag(box); }) {
    bench.showOver(0, m_box);
    connect(&bench, &Workbench::pipelineChanged, this, &GateDesk::sync);
    connect(&bench, &Workbench::placePicked, this, &GateDesk::place);
}

void GateDesk::sync() {
    if (!m_bench.isOpen()) return;
    const SnapshotPtr snapshot = m_bench.snapshot();
    const StageState* stage = drawnStage(*snapshot);
    if (stage == nullptr || !isInPlane(snapshot->output())) return m_box.show(std::nullopt);
    m_box.show(boxOf(*stage, snapshot->output()),
               QString::fromStdString(stage->type->shown.box->label));
}

void GateDesk::drag(const Rect& box) {
    const SnapshotPtr snapshot = m_bench.snapshot();
    if (const StageState* stage = drawnStage(*snapshot)) edit(*stage, box);
    sync(); // a line keeps its length
}

void GateDesk::place(Vec2 inMillimetres) {
    if (!m_bench.isOpen()) return;
    const SnapshotPtr snapshot = m_bench.snapshot();
    if (!isInPlane(snapshot->output())) return;
    constexpr double kMetres = 1e-3;
    for (const StageState* stage : {stageWith(*snapshot, false), stageWith(*snapshot, true)}) {
        if (stage == nullptr) continue;
        const Rect box = boxOf(*stage, snapshot->output());
        const double x = kMetres * inMillimetres.x - box.centre().x;
        const double z = kMetres * inMillimetres.y - box.centre().y;
        edit(*stage, {box.left + x, box.top + z, box.right + x, box.bottom + z});
    }
}

/// The steps of a drag are one step of the undo list.
void GateDesk::edit(const StageState& stage, const Rect& box) {
    const QString label = QString::fromStdString(stage.type->shown.box->label);
    std::vector<Workbench::Value> values;
    for (const auto& [key, metres] : placesOf(stage, box))
        values.push_back(nearestValue(stage, key, metres, kPartOfStep));
    m_bench.edit({inASentence(label), label + ": place", label}, values);
}

} // namespace echolux
