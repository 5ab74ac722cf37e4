// SPDX-License-Identifier: GPL-3.0-or-later
// Plugins in the window: the question before one runs, its sliders, and loading it anew.
#include "app/desktop/file_desk.hpp"
#include "app/desktop/pipeline_desk.hpp"
#include "app/desktop/plugin_desk.hpp"
#include "app/pipeline/plugin_consents.hpp"
#include "tests/desktop/open_window.hpp"
#include "tests/plugins/sonix_sample.hpp"
#include "tests/support/temporary_folder.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/parameters/pipeline_menu.hpp"
#include "ui/window/message_bar.hpp"

#include <QMessageBox>
#include <QPushButton>

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace echolux {
namespace {

namespace fs = std::filesystem;
using namespace testing_support;

/// A folder with a plugin and a pipeline that names it; the user's settings are there, too.
class PluginsInTheWindow : public testing::Test {
protected:
    PluginsInTheWindow() {
        setenv("XDG_CONFIG_HOME", m_folder.path().c_str(), 1); // NOLINT: before threads begin
        fs::copy(ECHOLUX_LEE_PLUGIN, plugin());
        writeFile(QString::fromStdString((m_folder / "lee.toml").string()),
                  "version = 3\n[[plugin]]\nlibrary = \"lee.so\"\n"
                  "[[stage]]\ntype = \"to_float\"\n[[stage]]\ntype = \"analytic\"\n"
                  "[[stage]]\ntype = \"beamform\"\n[[stage]]\ntype = \"envelope\"\n"
                  "[[stage]]\ntype = \"lee_filter\"\n[[stage]]\ntype = \"log_compression\"\n");
    }
    fs::path plugin() const { return m_folder / "lee.so"; }
    QString pipeline() const { return QString::fromStdString((m_folder / "lee.toml").string()); }
    /// Opens the pipeline and clicks this button of the question; returns what it asked.
    QString openAnswering(OpenWindow& window, const QString& button) const {
        QString asked;
        QTimer clicker;
        clicker.callOnTimeout([&] {
            auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (question == nullptr) return;
            asked = question->text() + question->informativeText();
            for (QAbstractButton* each : question->buttons())
                if (each->text() == button) each->click();
        });
        clicker.start(10);
        window.desktop.pipelines().open(pipeline());
        return asked;
    }
    static bool hasFilter(OpenWindow& window) {
        const SnapshotPtr snapshot = window.desktop.session().snapshot();
        return snapshot->findActive(
                   [](const StageType& type) { return type.id == "lee_filter"; }) != nullptr;
    }
    static QString message(OpenWindow& window) { return window.desktop.window().messages().text(); }
    test::TemporaryFolder m_folder;
};

TEST_F(PluginsInTheWindow, AreAskedAboutOnceAndThenHaveSliders) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    const QString asked = openAnswering(window, "&Do not load");
    EXPECT_TRUE(asked.contains(QString::fromStdString(plugin().string())));
    EXPECT_TRUE(asked.contains(QString::fromStdString(readPlugin(plugin()).sha256)));
    EXPECT_FALSE(hasFilter(window));
    EXPECT_TRUE(message(window).contains("has not been allowed")) << message(window).toStdString();

    EXPECT_FALSE(openAnswering(window, "&Allow").isEmpty());
    ASSERT_TRUE(hasFilter(window));
    EXPECT_TRUE(window.showsMoreFrames(2));
    EXPECT_TRUE(PluginConsents().allows({readPlugin(plugin()).sha256, plugin()}));
    ParameterPanel& panel = window.desktop.window().parameters();
    emit panel.parameterEdited("lee_filter", "window", std::int64_t{9});
    EXPECT_TRUE(comesTrue([&] {
        return window.desktop.session().snapshot()->stage("lee_filter").params.get("window") ==
               ParamValue(std::int64_t{9});
    }));
    EXPECT_TRUE(openAnswering(window, "&Allow").isEmpty()) << "asked a second time";
}

TEST_F(PluginsInTheWindow, ABuiltAnewOneIsTakenUpWithItsParameters) {
    PluginConsents().allow({readPlugin(plugin()).sha256, plugin()});
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    window.desktop.pipelines().open(pipeline());
    ASSERT_TRUE(hasFilter(window));
    emit window.desktop.window().parameters().parameterEdited("lee_filter", "window",
                                                              std::int64_t{7});
    window.desktop.plugins().reload();
    EXPECT_TRUE(message(window).contains("No plugin has changed")) << message(window).toStdString();

    std::ifstream file(plugin(), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    bytes.replace(bytes.find("Reduces speckle"), 15, "Removes speckle");
    fs::remove(plugin());
    std::ofstream(plugin(), std::ios::binary) << bytes;
    emit window.desktop.window().pipeline().pluginsRequested();
    const auto stage = [&] { return window.desktop.session().snapshot()->stage("lee_filter"); };
    EXPECT_THAT(stage().type->help, testing::HasSubstr("Removes speckle"));
    EXPECT_EQ(stage().params.get("window"), ParamValue(std::int64_t{7}));
    EXPECT_TRUE(window.showsMoreFrames(2));

    fs::resize_file(plugin(), 1000);
    emit window.desktop.window().pipeline().pluginsRequested();
    EXPECT_TRUE(message(window).contains(QString::fromStdString(plugin().string())))
        << message(window).toStdString();
    EXPECT_TRUE(window.showsMoreFrames(2));
}

TEST_F(PluginsInTheWindow, AReaderIsLoadedByTheMenuAndItsFailureKeepsTheRecording) {
    const fs::path library = m_folder / "sonix.so";
    fs::copy(ECHOLUX_SONIX_PLUGIN, library);
    PluginConsents().allow({readPlugin(library).sha256, library});
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    window.desktop.plugins().load(QString::fromStdString((m_folder / "none.so").string()));
    EXPECT_TRUE(message(window).contains("There is no plugin")) << message(window).toStdString();
    window.desktop.plugins().load(QString::fromStdString(library.string()));
    EXPECT_TRUE(message(window).contains("Ultrasonix RF 1.0: 1 reader"))
        << message(window).toStdString();

    const fs::path path = m_folder / "a.rf";
    test::writeSonix(path, 2);
    fs::resize_file(path, fs::file_size(path) - 1);
    const fs::path former = window.desktop.session().engine().info().path;
    window.desktop.files().open(QString::fromStdString(path.string()));
    EXPECT_TRUE(comesTrue([&] { return message(window).contains("cut off"); }))
        << message(window).toStdString();
    EXPECT_EQ(window.desktop.session().engine().info().path, former);
    EXPECT_TRUE(window.showsMoreFrames(2));

    test::writeSonix(path, 2);
    window.desktop.files().open(QString::fromStdString(path.string()));
    EXPECT_TRUE(comesTrue([&] { return window.desktop.session().engine().info().path == path; }))
        << message(window).toStdString();
}

} // namespace
} // namespace echolux
