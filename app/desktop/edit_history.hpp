// SPDX-License-Identifier: GPL-3.0-or-later
// The undo list: edits in their order, as named steps that can be undone and redone.
#pragma once

#include "app/session/prepared_engine.hpp"
#include "ui/parameters/display_group.hpp"

#include <QString>
#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace echolux {

/// A change of values, switches, graph or facts of the pipeline.
struct PipelineEdit {
    SnapshotPtr before;
    SnapshotPtr after;
    QString originBefore; ///< the file whose calibration was in force
    QString originAfter;
    /// The facts of the recording itself. When this edit is undone or redone after the recording
    /// was reopened, the facts of the new opening replace them.
    std::shared_ptr<const Spectrometer> own;
};

struct DisplayEdit {
    DisplayChoice before;
    DisplayChoice after;
};

/// State in which a recording was left.
struct RecordingState {
    OpenRequest asked; ///< the request that first opened it
    PipelineConfig pipeline;
    std::optional<Calibration> calibration; ///< replaces the recording's own facts
    QString origin;                         ///< see PipelineEdit
    DisplayChoice display;
    BackendChoice backend; ///< the backend that computed it
};

/// Another recording was opened, or the same one on another backend or GPU.
struct OpeningEdit {
    std::shared_ptr<const RecordingState> before;
    std::shared_ptr<const RecordingState> after;
};

struct Edit {
    QString what;   ///< continues the word "Undo": "speed of sound"
    QString detail; ///< line in the list of edits: "Beamform: speed of sound, 1480 m/s"
    /// Consecutive edits with the same gesture form one step until endGesture(). Empty: the edit is
    /// a step of its own.
    QString gesture;
    std::optional<PipelineEdit> pipeline{};
    std::optional<DisplayEdit> display{};
    std::optional<OpeningEdit> opening{};
};

class EditHistory {
public:
    static constexpr std::size_t kMostEdits = 500;

    /// Removes the undone steps. An edit that changes nothing is not recorded.
    void record(Edit edit);
    void endGesture();
    const Edit* toUndo() const; ///< null where there is nothing to undo
    const Edit* toRedo() const;
    void steppedBack(); ///< call after toUndo() was undone
    void steppedForward();
    /// The engine returned to pipeline `inForce`. The newest edit then ends with it, or is removed
    /// where it changed nothing.
    void refused(const SnapshotPtr& inForce);
    /// Sets the display in the state after the latest opening.
    void amendOpening(const DisplayChoice& display);

    QStringList details() const;
    int position() const { return static_cast<int>(m_done); } ///< number of edits in force
    std::uint64_t revision() const { return m_revision; }     ///< increases with every change

private:
    bool joins(const Edit& edit) const;
    void changed() { ++m_revision; }

    std::vector<Edit> m_edits;
    std::size_t m_done = 0;
    bool m_inGesture = false;
    std::uint64_t m_revision = 0;
};

} // namespace echolux
