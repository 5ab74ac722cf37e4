// SPDX-License-Identifier: GPL-3.0-or-later
// A desktop that shows the bundled recording, and patience.
#pragma once

#include "app/desktop/desktop.hpp"
#include "app/desktop/prepared_recording.hpp"
#include "app/desktop/recording_desk.hpp"
#include "app/desktop/workbench/background.hpp"
#include "app/session/session.hpp"
#include "tests/support/qt_application.hpp"
#include "tests/support/waiting.hpp"
#include "ui/views/image_view.hpp"
#include "ui/window/main_window.hpp"
#include "ui/window/transport_bar.hpp"

#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <array>
#include <string>

namespace echolux::testing_support {

inline const QString kCine = QStringLiteral(ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5");

/// A recording that comes with the program.
inline OpenRequest bundled(const char* name) {
    return OpenRequest{std::string(ECHOLUX_SOURCE_DIR "/testdata/") + name};
}

/// The bundled matrix array in voxels that are imaged fast.
inline OpenRequest coarseMatrixArray() {
    OpenRequest request = bundled("volume_echoes.h5");
    request.choosePipeline = [](const FrameSpec& raw) {
        PipelineConfig config = defaultPipeline(raw);
        for (StageConfig& stage : config.stages) {
            if (stage.type != "beamform") continue;
            stage.values.emplace_back("pixel_lateral", 1e-3);
            stage.values.emplace_back("pixel_elevation", 1e-3);
        }
        return config;
    };
    return request;
}

inline void writeFile(const QString& path, const QByteArray& text) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("no file");
}

struct OpenWindow {
    /// Makes the application before the first widget.
    struct Application {
        Application() { application(); }
    } qt;
    Desktop desktop;
    QSignalSpy presented{&desktop.view(), &ImageView::framePresented};

    explicit OpenWindow(const OpenRequest& request = OpenRequest{kCine.toStdString()},
                        bool remember = false, Backend backend = Backend::Cpu)
        : desktop(chooseBackend(nameOf(backend)), remember) {
        desktop.window().resize(1280, 800);
        desktop.window().show();
        if (!request.file.empty())
            desktop.recordings().adopt(prepareRecording(request, backend), request);
    }
    bool showsFrames(qsizetype count) {
        return comesTrue([&] { return presented.count() >= count; });
    }
    bool showsMoreFrames(qsizetype count) { return showsFrames(presented.count() + count); }
    /// Freezes, and waits until the last frame that was read is on screen.
    bool freezes() {
        emit desktop.window().transport().playToggled(false);
        Engine& engine = desktop.session().engine();
        return comesTrue(
            [&] { return engine.mailbox().shownFrame() == engine.player().state().position; });
    }
    bool isAtWork() {
        using Kind = Background::Kind;
        return std::ranges::any_of(
            std::array{Kind::Opening, Kind::Saving, Kind::Exporting, Kind::Quiet},
            [&](Kind kind) { return !desktop.background().underWay(kind).isEmpty(); });
    }
    /// Waits until the image of the last frame and of the last edit is on screen and no tool is at
    /// work. Precondition: frozen.
    bool rests() {
        return comesTrue([&] {
            settle();
            Engine& engine = desktop.session().engine();
            return !isAtWork() && engine.mailbox().shownEdit() == engine.edits() &&
                   engine.mailbox().shownFrame() == engine.player().state().position;
        });
    }
    /// Waits for the opening under way.
    bool openingEnds() {
        return comesTrue([&] { return !desktop.background().isOpening(); });
    }
    double value(const char* stage, const char* key) {
        return std::get<double>(desktop.session().snapshot()->stage(stage).params.get(key));
    }
    double speedOfSound() { return value("beamform", "speed_of_sound"); }
    std::string openFile() { return desktop.session().engine().info().path.filename().string(); }
};

} // namespace echolux::testing_support
