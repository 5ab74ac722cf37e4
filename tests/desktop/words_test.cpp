// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says: units of what is shown, labels in place of names, sliders that suit the
// recording, images of nothing.
#include "app/desktop/file_desk.hpp"
#include "app/desktop/workbench/label_text.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "tests/desktop/open_window.hpp"
#include "tests/support/active_stage.hpp"
#include "ui/controls/number_field.hpp"
#include "ui/parameters/display_group.hpp"
#include "ui/parameters/number_editor.hpp"
#include "ui/parameters/param_row_widget.hpp"
#include "ui/parameters/parameter_panel.hpp"

#include <QLineEdit>
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

namespace echolux {
namespace {

using testing_support::activeStage;
using testing_support::comesTrue;
using testing_support::OpenWindow;

const NumberScale& scaleOf(const ParamRowWidget& row) {
    return qobject_cast<NumberEditor*>(row.editor())->field()->scale();
}

TEST(Words, WithoutTheLogarithmNothingIsInDecibels) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(2));
    DisplayGroup& display = window.desktop.window().display();
    const auto unit = [&] { return scaleOf(*display.row("max")).unit(); };
    const QString log = QString::fromStdString(
        activeStage(*window.desktop.session().snapshot(), "log_compression")->id);
    EXPECT_EQ(unit(), "dB");
    emit window.desktop.window().parameters().bypassToggled(log, true);
    ASSERT_TRUE(comesTrue([&] { return !window.desktop.view().spec().valueRange; }));
    EXPECT_TRUE(comesTrue([&] { return unit().isEmpty(); }));
    EXPECT_GT(display.settings().max, 1.0) << "as large as the envelope is";
    EXPECT_EQ(display.settings().max, window.desktop.view().displayMax());
    EXPECT_GE(display.settings().min, 0.0);
    emit window.desktop.window().parameters().bypassToggled(log, false);
    ASSERT_TRUE(comesTrue([&] { return window.desktop.view().spec().valueRange.has_value(); }));
    EXPECT_EQ(unit(), "dB");
    EXPECT_EQ(display.settings().max, 0.0);
}

TEST(Words, RefusalsNameWhatStandsBesideTheControls) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    ParameterPanel& panel = window.desktop.window().parameters();
    emit panel.parameterEdited("beamform", "pixel_lateral", 1e-6);
    emit panel.parameterEdited("beamform", "pixel_depth", 1e-6);
    const QString said = panel.group("beamform")->row("pixel_depth")->error();
    EXPECT_TRUE(said.contains("\"Pixel width\" or \"Pixel height\"")) << said.toStdString();
    EXPECT_FALSE(said.contains('_')) << said.toStdString();
    const Snapshot& chain = *window.desktop.session().snapshot();
    EXPECT_EQ(inLabels("beamform: parameter 'speed_of_sound' cannot be 3.", chain),
              "Beamform: \"Speed of sound\" cannot be 3.");
    EXPECT_EQ(inLabels("Stage 'beamform' has delays; set delays to kernel.", chain),
              "Stage \"Beamform\" has delays; set \"Delays computed\" to \"For each frame\".");
    EXPECT_EQ(inLabels("beamform: none; set grid to image and transmit_aperture to everywhere or "
                       "shadow.",
                       chain),
              "Beamform: none; set \"Grid\" to \"Image\" and \"Transmits per pixel\" to \"All\" or "
              "\"Waves through it\".");
    EXPECT_EQ(inLabels("beamform: set grid to imagery.", chain),
              "Beamform: set \"Grid\" to imagery.");
    EXPECT_EQ(inLabels("x.h5: no such file", chain), "x.h5: no such file");
}

/// What the tooltips of both say.
TEST(Words, TheDynamicRangeSetsTheDisplaysMinimumWhichMovesAlone) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    ASSERT_TRUE(window.freezes());
    ParameterPanel& panel = window.desktop.window().parameters();
    DisplayGroup& display = window.desktop.window().display();
    const QString log = QString::fromStdString(
        activeStage(*window.desktop.session().snapshot(), "log_compression")->id);
    const auto range = [&] { return window.value(log.toUtf8().constData(), "range_db"); };
    emit panel.parameterEdited(log, "range_db", 45.0);
    EXPECT_TRUE(comesTrue([&] { return display.settings().min == -45.0; }));
    DisplayChoice darker = display.settings();
    darker.min = -20.0;
    display.setSettings(darker);
    emit display.edited(darker);
    EXPECT_EQ(window.desktop.view().displayMin(), -20.0);
    EXPECT_EQ(range(), 45.0);
    emit panel.parameterEdited(log, "range_db", 50.0);
    EXPECT_TRUE(comesTrue([&] { return display.settings().min == -50.0; }));
    EXPECT_EQ(window.desktop.view().displayMin(), -50.0);
}

TEST(Words, SlidersReachAsFarAsTheRecording) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    const auto& defaults = window.desktop.session().snapshot()->stage("beamform").defaults;
    const double deepest = std::get<double>(defaults.get("depth_max"));
    const double right = std::get<double>(defaults.get("lateral_max"));
    StageGroup* group = window.desktop.window().parameters().group("beamform");
    const auto span = [&](const char* key) {
        const NumberScale& scale = scaleOf(*group->row(key));
        return std::pair(scale.valueAt(0.0), scale.valueAt(1.0));
    };
    EXPECT_NEAR(span("depth_max").second, deepest, 1e-3);
    EXPECT_EQ(span("depth_min").first, 0.0);
    EXPECT_GE(span("lateral_max").second, right);
    EXPECT_LE(span("lateral_max").second, right + deepest + 1e-3);
    EXPECT_LT(span("speed_of_sound").second, 2000.0) << "tissue";
    EXPECT_GT(span("speed_of_sound").first, 1300.0);
}

TEST(Words, TheSliderOfOneTransmitReachesFromTheFirstToTheLast) {
    OpenRequest request{testing_support::kCine.toStdString()};
    request.pipeline = shippedPipeline("low_resolution");
    OpenWindow window(request);
    ASSERT_TRUE(window.showsFrames(1));
    ParameterPanel& panel = window.desktop.window().parameters();
    const NumberScale& scale = scaleOf(*panel.group("one_transmit")->row("transmit"));
    EXPECT_EQ(scale.valueAt(0.0), 1.0);
    EXPECT_EQ(scale.valueAt(1.0), 3.0);
    emit panel.parameterEdited("one_transmit", "transmit", std::int64_t{4});
    EXPECT_EQ(panel.group("one_transmit")->row("transmit")->error(),
              "Stage \"One transmit\": \"Transmit\" is 4, but a frame of the recording has 3 "
              "transmits; choose 1 to 3.");
}

TEST(Words, AnImageOfNoTransmitsSaysSo) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    ParameterPanel& panel = window.desktop.window().parameters();
    EXPECT_EQ(window.desktop.view().notice(), "");
    emit panel.parameterEdited("beamform", "transmits", std::vector<double>{0.0, 0.0, 0.0});
    EXPECT_EQ(window.desktop.view().notice(),
              "Nothing to image: under Beamform, none of \"Transmits\" is switched on.");
    emit panel.parameterEdited("beamform", "transmits", std::vector<double>{0.0, 1.0, 0.0});
    EXPECT_EQ(window.desktop.view().notice(), "");
}

TEST(Words, ANewFileEndsTheSearch) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    window.desktop.window().parameters().searchField()->setText("speed");
    window.desktop.files().open(
        QStringLiteral(ECHOLUX_SOURCE_DIR "/testdata/retina_volume.echolux.h5"));
    ASSERT_TRUE(window.openingEnds());
    EXPECT_EQ(window.desktop.window().parameters().searchField()->text(), "");
}

} // namespace
} // namespace echolux
