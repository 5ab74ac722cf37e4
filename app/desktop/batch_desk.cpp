// SPDX-License-Identifier: GPL-3.0-or-later
// Makes requests from a list of files, and reports their results.
#include "app/desktop/batch_desk.hpp"

#include "app/desktop/export_desk.hpp"
#include "app/desktop/workbench/background.hpp"
#include "app/session/session.hpp"
#include "ui/controls/failure_sentence.hpp"
#include "ui/dialogs/batch_dialog.hpp"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QSet>

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

namespace echolux {
namespace {

struct BatchResult {
    int written = 0;
    QStringList refused;
};

QString nameOf(const std::filesystem::path& path) {
    return QString::fromStdString(path.filename().string());
}

/// The name for a file, with a number added where another file of the batch already has it.
QString freeName(const QString& wanted, QSet<QString>& taken) {
    QString name = wanted;
    for (int number = 2; taken.contains(name); ++number)
        name = QString("%1_%2").arg(wanted).arg(number);
    taken.insert(name);
    return name;
}

/// False where the work was given up.
bool exportEach(const std::vector<ExportRequest>& requests, const std::stop_token& stop,
                const Background::Report& report, BatchResult& result) {
    const auto count = static_cast<double>(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const auto progress = [&](std::int64_t done, std::int64_t of) {
            const double share =
                static_cast<double>(done) / static_cast<double>(std::max<std::int64_t>(of, 1));
            report((static_cast<double>(i) + share) / count);
            return !stop.stop_requested();
        };
        try {
            if (exportRecording(requests[i], progress).cancelled) return false;
            ++result.written;
        } catch (const std::exception& error) {
            result.refused << nameOf(requests[i].file) + ": " + sentenceOf(error);
        }
    }
    return true;
}

} // namespace

BatchDesk::BatchDesk(QWidget& window, Session& session, Background& background, ExportDesk& exports)
    : m_window(window), m_session(session), m_background(background), m_exports(exports),
      m_entry(new QAction("Export &many files\u2026", this)) {
    m_entry->setObjectName("batch");
    m_entry->setToolTip("Process other recordings with the settings in use now, and export each");
    connect(m_entry, &QAction::triggered, this, &BatchDesk::ask);
}

void BatchDesk::ask() {
    if (!m_session.isOpen()) return;
    if (!m_dialog) {
        m_dialog = new BatchDialog(&m_window);
        connect(m_dialog, &BatchDialog::batchRequested, this, &BatchDesk::exportAll);
    }
    const ExportOffer offer = m_exports.offer();
    m_dialog->setOffer(offer, QFileInfo(offer.recording).absolutePath());
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

std::vector<ExportRequest> BatchDesk::requestsFor(const BatchChoice& choice) {
    ExportChoice one;
    one.kind = choice.kind;
    one.output = choice.output;
    ExportRequest common = m_exports.requestFor(one);
    common.open = {}; // sidecar and track belong to the shown recording
    common.frames.reset();
    common.framesPerSecond = 0.0;
    common.pipeline = toConfig(*m_session.snapshot());
    // A calibration that the user loaded applies to the other files too. The facts of the open
    // recording itself do not.
    if (common.spectrometer == m_session.recording().frame.spectrometer)
        common.spectrometer.reset();
    std::vector<ExportRequest> requests;
    QSet<QString> taken;
    for (const QString& file : choice.files) {
        const QString base = QFileInfo(file).fileName().section('.', 0, 0);
        ExportRequest& request = requests.emplace_back(common);
        request.file = file.toStdString();
        request.target = QDir(choice.folder)
                             .filePath(freeName(base + "_export", taken) + choice.ending)
                             .toStdString();
    }
    return requests;
}

void BatchDesk::exportAll(const BatchChoice& choice) {
    if (!m_session.isOpen()) return;
    if (!QFileInfo(choice.folder).isDir()) {
        m_dialog->setError("There is no folder '" + choice.folder +
                           "'; make it, or choose another one.");
        return;
    }
    std::vector<ExportRequest> requests = requestsFor(choice);
    const auto existing = std::ranges::count_if(
        requests, [](const ExportRequest& each) { return std::filesystem::exists(each.target); });
    if (existing > 0) {
        const QString question = QString("%1 of %2 files exist in this folder. Replace them?")
                                     .arg(existing)
                                     .arg(requests.size());
        if (QMessageBox::question(m_dialog, "Export many files", question,
                                  QMessageBox::Yes | QMessageBox::No,
                                  QMessageBox::No) != QMessageBox::Yes)
            return;
        for (ExportRequest& each : requests) each.replace = true;
    }
    m_dialog->accept();
    start(std::move(requests), choice.folder);
}

void BatchDesk::start(std::vector<ExportRequest> requests, const QString& folder) {
    const auto count = requests.size();
    m_background.startReporting(
        Background::Kind::Exporting, QString("Exporting %1 files").arg(count),
        [this, folder, count, requests = std::move(requests)](
            const std::stop_token& stop, const Background::Report& report) -> Background::Finish {
            const auto result = std::make_shared<BatchResult>();
            if (!exportEach(requests, stop, report, *result)) return {};
            return [this, folder, count, result] {
                const QString text = QString("Exported %1 of %2 files to %3")
                                         .arg(result->written)
                                         .arg(count)
                                         .arg(QDir::toNativeSeparators(folder));
                if (result->refused.isEmpty())
                    emit informed(text);
                else
                    emit failed(text + ". " + result->refused.join(' '));
                emit finished(result->written, result->refused);
            };
        });
}

} // namespace echolux
