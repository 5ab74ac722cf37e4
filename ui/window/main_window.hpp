// SPDX-License-Identifier: GPL-3.0-or-later
// The window: menus, transport bar, docks and the place for the image. It owns the widgets and
// their arrangement; whoever runs a session connects their signals.
#pragma once

#include "ui/theme/theme.hpp"

#include <QMainWindow>
#include <QRect>
#include <QStringList>

#include <functional>
#include <utility>
#include <vector>

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
    /// `makeTools` makes the docks beside that of the parameters, once the theme is there.
    explicit MainWindow(const std::function<std::vector<DockEntry>()>& makeTools);
    ~MainWindow() override;
    /// On a screen that leaves this much room to windows.
    static QSize initialSize(const QSize& available);
    /// `wanted`, as large as `available` has room for, and nowhere beyond it. The frame of the
    /// window manager comes on top.
    static QRect clamped(const QRect& wanted, const QRect& available);
    void fitScreen(); ///< shrinks and moves it onto the screen where it is
    /// Keys go to the window again, wherever the focus was.
    void focusImage();

    void setCentralView(QWidget* view); ///< takes ownership
    /// Where further entries of the menus go, behind those that are there already.
    enum class MenuPlace {
        Pictures,  ///< File: the image into files
        Exports,   ///< File: of other programs
        Recording, ///< File: about the open recording
        Edit,
        Image, ///< menu of its own: what is drawn
        Views, ///< View: which ones are shown
        Pipeline,
        Help ///< its pages
    };
    /// Their keys work, too. Empty actions are separators.
    void addEntries(MenuPlace place, const QList<QAction*>& entries);
    /// Asked before the window closes; false: it stays. Whoever says so may close it later.
    void setCloseGuard(std::function<bool()> mayClose) { m_mayClose = std::move(mayClose); }
    TransportBar& transport() { return *m_transport; }
    ParameterPanel& parameters() { return *m_parameters; }
    DisplayGroup& display() { return *m_display; }
    StatusBar& status() { return *m_status; }
    MessageBar& messages() { return *m_messages; }
    MessageLog& messageLog() { return *m_messageLog; } ///< all that messages() has shown
    CalibrationMenu& calibration() { return *m_calibration; }
    EditMenu& edits() { return *m_edits; }
    PipelineMenu& pipeline() { return *m_pipeline; }
    PresetMenu& presets() { return *m_presets; }
    ProgressStrip& progress() { return *m_progress; }

    /// Newest first; empty entries are left out.
    void setRecentFiles(const QStringList& paths);
    /// Recordings of the open file, of which one is on view; a choice where there are several.
    void setTracks(const QStringList& names, int current);

    QByteArray saveLayout() const;
    /// False, and the standard layout, where `layout` is none of ours.
    bool restoreLayout(const QByteArray& layout);
    void resetLayout();
    void setTheme(ThemeKind kind);
    void showShortcuts();
    void showMessages();
    /// The dock of parameters in sight, the row too, and the keys go there.
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
    void filesDropped(const QStringList& paths); ///< one at least
    void forgetPickedRequested();                ///< Escape, where nothing else takes it
    void aboutToClose();

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override; ///< as the eye reads
    void mousePressEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void makeDocks(std::vector<DockEntry> tools);
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
    QActionGroup* m_trackGroup = nullptr;
    /// By MenuPlace: the menu, and the entry before which further ones go; null: at its end.
    std::vector<std::pair<QMenu*, QAction*>> m_places;
    std::function<bool()> m_mayClose;
    CalibrationMenu* m_calibration = nullptr;
    EditMenu* m_edits = nullptr;
    PipelineMenu* m_pipeline = nullptr;
    PresetMenu* m_presets = nullptr;

    QAction *m_export, *m_openSettings, *m_importRaw, *m_openDescribed, *m_quit, *m_resetView,
        *m_autoRange, *m_nextMap, *m_fullScreen, *m_resetLayout, *m_resetParameters,
        *m_findParameter, *m_darkTheme, *m_lightTheme, *m_shortcuts, *m_showMessages, *m_about;
    QByteArray m_beforeFullScreen;
};

} // namespace echolux
