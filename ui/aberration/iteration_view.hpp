// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of an iteration with a slider: the change of each step, its delays and amplitudes.
#pragma once

#include "ui/aberration/aberration_values.hpp"

#include <QImage>
#include <QWidget>

#include <memory>
#include <vector>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace echolux {

class ConvergencePlot;
class ElementPlot;
class Slider;

class IterationView : public QWidget {
    Q_OBJECT
public:
    explicit IterationView(QWidget* parent = nullptr);
    /// The selected step stays selected. Where the last step was selected, the new last step is.
    /// `published`: the steps are those of one of Herikstad's programs.
    void setSteps(std::shared_ptr<const std::vector<IterationStep>> steps, bool published = false);
    void setLevel(bool level);        ///< show delays without piston and tilt
    int step() const { return m_at; } ///< from 0; -1: there are no steps
    Slider& slider() { return *m_slider; }
    ElementPlot& delays() { return *m_delays; }
    ElementPlot& amplitudes() { return *m_amplitudes; }
    ConvergencePlot& convergence() { return *m_convergence; }
    /// The marked steps side by side, delays above amplitudes; null where there are no steps.
    QImage strip() const;
    /// Saves strip() as PNG. Returns why it failed, or nothing.
    QString saveStrip(const QString& path) const;

    QToolButton& cineButton() { return *m_cine; }

signals:
    void cineWanted(); ///< save all steps as a cine
    void saved(const QString& path);
    void failed(const QString& sentence);

private:
    void addMarks(QHBoxLayout& row);
    void choose(int step);
    void show();
    void chooseFile();

    std::shared_ptr<const std::vector<IterationStep>> m_steps;
    int m_at = -1;
    bool m_atLast = true;
    bool m_level = true;
    QLabel* m_text;
    Slider* m_slider;
    std::vector<QToolButton*> m_marks; ///< one per entry of kShownIterations
    QToolButton *m_save, *m_cine;
    ConvergencePlot* m_convergence;
    ElementPlot *m_delays, *m_amplitudes;
};

} // namespace echolux
