// SPDX-License-Identifier: GPL-3.0-or-later
// The page "Plot against": which parameter is swept, which figure is drawn, and the best value.
#pragma once

#include "app/tools/measurements/sweep_plot.hpp"
#include "gpu/stage/param_table.hpp"

#include <QList>
#include <QPair>
#include <QString>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace echolux {

class ComboBox;
class NumberField;

/// A number of the pipeline that can be swept.
struct SweptParameter {
    QString id;    ///< "beamform.speed_of_sound"
    QString label; ///< "Beamform: Speed of sound"
    ParamRow row;
    double now = 0.0; ///< the value in force, in SI units
    double from = 0.0;
    double to = 0.0; ///< ends of the course that is offered
};

class SweepPanel : public QWidget {
    Q_OBJECT
public:
    explicit SweepPanel(QWidget* parent = nullptr);

    /// The chosen one stays, with its ends, where it is still there.
    void setParameters(const QList<SweptParameter>& parameters);
    /// Pairs of name and label. The chosen one stays where it is still there.
    void setFigures(const QList<QPair<QString, QString>>& figures);
    void setBusy(bool busy);
    void setCurve(const SweepCurve& curve) { m_plot->setCurve(curve); }
    /// One sentence below the plot. `use`: text of the button that takes the best value; empty: it
    /// is disabled.
    void setAnswer(const QString& sentence, const QString& use);

    const SweptParameter* parameter() const; ///< null: there is none
    double from() const;
    double to() const;
    int count() const;
    QString figure() const;
    bool wantsLowest() const;
    SweepPlot& plot() { return *m_plot; }

signals:
    void startWanted();
    void stopWanted();
    void useWanted();
    void figureChosen(); ///< or lowest or highest

private:
    void showEnds();

    QList<SweptParameter> m_parameters;
    QString m_endsOf; ///< the parameter that the fields show
    ComboBox* m_parameter;
    QHBoxLayout* m_ends;
    NumberField* m_from = nullptr;
    NumberField* m_to = nullptr;
    QSpinBox* m_count;
    ComboBox* m_figure;
    ComboBox* m_best;
    QPushButton* m_start;
    QPushButton* m_use;
    QLabel* m_answer;
    SweepPlot* m_plot;
    bool m_busy = false;
};

} // namespace echolux
