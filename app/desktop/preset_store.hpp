// SPDX-License-Identifier: GPL-3.0-or-later
// Pipelines that the user saved by name, per kind of recording: one TOML file each.
#pragma once

#include "app/pipeline/pipeline_config.hpp"
#include "gpu/core/frame_spec.hpp"

#include <QString>
#include <QStringList>

namespace echolux {

/// A kind of recordings that can share settings.
struct RecordingKind {
    QString id;    ///< name of its folder
    QString label; ///< "OCT spectra"
};
RecordingKind recordingKind(const FrameSpec& raw);

class PresetStore {
public:
    /// Each kind has a folder below `folder`. The folders are created when needed.
    explicit PresetStore(QString folder) : m_folder(std::move(folder)) {}

    QStringList names(const RecordingKind& kind) const; ///< sorted
    /// The following functions throw Error where a file cannot be written, read, understood or
    /// removed.
    void save(const RecordingKind& kind, const QString& name, const PipelineConfig& pipeline) const;
    PipelineConfig load(const RecordingKind& kind, const QString& name) const;
    void remove(const RecordingKind& kind, const QString& name) const;

    // The settings used last for this kind of recording. They are stored beside the named ones.
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
