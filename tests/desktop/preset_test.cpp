// SPDX-License-Identifier: GPL-3.0-or-later
// Settings kept by name for each kind of recording, and those used last.
#include "app/desktop/edit_desk.hpp"
#include "app/desktop/file_desk.hpp"
#include "app/desktop/preset_desk.hpp"
#include "app/desktop/recent_files.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/dialogs/name_dialog.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/parameters/preset_menu.hpp"
#include "ui/window/message_bar.hpp"

#include <QDir>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <gtest/gtest.h>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::kCine;
using testing_support::OpenWindow;

const QString kRetina = QStringLiteral(ECHOLUX_SOURCE_DIR "/testdata/retina_cine.echolux.h5");

/// Presets of a user who has none yet.
class Presets : public testing::Test {
protected:
    Presets() {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope,
                           m_folder.filePath("settings"));
    }
    static PresetMenu& menu(OpenWindow& window) { return window.desktop.window().presets(); }
    static void edit(OpenWindow& window, const char* stage, const char* key, double value) {
        emit window.desktop.window().parameters().parameterEdited(stage, key, value);
    }

    QTemporaryDir m_folder;
};

TEST_F(Presets, AreSavedChosenAndDeleted) {
    OpenWindow window;
    edit(window, "beamform", "speed_of_sound", 1450.0);
    emit window.desktop.window().parameters().bypassToggled("median", false);
    emit menu(window).saveRequested("Fat / 5 MHz.");
    EXPECT_EQ(menu(window).names(), QStringList{"Fat / 5 MHz."});
    emit window.desktop.window().resetParametersRequested();
    emit menu(window).chosen("Fat / 5 MHz.");
    EXPECT_EQ(window.speedOfSound(), 1450.0);
    EXPECT_EQ(window.desktop.edits().newest(), "preset \"Fat / 5 MHz.\"");
    window.desktop.edits().undo();
    EXPECT_EQ(window.speedOfSound(), 1540.0);
    emit menu(window).deleteRequested("Fat / 5 MHz.");
    EXPECT_TRUE(menu(window).names().isEmpty());
}

TEST_F(Presets, BelongToAKindOfRecording) {
    OpenWindow window;
    emit menu(window).saveRequested("a");
    window.desktop.files().open(kRetina);
    ASSERT_TRUE(window.openingEnds());
    EXPECT_TRUE(menu(window).names().isEmpty());
    emit menu(window).saveRequested("b");
    EXPECT_EQ(menu(window).names(), QStringList{"b"});
    window.desktop.files().open(kCine);
    ASSERT_TRUE(window.openingEnds());
    EXPECT_EQ(menu(window).names(), QStringList{"a"});
    EXPECT_FALSE(menu(window).hasLastUsed());
}

TEST_F(Presets, ADamagedFileIsRefusedInASentence) {
    OpenWindow window;
    edit(window, "beamform", "speed_of_sound", 1450.0);
    emit menu(window).saveRequested("bent");
    const PresetStore& store = window.desktop.presets().store();
    const QString path =
        store.path(recordingKind(window.desktop.session().snapshot()->input), "bent");
    testing_support::writeFile(path, "no = pipeline = at all");
    emit menu(window).chosen("bent");
    EXPECT_TRUE(window.desktop.window().messages().text().contains("bent.toml"))
        << window.desktop.window().messages().text().toStdString();
    EXPECT_EQ(window.speedOfSound(), 1450.0);
    emit menu(window).chosen("nowhere");
    EXPECT_TRUE(window.desktop.window().messages().text().contains("nowhere.toml"));
}

TEST_F(Presets, WhatWasUsedLastIsKeptWhereItWasEdited) {
    OpenWindow window(OpenRequest{kCine.toStdString()}, true);
    window.desktop.files().open(kRetina);
    ASSERT_TRUE(window.openingEnds());
    window.desktop.files().open(kCine);
    ASSERT_TRUE(window.openingEnds());
    EXPECT_FALSE(menu(window).hasLastUsed()) << "nothing was edited";
    edit(window, "beamform", "speed_of_sound", 1450.0);
    window.desktop.files().open(kRetina);
    ASSERT_TRUE(window.openingEnds());
    EXPECT_FALSE(menu(window).hasLastUsed()) << "these are spectra";
    window.desktop.files().open(kCine);
    ASSERT_TRUE(window.openingEnds());
    EXPECT_EQ(window.speedOfSound(), 1540.0);
    ASSERT_TRUE(menu(window).hasLastUsed());
    emit menu(window).lastUsedChosen();
    EXPECT_EQ(window.speedOfSound(), 1450.0);
    edit(window, "beamform", "speed_of_sound", 1460.0);
    window.desktop.window().close();
    OpenWindow next(OpenRequest{kCine.toStdString()}, true);
    emit menu(next).lastUsedChosen();
    EXPECT_EQ(next.speedOfSound(), 1460.0) << "also where the window was closed";
}

TEST_F(Presets, TheDialogSaysWhereANameIsTaken) {
    OpenWindow window;
    emit menu(window).saveRequested("tendon");
    menu(window).actions().front()->trigger();
    auto* dialog = window.desktop.window().findChild<NameDialog*>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_FALSE(dialog->saveButton()->isEnabled());
    dialog->field()->setText("tendon ");
    EXPECT_EQ(dialog->saveButton()->text(), "Replace");
    dialog->field()->setText("thyroid");
    EXPECT_EQ(dialog->saveButton()->text(), "Save");
    dialog->saveButton()->click();
    EXPECT_EQ(menu(window).names(), QStringList({"tendon", "thyroid"}));
}

} // namespace
} // namespace echolux
