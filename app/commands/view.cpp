// SPDX-License-Identifier: GPL-3.0-or-later
// echolux view: the window.
#include "app/commands/commands.hpp"
#include "app/commands/options.hpp"
#include "app/desktop/desktop.hpp"
#include "gpu/core/error.hpp"
#include "ui/main_window.hpp"

#include <CLI/CLI.hpp>
#include <QApplication>
#include <QSaveFile>
#include <QTimer>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

namespace echolux {
namespace {

struct ViewOptions {
    ImagingOptions imaging;
    double exitAfterS = 0.0;
    std::string screenshot;
    std::string stats;
    std::string size;
    double speed = 1.0;
};

void checkDisplay() {
    const auto isSet = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    if (!isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY") && !isSet("QT_QPA_PLATFORM")) {
        throw Error("There is no display to open a window on; start it in a desktop session, or on "
                    "a virtual display "
                    "with 'xvfb-run echolux view'.");
    }
}

void resizeTo(MainWindow& window, const std::string& size) {
    int width = 0;
    int height = 0;
    char tail = '\0';
    if (std::sscanf(size.c_str(), "%dx%d%c", &width, &height, &tail) != 2 || width < 1 ||
        height < 1) {
        throw Error(
            fmt::format("'{}' is no window size; write WIDTHxHEIGHT, for example 1280x800.", size));
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

void view(const ViewOptions& options) {
    checkDisplay();
    int argc = 1;
    char name[] = "echolux";
    char* argv[] = {name, nullptr};
    const QApplication application(argc, argv);
    QApplication::setApplicationName("Echolux");

    // A window that closes itself is a measurement: it neither reads nor changes what people
    // arranged.
    const bool isMeasurement = options.exitAfterS > 0.0;
    Desktop desktop(chooseBackend(options.imaging.backend), !isMeasurement);
    if (!options.size.empty()) resizeTo(desktop.window(), options.size);
    desktop.showWindow();
    if (!options.imaging.file.empty()) {
        const OpenOptions open = options.imaging.openOptions();
        std::optional<PipelineConfig> config;
        if (options.imaging.choosesPipeline()) {
            config =
                options.imaging.config(openRecording(options.imaging.file, open)->info().frame);
        }
        desktop.open(QString::fromStdString(options.imaging.file), open, config);
        desktop.setSpeed(options.speed);
    }
    std::string failure;
    if (isMeasurement) {
        QTimer::singleShot(static_cast<int>(options.exitAfterS * 1000.0), &desktop, [&] {
            try {
                if (!options.stats.empty()) writeText(options.stats, desktop.statsJson());
                if (!options.screenshot.empty())
                    desktop.saveWindowShot(QString::fromStdString(options.screenshot));
            } catch (const std::exception& error) {
                failure = error.what();
            }
            QApplication::quit();
        });
    }
    QApplication::exec();
    if (!failure.empty()) throw Error(failure);
}

} // namespace

void addView(CLI::App& app) {
    auto options = std::make_shared<ViewOptions>();
    CLI::App* command = app.add_subcommand("view", "Open the window, playing a recording live");
    options->imaging.addTo(*command, false);
    auto* exitAfter =
        command->add_option("--exit-after", options->exitAfterS, "Close after so many seconds")
            ->check(CLI::PositiveNumber);
    command
        ->add_option("--screenshot", options->screenshot,
                     "On closing: PNG of the window, with all settings")
        ->needs(exitAfter);
    command->add_option("--stats", options->stats, "On closing: JSON of the readouts")
        ->needs(exitAfter);
    command->add_option("--size", options->size, "Size of the window, WIDTHxHEIGHT");
    command
        ->add_option("--speed", options->speed, "Times the recorded rate; 0 = as fast as possible")
        ->check(CLI::NonNegativeNumber);
    command->callback([options] { view(*options); });
}

} // namespace echolux
