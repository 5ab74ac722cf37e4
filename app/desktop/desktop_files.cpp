// SPDX-License-Identifier: GPL-3.0-or-later
// Files and settings of the desktop: open, recent, screenshots, what is remembered, the JSON of
// --stats.
#include "app/desktop/desktop.hpp"

#include "ui/display_group.hpp"
#include "ui/image_view.hpp"
#include "ui/main_window.hpp"
#include "ui/message_bar.hpp"
#include "ui/status_bar.hpp"
#include "ui/theme.hpp"
#include "ui/transport_bar.hpp"

#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>

namespace echolux {
namespace {

constexpr qsizetype kRecentFiles = 10;

QSettings settings() { return QSettings("Echolux", "Echolux"); }

QString screenshotFolder() {
    QString pictures = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
    if (pictures.isEmpty()) pictures = QDir::homePath();
    return pictures + "/Echolux";
}

} // namespace

void Desktop::connectFiles() {
    MainWindow* window = m_window.get();
    connect(window, &MainWindow::openRequested, this, [this] { chooseFile(); });
    connect(window, &MainWindow::recentFileChosen, this,
            [this](const QString& path) { tryOpen(path); });
    connect(window, &MainWindow::fileDropped, this, [this](const QString& path) { tryOpen(path); });
    connect(window, &MainWindow::screenshotRequested, this, [this] { saveScreenshot(); });
    connect(window, &MainWindow::openScreenshotSettingsRequested, this,
            [this] { chooseScreenshotSettings(); });
    connect(window, &MainWindow::aboutToClose, this, [this] { remember(); });
}

void Desktop::chooseFile() {
    const QString folder = m_path.isEmpty() ? QString() : QFileInfo(m_path).absolutePath();
    const QString path = QFileDialog::getOpenFileName(m_window.get(), "Open a recording", folder);
    if (!path.isEmpty()) tryOpen(path);
}

void Desktop::saveScreenshot() {
    if (!m_session.isOpen()) return;
    const QString folder = screenshotFolder();
    const QString name = QString("%1_frame%2_%3.png")
                             .arg(QFileInfo(m_path).completeBaseName())
                             .arg(m_session.engine().mailbox().shownFrame() + 1, 3, 10, QChar('0'))
                             .arg(QDateTime::currentDateTime().toString("yyyyMMdd_hhmmss_zzz"));
    try {
        QDir().mkpath(folder);
        echolux::saveScreenshot(folder + "/" + name, m_view->grabImage(), screenshotRecord());
        m_window->messages().show(
            Severity::Info, "Screenshot saved: " + QDir::toNativeSeparators(folder + "/" + name));
    } catch (const std::exception& error) {
        failed(error.what());
    }
}

void Desktop::saveWindowShot(const QString& path) {
    echolux::saveScreenshot(path, m_window->grab().toImage(), screenshotRecord());
}

ScreenshotRecord Desktop::screenshotRecord() {
    ScreenshotRecord record;
    if (m_session.isOpen()) {
        record.sourceName = QFileInfo(m_path).fileName();
        record.sourceSha256 = m_hash.get();
        record.frame = m_session.engine().mailbox().shownFrame();
        record.pipeline = toFullConfig(*m_session.snapshot());
        if (m_openOptions.sidecar) {
            record.sidecar = QString::fromStdString(m_openOptions.sidecar->string());
        }
    }
    record.backend = QString::fromStdString(m_session.backend().device);
    record.display = m_window->display().settings();
    return record;
}

void Desktop::chooseScreenshotSettings() {
    const QString path = QFileDialog::getOpenFileName(
        m_window.get(), "Open a screenshot's settings", screenshotFolder(), "Screenshots (*.png)");
    if (path.isEmpty()) return;
    try {
        restoreScreenshot(path);
    } catch (const std::exception& error) {
        failed(error.what());
    }
}

void Desktop::restoreScreenshot(const QString& path) {
    const ScreenshotRecord record = readScreenshot(path);
    const bool isOpen =
        m_session.isOpen() && !record.sourceSha256.isEmpty() && m_hash.get() == record.sourceSha256;
    if (!isOpen) {
        const QStringList recent = settings().value("recent").toStringList();
        const auto found = std::ranges::find_if(recent, [&](const QString& file) {
            return QFileInfo(file).fileName() == record.sourceName &&
                   fileSha256(file) == record.sourceSha256;
        });
        if (found == recent.end()) {
            throw Error(("The screenshot shows " + record.sourceName +
                         ", which is neither open nor among the recent files; open that recording, "
                         "then the screenshot.")
                            .toStdString());
        }
        OpenOptions options;
        if (!record.sidecar.isEmpty()) options.sidecar = record.sidecar.toStdString();
        open(*found, options, record.pipeline);
    } else {
        m_session.applyPipeline(record.pipeline);
    }
    m_session.engine().player().freeze();
    m_session.engine().player().seek(record.frame);
    showStages();
    showPosition();
    m_window->display().setSettings(record.display);
    applyDisplay(record.display);
}

void Desktop::connectDisplay() {
    DisplayGroup& group = m_window->display();
    connect(&group, &DisplayGroup::edited, this,
            [this](const DisplayChoice& chosen) { applyDisplay(chosen); });
    connect(m_view, &ImageView::displayRangeChanged, &group, &DisplayGroup::setRange);
    connect(m_view, &ImageView::displayPathChanged, this, [this] {
        const auto path = m_view->displayPath();
        m_window->status().setDisplayPath(path.badge, path.reason,
                                          path.badge.startsWith("interop"));
    });
    connect(m_view, &ImageView::problemChanged, this, [this](const QString& sentence) {
        if (!sentence.isEmpty()) m_window->messages().show(Severity::Error, sentence);
    });
    connect(m_window.get(), &MainWindow::resetViewRequested, m_view, &ImageView::resetView);
    connect(m_window.get(), &MainWindow::autoRangeRequested, m_view, &ImageView::autoRange);
}

void Desktop::applyDisplay(const DisplayChoice& choice) {
    m_view->setColourMap(choice.colourMap, choice.inverted);
    m_view->setSmooth(choice.smooth);
    m_view->setGamma(choice.gamma);
    if (choice.min != m_view->displayMin() || choice.max != m_view->displayMax()) {
        m_view->setDisplayRange(choice.min, choice.max);
    }
}

void Desktop::rememberRecent(const QString& path) {
    if (!m_remember) return;
    QSettings store = settings();
    QStringList recent = store.value("recent").toStringList();
    const QString absolute = QFileInfo(path).absoluteFilePath();
    recent.removeAll(absolute);
    recent.prepend(absolute);
    while (recent.size() > kRecentFiles) recent.removeLast();
    store.setValue("recent", recent);
    m_window->setRecentFiles(recent);
}

void Desktop::restoreRemembered() {
    if (!m_remember) return;
    const QSettings store = settings();
    m_window->setRecentFiles(store.value("recent").toStringList());
    m_window->restoreGeometry(store.value("geometry").toByteArray());
    if (store.contains("layout")) m_window->restoreLayout(store.value("layout").toByteArray());
    DisplayChoice shown = m_window->display().settings();
    shown.colourMap = store.value("colour_map", shown.colourMap).toString();
    shown.inverted = store.value("inverted").toBool();
    shown.smooth = store.value("smooth", shown.smooth).toBool();
    shown.gamma = store.value("gamma", shown.gamma).toDouble();
    m_window->display().setSettings(shown);
    applyDisplay(shown);
    if (store.value("light_theme").toBool()) m_window->setTheme(ThemeKind::Light);
}

void Desktop::remember() {
    if (!m_remember) return;
    QSettings store = settings();
    store.setValue("layout", m_window->saveLayout());
    store.setValue("geometry", m_window->saveGeometry());
    const DisplayChoice& display = m_window->display().settings();
    store.setValue("smooth", display.smooth);
    store.setValue("gamma", display.gamma);
    store.setValue("colour_map", m_view->colourMapName());
    store.setValue("inverted", m_view->inverted());
    store.setValue("light_theme", Theme::instance().kind() == ThemeKind::Light);
}

QByteArray Desktop::statsJson() {
    QJsonObject root{
        {"backend", QString::fromStdString(std::string(nameOf(m_session.backend().backend)))},
        {"device", QString::fromStdString(m_session.backend().device)},
        {"display_path", m_view->displayPath().badge},
        {"display_path_reason", m_view->displayPath().reason}};
    if (m_session.isOpen()) {
        const Statistics now = m_session.engine().statistics();
        root["frames"] = QJsonObject{{"read", static_cast<qint64>(now.framesRead)},
                                     {"processed", static_cast<qint64>(now.framesProcessed)},
                                     {"shown", static_cast<qint64>(now.framesShown)},
                                     {"dropped", static_cast<qint64>(now.framesDropped)},
                                     {"late", static_cast<qint64>(now.framesLate)}};
        root["per_second"] = QJsonObject{
            {"read", now.readPerS}, {"processed", now.processedPerS}, {"shown", now.shownPerS}};
        root["megabytes_per_second"] = now.megabytesPerS;
        root["latency_ms"] = QJsonObject{{"median", now.latencyMedianMs},
                                         {"p99", now.latency99Ms},
                                         {"processing_median", now.processingMedianMs},
                                         {"waiting_median", now.waitingMedianMs},
                                         {"drawing_median", now.drawingMedianMs}};
        root["frame_ms"] = now.frameMs;
        root["upload_ms"] = now.uploadMs;
        QJsonObject stages;
        for (const StageDuration& stage : now.stages)
            stages[QString::fromStdString(stage.id)] = stage.ms;
        root["stage_ms"] = stages;
        root["copies_to_host"] = static_cast<qint64>(now.deviceToHostCopies);
        root["allocations"] = static_cast<qint64>(now.allocations);
        root["gpu_bytes"] = static_cast<qint64>(now.gpuBytesHeld);
    }
    return QJsonDocument(root).toJson();
}

} // namespace echolux
