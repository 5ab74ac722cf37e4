// SPDX-License-Identifier: GPL-3.0-or-later
// What was edited, in order: one list of named steps that can be taken back and done again.
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

/// Values, switches or facts of the pipeline.
struct PipelineEdit {
    SnapshotPtr before;
    SnapshotPtr after;
    QString originBefore; ///< the file whose calibration was in force
    QString originAfter;
    /// The recording's own facts: another opening of it brings its own in their place.
    std::shared_ptr<const Spectrometer> own;
};

struct DisplayEdit {
    DisplayChoice before;
    DisplayChoice after;
};

/// A recording as it was left.
struct RecordingState {
    OpenRequest asked; ///< as it was opened first
    PipelineConfig pipeline;
    std::optional<Calibration> calibration; ///< in place of the recording's own facts
    QString origin;                         ///< as of PipelineEdit
    DisplayChoice display;
    BackendChoice backend; ///< that computed it
};

/// Another recording was opened, or the same on another backend or GPU.
struct OpeningEdit {
    std::shared_ptr<const RecordingState> before;
    std::shared_ptr<const RecordingState> after;
};

struct Edit {
    QString what;   ///< continues "Undo": "speed of sound"
    QString detail; ///< in the list of all: "Beamform: speed of sound, 1480 m/s"
    /// Edits of the same one, directly after each other, are one step until endGesture(); empty:
    /// a step of its own.
    QString gesture;
    std::optional<PipelineEdit> pipeline{};
    std::optional<DisplayEdit> display{};
    std::optional<OpeningEdit> opening{};
};

class EditHistory {
public:
    static constexpr std::size_t kMostEdits = 500;

    /// Steps that were taken back are given up for it; one that changes nothing is left out.
    void record(Edit edit);
    void endGesture();
    const Edit* toUndo() const; ///< null where there is none
    const Edit* toRedo() const;
    void steppedBack(); ///< toUndo() has been taken back
    void steppedForward();
    /// The pipeline went back by itself, to `inForce`: the newest edit ends there, or was none.
    void refused(const SnapshotPtr& inForce);
    /// The recording that was opened last is shown so.
    void amendOpening(const DisplayChoice& display);

    QStringList details() const;
    int position() const { return static_cast<int>(m_done); } ///< so many of them are in force
    std::uint64_t revision() const { return m_revision; }     ///< counts every change

private:
    bool joins(const Edit& edit) const;
    void changed() { ++m_revision; }

    std::vector<Edit> m_edits;
    std::size_t m_done = 0;
    bool m_inGesture = false;
    std::uint64_t m_revision = 0;
};

} // namespace echolux
