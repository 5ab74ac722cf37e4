// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Aberration": it offers a pipeline, estimates the shown frame while it is in sight, its
// region is edited on the image, and the correction is switched, shown beside and by turns.
#include "app/desktop/edit_desk.hpp"
#include "app/desktop/pipeline_desk.hpp"
#include "app/export/named_arrays.hpp"
#include "app/tools/aberration/tool.hpp"
#include "app/tools/aberration/values.hpp"
#include "gpu/stages/aberration.hpp"
#include "tests/desktop/open_window.hpp"
#include "tests/desktop/overlays_on.hpp"
#include "tests/support/active_stage.hpp"
#include "tests/support/spans_by_key.hpp"
#include "ui/aberration/aberration_panel.hpp"
#include "ui/aberration/bins_plot.hpp"
#include "ui/aberration/element_plot.hpp"
#include "ui/aberration/iteration_view.hpp"
#include "ui/aberration/signals_plot.hpp"
#include "ui/controls/slider.hpp"
#include "ui/parameters/parameter_panel.hpp"

#include <QComboBox>
#include <QDockWidget>
#include <QMovie>
#include <QPushButton>
#include <QTemporaryDir>
#include <QToolButton>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

namespace echolux {
namespace {

using testing_support::activeStage;
using testing_support::boxOn;
using testing_support::comesTrue;
using testing_support::isTimed;
using testing_support::OpenWindow;
using Figure = AberrationPanel::Figure;

struct AberrationDock : OpenWindow {
    explicit AberrationDock(const char* file = "phantom_cine.echolux.h5")
        : OpenWindow(testing_support::bundled(file)) {}
    AberrationPanel& panel() { return desktop.panel<AberrationPanel>(); }
    int estimates() { return desktop.tool<AberrationTool>().estimates(); }
    int steps() { return desktop.edits().document().position(); }
    void toggle() {
        desktop.window().findChild<QDockWidget*>("aberration")->toggleViewAction()->trigger();
    }
    /// With the pipeline, the dock open and frames frozen.
    bool begins() {
        if (!showsFrames(1) || !freezes()) return false;
        desktop.pipelines().openShipped("aberration");
        toggle();
        return comesTrue([this] { return panel().delays().hasData(); });
    }
    double strength(const char* stage = "aberration_correction") {
        return value(stage, "strength");
    }
    void choose(Correction correction) { panel().correctionButton(correction).click(); }
};

TEST(AberrationDockTest, OffersAPipelineThatEstimates) {
    AberrationDock window;
    ASSERT_TRUE(window.showsFrames(1));
    window.toggle();
    ASSERT_TRUE(comesTrue([&] { return window.panel().openButton().isVisible(); }));
    EXPECT_EQ(window.panel().reason(), "This pipeline estimates no aberration.");
    EXPECT_EQ(window.estimates(), 0);
    window.panel().openButton().click();
    ASSERT_TRUE(comesTrue([&] { return window.panel().delays().hasData(); }));
    EXPECT_EQ(window.panel().reason(), "");
    EXPECT_EQ(window.steps(), 1);
    window.desktop.edits().undo();
    EXPECT_EQ(window.panel().reason(), "This pipeline estimates no aberration.");
}

TEST(AberrationDockTest, SpectraAreToldOf) {
    AberrationDock retina("retina_cine.echolux.h5");
    ASSERT_TRUE(retina.showsFrames(1));
    retina.toggle();
    ASSERT_TRUE(comesTrue([&] { return retina.panel().reason().contains("Spectra of light"); }));
    EXPECT_FALSE(retina.panel().openButton().isVisible());
}

/// A cube of aligned channels holds nothing but what the dock shows.
TEST(AberrationDockTest, OpensWithACube) {
    const QTemporaryDir folder;
    const std::string cube = folder.filePath("cube.npz").toStdString();
    NumberFact values{"u_z", {8, 6, 64}, {}};
    for (int x = 0; x < 8; ++x)
        for (int y = 0; y < 6; ++y)
            for (int n = 0; n < 64; ++n) {
                const double t = (n - 32.0) / 70.248e6 - 20e-9 * std::sin(0.9 * x + 0.5 * y);
                values.values.push_back(std::exp(-std::pow(t / 0.15e-6, 2)) *
                                        std::cos(2.0 * std::numbers::pi * 5e6 * t));
            }
    OutputFiles files(cube, {}, true);
    const std::vector<NumberFact> facts{values, {"fs", {}, {70.248e6}}, {"fc", {}, {5e6}}};
    writeNamedArrays(files, facts, {}, "a test");
    files.commit();
    OpenWindow window(OpenRequest{cube});
    ASSERT_TRUE(window.showsFrames(1));
    auto* dock = window.desktop.window().findChild<QDockWidget*>("aberration");
    EXPECT_TRUE(comesTrue([&] { return !dock->isHidden(); }));
    auto& panel = window.desktop.panel<AberrationPanel>();
    EXPECT_TRUE(comesTrue([&] { return panel.delays().hasData(); }));
    OpenWindow other;
    ASSERT_TRUE(other.showsFrames(1));
    EXPECT_TRUE(other.desktop.window().findChild<QDockWidget*>("aberration")->isHidden());
}

TEST(AberrationDockTest, EstimatesTheShownFrameOnceWhereItIsFrozen) {
    AberrationDock window;
    ASSERT_TRUE(window.begins());
    EXPECT_EQ(window.panel().delays().values().columns, 64);
    EXPECT_GT(window.panel().spectrum().bins().size(), 1);
    EXPECT_FALSE(window.panel().signalsAfter().image().isNull());
    EXPECT_EQ(window.panel().figure(Figure::Age), "0 frames");
    ASSERT_TRUE(window.rests());
    const QString parts = window.panel().figure(Figure::Parts);
    EXPECT_TRUE(parts.startsWith("focus ") && parts.endsWith(" ms")) << parts.toStdString();
    const int before = window.estimates();
    Player& player = window.desktop.session().engine().player();
    player.seek(player.state().position); // the same frame again
    ASSERT_TRUE(window.showsMoreFrames(1));
    ASSERT_TRUE(window.rests());
    EXPECT_EQ(window.estimates(), before);
    emit window.desktop.window().parameters().parameterEdited("aberration", "bandwidth", 1.2e6);
    ASSERT_TRUE(comesTrue([&] { return window.estimates() > before; }));
    window.toggle();
    ASSERT_TRUE(window.rests());
    const int closed = window.estimates();
    emit window.desktop.window().parameters().parameterEdited("aberration", "bandwidth", 1.3e6);
    ASSERT_TRUE(window.rests());
    EXPECT_EQ(window.estimates(), closed);
}

/// On any frozen frame, stepped to or played to, and whatever is pressed: what the dock shows is
/// what the image is corrected by.
TEST(AberrationDockTest, ShowsWhatTheImageIsCorrectedBy) {
    AberrationDock window("aberrated_cine.echolux.h5");
    ASSERT_TRUE(window.showsFrames(1));
    window.desktop.pipelines().openShipped("aberration_split");
    window.toggle();
    window.panel().setLevel(false);
    ASSERT_TRUE(window.showsMoreFrames(4));
    ASSERT_TRUE(window.freezes());
    Engine& engine = window.desktop.session().engine();
    const aberration::ElementGrid grid =
        aberration::elementGrid(engine.info().frame.acquisition->probe);
    const auto agrees = [&] {
        const Engine::ShownFrame shown = engine.shownFrame("aberration");
        const auto live = estimateIn(shown.state, grid, 1, 0);
        const ElementValues& values = window.panel().delays().values();
        if (!live || values.values.size() != live->filter.delayS.size()) return false;
        for (std::size_t e = 0; e < values.values.size(); ++e)
            if (std::abs(values.values[e] - 1e9 * live->filter.delayS[e]) > 1e-3) return false;
        return live->valid == window.panel().stateText().startsWith("Coherent");
    };
    EXPECT_TRUE(comesTrue(agrees));
    window.panel().regionButton().click();
    for (int step = 0; step < 3; ++step) {
        const qsizetype before = window.presented.count();
        engine.player().step(1);
        ASSERT_TRUE(window.showsFrames(before + 1));
        EXPECT_TRUE(comesTrue(agrees)) << "after step " << step + 1;
    }
    // Curves that agree with a filter of 0 would say nothing.
    EXPECT_GT(window.panel().delays().limit(), 1.0);
}

/// Its sliders span what the array images, not the table's 200 mm.
TEST(AberrationDockTest, RegionSlidersSpanTheImage) {
    AberrationDock window;
    ASSERT_TRUE(window.showsFrames(1));
    window.desktop.pipelines().openShipped("aberration");
    const StageState& stage = window.desktop.session().snapshot()->stage("aberration");
    auto ranges = testing_support::spansByKey(stage);
    const Probe& probe = stage.input().acquisition->probe;
    const double half = probe.elements.back().x;
    EXPECT_NEAR(ranges["region_lateral"].second, half, 2e-3);
    EXPECT_NEAR(ranges["region_width"].second, 2.0 * half, 4e-3);
    EXPECT_LT(ranges["region_depth"].second, 0.05);
    EXPECT_GT(ranges["region_depth"].second, 0.02);
    for (const char* key : {"region_lateral", "region_depth", "region_width", "region_height"}) {
        const double held = std::get<double>(stage.params.get(key));
        EXPECT_GE(held, ranges[key].first) << key;
        EXPECT_LE(held, ranges[key].second) << key;
    }
}

/// As `echolux aberration --method` does.
TEST(AberrationDockTest, APublishedMethodComesWithItsConstants) {
    AberrationDock window;
    ASSERT_TRUE(window.showsFrames(1));
    window.desktop.pipelines().openShipped("aberration");
    const auto valuesNow = [&] {
        const StageState& stage = window.desktop.session().snapshot()->stage("aberration");
        const auto& p = stage.params.as<AberrationParams>();
        return std::tuple(p.radius, p.iterations, p.mu, p.epsilon);
    };
    const auto suited = valuesNow();
    const int steps = window.steps();
    const auto choose = [&](const char* method) {
        emit window.desktop.window().parameters().parameterEdited("aberration", "method",
                                                                  std::string(method));
    };
    choose("matlab");
    EXPECT_EQ(valuesNow(), std::tuple(2, 30, 0.3, 0.0));
    EXPECT_EQ(window.steps(), steps + 1) << "one step to undo";
    window.desktop.edits().undo();
    EXPECT_EQ(valuesNow(), suited);
    EXPECT_EQ(window.steps(), steps);
    choose("gpu");
    EXPECT_EQ(valuesNow(), std::tuple(2, 50, 0.1, 0.01));
    choose("least_squares");
    EXPECT_EQ(valuesNow(), suited);
}

TEST(AberrationDockTest, TheFilterIsSavedAsItIs) {
    AberrationDock window;
    ASSERT_TRUE(window.begins());
    QTemporaryDir folder;
    const QString path = folder.filePath("filter.npz");
    ASSERT_EQ(window.desktop.tool<AberrationTool>().saveFilter(path), "");
    const aberration::FilterFile saved = aberration::loadFilter(path.toStdString());
    window.panel().setLevel(false);
    const ElementValues& shown = window.panel().delays().values();
    ASSERT_EQ(saved.filter.delayS.size(), shown.values.size());
    for (std::size_t i = 0; i < shown.values.size(); ++i)
        EXPECT_NEAR(saved.filter.delayS[i] * 1e9, shown.values[i], 1e-3);
    EXPECT_NE(window.desktop.tool<AberrationTool>().saveFilter(folder.filePath("filter.txt")), "");
    // As real and imaginary part it is the same filter: delays at one frequency.
    const QString parts = folder.filePath("parts.mat");
    ASSERT_EQ(window.desktop.tool<AberrationTool>().saveFilter(parts,
                                                               aberration::FilterNaming::Herikstad),
              "");
    const aberration::FilterFile again = aberration::loadFilter(parts.toStdString());
    ASSERT_EQ(again.filter.delayS.size(), saved.filter.delayS.size());
    const double period = 1.0 / saved.centreHz;
    for (std::size_t i = 0; i < again.filter.delayS.size(); ++i) {
        const double turns = (again.filter.delayS[i] - saved.filter.delayS[i]) / period;
        EXPECT_NEAR(turns, std::round(turns), 1e-4);
        EXPECT_NEAR(again.filter.amplitude[i], saved.filter.amplitude[i],
                    1e-4 * saved.filter.amplitude[i]);
    }
}

TEST(AberrationDockTest, SavesItsIterationsAsACine) {
    AberrationDock window;
    ASSERT_TRUE(window.begins());
    QTemporaryDir folder;
    const QString path = folder.filePath("steps.gif");
    ASSERT_EQ(window.desktop.tool<AberrationTool>().saveCine(path), "");
    QMovie film(path);
    ASSERT_TRUE(film.isValid());
    film.jumpToFrame(0);
    EXPECT_EQ(film.frameCount(), window.panel().iterations().slider().maximum() + 1);
    EXPECT_NE(window.desktop.tool<AberrationTool>().saveCine(folder.filePath("steps.txt")), "");
    ASSERT_TRUE(comesTrue([&] { return window.panel().isShown(Figure::Time); }));
    EXPECT_TRUE(window.panel().figure(Figure::Time).contains("0.167 ms"));
}

TEST(AberrationDockTest, ALoadedFilterTakesThePlaceOfTheEstimate) {
    AberrationDock window;
    ASSERT_TRUE(window.begins());
    QTemporaryDir folder;
    const QString path = folder.filePath("filter.npz");
    ASSERT_EQ(window.desktop.tool<AberrationTool>().saveFilter(path), "");
    const auto takenFrom = [&](std::size_t port) {
        const SnapshotPtr snapshot = window.desktop.session().snapshot();
        const Source source = snapshot->stage("aberration_correction").sources[port];
        return snapshot->stages[source.stage].type->id;
    };
    EXPECT_EQ(takenFrom(1), "aberration");
    EXPECT_FALSE(window.panel().estimateAction().isVisible());
    const int steps = window.steps();
    ASSERT_EQ(window.desktop.tool<AberrationTool>().loadFilter(path), "");
    EXPECT_EQ(window.steps(), steps + 1);
    EXPECT_EQ(takenFrom(1), "aberration_filter");
    EXPECT_EQ(takenFrom(2), "aberration_filter");
    EXPECT_TRUE(window.panel().estimateAction().isVisible());
    const SnapshotPtr snapshot = window.desktop.session().snapshot();
    const ParamValue held = snapshot->stage("aberration_filter").params.get("delays");
    EXPECT_EQ(std::get<std::vector<double>>(held),
              aberration::loadFilter(path.toStdString()).filter.delayS);
    window.panel().estimateAction().trigger();
    EXPECT_EQ(takenFrom(1), "aberration");
    EXPECT_EQ(takenFrom(2), "aberration");
    EXPECT_EQ(activeStage(*window.desktop.session().snapshot(), "aberration_filter"), nullptr);
    EXPECT_FALSE(window.panel().estimateAction().isVisible());
    EXPECT_NE(window.desktop.tool<AberrationTool>().loadFilter(folder.filePath("none.npz")), "");
    EXPECT_EQ(window.steps(), steps + 2) << "what is refused is no edit";
}

TEST(AberrationDockTest, OneOfSeveralPatchesIsShown) {
    AberrationDock window;
    ASSERT_TRUE(window.begins());
    EXPECT_FALSE(window.panel().patches().isVisible());
    ASSERT_TRUE(window.desktop.pipelines().edit("patches", [] {
        PipelineConfig config = shippedPipeline("aberration");
        const auto type = [&](const char* id) {
            return std::ranges::find(config.stages, id, &StageConfig::type);
        };
        type("aberration")->values.emplace_back("patches", std::int64_t{2});
        config.stages.insert(type("envelope"), {.id = "patch_blend", .type = "patch_blend"});
        return config;
    }));
    ASSERT_TRUE(comesTrue([&] { return window.panel().patches().isVisible(); }));
    EXPECT_EQ(window.panel().patches().count(), 2);
    const auto shown = [&] { return window.panel().delays().values().values; };
    const auto whole = shown();
    ASSERT_TRUE(comesTrue([&] { return shown() != whole; }));
    const auto first = shown();
    window.panel().patches().setCurrentIndex(1);
    emit window.panel().patches().activated(1);
    EXPECT_TRUE(comesTrue([&] { return shown() != first; }));
}

TEST(AberrationDockTest, TheBandIsDraggedInTheSpectrum) {
    AberrationDock window;
    ASSERT_TRUE(window.begins());
    const int steps = window.steps();
    for (int i = 1; i <= 3; ++i) emit window.panel().bandDragged(4.0 + 0.1 * i, 2.0);
    EXPECT_NEAR(window.value("aberration", "centre_frequency"), 4.3e6, 1e4);
    EXPECT_NEAR(window.value("aberration", "bandwidth"), 2e6, 1e4);
    EXPECT_EQ(window.steps(), steps + 1) << "a drag is one step";
}

TEST(AberrationDockTest, TheRegionIsEditedOnTheImage) {
    AberrationDock window;
    ASSERT_TRUE(window.begins());
    EXPECT_FALSE(boxOn(window.desktop.view()));
    window.panel().regionButton().click();
    ASSERT_TRUE(boxOn(window.desktop.view()));
    const Rect first = *boxOn(window.desktop.view())->box();
    EXPECT_NEAR(first.width(), window.value("aberration", "region_width"), 1e-9);
    EXPECT_NEAR(first.centre().y, window.value("aberration", "region_depth"), 1e-9);
    const int steps = window.steps();
    for (int i = 1; i <= 3; ++i) {
        boxOn(window.desktop.view())
            ->dragTo({first.left + 1e-3 * i, first.top, first.right, first.bottom - 1e-3 * i});
    }
    EXPECT_NEAR(window.value("aberration", "region_width"), first.width() - 3e-3, 0.06e-3)
        << "round";
    EXPECT_NEAR(window.value("aberration", "region_height"), first.height() - 3e-3, 0.06e-3);
    EXPECT_EQ(window.steps(), steps + 1) << "a drag is one step";
    window.desktop.edits().undo();
    EXPECT_NEAR(window.value("aberration", "region_width"), first.width(), 1e-9);
    EXPECT_NEAR(boxOn(window.desktop.view())->box()->left, first.left, 1e-9) << "the box follows";
    window.panel().regionButton().click();
    EXPECT_FALSE(boxOn(window.desktop.view()));
}

TEST(AberrationDockTest, TheRegionIsShownWhereTheImageHasPlaces) {
    AberrationDock window("sector.h5");
    ASSERT_TRUE(window.begins());
    window.panel().regionButton().click();
    ASSERT_TRUE(boxOn(window.desktop.view())) << "the beams are converted";
    EXPECT_NEAR(boxOn(window.desktop.view())->box()->width(),
                window.value("aberration", "region_width"), 1e-9);
    emit window.desktop.window().parameters().bypassToggled("scan_conversion", true);
    EXPECT_FALSE(boxOn(window.desktop.view())) << "metres are no radians";
    EXPECT_FALSE(window.panel().regionButton().isEnabled());
    EXPECT_TRUE(window.panel().regionButton().toolTip().contains("add scan conversion"));
    emit window.desktop.window().parameters().bypassToggled("scan_conversion", false);
    EXPECT_TRUE(boxOn(window.desktop.view()));
    EXPECT_TRUE(window.panel().regionButton().isEnabled());
}

TEST(AberrationDockTest, CorrectionOnAndOffIsAnEdit) {
    AberrationDock window;
    ASSERT_TRUE(window.begins());
    EXPECT_EQ(window.panel().correction(), Correction::On);
    emit window.desktop.window().parameters().parameterEdited("aberration_correction", "strength",
                                                              0.7);
    window.choose(Correction::Off);
    EXPECT_EQ(window.strength(), 0.0);
    window.choose(Correction::On);
    EXPECT_EQ(window.strength(), 0.7) << "as it was";
    emit window.desktop.window().parameters().parameterEdited("aberration_correction", "strength",
                                                              0.0);
    EXPECT_EQ(window.panel().correction(), Correction::Off);
    const qsizetype shown = window.presented.count();
    window.choose(Correction::On);
    EXPECT_TRUE(comesTrue([&] { return window.presented.count() > shown; })) << "frozen, too";
}

TEST(AberrationDockTest, SplitShowsTheImageWithoutBesideIt) {
    AberrationDock window;
    ASSERT_TRUE(window.begins());
    const int steps = window.steps();
    window.choose(Correction::Split);
    SnapshotPtr snapshot = window.desktop.session().snapshot();
    ASSERT_EQ(snapshot->views.size(), 2U);
    EXPECT_EQ(window.strength(), 1.0);
    EXPECT_EQ(window.strength("aberration_correction_b"), 0.0);
    EXPECT_EQ(window.panel().correction(), Correction::Split);
    EXPECT_EQ(window.steps(), steps + 1);
    window.choose(Correction::Off);
    snapshot = window.desktop.session().snapshot();
    EXPECT_EQ(snapshot->views.size(), 1U);
    EXPECT_EQ(window.strength(), 0.0);
    for (const StageState& stage : snapshot->stages) EXPECT_FALSE(stage.id.ends_with("_b"));
    window.desktop.edits().undo();
    window.desktop.edits().undo();
    EXPECT_EQ(window.desktop.session().snapshot()->views.size(), 2U);
    EXPECT_EQ(window.panel().correction(), Correction::Split);
}

TEST(AberrationDockTest, BlinkingLeavesNoSteps) {
    AberrationDock window;
    ASSERT_TRUE(window.begins());
    const int steps = window.steps();
    window.choose(Correction::Blink);
    EXPECT_EQ(window.strength(), 0.0);
    ASSERT_TRUE(comesTrue([&] { return window.strength() == 1.0; }));
    ASSERT_TRUE(comesTrue([&] { return window.strength() == 0.0; }));
    EXPECT_EQ(window.panel().correction(), Correction::Blink);
    window.choose(Correction::On);
    EXPECT_EQ(window.strength(), 1.0);
    EXPECT_FALSE(isTimed(window.desktop.tool<AberrationTool>())) << "it would blink again";
    EXPECT_EQ(window.steps(), steps);
}

TEST(AberrationValues, DelaysOfAFilterUnwrap) {
    constexpr double kHz = 5e6;
    const aberration::ElementGrid grid = aberration::denseGrid(4, 20);
    std::vector<Complex> filter;
    std::vector<double> wanted;
    for (int row = 0; row < 4; ++row) {
        for (int column = 0; column < 20; ++column) {
            const double delay = 150e-9 * std::sin(0.3 * column) + 40e-9 * row;
            const double phase = -2.0 * std::numbers::pi * kHz * delay;
            wanted.push_back(delay);
            filter.push_back({static_cast<float>(0.5 * std::cos(phase)),
                              static_cast<float>(0.5 * std::sin(phase))});
        }
    }
    const std::vector<double> found = delaysOf(filter, grid, kHz);
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-12);
}

TEST(AberrationValues, TheTruthIsComparedWithoutPistonAndTilt) {
    AberrationLook look;
    look.grid = aberration::denseGrid(1, 32);
    AberrationTruth truth;
    for (int i = 0; i < 32; ++i) {
        const double screen = 30e-9 * std::sin(0.7 * i);
        look.estimate.filter.delayS.push_back(screen + (i % 2 == 0 ? 4e-9 : -4e-9));
        look.estimate.filter.amplitude.push_back(1.0);
        look.estimate.filter.coherence.push_back(0.9);
        truth.delayS.push_back(screen + 100e-9 + 2e-9 * i);
        truth.amplitude.push_back(i % 2 == 0 ? 2.0 : 1.0);
    }
    const AberrationValues values = valuesOf(look, truth);
    ASSERT_TRUE(values.truth);
    EXPECT_NEAR(*values.residualNs, 4.0, 0.05);
    EXPECT_NEAR(*values.residualDb, 3.01, 0.01) << "half of 6.02 dB to either side";
    EXPECT_NEAR(values.found.delayNs.values[0], 4.0, 1e-9);
    truth.amplitude.clear();
    EXPECT_FALSE(valuesOf(look, truth).residualDb);
    truth.delayS.pop_back();
    EXPECT_FALSE(valuesOf(look, truth).truth) << "of another array";
    EXPECT_FALSE(valuesOf(look, std::nullopt).truth);
}

} // namespace
} // namespace echolux
