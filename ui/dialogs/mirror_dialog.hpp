// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the measurement of mirror recordings: the resampling curve against a linear one, and how
// well the fringe's phase fits.
#pragma once

#include <QDialog>
#include <QStringList>
#include <QVector>

class QCPGraph;
class QCustomPlot;
class QLabel;
class QPushButton;

namespace echolux {

class MirrorDialog : public QDialog {
    Q_OBJECT
public:
    explicit MirrorDialog(QWidget* parent = nullptr);

    void begin(const QStringList& paths); ///< the recordings are being measured
    /// `deviation`: source position minus sample index, per sample.
    void setEstimate(const QVector<double>& deviation, const QString& text);
    void setError(const QString& sentence);
    void setApplied(bool applied);
    bool hasEstimate() const { return m_hasEstimate; }
    QString note() const;
    QCustomPlot& plot() { return *m_plot; }

signals:
    void recordingsChosen(const QStringList& paths);
    void applyRequested();
    void saveRequested();

private:
    void choose();
    void restyle();
    void setHasEstimate(bool has);

    QLabel* m_files;
    QCustomPlot* m_plot;
    QCPGraph *m_linear, *m_curve;
    QLabel* m_note;
    QPushButton *m_choose, *m_apply, *m_save, *m_close;
    QString m_folder;
    bool m_hasEstimate = false;
};

} // namespace echolux
