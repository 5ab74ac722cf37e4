// SPDX-License-Identifier: GPL-3.0-or-later
// The window from start to end.
#include "app/desktop/run_window.hpp"

#include "app/desktop/desktop.hpp"
#include "gpu/core/error.hpp"
#include "ui/main_window.hpp"
#include "ui/theme.hpp"

#include <QApplication>
#include <QSaveFile>
#include <QTimer>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

namespace echolux {
namespace {

void checkDisplay() {
    const auto isSet = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    if (!isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY") && !isSet("QT_QPA_PLATFORM")) {
        throw Error("There is no display to open a window on; start it in a desktop session, or on "
                    "a virtual display with 'xvfb-run echolux view'.");
    }
}

void resizeTo(MainWindow& window, const std::string& size) {
    int width = 0;
    int height = 0;
    char tail = '\0';
    if (std::sscanf(size.c_str(), "%dx%d%c", &width, &height, &tail) != 2 || width < 320 ||
        height < 240 || width > 16384 || height > 16384) {
        throw Error(fmt::format("'{}' is no window size; write WIDTHxHEIGHT from 320x240 to "
                                "16384x16384, for example 1280x800.",
                                size));
    }
    window.resize(width, height);
}

void writeText(const std::string& path, const QByteArray& text) {
    QSaveFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit()) {
        throw Error(
            fmt::format("{} cannot be written; check the folder and its permissions.", path));
    }
}

} // namespace

void runWindow(const WindowRun& run) {
    checkDisplay();
    int argc = 1;
    char name[] = "echolux";
    char* argv[] = {name, nullptr};
    const QApplication application(argc, argv);
    QApplication::setApplicationName("Echolux");
    Theme::instance().apply(ThemeKind::Dark);

    // A window that closes itself is a measurement: it neither reads nor changes what people
    // arranged.
    const bool isMeasurement = run.exitAfterS > 0.0;
    Desktop desktop(run.backend, !isMeasurement);
    if (!run.size.empty()) resizeTo(desktop.window(), run.size);
    desktop.showWindow();
    if (!run.file.empty()) {
        desktop.open(QString::fromStdString(run.file), run.open, run.pipeline);
        desktop.setSpeed(run.speed);
    }
    std::string failure;
    if (isMeasurement) {
        QTimer::singleShot(static_cast<int>(run.exitAfterS * 1000.0), &desktop, [&] {
            try {
                if (!run.stats.empty()) writeText(run.stats, desktop.statsJson());
                if (!run.screenshot.empty())
                    desktop.saveWindowShot(QString::fromStdString(run.screenshot));
            } catch (const std::exception& error) {
                failure = error.what();
            }
            QApplication::quit();
        });
    }
    QApplication::exec();
    if (!failure.empty()) throw Error(failure);
}

} // namespace echolux
