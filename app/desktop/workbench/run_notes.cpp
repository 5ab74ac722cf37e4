// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/workbench/run_notes.hpp"

#include "app/desktop/workbench/label_text.hpp"
#include "app/pipeline/steps.hpp"

namespace echolux {

RunNotes runNotes(const Snapshot& snapshot, Backend backend) {
    RunNotes notes;
    for (const Step& step : planSteps(snapshot, backend, {}, Fusing::Allowed)) {
        QString& note = notes[QString::fromStdString(snapshot.stages[step.first()].id)];
        if (step.onHost) note = "It runs on the CPU; its frames are copied there and back.";
        if (!step.notFused.empty())
            note = "Not part of one kernel: " + inLabels(step.notFused, snapshot) + ".";
        if (!step.untuned.empty())
            note = "Not tuned for the GPU: " + QString::fromStdString(step.untuned) + ".";
    }
    return notes;
}

} // namespace echolux
