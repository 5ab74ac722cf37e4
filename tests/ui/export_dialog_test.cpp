// SPDX-License-Identifier: GPL-3.0-or-later
// The export dialog shows what the chosen kind needs and answers with what was chosen.
#include "tests/support/qt_application.hpp"
#include "ui/controls/combo_box.hpp"
#include "ui/controls/small_buttons.hpp"
#include "ui/dialogs/export_dialog.hpp"
#include "ui/dialogs/preview_picture.hpp"

#include <gtest/gtest.h>

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QtTest>

namespace echolux::test {
namespace {

class ExportDialogTest : public testing::Test {
protected:
    static ExportOffer offerOf(const char* recording) {
        ExportOffer offer;
        offer.recording = recording;
        offer.folder = "/data";
        offer.baseName = "cine";
        offer.frames = 20;
        offer.shownFrame = 7;
        offer.framesPerS = 12.5;
        offer.formats[0] = {{".png", "PNG"}, {".tif", "TIFF"}};
        offer.formats[1] = {{".gif", "GIF"}};
        offer.formats[2] = {{".nii", "NIfTI"}, {".nii.gz", "NIfTI, compressed"}};
        offer.outputs = {{"beamform", "Beamform"}, {"log_compression", "Log compression"}};
        return offer;
    }
    void SetUp() override {
        m_dialog.setOffer(offerOf("/recordings/cine.h5"));
        m_dialog.show();
    }
    template <class Widget> Widget& child(const char* name) {
        return *m_dialog.findChild<Widget*>(name);
    }

    QApplication& m_qt = testing_support::application();
    ExportDialog m_dialog;
};

TEST_F(ExportDialogTest, KindsWithoutFormatsAreLeftOut) {
    EXPECT_EQ(child<ComboBox>("kind").count(), 3); // no curve
}

TEST_F(ExportDialogTest, SizeAndLabelsAreThoseOfPicturesAndAPreviewIsAskedFor) {
    QSignalSpy asked(&m_dialog, &ExportDialog::previewWanted);
    EXPECT_EQ(m_dialog.choice().width, 0) << "its own pixels";
    child<QSpinBox>("width").setValue(800);
    child<QSpinBox>("labels").setValue(20);
    child<QSpinBox>("dpi").setValue(300);
    child<ToggleSwitch>("axes").setChecked(true);
    ASSERT_TRUE(asked.wait());
    EXPECT_EQ(asked.size(), 1) << "once, when all was chosen";
    EXPECT_EQ(m_dialog.choice().width, 800);
    EXPECT_EQ(m_dialog.choice().labelsPx, 20);
    EXPECT_EQ(m_dialog.choice().dpi, 300.0);
    auto& preview = *static_cast<PreviewPicture*>(m_dialog.findChild<QWidget*>("preview"));
    m_dialog.setPreview(QImage(40, 30, QImage::Format_RGB32));
    EXPECT_TRUE(preview.isVisible());
    child<ComboBox>("kind").setCurrentIndex(2);
    EXPECT_FALSE(preview.isVisible()) << "values are no picture";
    EXPECT_FALSE(child<QSpinBox>("width").isVisible());
    child<QSpinBox>("width").setValue(900);
    EXPECT_FALSE(asked.wait(200));
    child<ComboBox>("kind").setCurrentIndex(0);
    m_dialog.setPreview({}, "It is too high.");
    EXPECT_EQ(child<QLabel>("note").text(), "It is too high.");
    m_dialog.setPreview(QImage(40, 30, QImage::Format_RGB32));
    EXPECT_NE(child<QLabel>("note").text(), "It is too high.");
    child<ToggleSwitch>("sixteenBit").setChecked(true);
    EXPECT_EQ(m_dialog.choice().width, 0) << "16 bits are written pixel by pixel";
    EXPECT_FALSE(m_dialog.choice().axes);
    EXPECT_FALSE(child<QSpinBox>("width").isEnabled());
}

TEST_F(ExportDialogTest, PictureIsTheShownFrame) {
    const ExportChoice choice = m_dialog.choice();
    EXPECT_EQ(choice.kind, ExportKind::Picture);
    EXPECT_EQ(choice.path, "/data/cine.png");
    EXPECT_EQ(choice.firstFrame, 7);
    EXPECT_EQ(choice.lastFrame, 7);
    EXPECT_FALSE(child<QSpinBox>("last").isVisible());
    EXPECT_TRUE(child<ToggleSwitch>("axes").isVisible());
    EXPECT_FALSE(child<ComboBox>("output").isVisible());
}

TEST_F(ExportDialogTest, CineIsTheWholeRecordingAtItsRate) {
    child<ComboBox>("kind").setCurrentIndex(1);
    const ExportChoice choice = m_dialog.choice();
    EXPECT_EQ(choice.path, "/data/cine.gif");
    EXPECT_EQ(choice.firstFrame, 1);
    EXPECT_EQ(choice.lastFrame, 20);
    EXPECT_DOUBLE_EQ(choice.framesPerS, 12.5);
    EXPECT_FALSE(child<ToggleSwitch>("sixteenBit").isVisible());
}

TEST_F(ExportDialogTest, ValuesAreThoseOfAnOutputTheLastAtFirst) {
    child<ComboBox>("kind").setCurrentIndex(2);
    EXPECT_EQ(m_dialog.choice().output, "log_compression");
    child<ComboBox>("output").setCurrentIndex(0);
    EXPECT_EQ(m_dialog.choice().output, "beamform");
    EXPECT_FALSE(child<ToggleSwitch>("axes").isVisible());
}

TEST_F(ExportDialogTest, NameKeepsAllButItsEnding) {
    child<ComboBox>("kind").setCurrentIndex(2);
    child<QLineEdit>("path").setText("/data/a.b.nii");
    child<ComboBox>("format").setCurrentIndex(1);
    EXPECT_EQ(m_dialog.choice().path, "/data/a.b.nii.gz");
    child<ComboBox>("format").setCurrentIndex(0);
    EXPECT_EQ(m_dialog.choice().path, "/data/a.b.nii");
}

TEST_F(ExportDialogTest, TypedNameStaysWithAnotherKindAndTheSameRecording) {
    child<QLineEdit>("path").setText("/elsewhere/heart.png");
    child<ComboBox>("kind").setCurrentIndex(2);
    EXPECT_EQ(m_dialog.choice().path, "/elsewhere/heart.nii");
    child<ComboBox>("format").setCurrentIndex(1);
    child<ComboBox>("output").setCurrentIndex(0);
    const ExportChoice before = m_dialog.choice();
    m_dialog.setOffer(offerOf("/recordings/cine.h5"));
    EXPECT_EQ(m_dialog.choice().kind, ExportKind::Values);
    EXPECT_EQ(m_dialog.choice().path, "/elsewhere/heart.nii.gz");
    EXPECT_EQ(m_dialog.choice().output, before.output);
    m_dialog.setOffer(offerOf("/recordings/other.h5"));
    EXPECT_EQ(m_dialog.choice().kind, ExportKind::Picture);
    EXPECT_EQ(m_dialog.choice().path, "/data/cine.png");
}

TEST_F(ExportDialogTest, TypedEndingChoosesTheFormatAndAMissingOneIsAdded) {
    auto& path = child<QLineEdit>("path");
    path.selectAll();
    QTest::keyClicks(&path, "/data/heart.tif");
    EXPECT_EQ(child<ComboBox>("format").currentIndex(), 1);
    EXPECT_EQ(m_dialog.choice().path, "/data/heart.tif");
    path.selectAll();
    QTest::keyClicks(&path, "heart");
    EXPECT_EQ(m_dialog.choice().path, "/data/heart.tif") << "in the folder, of the chosen format";
}

TEST_F(ExportDialogTest, KeysReplaceTheNameAndNeitherFolderNorEnding) {
    EXPECT_EQ(m_dialog.focusWidget(), &child<QLineEdit>("path"));
    QTest::keyClicks(m_dialog.focusWidget(), "heart");
    EXPECT_EQ(m_dialog.choice().path, "/data/heart.png");
}

TEST_F(ExportDialogTest, ARefusalStandsInTheDialogAndAllThatWasChosenStays) {
    child<QLineEdit>("path").setText("/nowhere/heart.png");
    m_dialog.setChecking();
    EXPECT_FALSE(child<QPushButton>("export").isEnabled());
    m_dialog.setError("There is no such folder.");
    EXPECT_FALSE(m_dialog.isChecking());
    EXPECT_TRUE(child<QPushButton>("export").isEnabled());
    EXPECT_EQ(child<QLabel>("note").text(), "There is no such folder.");
    EXPECT_EQ(m_dialog.choice().path, "/nowhere/heart.png");
    m_dialog.setChecking();
    m_dialog.reject();
    EXPECT_FALSE(m_dialog.isChecking()) << "a closed dialog waits for nothing";
}

TEST_F(ExportDialogTest, FirstAndLastFrameNeverCross) {
    child<ComboBox>("kind").setCurrentIndex(1);
    child<QSpinBox>("first").setValue(15);
    child<QSpinBox>("last").setValue(9);
    EXPECT_EQ(m_dialog.choice().firstFrame, 9);
    child<QSpinBox>("first").setValue(12);
    EXPECT_EQ(m_dialog.choice().lastFrame, 12);
}

TEST_F(ExportDialogTest, NothingIsExportedWithoutAName) {
    child<QLineEdit>("path").clear();
    EXPECT_FALSE(child<QPushButton>("export").isEnabled());
    child<QLineEdit>("path").setText("/data/x.png");
    QSignalSpy asked(&m_dialog, &ExportDialog::exportRequested);
    QTest::mouseClick(&child<QPushButton>("export"), Qt::LeftButton);
    EXPECT_EQ(asked.count(), 1);
}

} // namespace
} // namespace echolux::test
