// SPDX-License-Identifier: GPL-3.0-or-later
// Actions, the menus that hold them, the sheet of keys.
#include "ui/window/main_window.hpp"

#include "ui/aberration/aberration_panel.hpp"
#include "ui/controls/action_text.hpp"
#include "ui/dialogs/about_dialog.hpp"
#include "ui/dialogs/calibration_menu.hpp"
#include "ui/dialogs/shortcut_sheet.hpp"
#include "ui/parameters/display_group.hpp"
#include "ui/parameters/edit_menu.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/parameters/pipeline_menu.hpp"
#include "ui/parameters/preset_menu.hpp"
#include "ui/window/docks.hpp"
#include "ui/window/transport_bar.hpp"

#include <QActionGroup>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>

#include <algorithm>
#include <iterator>

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
                    "Pictures, cines and values of the recording as files of other programs");
    m_importRaw = make("Descr&ibe a file\u2026", "", "Ctrl+I",
                       "Open headerless data or arrays by saying what they hold");
    m_openDescribed = make("Open with a side&car\u2026", "", "",
                           "Open arrays that a sidecar file describes, by choosing both");
    m_quit = make("&Quit", "", "Ctrl+Q", "Leave Echolux");
    m_resetView = make("Reset &view", "reset", "R", "Show the whole image");
    m_autoRange =
        make("&Auto range", "auto_range", "A",
             "Fit the display range to the image; with the pointer over another view, to that");
    m_nextMap = make("Next colour &map", "", "M", "Use the next colour map");
    m_fullScreen = make("&Full screen", "", "F11", "The image alone; again or Esc: back");
    m_fullScreen->setCheckable(true);
    m_resetLayout = make("Reset &layout", "", "", "Bring back the standard arrangement");
    m_resetParameters = make("&Reset all parameters", "reset", "Ctrl+Shift+R",
                             "Set every parameter and switch to its default");
    m_findParameter = make("&Find parameter", "search", "Ctrl+F", "Search the parameters");
    m_darkTheme = make("&Dark", "", "", "Dark theme");
    m_lightTheme = make("&Light", "", "", "Light theme");
    m_shortcuts = make("&Shortcuts", "", "F1", "All keys on one sheet");
    m_about = make("&About Echolux", "", "", "Version and licence");
    for (QAction* action : m_transport->actions().all()) addAction(action);
    addActions(m_aberration->actions());

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
    connect(m_shortcuts, &QAction::triggered, this, &MainWindow::showShortcuts);
    connect(m_about, &QAction::triggered, this, &MainWindow::showAbout);
}

void MainWindow::makeMenus() {
    const TransportBar::Actions& play = m_transport->actions();
    QMenu* file = menuBar()->addMenu("&File");
    m_fileMenu = file;
    file->addAction(play.open);
    m_recent = file->addMenu("Open &recent");
    file->addAction(m_importRaw);
    file->addAction(m_openDescribed);
    m_tracks = file->addMenu("&Track");
    file->addSeparator();
    file->addAction(play.screenshot);
    file->addAction(m_export);
    file->addAction(m_openSettings);
    file->addSeparator();
    file->addAction(m_quit);
    setRecentFiles({});
    setTracks({}, 0);

    m_edits = new EditMenu(this);
    menuBar()->addMenu(m_edits);

    QMenu* view = menuBar()->addMenu("&View");
    m_viewMenu = view;
    view->addActions({m_resetView, m_autoRange, m_nextMap});
    view->addSeparator();
    view->addActions(m_docks->actions());
    view->addActions({m_docks->sideBySideAction(), m_resetLayout});
    view->addSeparator();
    QMenu* theme = view->addMenu("&Theme");
    theme->addActions({m_darkTheme, m_lightTheme});
    view->addAction(m_fullScreen);

    QMenu* playback = menuBar()->addMenu("&Playback");
    playback->addActions({play.play, play.stepBack, play.stepForward, play.first, play.last});
    playback->addSeparator();
    playback->addActions({play.loop, play.slower, play.faster});
    playback->addSeparator();
    playback->addActions({play.goTo, play.playFrom, play.playTo, play.playAll});

    m_pipeline = new PipelineMenu(this);
    menuBar()->addMenu(m_pipeline);
    m_pipeline->addActions({m_findParameter, m_resetParameters});
    m_pipeline->addActions(m_aberration->actions());
    m_presets = new PresetMenu(this);
    m_pipeline->addMenu(m_presets);

    m_calibration = new CalibrationMenu(this);
    menuBar()->addMenu(m_calibration);

    m_helpMenu = menuBar()->addMenu("&Help");
    m_helpMenu->setToolTipsVisible(true);
    m_helpMenu->addActions({m_shortcuts, m_about});
}

void MainWindow::setHelpActions(const QList<QAction*>& actions) {
    m_helpMenu->insertActions(m_shortcuts, actions);
    m_helpMenu->insertSeparator(m_shortcuts);
}

void MainWindow::addFileActions(const QList<QAction*>& actions) {
    m_fileMenu->insertActions(m_openSettings, actions);
    addActions(actions);
}

void MainWindow::revealParameter(const QString& stage, const QString& key) {
    m_docks->reveal(*m_parameters);
    m_parameters->revealRow(stage, key);
}

void MainWindow::setViewActions(const QList<QAction*>& actions) {
    m_viewActions = actions;
    QAction* before = m_docks->actions().front();
    m_viewMenu->insertActions(before, actions);
    m_viewMenu->insertSeparator(before);
    addActions(actions);
}

void MainWindow::setImageActions(const QList<QAction*>& actions) {
    m_imageActions = actions;
    QAction* before = m_viewActions.isEmpty() ? m_docks->actions().front() : m_viewActions.front();
    m_viewMenu->insertActions(before, actions);
    m_viewMenu->insertSeparator(before);
    addActions(actions);
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

void MainWindow::showShortcuts() {
    std::vector<ShortcutSection> sections;
    const TransportBar::Actions& play = m_transport->actions();
    sections.push_back({"Playback", {}});
    for (QAction* action :
         {play.play, play.stepBack, play.stepForward, play.first, play.last, play.loop, play.slower,
          play.faster, play.goTo, play.playFrom, play.playTo, play.playAll}) {
        sections.back().actions.push_back(action);
    }
    sections.push_back({"Edit", m_edits->actionsWithKeys()});
    sections.push_back({"View", {m_resetView, m_autoRange, m_nextMap, m_fullScreen}});
    const auto addSection = [&sections](const char* title, const QList<QAction*>& actions) {
        std::vector<QAction*> shown;
        std::ranges::copy_if(actions, std::back_inserter(shown), [](const QAction* action) {
            return action->isVisible() && !action->isSeparator() && !action->shortcuts().isEmpty();
        });
        if (!shown.empty()) sections.push_back({title, shown});
    };
    addSection("Image", m_imageActions);
    addSection("Volume", m_viewActions);
    addSection("Aberration", m_aberration->actions());
    sections.push_back({"Files and window",
                        {play.open, m_importRaw, play.screenshot, m_export, m_openSettings,
                         m_findParameter, m_resetParameters, m_shortcuts, m_quit}});
    if (m_calibration->menuAction()->isVisible())
        sections.push_back({"Calibration", m_calibration->actionsWithKeys()});
    ShortcutSheet sheet(sections, this);
    sheet.exec();
}

void MainWindow::showAbout() {
    AboutDialog dialog(this);
    dialog.exec();
}

} // namespace echolux
