// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the recordings that come with the program.
#include "app/desktop/start_desk.hpp"

#include "app/desktop/file_desk.hpp"
#include "app/desktop/recent_files.hpp"
#include "app/desktop/session_desk.hpp"
#include "app/pipeline/pipeline_config.hpp"

#include <QCoreApplication>
#include <QDir>

#include <algorithm>
#include <iterator>

namespace echolux {
namespace {

struct Bundled {
    const char* name;
    const char* text;
    const char* pipeline = nullptr; ///< that it opens with; null: the one that suits the data
};

constexpr Bundled kBundled[] = {
    {"phantom_cine.echolux.h5", "Plane waves: wires, cysts, a moving part in speckle"},
    {"sector.h5", "Focused lines of a curved array: a sector"},
    {"aberrated_cine.echolux.h5", "Plane waves behind an aberrating layer"},
    {"vessel_flow.echolux.h5", "Blood in a vessel: colour flow", "colour_flow"},
    {"bubbles.echolux.h5", "Bubbles in two vessels, localised and counted", "bubbles"},
    {"volume_echoes.h5", "A matrix array: a volume per frame"},
    {"retina_cine.echolux.h5", "OCT: B-scans of a breathing retina"},
    {"retina_volume.echolux.h5", "OCT: a volume of a retina"},
    {"vessels_oct.echolux.h5", "OCT: angiography of two vessels", "oct_angiography"},
};

constexpr int kMostLevels = 5; ///< from the program's folder upwards
constexpr const char* kFolders[] = {"testdata/", "share/echolux/recordings/"}; ///< built, installed

OpenRequest requestOf(const QString& path) {
    OpenRequest request{path.toStdString()};
    for (const Bundled& each : kBundled)
        if (each.pipeline != nullptr && path.endsWith(each.name))
            request.pipeline = shippedPipeline(each.pipeline);
    return request;
}

/// Sessions and scenes of the recent files that still exist, newest first.
std::vector<StartEntry> recentSessions() {
    constexpr std::size_t kMost = 4;
    std::vector<StartEntry> found;
    QSettings store = userSettings();
    for (const OpenRequest& each : recentFiles(store)) {
        const QString path = QString::fromStdString(each.file.string());
        if (found.size() < kMost && isSession(path))
            found.push_back({path, "Scene or session of yours"});
    }
    return found;
}

std::vector<StartEntry> offered(bool remember) {
    std::vector<StartEntry> all = remember ? recentSessions() : std::vector<StartEntry>();
    std::ranges::move(bundledRecordings(), std::back_inserter(all));
    return all;
}

} // namespace

std::vector<StartEntry> bundledRecordings() {
    QDir folder(QCoreApplication::applicationDirPath());
    for (int level = 0; level < kMostLevels; ++level) {
        std::vector<StartEntry> found;
        for (const char* below : kFolders) {
            for (const Bundled& each : kBundled) {
                const QString path = folder.filePath(QString(below) + each.name);
                if (QFileInfo::exists(path)) found.push_back({path, each.text});
            }
        }
        if (!found.empty() || !folder.cdUp()) return found;
    }
    return {};
}

StartDesk::StartDesk(QWidget& views, FileDesk& files, bool remember)
    : m_page(new StartPage(offered(remember), &views)) {
    connect(m_page, &StartPage::chosen, &files, [&files](const QString& path) {
        if (isSession(path)) return files.open(path);
        files.open(requestOf(path));
    });
}

void StartDesk::recordingOpened() {
    if (!m_page) return;
    m_page->hide();
    m_page->deleteLater();
}

} // namespace echolux
