// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Aberration": the estimated screen, the gain of correcting it, and the steps of the
// estimate.
#pragma once

#include "ui/aberration/aberration_values.hpp"
#include "ui/controls/seen_widget.hpp"

#include <QList>

#include <array>
#include <optional>
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

/// Actions with shortcut keys: switch the correction, alternate.
class AberrationPanel : public SeenWidget {
    Q_OBJECT
public:
    enum class Page { Screen, Focusing, Signals, Spectrum, Iterations };
    enum class Figure { Coherence, Age, Delay, Residual, Focus, Sharpness, Width, Time, Parts };

    explicit AberrationPanel(QWidget* parent = nullptr);

    /// Shows why nothing is estimated instead of the values; empty: the values. `offered`: also
    /// shows a button that opens a pipeline with an estimate.
    void setReason(const QString& sentence, bool offered = false);
    QString reason() const; ///< empty while estimates are shown
    /// Shows below the values why they are not updated; empty: they are.
    void setProblem(const QString& sentence);
    QString problem() const;
    /// `timeS`: time on the axis of the running plots; must not decrease.
    void setValues(const AberrationValues& values, double timeS);
    void clear(); ///< removes the values, as for another recording
    /// Number of frames shown since the frame of the values.
    void setAge(int frames);
    /// Hidden where nothing was timed.
    void setTimes(const AberrationTimes& times);
    void setParts(const std::optional<AberrationParts>& parts); ///< empty: hidden
    /// How the image shows the correction.
    void setCorrection(Correction correction);
    /// `correctable`: there is a stage to switch. `splittable`: a second view can be compared.
    void setCorrectable(bool correctable, bool splittable);
    Correction correction() const { return m_correction; }
    /// A filter from a file, not the estimate, corrects the image.
    void setFilterLoaded(bool loaded);
    /// Number of patches side by side across the region; the user chooses which one is shown. 1: no
    /// choice.
    void setPatches(int count);
    QComboBox& patches() { return *m_patch; }
    void setRegionShown(bool shown);
    /// `why`: reason why the image cannot show the region; empty: it can.
    void setRegionProblem(const QString& why);
    void setPage(Page page);
    bool isLevel() const;
    void setLevel(bool level);

    QString figure(Figure figure) const;
    bool isShown(Figure figure) const; ///< false for figures that do not apply and are hidden
    QString stateText() const;
    ElementPlot& delays() { return *m_delays; }
    ElementPlot& amplitudes() { return *m_amplitudes; }
    RunningPlot& focus() { return *m_focus; }
    SignalsPlot& signalsBefore() { return *m_before; }
    SignalsPlot& signalsAfter() { return *m_after; }
    BinsPlot& spectrum() { return *m_spectrum; }
    IterationView& iterations() { return *m_iterations; }
    QPushButton& openButton() { return *m_open; }
    QAction& estimateAction() { return *m_estimate; }
    QToolButton& regionButton() { return *m_region; }
    QToolButton& correctionButton(Correction correction);

signals:
    void pipelineRequested(); ///< a pipeline that estimates and corrects
    void regionToggled(bool shown);
    void bandDragged(double centreMhz, double widthMhz);
    void patchChosen(int patch); ///< from 0
    void correctionChosen(echolux::Correction correction);
    void filterWanted();   ///< save the filter to a file
    void partsWanted();    ///< the same as real and imaginary part
    void loadWanted();     ///< load a filter from a file
    void estimateWanted(); ///< use the estimate instead of the loaded filter
    void saved(const QString& path);
    void failed(const QString& sentence);

private:
    static constexpr int kFigures = 9;

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
    QAction *m_save, *m_saveParts, *m_load, *m_estimate; ///< actions on filters
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
