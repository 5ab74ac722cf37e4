// SPDX-License-Identifier: GPL-3.0-or-later
// Views of plugins in the window: their docks, the very pixels that reach them, and views that
// fail.
#include "app/desktop/pipeline_desk.hpp"
#include "app/desktop/plugin_desk.hpp"
#include "app/desktop/statistics_desk.hpp"
#include "app/pipeline/plugin_consents.hpp"
#include "app/pipeline/runner.hpp"
#include "app/session/pixels_look.hpp"
#include "app/session/plugin_views.hpp"
#include "app/tools/plugin_views/plot.hpp"
#include "tests/desktop/open_window.hpp"
#include "tests/support/temporary_folder.hpp"
#include "ui/window/message_bar.hpp"

#include <QComboBox>
#include <QDockWidget>
#include <gmock/gmock.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <string>
#include <vector>

namespace echolux {
namespace {

namespace fs = std::filesystem;
using namespace testing_support;

/// NOTE: plugins stay loaded. Each test loads copies of its own, and takes their views back.
class PluginViewsInTheWindow : public testing::Test {
protected:
    PluginViewsInTheWindow() {
        setenv("XDG_CONFIG_HOME", m_folder.path().c_str(), 1); // NOLINT: before threads begin
    }
    ~PluginViewsInTheWindow() override {
        for (const fs::path& each : m_loaded) takeViews({}, each.string())();
    }
    /// Makes another file of it that does the same.
    static void change(const fs::path& library) {
        static int made = 0;
        std::string bytes;
        {
            std::ifstream file(library, std::ios::binary);
            bytes.assign(std::istreambuf_iterator<char>(file), {});
        }
        fs::remove(library);
        std::ofstream(library, std::ios::binary) << bytes << "copy " << ++made << ' ' << getpid();
    }
    /// Waits until the dock of this view, the plugin's last one, has come to the front.
    fs::path load(OpenWindow& window, const char* plugin, const char* view) {
        const fs::path library = m_folder / fs::path(plugin).filename();
        fs::copy(plugin, library);
        change(library);
        PluginConsents().allow({readPlugin(library).sha256, library});
        m_loaded.push_back(library);
        window.desktop.plugins().load(QString::fromStdString(library.string()));
        EXPECT_TRUE(comesTrue([&] {
            const QDockWidget* front = dock(window, view);
            return front != nullptr && !front->visibleRegion().isEmpty();
        }));
        return library;
    }
    static QDockWidget* dock(OpenWindow& window, const char* view) {
        return window.desktop.window().findChild<QDockWidget*>(QString("plugin_view.") + view);
    }
    static ViewPlot& plot(OpenWindow& window, const char* view) {
        return *dock(window, view)->findChild<ViewPlot*>();
    }
    /// In front of the other tabs.
    static ViewPlot& bring(OpenWindow& window, const char* view) {
        dock(window, view)->show();
        dock(window, view)->raise();
        return plot(window, view);
    }
    static QString message(OpenWindow& window) { return window.desktop.window().messages().text(); }
    test::TemporaryFolder m_folder;
    std::vector<fs::path> m_loaded;
};

/// What the pipeline makes of the shown frame for a view, computed beside the window.
std::vector<float> imageOf(Session& session, std::size_t view = 0) {
    const Engine::RawCopy raw = session.engine().copyShownRaw();
    const SnapshotPtr snapshot = session.snapshot();
    std::vector<std::vector<float>> images;
    FrameJob job{.raw = raw.bytes.data()};
    for (std::size_t i = 0; i < snapshot->views.size(); ++i) {
        const FrameSpec& spec = snapshot->outputOf(snapshot->views[i].source);
        images.emplace_back(static_cast<std::size_t>(spec.count()));
        job.targets[i] = ViewTarget{images.back().data()};
    }
    Runner runner(Backend::Cpu, 1);
    runner.apply(snapshot);
    runner.wait(runner.enqueue(job));
    return images[view];
}

bool shows(const ViewPlot& plot, const std::vector<float>& image) {
    const QImage& shown = plot.picture().image;
    const std::size_t bytes = image.size() * sizeof(float);
    return static_cast<std::size_t>(shown.sizeInBytes()) == bytes &&
           std::memcmp(shown.constBits(), image.data(), bytes) == 0;
}

/// The mirror's curve says it, in radians.
long timesDrawn(const ViewPlot& mirror) {
    const auto& curves = mirror.picture().curves;
    return curves.isEmpty() ? 0 : std::lround(curves[0].y[0] * std::numbers::pi / 180.0);
}

constexpr const char* kEnvelope = "version = 3\n[[stage]]\ntype = \"to_float\"\n"
                                  "[[stage]]\ntype = \"analytic\"\n"
                                  "[[stage]]\ntype = \"beamform\"\n"
                                  "[[stage]]\ntype = \"envelope\"\n";

TEST_F(PluginViewsInTheWindow, GetTheVeryPixelsOfTheShownImage) {
    const QString pipeline = QString::fromStdString((m_folder / "envelope.toml").string());
    writeFile(pipeline, kEnvelope);
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    window.desktop.pipelines().open(pipeline);
    ASSERT_TRUE(window.freezes());
    ASSERT_TRUE(window.rests());
    load(window, ECHOLUX_MIRROR_PLUGIN, "mirror");
    EXPECT_TRUE(message(window).contains("Loaded the plugin Mirror 1.0: 1 view."))
        << message(window).toStdString();
    ViewPlot& mirror = plot(window, "mirror");
    const std::vector<float> image = imageOf(window.desktop.session());
    ASSERT_TRUE(comesTrue([&] { return shows(mirror, image); }));
    EXPECT_EQ(mirror.picture().across.label, "across (mm)");
    EXPECT_DOUBLE_EQ(mirror.picture().across.to, 20.0);
    EXPECT_EQ(mirror.picture().up.label.toStdString(), "turn (\u00b0)");
    EXPECT_TRUE(mirror.plot().yAxis->rangeReversed());
    EXPECT_TRUE(comesTrue([&] {
        return mirror.picture().caption ==
               QString("room %1 x %2").arg(mirror.room().width()).arg(mirror.room().height());
    })) << mirror.picture().caption.toStdString();

    Player& player = window.desktop.session().engine().player();
    player.seek((player.state().position + 10) % 32);
    ASSERT_TRUE(window.rests());
    const std::vector<float> next = imageOf(window.desktop.session());
    EXPECT_NE(next, image);
    EXPECT_TRUE(comesTrue([&] { return shows(mirror, next); }));
}

TEST_F(PluginViewsInTheWindow, DrawTheOutputThatTheyNameOrTheOneThatTheUserChooses) {
    const QString pipeline = QString::fromStdString((m_folder / "two_views.toml").string());
    writeFile(pipeline, QByteArray(kEnvelope) + "[[stage]]\ntype = \"log_compression\"\n"
                                                "[[view]]\nid = \"levels\"\n"
                                                "input = \"log_compression\"\n"
                                                "[[view]]\nid = \"amplitudes\"\n"
                                                "input = \"envelope\"\n");
    OpenWindow window;
    ASSERT_TRUE(window.freezes());
    load(window, ECHOLUX_ENVELOPE_VIEW_PLUGIN, "envelope_mirror");
    ViewPlot& named = plot(window, "envelope_mirror");
    EXPECT_TRUE(comesTrue([&] { return named.problem().contains("'out@envelope'"); }));
    window.desktop.pipelines().open(pipeline);
    ASSERT_TRUE(window.rests());
    const std::vector<float> image = imageOf(window.desktop.session(), 1);
    EXPECT_TRUE(comesTrue([&] { return shows(named, image); })) << named.problem().toStdString();
    EXPECT_FALSE(named.findChild<QComboBox*>()->isVisible()) << "nothing to choose";

    load(window, ECHOLUX_MIRROR_PLUGIN, "mirror");
    ViewPlot& chosen = plot(window, "mirror");
    auto& views = *chosen.findChild<QComboBox*>();
    ASSERT_TRUE(comesTrue([&] { return chosen.hasData() && views.isVisible(); }));
    EXPECT_FALSE(shows(chosen, image));
    EXPECT_EQ(views.itemText(1), "amplitudes");
    views.setCurrentIndex(1);
    emit views.activated(1);
    EXPECT_TRUE(comesTrue([&] { return shows(chosen, image); }));
}

TEST_F(PluginViewsInTheWindow, AreAskedForNothingWhileTheirDocksAreClosed) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    load(window, ECHOLUX_MIRROR_PLUGIN, "mirror");
    ASSERT_TRUE(comesTrue([&] { return plot(window, "mirror").hasData(); }));
    dock(window, "mirror")->toggleViewAction()->trigger();
    ASSERT_TRUE(dock(window, "mirror")->isHidden());
    const auto measuresAndPlays = [&] {
        for (int i = 0; i < 4; ++i) {
            window.desktop.statistics().measure();
            if (!window.showsMoreFrames(2)) return false;
        }
        return true;
    };
    ASSERT_TRUE(measuresAndPlays()); // what was asked for before it closed has come
    const auto last = window.desktop.session().engine().look<PixelsLook>().latest(0);
    ASSERT_TRUE(measuresAndPlays());
    EXPECT_EQ(window.desktop.session().engine().look<PixelsLook>().latest(0), last);
}

TEST_F(PluginViewsInTheWindow, AnImageIsDrawnOnce) {
    OpenWindow window;
    ASSERT_TRUE(window.freezes());
    load(window, ECHOLUX_MIRROR_PLUGIN, "mirror");
    ViewPlot& mirror = plot(window, "mirror");
    const auto fits = [&] {
        return mirror.picture().caption ==
               QString("room %1 x %2").arg(mirror.room().width()).arg(mirror.room().height());
    };
    ASSERT_TRUE(comesTrue(fits));
    const auto drawn = [&] { return timesDrawn(mirror); };
    const long before = drawn();
    for (int i = 0; i < 4; ++i) {
        window.desktop.statistics().measure();
        settle();
    }
    EXPECT_EQ(drawn(), before);
}

TEST_F(PluginViewsInTheWindow, OneThatWasBuiltAnewTakesThePlaceOfTheFormer) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    const fs::path library = load(window, ECHOLUX_MIRROR_PLUGIN, "mirror");
    const QDockWidget* place = dock(window, "mirror");
    ViewPlot& mirror = plot(window, "mirror");
    const auto drawn = [&] { return timesDrawn(mirror); };
    ASSERT_TRUE(comesTrue([&] { return drawn() >= 8; }));
    ASSERT_TRUE(window.freezes());
    change(library);
    window.desktop.plugins().reload();
    EXPECT_TRUE(message(window).contains("Loaded anew: Mirror.")) << message(window).toStdString();
    EXPECT_TRUE(comesTrue([&] { return drawn() > 0 && drawn() < 8; }))
        << "it counts anew: " << drawn() << mirror.problem().toStdString();
    EXPECT_EQ(dock(window, "mirror"), place);

    takeViews({}, library.string())();
    EXPECT_TRUE(comesTrue([&] { return dock(window, "mirror") == nullptr; }));
    EXPECT_TRUE(window.rests());
}

TEST_F(PluginViewsInTheWindow, TheExampleShowsLevelsOverDepth) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    load(window, ECHOLUX_PROFILE_PLUGIN, "level_profile");
    ViewPlot& profile = plot(window, "level_profile");
    ASSERT_TRUE(comesTrue([&] { return profile.hasData(); })) << profile.problem().toStdString();
    EXPECT_EQ(profile.picture().across.label, "depth (mm)");
    EXPECT_EQ(profile.picture().up.label, "level (dB re running maximum)");
    EXPECT_EQ(profile.picture().curves.size(), 3);
    EXPECT_EQ(profile.plot().graphCount(), 3);
    EXPECT_TRUE(profile.picture().caption.startsWith("10 % to 90 %: "));
}

TEST_F(PluginViewsInTheWindow, ShortLengthsAreInMicrometres) {
    OpenWindow window(bundled("retina_cine.echolux.h5"));
    ASSERT_TRUE(window.showsFrames(1));
    load(window, ECHOLUX_PROFILE_PLUGIN, "level_profile");
    ViewPlot& profile = plot(window, "level_profile");
    ASSERT_TRUE(comesTrue([&] { return profile.hasData(); })) << profile.problem().toStdString();
    EXPECT_EQ(profile.picture().across.label.toStdString(), "depth (\u00b5m)");
    const FrameSpec& image = window.desktop.session().snapshot()->output();
    const Axis& depth = *image.find(AxisName::Depth);
    EXPECT_NEAR(profile.picture().curves[0].x.back(),
                1e6 * (depth.origin + static_cast<double>(depth.size - 1) * depth.spacing), 1e-6);
}

TEST_F(PluginViewsInTheWindow, AFailureIsASentenceInTheDock) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    const fs::path library = load(window, ECHOLUX_FAULTY_VIEWS_PLUGIN, "elsewhere");
    const auto tells = [&](const char* view, const char* words) {
        ViewPlot& shown = bring(window, view);
        const bool told = comesTrue([&] { return shown.problem().contains(words); });
        return told && !shown.hasData() &&
               shown.problem().startsWith(QString("The view '%1' of the plugin %2 ")
                                              .arg(view, QString::fromStdString(library.string())));
    };
    EXPECT_TRUE(tells("null", "gave no view"));
    EXPECT_TRUE(tells("throws", "needs another image"));
    EXPECT_TRUE(tells("throws_number", "no exception"));
    EXPECT_TRUE(tells("few_bytes", "23 bytes in place of 24"));
    EXPECT_TRUE(tells("elsewhere", "'map@nowhere', which this pipeline does not show"));
    EXPECT_TRUE(window.showsMoreFrames(2));
}

TEST_F(PluginViewsInTheWindow, OneThatStallsLeavesTheWindowUsable) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    load(window, ECHOLUX_FAULTY_VIEWS_PLUGIN, "elsewhere");
    ViewPlot& stalling = bring(window, "stalls");
    EXPECT_TRUE(comesTrue([&] { return stalling.problem().contains("has not answered"); }));
    EXPECT_TRUE(window.showsMoreFrames(3));
    EXPECT_TRUE(comesTrue([&] {
        return bring(window, "throws").problem().contains("needs another image");
    })) << "others go on";
}

TEST_F(PluginViewsInTheWindow, ThePluginMayBeLoadedBeforeTheWindowOpens) {
    {
        OpenWindow first;
        ASSERT_TRUE(first.showsFrames(1));
        load(first, ECHOLUX_MIRROR_PLUGIN, "mirror");
        ASSERT_NE(dock(first, "mirror"), nullptr);
    }
    OpenWindow second;
    ASSERT_TRUE(second.showsFrames(1));
    ASSERT_TRUE(comesTrue([&] { return dock(second, "mirror") != nullptr; }));
    EXPECT_TRUE(comesTrue([&] { return plot(second, "mirror").hasData(); }));
}

} // namespace
} // namespace echolux
