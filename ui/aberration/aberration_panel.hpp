// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Aberration": the screen that was estimated, what correcting it gains, and how it came
// to be.
#pragma once

#include "ui/aberration/aberration_values.hpp"
#include "ui/controls/seen_widget.hpp"

#include <QList>

#include <array>
#include <vector>

class QAction;
class QButtonGroup;
class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QStackedLayout;
class QStackedWidget;
class QTabBar;
class QToolButton;
class QVBoxLayout;

namespace echolux {

class BinsPlot;
class ElementPlot;
class IterationView;
class RunningPlot;
class SignalsPlot;

/// Its actions, with keys: flip the correction, blink.
class AberrationPanel : public SeenWidget {
    Q_OBJECT
public:
    enum class Page { Screen, Focusing, Signals, Spectrum, Iterations };
    enum class Figure { Coherence, Age, Delay, Residual, Focus, Sharpness, Width };

    explicit AberrationPanel(QWidget* parent = nullptr);

    /// In place of everything, why nothing is estimated; empty: all is shown. `offered`: with a
    /// button that opens a pipeline which estimates.
    void setReason(const QString& sentence, bool offered = false);
    QString reason() const; ///< empty while estimates are shown
    /// Below, why they are not renewed; empty: they are.
    void setProblem(const QString& sentence);
    QString problem() const;
    /// `timeS`: of the running plots; grows.
    void setValues(const AberrationValues& values, double timeS);
    void clear(); ///< of values, as of another recording
    /// Frames shown since the one that the values are of.
    void setAge(int frames);
    /// What the image shows, and whether there is a stage to switch and another view to split with.
    void setCorrection(Correction correction);
    void setCorrectable(bool correctable, bool splittable);
    Correction correction() const { return m_correction; }
    /// The image is corrected by a filter from a file, not by what is estimated.
    void setFilterLoaded(bool loaded);
    /// Side by side across the region, one of which is shown; 1: there is nothing to choose.
    void setPatches(int count);
    QComboBox& patches() { return *m_patch; }
    void setRegionShown(bool shown);
    /// `why` the image cannot show the region; empty: it can.
    void setRegionProblem(const QString& why);
    void setPage(Page page);
    bool isLevel() const;
    void setLevel(bool level);

    QString figure(Figure figure) const;
    bool isShown(Figure figure) const; ///< not hidden, as what does not apply is
    QString stateText() const;
    ElementPlot& delays() { return *m_delays; }
    ElementPlot& amplitudes() { return *m_amplitudes; }
    ElementPlot& coherences() { return *m_coherences; }
    RunningPlot& focus() { return *m_focus; }
    SignalsPlot& signalsBefore() { return *m_before; }
    SignalsPlot& signalsAfter() { return *m_after; }
    BinsPlot& spectrum() { return *m_spectrum; }
    IterationView& iterations() { return *m_iterations; }
    QPushButton& openButton() { return *m_open; }
    QAction& saveAction() { return *m_save; }
    QAction& loadAction() { return *m_load; }
    QAction& estimateAction() { return *m_estimate; }
    QToolButton& regionButton() { return *m_region; }
    QToolButton& correctionButton(Correction correction);

signals:
    void pipelineRequested(); ///< one that estimates and corrects
    void regionToggled(bool shown);
    void bandDragged(double centreMhz, double widthMhz);
    void patchChosen(int patch); ///< from 0
    void correctionChosen(echolux::Correction correction);
    void filterWanted();   ///< as a file
    void loadWanted();     ///< a filter from a file
    void estimateWanted(); ///< in place of the loaded filter
    void saved(const QString& path);
    void failed(const QString& sentence);

private:
    static constexpr int kFigures = 7;

    void makeActions();
    QWidget* makeEmpty();
    QWidget* makeFull();
    void addControls(QVBoxLayout& layout);
    void addFigures(QVBoxLayout& layout);
    void addFigure(QGridLayout& grid, Figure figure, const QString& name, const QString& help,
                   int row, int column, int span = 1);
    void addPages(QVBoxLayout& layout);
    void choose(Correction correction);
    void tell(Figure figure, const QString& text);
    void showFigure(Figure figure, bool shown);
    void showScreen();
    void showSignals();
    void showFigures();
    QLabel& figureLabel(Figure figure) const {
        return *m_figures[static_cast<std::size_t>(figure)];
    }

    AberrationValues m_values;
    Correction m_correction = Correction::On;
    QAction *m_flip, *m_blink;
    QAction *m_save, *m_load, *m_estimate; ///< of filters
    QStackedLayout* m_stack;
    QLabel *m_reason, *m_state, *m_problem;
    QPushButton* m_open;
    QToolButton *m_region, *m_filter;
    QString m_regionHelp;
    QComboBox* m_patch;
    QButtonGroup* m_choices;
    std::array<QLabel*, kFigures> m_figures{}, m_titles{};
    QTabBar* m_tabs;
    QStackedWidget* m_pages;
    QCheckBox *m_level, *m_even;
    ElementPlot *m_delays, *m_amplitudes, *m_coherences;
    RunningPlot *m_focus, *m_sharpness;
    SignalsPlot *m_before, *m_after;
    BinsPlot* m_spectrum;
    IterationView* m_iterations;
};

} // namespace echolux
