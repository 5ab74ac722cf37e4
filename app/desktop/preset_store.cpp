// SPDX-License-Identifier: GPL-3.0-or-later
// Files and folders of presets.
#include "app/desktop/preset_store.hpp"

#include "gpu/core/acquisition.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/firing.hpp"
#include "gpu/core/whole_file.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUrl>

namespace echolux {
namespace {

const QString kSuffix = QStringLiteral(".toml");

/// NOTE: the name never begins with a dot, so it differs from the file of the last settings.
QString fileNameOf(const QString& name) {
    return QString::fromLatin1(QUrl::toPercentEncoding(name, " ", ".")) + kSuffix;
}

QString nameOf(const QString& fileName) {
    return QUrl::fromPercentEncoding(fileName.chopped(kSuffix.size()).toLatin1());
}

void write(const QString& path, const PipelineConfig& pipeline) {
    QDir().mkpath(QFileInfo(path).absolutePath());
    writeWhole(path.toStdString(), toToml(pipeline));
}

} // namespace

RecordingKind recordingKind(const FrameSpec& raw) {
    if (raw.spectrometer != nullptr) return {"oct", "OCT spectra"};
    switch (raw.recordedForm) {
    case RecordedForm::Signals: break;
    case RecordedForm::Beamformed: return {"beamformed", "beamformed lines"};
    case RecordedForm::Envelope: return {"envelope", "recorded amplitudes"};
    case RecordedForm::Decibels:
    case RecordedForm::Picture: return {"recorded_image", "recorded images"};
    }
    const Acquisition* acquisition = raw.acquisition.get();
    if (acquisition != nullptr && allAre(*acquisition, Wave::Element))
        return {"matrix_capture", "matrix captures"};
    if (acquisition != nullptr && isOneWay(*acquisition)) return {"one_way", "photoacoustics"};
    if (isComplex(raw.dtype)) return {"ultrasound_iq", "ultrasound IQ"};
    return {"ultrasound_rf", "ultrasound RF"};
}

QString PresetStore::folderOf(const RecordingKind& kind) const { return m_folder + '/' + kind.id; }

QString PresetStore::path(const RecordingKind& kind, const QString& name) const {
    return folderOf(kind) + '/' + fileNameOf(name);
}

QString PresetStore::lastUsedPath(const RecordingKind& kind) const {
    return folderOf(kind) + "/.last_used" + kSuffix;
}

QStringList PresetStore::names(const RecordingKind& kind) const {
    QStringList found;
    const QStringList files = QDir(folderOf(kind)).entryList({'*' + kSuffix}, QDir::Files);
    for (const QString& file : files) found << nameOf(file);
    found.sort(Qt::CaseInsensitive);
    return found;
}

void PresetStore::save(const RecordingKind& kind, const QString& name,
                       const PipelineConfig& pipeline) const {
    write(path(kind, name), pipeline);
}

PipelineConfig PresetStore::load(const RecordingKind& kind, const QString& name) const {
    return loadPipeline(path(kind, name).toStdString());
}

void PresetStore::remove(const RecordingKind& kind, const QString& name) const {
    QFile file(path(kind, name));
    if (file.remove()) return;
    throw Error(("The preset cannot be deleted: " + QDir::toNativeSeparators(file.fileName()) +
                 ": " + file.errorString() + '.')
                    .toStdString());
}

bool PresetStore::hasLastUsed(const RecordingKind& kind) const {
    return QFile::exists(lastUsedPath(kind));
}

void PresetStore::saveLastUsed(const RecordingKind& kind, const PipelineConfig& pipeline) const {
    write(lastUsedPath(kind), pipeline);
}

PipelineConfig PresetStore::loadLastUsed(const RecordingKind& kind) const {
    return loadPipeline(lastUsedPath(kind).toStdString());
}

} // namespace echolux
