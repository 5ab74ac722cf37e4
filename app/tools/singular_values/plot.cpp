// SPDX-License-Identifier: GPL-3.0-or-later
// Dots, lines and the sentence above them.
#include "app/tools/singular_values/plot.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/plots/index_ticker.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr double kDotSize = 5.0;
constexpr double kLowestDb = -90.0; ///< values below are drawn here

double powerOf(double levelDb) { return std::pow(10.0, levelDb / 10.0); }

} // namespace

SingularPlot::SingularPlot(QWidget* parent)
    : HintPlot("Singular values",
               "Open a pipeline whose clutter filter works by singular values, such as "
               "colour_flow_svd, to see them",
               parent),
      m_readout(makeLabel({}, LabelRole::Normal, this)), m_levels(plot().addGraph()),
      m_frequencies(plot().addGraph(plot().xAxis, plot().yAxis2)),
      m_lines(new DraggedLines(plot())) {
    m_readout->setToolTip("The values between the lines are kept. Those before the left line are "
                          "tissue, those behind the right one noise. Drag a line to change it.");
    m_readout->setContentsMargins(kGrid, 0, kGrid, 0);
    m_readout->setWordWrap(true);
    qobject_cast<QVBoxLayout*>(layout())->insertWidget(1, m_readout);
    m_levels->setName("level");
    m_frequencies->setName("frequency");
    m_frequencies->setLineStyle(QCPGraph::lsNone);
    for (QCPGraph* graph : {m_levels, m_frequencies}) graph->setAdaptiveSampling(false);
    plot().axisRect()->setRangeZoom(Qt::Horizontal);
    plot().axisRect()->setRangeDrag(Qt::Horizontal);
    plot().xAxis->setLabel("number of the singular value");
    plot().yAxis->setLabel("level (dB re largest)");
    plot().yAxis2->setVisible(true);
    plot().yAxis2->setTickLabels(true);
    plot().yAxis2->grid()->setVisible(false);
    plot().xAxis->setTicker(QSharedPointer<IndexTicker>::create());
    for (QCPAxis* axis : {plot().yAxis, plot().yAxis2}) axis->ticker()->setTickCount(4);
    connect(m_lines, &DraggedLines::dragged, this, &SingularPlot::drag);
    restyle();
    clear();
}

void SingularPlot::restyle() {
    m_levels->setPen(QPen(plotColour(0), 1.5));
    m_levels->setScatterStyle({QCPScatterStyle::ssDisc, plotColour(0), plotColour(0), kDotSize});
    m_frequencies->setPen(QPen(plotColour(2), 1.0));
    m_frequencies->setScatterStyle(
        {QCPScatterStyle::ssDiamond, plotColour(2), plotColour(2), kDotSize});
    plot().yAxis2->setLabelColor(plotColour(2));
    plot().yAxis2->grid()->setVisible(false);
    m_lines->restyle();
}

void SingularPlot::clear(const QString& reason) {
    setHint(reason);
    m_data = {};
    m_lines->setActive(false);
    m_readout->clear();
    m_readout->hide();
    setHasData(false);
}

void SingularPlot::setData(const SingularData& found) {
    m_data = found;
    setHasData(true);
    m_lines->setActive(true);
    setSubtitle(found.chosenBy);
    m_readout->show();
    QVector<double> numbers(found.count()), levels(found.count()), frequencies(found.count());
    double lowest = -1.0;
    double fastest = 0.0;
    for (int k = 0; k < found.count(); ++k) {
        const auto at = static_cast<std::size_t>(k);
        numbers[k] = k + 1.0;
        levels[k] = std::max(found.levelDb[at], kLowestDb);
        frequencies[k] = found.frequency[at];
        lowest = std::min(lowest, levels[k]);
        fastest = std::max(fastest, std::abs(frequencies[k]));
    }
    m_levels->setData(numbers, levels, true);
    m_frequencies->setData(numbers, frequencies, true);
    constexpr double kRoom = 1.1;
    constexpr double kTensOfDb = 10.0;
    tools().fit(plot().xAxis, 0.0, found.count() + 1.5);
    tools().fit(plot().yAxis, kTensOfDb * std::floor(lowest / kTensOfDb), 3.0);
    const double reach = found.inHz && fastest > 0.0 ? kRoom * roundUp(fastest) : 3.5;
    tools().fit(plot().yAxis2, -reach, reach);
    plot().yAxis2->setLabel(found.inHz ? "mean frequency (Hz)" : "mean phase (rad per frame)");
    tell();
    drawNow();
}

void SingularPlot::setKept(int first, int last) {
    if (isDragging() || (first == m_kept[0] && last == m_kept[1])) return;
    m_kept = {first, last};
    placeLines();
}

void SingularPlot::placeLines() {
    m_lines->place({placeOf(0), placeOf(1)});
    tell();
}

void SingularPlot::tell() {
    if (!hasData()) return;
    double all = 0.0;
    double kept = 0.0;
    for (int k = 1; k <= m_data.count(); ++k) {
        const double power = powerOf(m_data.levelDb[static_cast<std::size_t>(k - 1)]);
        all += power;
        if (k >= m_kept[0] && k <= m_kept[1]) kept += power;
    }
    if (!(kept > 0.0)) return m_readout->setText("Nothing is kept");
    m_readout->setText(QString("%1 to %2 of %3 are kept   power %4 dB re all")
                           .arg(m_kept[0])
                           .arg(std::min(m_kept[1], m_data.count()))
                           .arg(m_data.count())
                           .arg(numberText(10.0 * std::log10(kept / all), 1)));
}

QString SingularPlot::readout() const { return m_readout->text(); }

/// At least one value stays.
void SingularPlot::drag(std::size_t end, double place) {
    std::array<int, 2> kept{m_kept[0], std::min(m_kept[1], m_data.count())};
    if (end == 0)
        kept[0] = std::clamp(static_cast<int>(std::lround(place + 0.5)), 1, std::max(kept[1], 1));
    else
        kept[1] = std::clamp(static_cast<int>(std::lround(place - 0.5)),
                             std::min(kept[0], m_data.count()), m_data.count());
    if (kept == m_kept) return;
    m_kept = kept;
    placeLines();
    emit keptDragged(m_kept[0], m_kept[1]);
}

} // namespace echolux
