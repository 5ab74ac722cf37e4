// SPDX-License-Identifier: GPL-3.0-or-later
// The window: menus, transport bar, docks and the space for the image. It owns the widgets and
// their arrangement. The desktop connects their signals.
#pragma once

#include "ui/theme/theme.hpp"

#include <QMainWindow>
#include <QRect>
#include <QStringList>

#include <functional>
#include <utility>
#include <vector>

class QActionGroup;
class QMenu;
class QVBoxLayout;

namespace echolux {

class CalibrationMenu;
class DisplayGroup;
class Docks;
class EditMenu;
class MessageBar;
class MessageLog;
class ParameterPanel;
class PipelineMenu;
class PresetMenu;
class ProgressStrip;
class StatusBar;
class TransportBar;
struct DockEntry;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// `makeTools` creates the docks besides that of the parameters, after the theme has been
    /// applied.
    explicit MainWindow(const std::function<std::vector<DockEntry>()>& makeTools);
    ~MainWindow() override;
    /// Size for a screen whose windows may use `available`.
    static QSize initialSize(const QSize& available);
    /// `wanted`, reduced and moved so that it lies within `available`. The window manager's frame
    /// is not included.
    static QRect clamped(const QRect& wanted, const QRect& available);
    void fitScreen(); ///< reduces and moves the window onto its screen
    /// Gives the keyboard focus back to the window.
    void focusImage();

    void setCentralView(QWidget* view); ///< takes ownership
    /// Places for further menu entries, after the existing ones.
    enum class MenuPlace {
        Sources,   ///< File: open something else than a file
        Pictures,  ///< File: save the image
        Exports,   ///< File: export to other programs
        Recording, ///< File: about the open recording
        Edit,
        Image, ///< own menu: drawing options
        Playback,
        Views, ///< View: which views are shown
        Pipeline,
        Measure, ///< own menu: tools that measure
        Help     ///< pages of help
    };
    /// Enables the keys of the entries too. Empty actions are separators.
    void addEntries(MenuPlace place, const QList<QAction*>& entries);
    /// See Docks::add(). The dock has an entry in View > Plugin views. After full screen it is as
    /// it was before, or closed.
    void addDock(const DockEntry& entry);
    void removeDock(const QWidget& content);
    void openDock(const QWidget& content); ///< see Docks::reveal()
    /// See Docks::setNeeded().
    void setDockNeeded(const QWidget& content, bool needed);
    /// Called before the window closes. Where it returns false, the window stays open; the guard
    /// may close it later.
    void setCloseGuard(std::function<bool()> mayClose) { m_mayClose = std::move(mayClose); }
    TransportBar& transport() { return *m_transport; }
    ParameterPanel& parameters() { return *m_parameters; }
    DisplayGroup& display() { return *m_display; }
    StatusBar& status() { return *m_status; }
    MessageBar& messages() { return *m_messages; }
    MessageLog& messageLog() { return *m_messageLog; } ///< everything that messages() has shown
    CalibrationMenu& calibration() { return *m_calibration; }
    EditMenu& edits() { return *m_edits; }
    PipelineMenu& pipeline() { return *m_pipeline; }
    PresetMenu& presets() { return *m_presets; }
    ProgressStrip& progress() { return *m_progress; }

    /// Newest first. Empty entries are left out.
    void setRecentFiles(const QStringList& paths);
    /// Tracks of the open file and the shown one. The menu lets the user choose where there are
    /// several.
    void setTracks(const QStringList& names, int current);

    QByteArray saveLayout() const;
    /// Returns false and applies the standard layout where `layout` was not made by saveLayout().
    bool restoreLayout(const QByteArray& layout);
    void resetLayout();
    void setTheme(ThemeKind kind);
    void showCommands();
    void showShortcuts();
    void showMessages();
    /// Opens the dock of parameters, shows the row, and gives it the focus.
    void revealParameter(const QString& stage, const QString& key);

signals:
    void openRequested();
    void recentFileChosen(const QString& path);
    void trackChosen(int track);
    void screenshotRequested();
    void exportRequested();
    void openScreenshotSettingsRequested();
    void importRawRequested();
    void openDescribedRequested();
    void resetParametersRequested();
    void resetViewRequested();
    void autoRangeRequested();
    void themeChosen(echolux::ThemeKind kind);
    void filesDropped(const QStringList& paths); ///< at least one path
    void forgetPickedRequested(); ///< Escape was pressed, and no other widget uses it
    void aboutToClose();

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override; ///< in reading order
    void mousePressEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void makeDocks(std::vector<DockEntry> tools);
    void listenToPlots(const QWidget& parent);
    void makeActions();
    void makeMenus();
    void setFullScreen(bool on);
    void showAbout();

    TransportBar* m_transport;
    ParameterPanel* m_parameters;
    DisplayGroup* m_display;
    StatusBar* m_status;
    QWidget* m_centre;
    QVBoxLayout* m_centreLayout;
    MessageBar* m_messages;
    MessageLog* m_messageLog;
    ProgressStrip* m_progress;
    Docks* m_docks = nullptr;
    QMenu* m_recent = nullptr;
    QMenu* m_tracks = nullptr;
    QMenu* m_pluginViews = nullptr;
    QActionGroup* m_trackGroup = nullptr;
    /// By MenuPlace: the menu, and the entry before which entries are inserted; null: at the end.
    std::vector<std::pair<QMenu*, QAction*>> m_places;
    std::function<bool()> m_mayClose;
    CalibrationMenu* m_calibration = nullptr;
    EditMenu* m_edits = nullptr;
    PipelineMenu* m_pipeline = nullptr;
    PresetMenu* m_presets = nullptr;

    QAction *m_export, *m_openSettings, *m_importRaw, *m_openDescribed, *m_quit, *m_resetView,
        *m_autoRange, *m_nextMap, *m_fullScreen, *m_resetLayout, *m_resetParameters,
        *m_findParameter, *m_darkTheme, *m_lightTheme, *m_commands, *m_shortcuts, *m_showMessages,
        *m_about;
    QByteArray m_beforeFullScreen;
};

} // namespace echolux
