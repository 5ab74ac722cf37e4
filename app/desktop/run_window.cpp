// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the window from start to end.
#include "app/desktop/run_window.hpp"

#include "app/dataset/recording/headerless_data.hpp"
#include "app/desktop/control_desk.hpp"
#include "app/desktop/desktop.hpp"
#include "app/desktop/file_desk.hpp"
#include "app/desktop/playback_desk.hpp"
#include "app/desktop/prepared_recording.hpp"
#include "app/desktop/publish_desk.hpp"
#include "app/desktop/recording_desk.hpp"
#include "app/desktop/screenshot_desk.hpp"
#include "app/desktop/session_desk.hpp"
#include "app/desktop/statistics_desk.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/failure_text.hpp"
#include "gpu/core/whole_file.hpp"
#include "ui/theme/theme.hpp"
#include "ui/views/image_view.hpp"
#include "ui/window/main_window.hpp"

#include <QApplication>
#include <QDir>
#include <QIcon>
#include <QSize>
#include <QTimer>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <optional>
#include <utility>

namespace echolux {
namespace {

using namespace std::chrono_literals;

/// Nearly every bad file is found within this time. A good file may take longer; then its progress
/// is shown.
constexpr std::chrono::milliseconds kPatience = 1s;
constexpr std::chrono::milliseconds kForever = 24h;

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

std::optional<QSize> parseSize(const std::string& size) {
    if (size.empty()) return std::nullopt;
    int width = 0;
    int height = 0;
    char tail = '\0';
    if (std::sscanf(size.c_str(), "%dx%d%c", &width, &height, &tail) != 2 || width < 320 ||
        height < 240 || width > 16384 || height > 16384) {
        throw Error(fmt::format("'{}' is no window size; write WIDTHxHEIGHT from 320x240 to "
                                "16384x16384, for example 1280x800.",
                                size));
    }
    return QSize(width, height);
}

/// True where the file is a session, or a screenshot whose settings are to be restored: no
/// pipeline, sidecar or calibration is given, and the window does not close by itself.
bool bringsSettings(const WindowRun& run) {
    const OpenRequest& asked = run.recording;
    const QString path = QString::fromStdString(asked.file.string());
    if (isSession(path)) return true;
    return !asked.file.empty() && run.exitAfterS == 0.0 && !asked.choosePipeline &&
           !asked.options.sidecar && !asked.options.calibration && isScreenshot(path);
}

/// The recording that was asked for, which is prepared while the window is made.
class FirstRecording {
public:
    /// `isMeasurement`: nobody can stop the opening, so it does not wait for a source.
    FirstRecording(const WindowRun& run, bool isMeasurement)
        : m_request(run.recording), m_speed(run.speed),
          m_prepared(std::async(
              std::launch::async,
              [place = EnginePlace(run.backend.backend, run.backend.gpu, run.inFlight),
               isMeasurement, this] {
                  return prepareRecording(m_request, place,
                                          isMeasurement ? std::stop_token() : m_giveUp.get_token());
              })) {}
    ~FirstRecording() { m_giveUp.request_stop(); }

    /// Throws Error where the file proves bad within that time. For data that a user can describe
    /// it throws only where `nobodyAnswers`.
    void waitFor(std::chrono::milliseconds patience, bool nobodyAnswers) {
        if (m_prepared.wait_for(patience) != std::future_status::ready) return;
        try {
            m_ready = m_prepared.get();
        } catch (const HeaderlessData&) {
            if (nobodyAnswers) throw;
            m_headerless = true;
        } catch (const UndescribedData&) {
            if (nobodyAnswers) throw;
            m_undescribed = true;
        }
    }
    void showIn(Desktop& desktop, std::string& failure) {
        if (m_headerless) {
            desktop.files().askHowStored(m_request);
        } else if (m_undescribed) {
            desktop.files().open(m_request);
        } else if (m_ready) {
            adopt(desktop, *m_ready);
        } else {
            follow(desktop, failure);
        }
    }

private:
    void follow(Desktop& desktop, std::string& failure) {
        desktop.background().start(
            Background::Kind::Opening, QString::fromStdString(m_request.openingText()),
            [this, &desktop, &failure](const std::stop_token& stop) -> Background::Finish {
                const std::stop_callback passOn(stop, [this] { m_giveUp.request_stop(); });
                try {
                    const auto prepared = std::make_shared<PreparedEngine>(m_prepared.get());
                    return [this, &desktop, prepared] { adopt(desktop, *prepared); };
                } catch (const HeaderlessData&) {
                    return [this, &desktop] { desktop.files().askHowStored(m_request); };
                } catch (const UndescribedData&) {
                    return [this, &desktop] { desktop.files().open(m_request); };
                } catch (const std::exception& error) {
                    return [&failure, sentence = failureText(error)] {
                        failure = sentence;
                        QApplication::quit();
                    };
                }
            });
    }
    void adopt(Desktop& desktop, PreparedEngine& prepared) {
        if (!prepared.engine) return;
        desktop.recordings().adopt(std::move(prepared), m_request);
        desktop.playback().setSpeed(m_speed);
    }

    OpenRequest m_request;
    double m_speed;
    std::stop_source m_giveUp;
    bool m_headerless = false;
    bool m_undescribed = false; ///< arrays without a description: the window asks for one
    std::optional<PreparedEngine> m_ready;
    std::future<PreparedEngine> m_prepared; ///< last member: it reads the ones above
};

/// After the first image, or at once where nothing is opened.
void runCommands(Desktop& desktop, const WindowRun& run, std::string& failure) {
    const auto work = [&] {
        const auto from = desktop.sessions().sender(QDir::currentPath());
        try {
            for (const std::string& line : run.commands)
                desktop.sessions().add(parseEntry(line), from, [&failure](const QString& problem) {
                    if (problem.isEmpty() || !failure.empty()) return;
                    failure = problem.toStdString();
                    QApplication::quit();
                });
        } catch (const std::exception& error) {
            failure = failureText(error);
            QApplication::quit();
        }
    };
    if (run.recording.file.empty()) {
        QTimer::singleShot(0, &desktop, work);
        return;
    }
    // NOTE: queued, because the signal comes while painting.
    QObject::connect(
        &desktop.view(), &ImageView::framePresented, &desktop, work,
        static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
}

} // namespace

void runWindow(const WindowRun& run) {
    checkDisplay();
    const std::optional<QSize> size = parseSize(run.size);
    // A window that closes by itself is a measurement. It neither reads nor changes the user's
    // settings, and its time begins with the first image.
    const bool isMeasurement = run.exitAfterS > 0.0;
    std::string failure;
    std::optional<FirstRecording> first;
    const bool isRestoring = bringsSettings(run);
    if (!run.recording.file.empty() && !isRestoring) {
        first.emplace(run, isMeasurement);
        first->waitFor(isMeasurement ? kForever : kPatience, isMeasurement);
    }

    int argc = 1;
    char name[] = "echolux";
    char* argv[] = {name, nullptr};
    const QApplication application(argc, argv);
    QApplication::setApplicationName("Echolux");
    QApplication::setApplicationVersion(QString::fromStdString(run.version));
    QApplication::setDesktopFileName("org.echolux.Echolux");
    QApplication::setWindowIcon(QIcon(":/echolux.svg"));
    Theme::instance().apply(ThemeKind::Dark);
    Desktop desktop(run.backend, !isMeasurement, run.inFlight);
    for (const std::string& address : run.publish) desktop.publishing().publish(address);
    for (const std::string& address : run.listen) desktop.control().listen(address);
    if (size) desktop.window().resize(*size);
    desktop.window().show();
    if (first) first->showIn(desktop, failure);
    if (!run.session.empty()) desktop.sessions().record(QString::fromStdString(run.session));
    if (!run.commands.empty()) runCommands(desktop, run, failure);
    if (isRestoring) desktop.files().open(QString::fromStdString(run.recording.file.string()));
    if (isMeasurement) {
        QTimer::singleShot(static_cast<int>(run.exitAfterS * 1000.0), &desktop, [&] {
            try {
                if (!run.stats.empty())
                    writeWhole(run.stats, desktop.statistics().statsJson().toStdString());
                if (!run.screenshot.empty())
                    desktop.screenshots().saveWindow(QString::fromStdString(run.screenshot));
            } catch (const std::exception& error) {
                failure = failureText(error);
            }
            QApplication::quit();
        });
    }
    QApplication::exec();
    if (!failure.empty()) throw Error(failure);
}

} // namespace echolux
