// SPDX-License-Identifier: GPL-3.0-or-later
// Pipelines that the user keeps by name, per kind of recording: one TOML file each.
#pragma once

#include "app/pipeline/pipeline_config.hpp"
#include "gpu/core/frame_spec.hpp"

#include <QString>
#include <QStringList>

namespace echolux {

/// Recordings that the same settings suit.
struct RecordingKind {
    QString id;    ///< of its folder
    QString label; ///< "OCT spectra"
};
RecordingKind recordingKind(const FrameSpec& raw);

class PresetStore {
public:
    /// Each kind is a folder below `folder`; neither needs to be there.
    explicit PresetStore(QString folder) : m_folder(std::move(folder)) {}

    QStringList names(const RecordingKind& kind) const; ///< sorted
    /// These throw Error where a file cannot be written, read, understood or removed.
    void save(const RecordingKind& kind, const QString& name, const PipelineConfig& pipeline) const;
    PipelineConfig load(const RecordingKind& kind, const QString& name) const;
    void remove(const RecordingKind& kind, const QString& name) const;

    /// Beside the names: what such a recording was left with.
    bool hasLastUsed(const RecordingKind& kind) const;
    void saveLastUsed(const RecordingKind& kind, const PipelineConfig& pipeline) const;
    PipelineConfig loadLastUsed(const RecordingKind& kind) const;

    QString path(const RecordingKind& kind, const QString& name) const;

private:
    QString folderOf(const RecordingKind& kind) const;
    QString lastUsedPath(const RecordingKind& kind) const;

    QString m_folder;
};

} // namespace echolux
