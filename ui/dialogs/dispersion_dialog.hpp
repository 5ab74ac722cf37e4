// SPDX-License-Identifier: GPL-3.0-or-later
// Asks in which region to search for the dispersion terms, plots the sharpness of each trial, and
// shows the result.
#pragma once

#include <QDialog>
#include <QStringList>
#include <QVector>

class QComboBox;
class QCPGraph;
class QCPItemText;
class QCustomPlot;
class QDoubleSpinBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace echolux {

class ToggleSwitch;

class DispersionDialog : public QDialog {
    Q_OBJECT
public:
    /// Depths are in the unit of setLimits(). Lines count from 0 and exclude lineTo. (On screen
    /// they count from 1 and include the last one.)
    struct Region {
        double depthFrom = 0.0, depthTo = 0.0;
        int lineFrom = 0, lineTo = 0;
    };
    struct Choice {
        Region region;
        QString metric;
        bool quartic = false;
        int frames = 1;
    };

    explicit DispersionDialog(const QStringList& metrics, QWidget* parent = nullptr);
    /// Sets the image's extent, the number of B-scans in a frame and the number of frames. The
    /// region becomes the whole image without the first `depthSkipped`.
    void setLimits(double depthMax, double depthSkipped, const QString& unit, int lines, int bscans,
                   int frames);
    void setRegion(const Region& region);
    /// The B-scan has a depth window that the region can be taken from.
    void setHasDepthWindow(bool has);
    /// The B-scan has a drawn region that the region can be taken from.
    void setHasDrawnRegion(bool has);
    Choice choice() const;
    bool isBusy() const { return m_busy; }

    void begin(); ///< call when a search has started
    /// The first trial after begin() is the one without dispersion correction.
    void addTrials(const QVector<double>& numbers, const QVector<double>& sharpness,
                   const QVector<double>& best, double progress);
    void setNote(const QString& text, bool isError = false);
    void end(); ///< call when the search is over
    void setUndoable(bool undoable);
    QString note() const;
    QCustomPlot& plot() { return *m_plot; }
    QPushButton* findButton() const { return m_find; } ///< reads "Cancel" during a search

signals:
    void startRequested();
    void cancelRequested();
    void regionFromViewRequested();
    void regionFromWindowRequested();
    void regionFromDrawingRequested();
    void undoRequested();

private:
    void layOut();
    void restyle();
    void rescale();
    void showNeutral(double sharpness);

    bool m_busy = false;
    QDoubleSpinBox *m_depthFrom, *m_depthTo;
    QSpinBox *m_lineFrom, *m_lineTo, *m_frames;
    QComboBox* m_metric;
    ToggleSwitch* m_quartic;
    QPushButton *m_fromView, *m_fromWindow, *m_fromDrawing, *m_whole, *m_find, *m_undo, *m_close;
    QCustomPlot* m_plot;
    QCPGraph *m_trials, *m_best, *m_neutral;
    QCPItemText* m_neutralName;
    QProgressBar* m_progress;
    QLabel* m_note;
    Region m_largest;
};

} // namespace echolux
