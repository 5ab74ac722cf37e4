// SPDX-License-Identifier: GPL-3.0-or-later
// Passes values to plots and figures, and emits the user's requests.
#include "ui/aberration/aberration_panel.hpp"

#include "ui/aberration/bins_plot.hpp"
#include "ui/aberration/element_plot.hpp"
#include "ui/aberration/iteration_view.hpp"
#include "ui/aberration/running_plot.hpp"
#include "ui/aberration/signals_plot.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/theme/labels.hpp"

#include <QAction>
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QPushButton>
#include <QStackedLayout>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

QString arrow(const QString& before, const QString& after, const QString& unit = {}) {
    return QString("%1 \u2192 %2 %3").arg(before, after, unit).trimmed();
}

QString none() { return QString(QChar(0x2013)); }

/// A sign behind a figure: it became better, worse, or stayed.
QString verdict(double before, double after, bool moreIsBetter) {
    constexpr double kSame = 0.02;
    if (!(before > 0.0)) return {};
    const double ratio = after / before;
    if (std::abs(ratio - 1.0) < kSame) return " =";
    return (ratio > 1.0) == moreIsBetter ? QStringLiteral(" \u2713") : QStringLiteral(" \u2717");
}

QString timeText(double ms) { return ms < 10.0 ? significantText(ms, 2) : numberText(ms, 0); }

} // namespace

QString AberrationPanel::figure(Figure figure) const { return figureLabel(figure).text(); }

bool AberrationPanel::isShown(Figure figure) const { return !figureLabel(figure).isHidden(); }

QString AberrationPanel::stateText() const { return m_state->text(); }

QToolButton& AberrationPanel::correctionButton(Correction correction) {
    return *qobject_cast<QToolButton*>(m_choices->button(static_cast<int>(correction)));
}

void AberrationPanel::setReason(const QString& sentence, bool offered) {
    if (!sentence.isEmpty()) {
        m_reason->setText(sentence);
        setProblem({});
        clear();
    }
    m_open->setVisible(offered);
    m_stack->setCurrentIndex(sentence.isEmpty() ? 1 : 0);
}

QString AberrationPanel::reason() const {
    return m_stack->currentIndex() == 0 ? m_reason->text() : QString();
}

void AberrationPanel::setProblem(const QString& sentence) {
    m_problem->setText(sentence);
    m_problem->setHidden(sentence.isEmpty());
}

QString AberrationPanel::problem() const { return m_problem->text(); }

void AberrationPanel::clear() {
    m_values = {};
    m_values.steps = std::make_shared<const std::vector<IterationStep>>();
    for (ElementPlot* plot : {m_delays, m_amplitudes, m_coherences}) plot->clear();
    for (RunningPlot* plot : {m_focus, m_sharpness}) plot->clear();
    for (SignalsPlot* plot : {m_before, m_after}) plot->clear();
    m_spectrum->clear();
    for (QAction* action : {m_save, m_saveParts}) action->setEnabled(false);
    m_iterations->setSteps(m_values.steps);
    for (QLabel* label : m_figures) label->setText(none());
    setParts({});
    m_state->setText("Waiting for the first estimate");
    setRole(m_state, LabelRole::Secondary);
}

void AberrationPanel::setValues(const AberrationValues& values, double timeS) {
    m_values = values;
    if (m_values.steps == nullptr)
        m_values.steps = std::make_shared<const std::vector<IterationStep>>();
    setProblem({});
    showScreen();
    m_coherences->setValues(m_values.coherence, std::nullopt,
                            QString("mean %1").arg(numberText(m_values.meanCoherence, 2)));
    m_focus->add(timeS, m_values.focusBefore, m_values.focusAfter);
    m_sharpness->add(timeS, m_values.sharpnessBefore, m_values.sharpnessAfter);
    showSignals();
    m_spectrum->setSpectrum(m_values.spectrum);
    m_iterations->setSteps(m_values.steps, m_values.published);
    showFigures();
    for (QAction* action : {m_save, m_saveParts}) action->setEnabled(m_values.valid);
    setAge(0);
}

void AberrationPanel::showScreen() {
    const bool level = isLevel();
    const auto delays = [level](const ScreenValues& of) {
        return level ? of.levelDelayNs : of.delayNs;
    };
    std::optional<ElementValues> truthDelays, truthAmplitudes;
    if (m_values.truth) {
        truthDelays = delays(*m_values.truth);
        truthAmplitudes = m_values.truth->amplitudeDb;
    }
    m_delays->setValues(
        delays(m_values.found), truthDelays,
        m_values.residualNs
            ? QString("%1 ns rms from the truth").arg(numberText(*m_values.residualNs, 1))
            : m_values.text);
    m_amplitudes->setValues(
        m_values.found.amplitudeDb, truthAmplitudes,
        m_values.residualDb
            ? QString("%1 dB rms from the truth").arg(numberText(*m_values.residualDb, 1))
            : QString());
}

void AberrationPanel::showSignals() {
    const bool even = m_even->isChecked();
    m_before->setSignals(m_values.aligned, m_values.aligned.before, even);
    m_after->setSignals(m_values.aligned, m_values.aligned.after, even);
}

void AberrationPanel::tell(Figure figure, const QString& text) {
    figureLabel(figure).setText(text.isEmpty() ? none() : text);
}

void AberrationPanel::showFigures() {
    const AberrationValues& v = m_values;
    m_state->setText(v.valid      ? QString("Coherent: the screen can be corrected")
                     : v.coherent ? QString("In focus as it is: nothing is corrected")
                                  : QString("No coherent signal: nothing is corrected"));
    setRole(m_state, v.valid || v.coherent ? LabelRole::Normal : LabelRole::Warning);
    tell(Figure::Coherence, numberText(v.meanCoherence, 2));
    tell(Figure::Delay, numberText(v.rmsDelayNs, 1) + " ns");
    QStringList residual;
    if (v.residualNs) residual << numberText(*v.residualNs, 1) + " ns";
    if (v.residualDb) residual << numberText(*v.residualDb, 1) + " dB";
    tell(Figure::Residual, residual.join(", "));
    // Without a correction there are no figures of a correction. A point that does not stand out
    // has none either.
    const bool point = v.valid && v.widthAfterMm.has_value();
    showFigure(Figure::Focus, v.valid);
    showFigure(Figure::Sharpness, point);
    showFigure(Figure::Width, point);
    tell(Figure::Focus, arrow(numberText(v.focusBefore, 3), numberText(v.focusAfter, 3)) +
                            verdict(v.focusBefore, v.focusAfter, true));
    tell(Figure::Sharpness,
         arrow(significantText(v.sharpnessBefore, 3), significantText(v.sharpnessAfter, 3)) +
             verdict(v.sharpnessBefore, v.sharpnessAfter, true));
    if (!point) return tell(Figure::Width, {});
    const double after = *v.widthAfterMm;
    const double before = v.widthBeforeMm.value_or(2.0 * after); // too blurred for a width
    tell(Figure::Width,
         arrow(v.widthBeforeMm ? numberText(before, 2) : "no point", numberText(after, 2), "mm") +
             verdict(before, after, false));
}

void AberrationPanel::showFigure(Figure figure, bool shown) {
    const auto at = static_cast<std::size_t>(figure);
    for (QLabel* label : {m_titles[at], m_figures[at]}) label->setHidden(!shown);
}

void AberrationPanel::setAge(int frames) {
    if (m_values.found.delayNs.empty()) return;
    tell(Figure::Age, frames == 1 ? QString("1 frame") : QString("%1 frames").arg(frames));
}

void AberrationPanel::setTimes(const AberrationTimes& times) {
    showFigure(Figure::Time, times.sumMs() > 0.0);
    const bool holds = times.sumMs() <= AberrationTimes::kBeamMs;
    tell(Figure::Time,
         QString("%1 + %2 ms, %3 %4 ms")
             .arg(timeText(times.estimateMs), timeText(times.correctionMs),
                  holds ? "within" : "beyond", numberText(AberrationTimes::kBeamMs, 3)));
}

void AberrationPanel::setParts(const std::optional<AberrationParts>& parts) {
    showFigure(Figure::Parts, parts.has_value());
    if (!parts) return;
    tell(Figure::Parts, QString("focus %1, sums %2, solution %3, end %4 ms")
                            .arg(timeText(parts->focusMs), timeText(parts->sumsMs),
                                 timeText(parts->solutionMs), timeText(parts->endMs)));
}

void AberrationPanel::setCorrection(Correction correction) {
    m_correction = correction;
    correctionButton(correction).setChecked(true);
    const QSignalBlocker quiet(m_blink);
    m_blink->setChecked(correction == Correction::Blink);
}

void AberrationPanel::setCorrectable(bool correctable, bool splittable) {
    for (const Correction each : {Correction::Off, Correction::On, Correction::Blink})
        correctionButton(each).setEnabled(correctable);
    correctionButton(Correction::Split).setEnabled(splittable);
    m_load->setEnabled(correctable);
    for (QAction* action : {m_flip, m_blink}) {
        action->setEnabled(correctable);
        action->setVisible(correctable);
    }
}

void AberrationPanel::setFilterLoaded(bool loaded) {
    m_estimate->setVisible(loaded);
    m_filter->setText(loaded ? "Filter: loaded \u25be" : "Filter \u25be");
}

void AberrationPanel::setPatches(int count) {
    if (m_patch->count() != count) {
        const int chosen = m_patch->currentIndex();
        m_patch->clear();
        for (int i = 1; i <= count; ++i)
            m_patch->addItem(QString("Patch %1 of %2").arg(i).arg(count));
        m_patch->setCurrentIndex(std::clamp(chosen, 0, count - 1));
    }
    m_patch->setVisible(count > 1);
}

void AberrationPanel::choose(Correction correction) {
    setCorrection(correction);
    emit correctionChosen(correction);
}

void AberrationPanel::setRegionShown(bool shown) {
    const QSignalBlocker quiet(m_region);
    m_region->setChecked(shown);
}

void AberrationPanel::setRegionProblem(const QString& why) {
    if (m_regionHelp.isEmpty()) m_regionHelp = m_region->toolTip();
    m_region->setEnabled(why.isEmpty());
    m_region->setToolTip(why.isEmpty() ? m_regionHelp : why);
}

void AberrationPanel::setPage(Page page) { m_tabs->setCurrentIndex(static_cast<int>(page)); }

bool AberrationPanel::isLevel() const { return m_level->isChecked(); }

void AberrationPanel::setLevel(bool level) { m_level->setChecked(level); }

} // namespace echolux
