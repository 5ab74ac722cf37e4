// SPDX-License-Identifier: GPL-3.0-or-later
// A picture of each dock, dialog and pipeline, in both themes, against tests/desktop/pictures.
// Where something looks different by intention, run this test with ECHOLUX_NEW_PICTURES=1 and look
// at what it wrote.
#include "app/desktop/statistics_desk.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/dialogs/command_palette.hpp"
#include "ui/dialogs/help_window.hpp"
#include "ui/dialogs/message_log.hpp"
#include "ui/dialogs/name_dialog.hpp"
#include "ui/dialogs/record_dialog.hpp"
#include "ui/dialogs/shortcut_sheet.hpp"
#include "ui/theme/theme.hpp"
#include "ui/views/view_area.hpp"
#include "ui/views/volume_view.hpp"
#include "ui/window/keys_of.hpp"

#include <QAction>
#include <QApplication>
#include <QDateTime>
#include <QDir>
#include <QDockWidget>
#include <QFontInfo>
#include <QImage>
#include <QLibraryInfo>
#include <QLineEdit>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace echolux {
namespace {

using testing_support::bundled;
using testing_support::comesTrue;
using testing_support::OpenWindow;
using testing_support::settle;

/// Fonts and widgets of another release of Qt look different.
constexpr const char* kQtOfPictures = "6.4";
constexpr const char* kFontsOfPictures = "DejaVu";
/// A channel of a pixel may differ by this much, and so many pixels more than that: processors
/// round differently.
constexpr int kMostAway = 24;
constexpr double kMostDifferent = 0.002;

/// Part of a dock's pixels that may differ. Some docks have numbers of this machine and moment.
double mostDifferentOf(const QString& dock) {
    if (dock == "performance" || dock == "prediction" || dock == "live_source") return 0.08;
    return dock == "graph" || dock == "aberration" ? 0.01 : kMostDifferent;
}

double differentPart(const QImage& a, const QImage& b) {
    if (a.size() != b.size()) return 1.0;
    qsizetype different = 0;
    for (int y = 0; y < a.height(); ++y) {
        const auto* left = reinterpret_cast<const QRgb*>(a.constScanLine(y));
        const auto* right = reinterpret_cast<const QRgb*>(b.constScanLine(y));
        for (int x = 0; x < a.width(); ++x) {
            const int away = std::max({std::abs(qRed(left[x]) - qRed(right[x])),
                                       std::abs(qGreen(left[x]) - qGreen(right[x])),
                                       std::abs(qBlue(left[x]) - qBlue(right[x]))});
            different += away > kMostAway ? 1 : 0;
        }
    }
    return static_cast<double>(different) / std::max(1, a.width() * a.height());
}

/// At a frame that is always the same, with a column and a pixel that are picked.
struct StillWindow : OpenWindow {
    StillWindow(const OpenRequest& request, ThemeKind theme) : OpenWindow(request) {
        desktop.window().setTheme(theme);
    }
    /// Images the first frames one after the other, so that what is gathered over frames is the
    /// same each time.
    bool standsAfter(std::int64_t frames) {
        if (!showsFrames(1) || !freezes()) return false;
        for (std::int64_t frame = 0; frame < frames; ++frame) {
            emit desktop.window().transport().seekRequested(frame);
            if (!rests()) return false;
        }
        return true;
    }
    void pick(double lateral, double depth) {
        ImageView& view = desktop.view();
        const Vec2 at = view.view().toPixel({lateral, depth});
        QTest::mouseClick(&view, Qt::LeftButton, {}, QPointF(at.x, at.y).toPoint());
    }
};

class Pictures : public testing::TestWithParam<ThemeKind> {
protected:
    void SetUp() override {
        testing_support::application();
        const QVersionNumber qt = QLibraryInfo::version();
        if (fmt::format("{}.{}", qt.majorVersion(), qt.minorVersion()) != kQtOfPictures)
            GTEST_SKIP() << "The pictures are of Qt " << kQtOfPictures << ".";
        for (const QFont& font : {QApplication::font(), QFont("Helvetica"), QFont("monospace")})
            if (!QFontInfo(font).family().startsWith(kFontsOfPictures))
                GTEST_SKIP() << "The pictures are with fonts of " << kFontsOfPictures << ".";
    }
    static QString theme() { return GetParam() == ThemeKind::Dark ? "dark" : "light"; }

    static void looksAlone(StillWindow& window, QDockWidget& dock) {
        dock.setFloating(true);
        dock.show();
        dock.resize(420, 640);
        looks(window, *dock.widget(), "dock_" + dock.objectName(),
              mostDifferentOf(dock.objectName()));
        dock.hide();
    }

    /// Waits until the widget, at half its size, looks like its picture. What is drawn may come
    /// late; what comes stays. `most`: part of the pixels that may differ.
    static void looks(StillWindow& window, QWidget& widget, const QString& name,
                      double most = kMostDifferent) {
        const auto now = [&] {
            window.desktop.statistics().measure(); // tools follow
            settle();
            const QImage shown = widget.grab().toImage();
            return shown.scaledToWidth(shown.width() / 2, Qt::SmoothTransformation)
                .convertToFormat(QImage::Format_RGB32);
        };
        const QString folder =
            QString(ECHOLUX_SOURCE_DIR "/tests/desktop/pictures/%1/").arg(theme());
        if (std::getenv("ECHOLUX_NEW_PICTURES") != nullptr) {
            for (int i = 0; i < 30; ++i, QTest::qWait(100)) now();
            QDir().mkpath(folder);
            ASSERT_TRUE(now().save(folder + name + ".png", "PNG", 0)); // as small as it can be
            return;
        }
        const QImage wanted = QImage(folder + name + ".png").convertToFormat(QImage::Format_RGB32);
        ASSERT_FALSE(wanted.isNull()) << name.toStdString() << " has no picture";
        QImage shown;
        if (comesTrue([&] {
                shown = now();
                return differentPart(shown, wanted) <= most;
            }))
            return;
        const QString left = QDir::temp().filePath(QString("echolux-%1-%2.png").arg(theme(), name));
        shown.save(left);
        ADD_FAILURE() << name.toStdString() << ": " << 100.0 * differentPart(shown, wanted)
                      << " % of the pixels differ; see " << left.toStdString();
    }
};

/// A pipeline and the recording that it is shown with.
struct Scene {
    const char* recording;
    const char* pipeline = ""; ///< empty: the one that suits the recording
    std::int64_t frames = 4;
};

OpenRequest requestOf(const Scene& scene) {
    OpenRequest request = bundled(scene.recording);
    if (*scene.pipeline != '\0') request.pipeline = shippedPipeline(scene.pipeline);
    return request;
}

struct Docked {
    Scene scene;
    QStringList docks;
};

const std::vector<Docked> kDocked{
    {{"phantom_cine.echolux.h5"},
     {"parameters", "plots", "performance", "graph", "pipeline_text", "delay_curve",
      "contributions", "beam_shape", "transmits", "filter_lab", "sound_speed", "histogram",
      "prediction", "measurements"}},
    {{"aberrated_cine.echolux.h5", "aberration"}, {"aberration"}},
    {{"vessel_flow.echolux.h5", "colour_flow_svd"}, {"singular_values"}},
    {{"vessel_flow.echolux.h5", "spectral_doppler", 32}, {"waveform", "doppler_sound"}}};

TEST_P(Pictures, OfDocks) {
    for (const Docked& docked : kDocked) {
        StillWindow window(requestOf(docked.scene), GetParam());
        ASSERT_TRUE(window.standsAfter(docked.scene.frames));
        window.pick(0.0, 20.0);
        for (const QString& name : docked.docks) {
            auto* dock = window.desktop.window().findChild<QDockWidget*>(name);
            ASSERT_NE(dock, nullptr) << name.toStdString();
            looksAlone(window, *dock);
        }
    }
}

TEST_P(Pictures, OfTheDockOfALiveSource) {
    StillWindow window(OpenRequest{"simulator:echoes?elements=16&waves=1&depth=15&rate=200"},
                       GetParam());
    ASSERT_TRUE(window.showsFrames(1) && window.freezes());
    auto* dock = window.desktop.window().findChild<QDockWidget*>("live_source");
    ASSERT_NE(dock, nullptr);
    looksAlone(window, *dock);
}

/// The dialog that an entry of the menus opens. Null: there is none.
QWidget* opened(StillWindow& window, const QString& entry) {
    for (QAction* each : window.desktop.window().findChildren<QAction*>()) {
        if (each->text() != entry || !each->isEnabled()) continue;
        each->trigger();
        break;
    }
    QWidget* dialog = nullptr;
    comesTrue([&] {
        window.desktop.statistics().measure();
        for (QWidget* each : QApplication::topLevelWidgets())
            if (each->isVisible() && each != &window.desktop.window()) dialog = each;
        return dialog != nullptr;
    });
    return dialog;
}

const QString kHelpPage =
    "# Gates\n\nA *gate* is a part of a line. `echolux help flow` shows more:\n\n"
    "| gate | length |\n|---|---|\n| narrow | 1 mm |\n| wide | 4 mm |\n\n    echolux view\n";

TEST_P(Pictures, OfDialogs) {
    StillWindow window(bundled("phantom_cine.echolux.h5"), GetParam());
    ASSERT_TRUE(window.standsAfter(1));
    const auto shows = [&](QWidget* dialog, const QString& name, double most = kMostDifferent) {
        ASSERT_NE(dialog, nullptr) << name.toStdString();
        dialog->show();
        looks(window, *dialog, "dialog_" + name, most);
        dialog->close();
        settle();
    };
    shows(opened(window, QStringLiteral("&Export\u2026")), "export", 0.01); // it has a path
    shows(opened(window, QStringLiteral("Figure\u2026")), "figure");
    ShortcutSheet keys(keysOf(window.desktop.window()), nullptr);
    shows(&keys, "shortcuts");
    CommandPalette palette(commandsOf(window.desktop.window()), nullptr);
    palette.findChild<QLineEdit*>()->setText("theme"); // further commands do not change the picture
    shows(&palette, "commands");
    RecordDialog record({.folder = "/recordings"}, nullptr);
    shows(&record, "record");
    auto* preset = new NameDialog("Save the preset", "Name of the preset:", {"carotid"}, nullptr);
    shows(preset, "name");
    MessageLog log;
    log.add(QDateTime(QDate(2026, 1, 2), QTime(3, 4, 5)), "Warning", "Frames were lost.");
    shows(&log, "messages");
    HelpWindow help({{"gates", "Gates", kHelpPage}});
    shows(&help, "help");
    StillWindow spectra(bundled("retina_cine.echolux.h5"), GetParam());
    ASSERT_TRUE(spectra.standsAfter(1));
    window.desktop.window().hide();
    shows(opened(spectra, QStringLiteral("Find &dispersion\u2026")), "dispersion");
}

const std::vector<Scene> kViewed{{"phantom_cine.echolux.h5"},
                                 {"sector.h5"},
                                 {"retina_cine.echolux.h5"},
                                 {"phantom_cine.echolux.h5", "compounding"},
                                 {"aberrated_cine.echolux.h5", "aberration"},
                                 {"vessel_flow.echolux.h5", "colour_flow"},
                                 {"vessel_flow.echolux.h5", "spectral_doppler", 32},
                                 {"vessel_flow.echolux.h5", "m_mode", 32},
                                 {"vessels_oct.echolux.h5", "oct_angiography"}};

TEST_P(Pictures, OfVolumes) {
    if (GetParam() == ThemeKind::Light) GTEST_SKIP() << "Images stand on black in both themes.";
    StillWindow window(bundled("retina_volume.echolux.h5"), GetParam());
    ASSERT_TRUE(window.standsAfter(1));
    emit window.desktop.window().transport().seekRequested(20);
    const auto isFilledIn = [&] {
        return window.desktop.views().volume().hasVolume() &&
               !window.desktop.session().engine().volumeProgress();
    };
    ASSERT_TRUE(window.rests() && comesTrue(isFilledIn) && window.rests());
    looks(window, window.desktop.views(), "views_retina_volume", 0.01); // rays round differently
}

TEST_P(Pictures, OfViews) {
    if (GetParam() == ThemeKind::Light) GTEST_SKIP() << "Images stand on black in both themes.";
    for (const Scene& scene : kViewed) {
        StillWindow window(requestOf(scene), GetParam());
        ASSERT_TRUE(window.standsAfter(scene.frames));
        const QString name = *scene.pipeline != '\0' ? scene.pipeline : scene.recording;
        looks(window, window.desktop.views(), "views_" + name.section('.', 0, 0));
    }
}

INSTANTIATE_TEST_SUITE_P(Themes, Pictures, testing::Values(ThemeKind::Dark, ThemeKind::Light),
                         [](const auto& made) {
                             return made.param == ThemeKind::Dark ? "Dark" : "Light";
                         });

} // namespace
} // namespace echolux
