// SPDX-License-Identifier: GPL-3.0-or-later
// Key figures at each view, where several views show the same place.
#include "app/session/pixels_look.hpp"
#include "app/sweep/frame_imager.hpp"
#include "app/tools/measurements/key_figures.hpp"
#include "gpu/core/error.hpp"
#include "tests/desktop/measurements_window.hpp"
#include "tests/desktop/overlays_on.hpp"
#include "ui/controls/commands_of.hpp"
#include "ui/views/further_views.hpp"
#include "ui/views/overlay/caption_overlay.hpp"

#include <QAction>
#include <QSettings>
#include <QStringList>
#include <QTemporaryDir>
#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <utility>

namespace echolux {
namespace {

using testing_support::MeasurementsWindow;
using testing_support::OpenWindow;
using testing_support::shapesOn;

struct ComparedViews : MeasurementsWindow {
    using MeasurementsWindow::MeasurementsWindow;

    ImageView& view(std::size_t number) {
        return number == 0 ? desktop.view()
                           : desktop.views().further().view(static_cast<int>(number) - 1);
    }
    QStringList caption(std::size_t number) {
        QStringList texts;
        for (Overlay* each : view(number).overlays())
            if (auto* caption = dynamic_cast<CaptionOverlay*>(each)) texts += caption->texts();
        return texts;
    }
    bool captions(std::size_t number, qsizetype texts) {
        return measures([&] { return caption(number).size() == texts; });
    }
    /// A wire, a cyst and tissue beside it, on the first view.
    void drawTargets() {
        draw("Point", {{-7.0, 24.0}});
        draws({4.0, 20.0}, {6.0, 22.0});
        press("Region");
        draws({1.0, 20.0}, {3.0, 22.0});
        press("Region");
        panel().list().clearSelection();
        draw("Contrast", {{5.0, 21.0}, {2.0, 21.0}});
    }
    bool hasCopied(std::size_t number) {
        return desktop.session().engine().look<PixelsLook>().latest(number) != nullptr;
    }
};

QAction& switchOf(OpenWindow& window) {
    for (const Command& each : commandsOf(window.desktop.window()))
        if (each.id == "measure.figures_in_each_view") return *each.action;
    throw Error("There is no such command.");
}

std::vector<measure::Measurement> targets() {
    using measure::Kind;
    return {{.name = "point 1", .kind = Kind::Point, .places = {{-7.0, 24.0}}},
            {.name = "in", .kind = Kind::Rectangle, .places = {{4.0, 20.0}, {6.0, 22.0}}},
            {.name = "out", .kind = Kind::Rectangle, .places = {{1.0, 20.0}, {3.0, 22.0}}},
            {.name = "contrast 1", .kind = Kind::Contrast, .inside = "in", .outside = "out"}};
}

/// What `echolux measure` finds on a view of the shown frame. The contrast of some of them lies far
/// below the displayed range.
TEST(SideBySide, EachBeamformerHasTheFiguresOfItsOwnImage) {
    ComparedViews window(testing_support::kCine.toStdString(), "beamformers");
    ASSERT_TRUE(window.opens());
    window.drawTargets();
    for (std::size_t view = 0; view < 3; ++view) ASSERT_TRUE(window.captions(view, 2)) << view;
    ASSERT_TRUE(window.captions(3, 1)) << "weights have no width at -6 dB";
    const QString weights = window.caption(3).front();
    EXPECT_TRUE(weights.contains(" : 0.") && weights.contains(", gCNR 0."))
        << weights.toStdString();
    const Engine::RawCopy raw = window.desktop.session().engine().copyShownRaw();
    const SnapshotPtr snapshot = window.desktop.session().snapshot();
    for (const auto& [view, name] : {std::pair(0, "sum"), {1, "coherent"}, {2, "products"}}) {
        FrameImager imager(chooseBackend("cpu"), *snapshot, name);
        const auto image = imager.image(snapshot, raw.bytes, raw.frame);
        const std::vector<measure::Measurement> all = targets();
        const auto number = static_cast<std::size_t>(view);
        EXPECT_EQ(window.caption(number),
                  QStringList({keyFigures(image, all[0], all, ValuesOf::Amplitude),
                               keyFigures(image, all[3], all, ValuesOf::Amplitude)}))
            << name;
        EXPECT_EQ(shapesOn(window.view(number)).size(), 3U) << "where it is measured";
    }
    EXPECT_TRUE(window.caption(1)[1].contains(" dB, gCNR 0."));
    const auto decibels = [&](std::size_t view) {
        return window.caption(view)[1].section(' ', 1, 1).replace(QChar(0x2212), '-').toDouble();
    };
    EXPECT_LT(decibels(1), decibels(0) - 15.0);
}

TEST(SideBySide, OneViewOrNoMeasurementCopiesNothing) {
    ComparedViews one;
    ASSERT_TRUE(one.opens());
    one.drawTargets();
    ASSERT_TRUE(one.hasFigure("contrast 1", "gCNR"));
    EXPECT_TRUE(one.caption(0).isEmpty());
    ComparedViews several(testing_support::kCine.toStdString(), "zero_phase");
    ASSERT_TRUE(several.freezes());
    for (int n = 0; n < 3; ++n) {
        several.desktop.statistics().measure();
        testing_support::settle();
    }
    for (std::size_t view = 0; view < 3; ++view) EXPECT_FALSE(several.hasCopied(view)) << view;
}

TEST(SideBySide, ASwitchTakesTheFiguresAwayAndNamesAreKept) {
    ComparedViews window(testing_support::kCine.toStdString(), "compounding");
    ASSERT_TRUE(window.opens());
    window.drawTargets();
    ASSERT_TRUE(window.captions(1, 2));
    EXPECT_TRUE(window.caption(1)[0].startsWith("W1 ")) << window.caption(1)[0].toStdString();
    emit window.panel().renamed("point 1", "wire");
    EXPECT_TRUE(window.measures([&] { return window.caption(1)[0].startsWith("wire "); }));
    QAction& shown = switchOf(window);
    ASSERT_TRUE(shown.isChecked());
    const QRectF viewport = window.view(1).viewport();
    shown.trigger();
    testing_support::settle();
    EXPECT_EQ(window.view(1).viewport(), viewport) << "images have the same size with figures";
    EXPECT_TRUE(window.caption(0).isEmpty());
    EXPECT_TRUE(window.caption(1).isEmpty());
    EXPECT_TRUE(shapesOn(window.view(1)).empty());
    EXPECT_EQ(shapesOn(window.view(0)).size(), 3U);
    shown.trigger();
    EXPECT_TRUE(window.captions(1, 2));
    window.dock().toggleViewAction()->trigger();
    window.press("Remove"); // the contrast is selected
    EXPECT_TRUE(window.captions(1, 1)) << "without the dock, too";
}

TEST(SideBySide, TheSwitchIsRemembered) {
    const QTemporaryDir folder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    for (const bool before : {true, false}) {
        OpenWindow window(OpenRequest{}, true);
        EXPECT_EQ(switchOf(window).isChecked(), before);
        switchOf(window).setChecked(false);
        window.desktop.window().close();
    }
}

TEST(SideBySide, ViewsOfOtherPlacesAndVelocitiesHaveNone) {
    ComparedViews window(ECHOLUX_SOURCE_DIR "/testdata/vessel_flow.echolux.h5", "m_mode");
    ASSERT_TRUE(window.opens());
    window.draw("Point", {{0.0, 20.0}});
    ASSERT_TRUE(window.hasFigure("point 1", "Lateral width, -6 dB"));
    EXPECT_TRUE(window.caption(0).isEmpty());
    EXPECT_TRUE(window.caption(1).isEmpty());
    FrameSpec image = window.view(0).spec();
    ASSERT_EQ(image.valueRange->unit, "dB");
    EXPECT_EQ(valuesOf(image), ValuesOf::Amplitude);
    image.valueRange = ValueRange{-20.0, 20.0, "cm/s", ""};
    EXPECT_EQ(valuesOf(image), std::nullopt);
    image.valueRange = ValueRange{-12.0, 12.0, "dB", "no difference"};
    EXPECT_EQ(valuesOf(image), std::nullopt);
    image.valueRange = ValueRange{0.0, 1.0, "", ""};
    EXPECT_EQ(valuesOf(image), ValuesOf::Share);
}

} // namespace
} // namespace echolux
