// SPDX-License-Identifier: GPL-3.0-or-later
// The window: menus, transport bar, docks and the place for the image. It owns the widgets and
// their arrangement; whoever runs a session connects their signals.
#pragma once

#include "ui/theme/theme.hpp"

#include <QMainWindow>
#include <QRect>
#include <QStringList>

#include <vector>

class QMenu;
class QVBoxLayout;

namespace echolux {

class AberrationPanel;
class RfLinePlot;
class DepthProfilePlot;
class BeamShapePanel;
class CalibrationMenu;
class ChannelPlot;
class DisplayGroup;
class Docks;
class EditMenu;
class FilterLabPanel;
class FringePlot;
class GraphView;
class MessageBar;
class ParameterPanel;
class PerformancePanel;
class PipelineMenu;
class PipelineText;
class PresetMenu;
class ProgressStrip;
class SpectrumPlot;
class StatusBar;
class TransmitThumbnails;
class TransportBar;
class ViewLinesPlot;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
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
    /// Further entries of the View menu, with their keys; hidden ones are not on the sheet of keys.
    void setViewActions(const QList<QAction*>& actions);
    /// Entries of the View menu about the image, with their keys.
    void setImageActions(const QList<QAction*>& actions);
    TransportBar& transport() { return *m_transport; }
    ParameterPanel& parameters() { return *m_parameters; }
    DisplayGroup& display() { return *m_display; }
    RfLinePlot& aLine() { return *m_aLine; }
    SpectrumPlot& spectrum() { return *m_spectrum; }
    FringePlot& fringe() { return *m_fringe; }
    DepthProfilePlot& ascan() { return *m_ascan; }
    ViewLinesPlot& viewLines() { return *m_viewLines; }
    /// Fringe and A-scan in the dock "Plots", or else A-line and spectrum.
    void showOctPlots(bool oct);
    /// Before them the lines of the views, for pipelines whose views can be compared.
    void showViewLines(bool shown);
    PerformancePanel& performance() { return *m_performance; }
    /// In docks that are closed until they are asked for.
    GraphView& graph() { return *m_graph; }
    PipelineText& pipelineText() { return *m_pipelineText; }
    BeamShapePanel& beamShape() { return *m_beamShape; }
    ChannelPlot& delays() { return *m_delays; }
    TransmitThumbnails& transmits() { return *m_transmits; }
    AberrationPanel& aberration() { return *m_aberration; }
    FilterLabPanel& filterLab() { return *m_filterLab; }
    StatusBar& status() { return *m_status; }
    MessageBar& messages() { return *m_messages; }
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
    /// The dock of parameters in sight, the row too, and the keys go there.
    void revealParameter(const QString& stage, const QString& key);
    /// Entries of the menu "Help", before the others.
    void setHelpActions(const QList<QAction*>& actions);
    /// Entries of the menu "File", behind "Export".
    void addFileActions(const QList<QAction*>& actions);

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
    void fileDropped(const QString& path);
    void aboutToClose();

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void makeDocks();
    void makeActions();
    void makeMenus();
    void setFullScreen(bool on);
    void showAbout();

    TransportBar* m_transport;
    ParameterPanel* m_parameters;
    DisplayGroup* m_display;
    ViewLinesPlot* m_viewLines;
    RfLinePlot* m_aLine;
    SpectrumPlot* m_spectrum;
    FringePlot* m_fringe;
    DepthProfilePlot* m_ascan;
    PerformancePanel* m_performance;
    GraphView* m_graph;
    PipelineText* m_pipelineText;
    ChannelPlot* m_delays;
    BeamShapePanel* m_beamShape;
    TransmitThumbnails* m_transmits;
    FilterLabPanel* m_filterLab;
    AberrationPanel* m_aberration;
    StatusBar* m_status;
    QWidget* m_centre;
    QVBoxLayout* m_centreLayout;
    MessageBar* m_messages;
    ProgressStrip* m_progress;
    Docks* m_docks = nullptr;
    QMenu* m_recent = nullptr;
    QMenu* m_tracks = nullptr;
    QActionGroup* m_trackGroup = nullptr;
    QMenu* m_fileMenu = nullptr;
    QMenu* m_helpMenu = nullptr;
    QMenu* m_viewMenu = nullptr;
    QList<QAction*> m_viewActions;
    QList<QAction*> m_imageActions;
    CalibrationMenu* m_calibration = nullptr;
    EditMenu* m_edits = nullptr;
    PipelineMenu* m_pipeline = nullptr;
    PresetMenu* m_presets = nullptr;

    QAction *m_export, *m_openSettings, *m_importRaw, *m_openDescribed, *m_quit, *m_resetView,
        *m_autoRange, *m_nextMap, *m_fullScreen, *m_resetLayout, *m_resetParameters,
        *m_findParameter, *m_darkTheme, *m_lightTheme, *m_shortcuts, *m_about;
    QByteArray m_beforeFullScreen;
};

} // namespace echolux
