// SPDX-License-Identifier: GPL-3.0-or-later
// From the choices on the page to a sweep, and from its figures to the plot and the best value.
#include "app/tools/measurements/sweep.hpp"

#include "app/desktop/workbench/workbench.hpp"
#include "app/tools/measurements/sweep_panel.hpp"
#include "ui/controls/number_scale.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/theme/theme.hpp"

#include <QTimer>

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {
namespace {

constexpr int kSweepPeriodMs = 100; ///< of the plot while a sweep runs
constexpr int kDigits = 4;

QString fromUtf8(const std::string& text) { return QString::fromStdString(text); }

/// A row without a condition, or whose condition holds. The row of the condition must be in use,
/// too.
bool isInUse(const StageState& stage, const ParamRow& row) {
    if (row.onlyWith.key.empty()) return true;
    return stage.params.holds(row.onlyWith) &&
           isInUse(stage, *stage.type->table.find(row.onlyWith.key));
}

QList<SweptParameter> numbersOf(const Snapshot& snapshot) {
    QList<SweptParameter> all;
    for (const StageState& stage : snapshot.stages) {
        if (stage.bypass) continue;
        const std::vector<SliderSpan> spans = stage.spans();
        const QString name =
            fromUtf8(stage.type->label + (stage.id == stage.type->id ? "" : " " + stage.id));
        for (const ParamRow& row : stage.type->table.rows()) {
            const bool number = row.type == ParamType::Real || row.type == ParamType::Integer;
            if (!number || !isInUse(stage, row)) continue;
            const auto span = std::ranges::find(spans, row.key, &SliderSpan::key);
            const auto [from, to] =
                span == spans.end() ? std::pair(row.min, row.max) : std::pair(span->min, span->max);
            all.append({fromUtf8(stage.id + "." + row.key), name + ": " + fromUtf8(row.label), row,
                        numberOf(stage.params.get(row.key)), from, to});
        }
    }
    return all;
}

/// Evenly from one end to the other; whole and odd numbers once each.
std::vector<ParamValue> courseOf(const SweepPanel& panel, const ParamRow& row) {
    const NumberScale scale(row);
    std::vector<ParamValue> values;
    for (int n = 0; n < panel.count(); ++n) {
        const double share = static_cast<double>(n) / (panel.count() - 1);
        const double value = panel.from() + share * (panel.to() - panel.from());
        const ParamValue taken = scale.toParam(scale.clamped(value));
        if (values.empty() || values.back() != taken) values.push_back(taken);
    }
    return values;
}

QString withUnit(const QString& text, const QString& unit) {
    return unit.isEmpty() ? text : text + ' ' + unit;
}

QString inBrackets(const QString& text, const QString& unit) {
    return unit.isEmpty() ? text : QString("%1 (%2)").arg(text, unit);
}

} // namespace

MeasurementSweep::MeasurementSweep(SweepPanel& panel, Workbench& bench)
    : m_panel(panel), m_bench(bench), m_timer(new QTimer(this)) {
    m_timer->setInterval(kSweepPeriodMs);
    connect(m_timer, &QTimer::timeout, this, &MeasurementSweep::follow);
    connect(&bench, &Workbench::pipelineChanged, this, &MeasurementSweep::offerParameters);
    connect(&panel, &SweepPanel::startWanted, this, &MeasurementSweep::start);
    connect(&panel, &SweepPanel::stopWanted, this, [this] { m_stop.request_stop(); });
    connect(&panel, &SweepPanel::useWanted, this, &MeasurementSweep::use);
    connect(&panel, &SweepPanel::figureChosen, this, &MeasurementSweep::show);
}

MeasurementSweep::~MeasurementSweep() { m_stop.request_stop(); }

void MeasurementSweep::offerParameters() {
    if (!m_bench.isOpen()) return;
    m_panel.setParameters(numbersOf(*m_bench.snapshot()));
    if (!m_swept.empty()) show(); // another value may be in force
}

void MeasurementSweep::setMeasurements(const std::vector<measure::Measurement>& measurements,
                                       const std::vector<measure::Measured>& now) {
    m_measurements = measurements;
    if (m_progress == nullptr && !m_swept.empty()) return; // those of the sweep are offered
    std::vector<SweptFigure> figures;
    addFigures(figures, now);
    offer(figures);
}

void MeasurementSweep::offer(const std::vector<SweptFigure>& figures) {
    QList<QPair<QString, QString>> offered;
    for (const SweptFigure& figure : figures)
        offered.append({fromUtf8(figure.name), fromUtf8(figure.label)});
    m_panel.setFigures(offered);
}

void MeasurementSweep::forget() {
    m_stop.request_stop();
    m_timer->stop();
    m_progress.reset();
    m_panel.setBusy(false);
    m_swept.clear();
    m_figures.clear();
    m_problem.clear();
    m_panel.setCurve({});
    m_panel.setAnswer({}, {});
}

void MeasurementSweep::start() {
    const SweptParameter* chosen = m_panel.parameter();
    if (!m_bench.isOpen() || chosen == nullptr) return;
    if (m_measurements.empty())
        return m_bench.inform("Measure something on the image first, on the page Shapes: a sweep "
                              "plots its figures.");
    forget();
    const ParamRow& row = chosen->row;
    const auto dot = chosen->id.indexOf('.');
    m_course = {.id = chosen->id,
                .stage = chosen->id.left(dot).toStdString(),
                .key = row.key,
                .label = chosen->label,
                .unit = prettyUnit(row.shownUnit()),
                .factor = row.displayFactor,
                .from = std::min(m_panel.from(), m_panel.to()) * row.displayFactor,
                .to = std::max(m_panel.from(), m_panel.to()) * row.displayFactor,
                .values = courseOf(m_panel, row)};
    m_progress = std::make_shared<SweepProgress>();
    m_stop = {};
    m_panel.setBusy(true);
    m_timer->start();
    const SweepTask task{m_bench.snapshot(), m_course.stage, m_course.key,
                         m_course.values,    m_measurements, m_bench.rawFrameReader(),
                         m_bench.backend()};
    m_bench.compute([task, progress = m_progress,
                     stop = m_stop.get_token()](const std::stop_token&) -> Background::Finish {
        runSweep(task, *progress, stop);
        return {};
    });
}

void MeasurementSweep::follow() {
    SweepProgress::Found found = m_progress->take();
    for (Swept& each : found.swept) {
        addFigures(m_figures, each.measured);
        m_swept.push_back(std::move(each));
    }
    if (found.ended) {
        m_timer->stop();
        m_progress.reset();
        m_panel.setBusy(false);
        m_problem = m_bench.inLabels(found.problem);
        if (!m_swept.empty()) offer(m_figures);
    }
    if (!found.swept.empty() || found.ended) show();
}

double MeasurementSweep::shownValue(const Swept& swept) const {
    const auto at = static_cast<std::size_t>(&swept - m_swept.data());
    return numberOf(m_course.values[at]) * m_course.factor;
}

std::optional<double> MeasurementSweep::valueInForce() const {
    if (!m_bench.isOpen()) return std::nullopt;
    for (const StageState& stage : m_bench.snapshot()->stages)
        if (stage.id == m_course.stage && stage.type->table.find(m_course.key) != nullptr)
            return numberOf(stage.params.get(m_course.key)) * m_course.factor;
    return std::nullopt;
}

BestValue MeasurementSweep::best() const {
    return bestValueOf(m_swept, m_panel.figure().toStdString(),
                       m_panel.wantsLowest() ? Best::Lowest : Best::Highest);
}

void MeasurementSweep::show() {
    const std::string name = m_panel.figure().toStdString();
    const auto figure = std::ranges::find(m_figures, name, &SweptFigure::name);
    if (figure == m_figures.end()) {
        m_panel.setCurve({});
        const auto refused =
            std::ranges::find_if(m_swept, [](const Swept& each) { return !each.problem.empty(); });
        const QString why = refused == m_swept.end() ? m_problem : fromUtf8(refused->problem);
        return m_panel.setAnswer(why, {});
    }
    SweepCurve curve;
    curve.parameter = inBrackets(m_course.label, m_course.unit);
    curve.figure = inBrackets(fromUtf8(figure->label), fromUtf8(figure->unit));
    curve.from = m_course.from;
    curve.to = m_course.to;
    curve.now = valueInForce();
    for (const Swept& each : m_swept) {
        curve.values << shownValue(each);
        curve.figures << figureOf(each, name);
    }
    const auto [found, doubt] = best();
    if (found != nullptr && doubt.empty()) curve.best = shownValue(*found);
    m_panel.setCurve(curve);
    if (found == nullptr)
        return m_panel.setAnswer("The figure could not be measured at any of the values.", {});
    const QString value = withUnit(significantText(shownValue(*found), kDigits), m_course.unit);
    const bool offers = m_progress == nullptr && doubt.empty();
    m_panel.setAnswer(
        QString("%1 %2 at %3. %4")
            .arg(m_panel.wantsLowest() ? "Lowest:" : "Highest:",
                 withUnit(significantText(figureOf(*found, name), kDigits), fromUtf8(figure->unit)),
                 value, m_progress == nullptr ? fromUtf8(doubt) + ' ' + m_problem : QString())
            .trimmed(),
        offers ? "Use " + value : QString());
}

void MeasurementSweep::use() {
    const auto [found, doubt] = best();
    if (found != nullptr && doubt.empty() && m_bench.isOpen())
        m_bench.edit(m_course.stage, m_course.key,
                     m_course.values[static_cast<std::size_t>(found - m_swept.data())]);
}

} // namespace echolux
