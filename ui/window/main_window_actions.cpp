// SPDX-License-Identifier: GPL-3.0-or-later
// Actions, their menus, and the sheet of keys.
#include "ui/window/main_window.hpp"

#include "ui/controls/action_text.hpp"
#include "ui/controls/commands_of.hpp"
#include "ui/dialogs/about_dialog.hpp"
#include "ui/dialogs/calibration_menu.hpp"
#include "ui/dialogs/command_palette.hpp"
#include "ui/dialogs/message_log.hpp"
#include "ui/dialogs/shortcut_sheet.hpp"
#include "ui/parameters/display_group.hpp"
#include "ui/parameters/edit_menu.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/parameters/pipeline_menu.hpp"
#include "ui/parameters/preset_menu.hpp"
#include "ui/window/docks.hpp"
#include "ui/window/keys_of.hpp"
#include "ui/window/status_bar.hpp"
#include "ui/window/transport_bar.hpp"

#include <QActionGroup>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>

#include <cstddef>

namespace echolux {

void MainWindow::makeActions() {
    const auto make = [this](const char* text, const char* icon, const char* key,
                             const char* help) {
        QList<QKeySequence> keys;
        if (*key != '\0') keys << QKeySequence(key);
        QAction* action = makeAction(this, text, icon, keys, help);
        addAction(action);
        return action;
    };
    m_openSettings = make("Open screenshot se&ttings\u2026", "", "Ctrl+Shift+O",
                          "Restore all settings that a saved screenshot carries");
    m_export = make("&Export\u2026", "", "Ctrl+E",
                    "Write pictures, cines or values of the recording as files for other programs");
    m_importRaw = make("Descr&ibe a file\u2026", "", "Ctrl+I",
                       "Open headerless data or arrays by saying what they hold");
    m_openDescribed = make("Open with a side&car\u2026", "", "",
                           "Open arrays that a sidecar file describes, by choosing both");
    m_quit = make("&Quit", "", "Ctrl+Q", "Quit Echolux");
    m_resetView = make("Reset &view", "reset", "R", "Show the whole image");
    m_autoRange = make("&Auto range", "auto_range", "A",
                       "Fit the display range to the image, or to the view under the pointer");
    m_nextMap = make("Next colour &map", "", "M", "Use the next colour map");
    m_fullScreen =
        make("&Full screen", "", "F11", "Show the image alone; the same key or Esc goes back");
    m_fullScreen->setCheckable(true);
    m_resetLayout = make("Reset &layout", "", "", "Bring back the standard arrangement");
    m_resetParameters = make("&Reset all parameters", "reset", "Ctrl+Shift+R",
                             "Set every parameter and switch to its default");
    m_findParameter = make("&Find parameter", "search", "Ctrl+F", "Search the parameters");
    m_darkTheme = make("&Dark", "", "", "Dark theme");
    m_lightTheme = make("&Light", "", "", "Light theme");
    m_commands =
        make("&Commands\u2026", "", "Ctrl+Shift+P", "Find a command by some letters of its name");
    m_shortcuts = make("&Shortcuts", "", "F1", "All keys on one sheet");
    m_showMessages = make("&Messages", "", "Ctrl+L", "All messages so far, with their times");
    m_about = make("&About Echolux", "", "", "Version and licence");
    for (QAction* action : m_transport->actions().all()) addAction(action);

    auto* themes = new QActionGroup(this);
    for (QAction* action : {m_darkTheme, m_lightTheme}) {
        action->setCheckable(true);
        themes->addAction(action);
    }
    (Theme::instance().kind() == ThemeKind::Dark ? m_darkTheme : m_lightTheme)->setChecked(true);

    connect(m_export, &QAction::triggered, this, &MainWindow::exportRequested);
    connect(m_openSettings, &QAction::triggered, this,
            &MainWindow::openScreenshotSettingsRequested);
    connect(m_importRaw, &QAction::triggered, this, &MainWindow::importRawRequested);
    connect(m_openDescribed, &QAction::triggered, this, &MainWindow::openDescribedRequested);
    connect(m_quit, &QAction::triggered, this, &QWidget::close);
    connect(m_resetView, &QAction::triggered, this, &MainWindow::resetViewRequested);
    connect(m_autoRange, &QAction::triggered, this, &MainWindow::autoRangeRequested);
    connect(m_nextMap, &QAction::triggered, m_display, &DisplayGroup::nextColourMap);
    connect(m_fullScreen, &QAction::triggered, this, &MainWindow::setFullScreen);
    connect(m_resetLayout, &QAction::triggered, this, &MainWindow::resetLayout);
    connect(m_resetParameters, &QAction::triggered, this, &MainWindow::resetParametersRequested);
    connect(m_findParameter, &QAction::triggered, this, [this] {
        m_docks->reveal(*m_parameters);
        m_parameters->focusSearch();
    });
    connect(m_darkTheme, &QAction::triggered, this, [this] { setTheme(ThemeKind::Dark); });
    connect(m_lightTheme, &QAction::triggered, this, [this] { setTheme(ThemeKind::Light); });
    connect(m_commands, &QAction::triggered, this, &MainWindow::showCommands);
    connect(m_shortcuts, &QAction::triggered, this, &MainWindow::showShortcuts);
    connect(m_showMessages, &QAction::triggered, this, &MainWindow::showMessages);
    connect(m_status, &StatusBar::messagesRequested, this, &MainWindow::showMessages);
    connect(m_about, &QAction::triggered, this, &MainWindow::showAbout);
}

void MainWindow::makeMenus() {
    const TransportBar::Actions& play = m_transport->actions();
    QMenu* file = menuBar()->addMenu("&File");
    file->setToolTipsVisible(true);
    file->addAction(play.open);
    m_recent = file->addMenu("Open &recent");
    file->addActions({m_openDescribed, m_openSettings, m_importRaw});
    m_tracks = file->addMenu("&Track");
    file->addSeparator();
    file->addActions({play.screenshot, m_export});
    QAction* behindExports = file->addSeparator();
    QAction* behindRecording = file->addSeparator();
    file->addAction(m_quit);
    setRecentFiles({});
    setTracks({}, 0);

    m_edits = new EditMenu(this);
    menuBar()->addMenu(m_edits);
    m_edits->addSeparator();
    m_edits->addAction(m_findParameter);

    QMenu* view = menuBar()->addMenu("&View");
    QAction* behindViews = view->addSeparator();
    m_docks->fill(*view->addMenu("&Docks"));
    m_pluginViews = view->addMenu("&Plugin views");
    m_pluginViews->menuAction()->setVisible(false);
    view->addActions({m_docks->sideBySideAction(), m_resetLayout});
    view->addSeparator();
    QMenu* theme = view->addMenu("&Theme");
    theme->addActions({m_darkTheme, m_lightTheme});
    view->addAction(m_fullScreen);

    QMenu* image = menuBar()->addMenu("&Image");
    image->setToolTipsVisible(true);
    image->addActions({m_resetView, m_autoRange, m_nextMap});
    image->addSeparator();

    QMenu* playback = menuBar()->addMenu("&Playback");
    playback->addActions({play.play, play.stepBack, play.stepForward, play.first, play.last});
    playback->addSeparator();
    playback->addActions({play.loop, play.slower, play.faster});
    playback->addSeparator();
    playback->addActions({play.goTo, play.playFrom, play.playTo, play.playAll});
    playback->addMenu("Mar&ks")->addActions({play.mark, play.markBack, play.markForward});

    m_pipeline = new PipelineMenu(this);
    menuBar()->addMenu(m_pipeline);
    m_pipeline->addAction(m_resetParameters);
    m_presets = new PresetMenu(this);
    m_pipeline->addMenu(m_presets);

    auto* measure = new QMenu("&Measure", this); // joins the others with its first entries
    measure->setToolTipsVisible(true);

    m_calibration = new CalibrationMenu(this);
    menuBar()->addMenu(m_calibration);

    QMenu* help = menuBar()->addMenu("&Help");
    help->setToolTipsVisible(true);
    QAction* behindPages = help->addSeparator();
    help->addActions({m_commands, m_shortcuts, m_showMessages, m_about});
    m_places = {{file, m_tracks->menuAction()},
                {file, m_export},
                {file, behindExports},
                {file, behindRecording},
                {m_edits, m_findParameter},
                {image, nullptr},
                {playback, nullptr},
                {view, behindViews},
                {m_pipeline, m_presets->menuAction()},
                {measure, nullptr},
                {help, behindPages}};
}

void MainWindow::addEntries(MenuPlace place, const QList<QAction*>& entries) {
    const auto& [menu, before] = m_places[static_cast<std::size_t>(place)];
    if (place == MenuPlace::Measure && menu->isEmpty())
        menuBar()->insertMenu(m_calibration->menuAction(), menu);
    menu->insertActions(before, entries);
    addActions(entries);
}

void MainWindow::revealParameter(const QString& stage, const QString& key) {
    m_docks->reveal(*m_parameters);
    m_parameters->revealRow(stage, key);
}

void MainWindow::setRecentFiles(const QStringList& paths) {
    m_recent->clear();
    for (const QString& path : paths) {
        if (path.isEmpty()) continue;
        QString name = QFileInfo(path).fileName();
        QAction* action = m_recent->addAction(name.replace('&', "&&"));
        action->setToolTip(path);
        connect(action, &QAction::triggered, this, [this, path] { emit recentFileChosen(path); });
    }
    m_recent->setToolTipsVisible(true);
    m_recent->menuAction()->setVisible(!m_recent->isEmpty());
}

void MainWindow::setTracks(const QStringList& names, int current) {
    m_tracks->clear();
    delete m_trackGroup;
    m_trackGroup = new QActionGroup(this);
    for (int i = 0; i < names.size(); ++i) {
        QString name = names[i];
        QAction* action = m_tracks->addAction(name.replace('&', "&&"));
        action->setCheckable(true);
        action->setChecked(i == current);
        m_trackGroup->addAction(action);
        connect(action, &QAction::triggered, this, [this, i] { emit trackChosen(i); });
    }
    m_tracks->menuAction()->setVisible(names.size() > 1);
}

void MainWindow::setTheme(ThemeKind kind) {
    (kind == ThemeKind::Dark ? m_darkTheme : m_lightTheme)->setChecked(true);
    if (kind != Theme::instance().kind()) Theme::instance().apply(kind);
    emit themeChosen(kind);
}

void MainWindow::showCommands() {
    CommandPalette palette(commandsOf(*this), this);
    if (palette.exec() == QDialog::Accepted) palette.chosen()->trigger();
}

void MainWindow::showShortcuts() {
    ShortcutSheet sheet(keysOf(*this), this);
    sheet.exec();
}

void MainWindow::showMessages() {
    m_messageLog->show();
    m_messageLog->raise();
    m_messageLog->activateWindow();
}

void MainWindow::showAbout() {
    AboutDialog dialog(this);
    dialog.exec();
}

} // namespace echolux
