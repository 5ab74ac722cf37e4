// SPDX-License-Identifier: GPL-3.0-or-later
// The export dialog shows what the chosen kind needs and answers with what was chosen.
#include "tests/support/qt_application.hpp"
#include "ui/controls/combo_box.hpp"
#include "ui/controls/small_buttons.hpp"
#include "ui/dialogs/export_dialog.hpp"

#include <gtest/gtest.h>

#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QtTest>

namespace echolux::test {
namespace {

class ExportDialogTest : public testing::Test {
protected:
    void SetUp() override {
        ExportOffer offer;
        offer.folder = "/data";
        offer.baseName = "cine";
        offer.frames = 20;
        offer.shownFrame = 7;
        offer.framesPerS = 12.5;
        offer.formats[0] = {{".png", "PNG"}, {".tif", "TIFF"}};
        offer.formats[1] = {{".gif", "GIF"}};
        offer.formats[2] = {{".nii", "NIfTI"}, {".nii.gz", "NIfTI, compressed"}};
        offer.outputs = {{"beamform", "Beamform"}, {"log_compression", "Log compression"}};
        m_dialog.setOffer(offer);
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
