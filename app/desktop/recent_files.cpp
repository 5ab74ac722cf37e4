// SPDX-License-Identifier: GPL-3.0-or-later
// Stores a list of path, sidecar, calibration and pipeline as TOML.
#include "app/desktop/recent_files.hpp"

#include "gpu/core/error.hpp"

#include <QFileInfo>

namespace echolux {
namespace {

constexpr std::size_t kMostFiles = 10;
const QString kList = QStringLiteral("recent_files");

QString absolutePath(const std::filesystem::path& path) {
    return QFileInfo(QString::fromStdString(path.string())).absoluteFilePath();
}

/// Nothing where there is no pipeline, or where this version does not understand it.
std::optional<PipelineConfig> pipelineOf(const QString& toml) {
    if (toml.isEmpty()) return std::nullopt;
    try {
        return parsePipeline(toml.toStdString(), "the remembered pipeline");
    } catch (const Error&) {
        return std::nullopt;
    }
}

} // namespace

QSettings userSettings() { return QSettings("Echolux", "Echolux"); }

std::vector<OpenRequest> recentFiles(QSettings& store) {
    std::vector<OpenRequest> files;
    const int count = store.beginReadArray(kList);
    for (int i = 0; i < count; ++i) {
        store.setArrayIndex(i);
        const QString path = store.value("path").toString();
        const QString sidecar = store.value("sidecar").toString();
        if (path.isEmpty()) continue;
        OpenRequest& file = files.emplace_back();
        file.file = path.toStdString();
        if (!sidecar.isEmpty()) file.options.sidecar = sidecar.toStdString();
        const QString calibration = store.value("calibration").toString();
        if (!calibration.isEmpty()) file.options.calibration = calibration.toStdString();
        if (const int track = store.value("track").toInt(); track > 0)
            file.options.track = static_cast<std::size_t>(track - 1);
        file.pipeline = pipelineOf(store.value("pipeline").toString());
    }
    store.endArray();
    return files;
}

void addRecentFile(QSettings& store, const OpenRequest& request) {
    OpenRequest added = request;
    added.file = absolutePath(request.file).toStdString();
    if (added.options.sidecar) {
        added.options.sidecar = absolutePath(*added.options.sidecar).toStdString();
    }
    if (added.options.calibration) {
        added.options.calibration = absolutePath(*added.options.calibration).toStdString();
    }
    std::vector<OpenRequest> files = recentFiles(store);
    std::erase_if(files, [&](const OpenRequest& each) { return each.file == added.file; });
    files.insert(files.begin(), std::move(added));
    if (files.size() > kMostFiles) files.resize(kMostFiles);
    store.remove(kList);
    store.beginWriteArray(kList, static_cast<int>(files.size()));
    for (std::size_t i = 0; i < files.size(); ++i) {
        const OpenRequest& file = files[i];
        store.setArrayIndex(static_cast<int>(i));
        store.setValue("path", QString::fromStdString(file.file.string()));
        if (file.options.sidecar) {
            store.setValue("sidecar", QString::fromStdString(file.options.sidecar->string()));
        }
        if (file.options.calibration) {
            store.setValue("calibration",
                           QString::fromStdString(file.options.calibration->string()));
        }
        if (file.options.track)
            store.setValue("track", static_cast<int>(*file.options.track) + 1); // from 1
        if (file.pipeline)
            store.setValue("pipeline", QString::fromStdString(toToml(*file.pipeline)));
    }
    store.endArray();
}

} // namespace echolux
