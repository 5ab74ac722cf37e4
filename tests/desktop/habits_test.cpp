// SPDX-License-Identifier: GPL-3.0-or-later
// Parts that are played, pictures that are saved, sidecars that are asked for.
#include "app/dataset/calibration/calibration.hpp"
#include "app/desktop/file_desk.hpp"
#include "app/desktop/screenshot.hpp"
#include "app/desktop/sidecar_desk.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "app/session/column/picked_column.hpp"
#include "app/session/session.hpp"
#include "tests/desktop/open_window.hpp"
#include "tests/support/active_stage.hpp"
#include "ui/plots/column_plots.hpp"
#include "ui/plots/rf_line_plot.hpp"
#include "ui/views/view_area.hpp"
#include "ui/window/message_bar.hpp"

#include <QAction>
#include <QHash>
#include <QImage>
#include <QPushButton>
#include <QTemporaryDir>
#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace echolux {
namespace {

using testing_support::activeStage;
using testing_support::comesTrue;
using testing_support::OpenWindow;
using testing_support::writeFile;

TEST(Habits, OnlyTheChosenPartIsPlayed) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    TransportBar& bar = window.desktop.window().transport();
    Engine& engine = window.desktop.session().engine();
    emit bar.partChosen(5, 8);
    const auto shown = [&] { return engine.mailbox().shownFrame(); };
    ASSERT_TRUE(comesTrue([&] { return shown() >= 5 && shown() <= 8; }));
    std::set<std::int64_t> seen;
    QObject::connect(&window.desktop.view(), &ImageView::framePresented, &window.desktop,
                     [&] { seen.insert(shown()); });
    ASSERT_TRUE(window.showsMoreFrames(12));
    // What was under way when the part was chosen may still have come.
    EXPECT_TRUE(comesTrue([&] { return seen.contains(5) && seen.contains(8); }));
    EXPECT_LE(seen.size(), 6U);
    emit bar.playToggled(false);
    emit bar.seekRequested(20);
    EXPECT_TRUE(comesTrue([&] { return shown() == 20; })) << "seeking goes anywhere";
    emit bar.playToggled(true);
    EXPECT_TRUE(comesTrue([&] { return shown() >= 5 && shown() <= 8; }));
}

TEST(Habits, AFrozenFrameOutsideTheChosenPartGivesWay) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    ASSERT_TRUE(window.freezes());
    Engine& engine = window.desktop.session().engine();
    engine.player().seek(2);
    ASSERT_TRUE(comesTrue([&] { return engine.mailbox().shownFrame() == 2; }));
    emit window.desktop.window().transport().partChosen(10, 20);
    EXPECT_TRUE(comesTrue([&] { return engine.mailbox().shownFrame() == 10; }));
}

TEST(Habits, EscapeForgetsThePickedColumn) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    MainWindow& main = window.desktop.window();
    ColumnPlots& plots = window.desktop.panel<ColumnPlots>();
    Engine& engine = window.desktop.session().engine();
    QTest::keyClick(&main, Qt::Key_Escape); // none is picked
    emit window.desktop.view().columnPicked(-7e-3);
    ASSERT_TRUE(comesTrue([&] { return plots.aLine().hasData(); }));
    EXPECT_TRUE(window.desktop.views().marker());
    QTest::keyClick(&window.desktop.view(), Qt::Key_Escape);
    EXPECT_FALSE(window.desktop.views().marker());
    EXPECT_FALSE(engine.look<PickedColumn>().latest());
    EXPECT_FALSE(plots.aLine().hasData());
    ASSERT_TRUE(window.showsMoreFrames(4));
    EXPECT_FALSE(plots.aLine().hasData()) << "frames bring none";
    emit window.desktop.view().columnPicked(2e-3);
    EXPECT_TRUE(comesTrue([&] { return plots.aLine().hasData(); })) << "another can be picked";
}

TEST(Habits, EscapeLeavesTheColumnOfAVolume) {
    OpenWindow window(OpenRequest{ECHOLUX_SOURCE_DIR "/testdata/retina_volume.echolux.h5"});
    Engine& engine = window.desktop.session().engine();
    ASSERT_TRUE(comesTrue([&] { return engine.look<PickedColumn>().latest() != nullptr; }));
    QTest::keyClick(&window.desktop.window(), Qt::Key_Escape);
    EXPECT_TRUE(engine.look<PickedColumn>().latest()) << "the crosshair is still there";
}

TEST(Habits, OfSeveralDroppedFilesOneIsOpenedAndTheOthersAreNamed) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    const QString folder = QStringLiteral(ECHOLUX_SOURCE_DIR "/testdata/");
    emit window.desktop.window().filesDropped(
        {folder + "sector.h5", folder + "retina_cine.echolux.h5"});
    ASSERT_TRUE(window.openingEnds());
    EXPECT_EQ(window.openFile(), "sector.h5");
    EXPECT_EQ(window.desktop.window().messages().text(),
              "2 files were dropped, and the window shows one recording: sector.h5 is opened, "
              "retina_cine.echolux.h5 is not. File > Export many files takes several.");
    window.desktop.window().messages().clear();
    emit window.desktop.window().filesDropped({folder + "phantom_cine.echolux.h5"});
    ASSERT_TRUE(window.openingEnds());
    EXPECT_FALSE(window.desktop.window().messages().text().contains("dropped"));
}

TEST(Habits, ARecordingIsDroppedTogetherWithItsPipelineSidecarOrCalibration) {
    const QTemporaryDir folder;
    const QString cine = QStringLiteral(ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5");
    const PipelineConfig demodulated = shippedPipeline("demodulated");
    writeFile(folder.filePath("mine.toml"), QByteArray::fromStdString(toToml(demodulated)));
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    ASSERT_NE(activeStage(*window.desktop.session().snapshot(), "analytic"), nullptr);
    emit window.desktop.window().filesDropped({folder.filePath("mine.toml"), cine});
    ASSERT_TRUE(window.openingEnds());
    EXPECT_EQ(window.desktop.session().snapshot()->stages.size(), demodulated.stages.size());
    EXPECT_EQ(activeStage(*window.desktop.session().snapshot(), "analytic"), nullptr);
    EXPECT_TRUE(window.desktop.window().messages().text().contains("pipeline mine.toml"))
        << window.desktop.window().messages().text().toStdString();

    QByteArray echoes(2 * 8 * 512 * 2, '\0');
    for (qsizetype i = 0; i < echoes.size(); ++i) echoes[i] = static_cast<char>(i * i % 61);
    writeFile(folder.filePath("a.raw"), echoes);
    writeFile(folder.filePath("facts.toml"), "[data]\ndtype = \"<i2\"\nshape = [2, 8, 512]\n"
                                             "axes = [\"frame\", \"channel\", \"sample\"]\n"
                                             "[probe]\npitch = 0.3e-3\n"
                                             "[signal]\nsampling_frequency = 20e6\n"
                                             "centre_frequency = 5e6\n"
                                             "[transmit]\nangles_deg = [0]\n");
    emit window.desktop.window().filesDropped(
        {folder.filePath("a.raw"), folder.filePath("facts.toml")});
    ASSERT_TRUE(window.openingEnds());
    EXPECT_EQ(window.openFile(), "a.raw");
    EXPECT_EQ(window.desktop.session().engine().info().frameCount, 2);

    Calibration calibration;
    calibration.title = "of the day";
    calibration.dispersionTerms = {1.5, -2.0, 0.0};
    saveCalibration(folder.filePath("day.toml").toStdString(), calibration);
    const QString retina = QStringLiteral(ECHOLUX_SOURCE_DIR "/testdata/retina_cine.echolux.h5");
    emit window.desktop.window().filesDropped({retina, folder.filePath("day.toml")});
    ASSERT_TRUE(window.openingEnds());
    EXPECT_EQ(window.openFile(), "retina_cine.echolux.h5");
    // phi = 1.5 x^2 - 2 x^3 with x = -1/2 at the last sample.
    const std::vector<double>& phase = window.desktop.session().spectrometer()->dispersionRad;
    ASSERT_FALSE(phase.empty());
    EXPECT_NEAR(phase.back(), 1.5 * 0.25 + 2.0 * 0.125, 1e-9);
    EXPECT_TRUE(window.desktop.window().messages().text().contains("calibration day.toml"))
        << window.desktop.window().messages().text().toStdString();
}

TEST(Habits, NoTwoActionsOfTheWindowHaveOneKey) {
    OpenWindow window(OpenRequest{ECHOLUX_SOURCE_DIR "/testdata/retina_volume.echolux.h5"});
    QHash<QString, QString> taken;
    for (const QAction* action : window.desktop.window().findChildren<QAction*>()) {
        if (action->shortcutContext() == Qt::WidgetShortcut) continue;
        for (const QKeySequence& keys : action->shortcuts()) {
            const QString key = keys.toString();
            EXPECT_FALSE(taken.contains(key))
                << key.toStdString() << ": " << taken.value(key).toStdString() << ", "
                << action->text().toStdString();
            taken[key] = action->text();
        }
    }
    EXPECT_GT(taken.size(), 30);
}

TEST(Habits, PicturesOfMenusCarryTheirSettingsWhereTheFormatCan) {
    const QTemporaryDir folder;
    QImage picture(40, 30, QImage::Format_RGB32);
    picture.fill(Qt::darkGreen);
    ScreenshotRecord record;
    record.sourceName = "a.h5";
    saveScreenshot(folder.filePath("a.png"), picture, record);
    EXPECT_TRUE(isScreenshot(folder.filePath("a.png")));
    saveScreenshot(folder.filePath("a.jpg"), picture, record);
    EXPECT_EQ(QImage(folder.filePath("a.jpg")).size(), picture.size());
    EXPECT_THROW(saveScreenshot(folder.filePath("a.xyz"), picture, record), Error);
}

TEST(Habits, AFileThatWantsASidecarAsksForOne) {
    const QTemporaryDir folder;
    writeFile(folder.filePath("rf.csv"), "1,2,3\n4,5,6\n");
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    window.desktop.files().open(folder.filePath("rf.csv"));
    ASSERT_TRUE(window.openingEnds());
    QMessageBox* question = window.desktop.sidecars().question();
    ASSERT_NE(question, nullptr);
    EXPECT_TRUE(question->text().contains("rf.csv")) << question->text().toStdString();
    const auto expectWindowWords = [](const QString& said) {
        for (const char* word : {"--", "echolux "})
            EXPECT_FALSE(said.contains(word))
                << "advice for the command line: " << said.toStdString();
    };
    expectWindowWords(question->text() + question->informativeText());
    EXPECT_EQ(window.openFile(), "phantom_cine.echolux.h5") << "what was open stays";
    question->button(QMessageBox::Cancel)->click();
    EXPECT_TRUE(
        comesTrue([&] { return window.desktop.window().messages().text().contains("rf.csv"); }));
    expectWindowWords(window.desktop.window().messages().text());
    EXPECT_TRUE(comesTrue([&] { return window.desktop.sidecars().question() == nullptr; }));
    OpenRequest described{folder.filePath("rf.csv").toStdString()};
    described.options.sidecar = folder.filePath("missing.toml").toStdString();
    emit window.desktop.sidecars().chosen(described);
    ASSERT_TRUE(window.openingEnds());
    EXPECT_TRUE(window.desktop.window().messages().text().contains("missing.toml"))
        << window.desktop.window().messages().text().toStdString();
}

} // namespace
} // namespace echolux
