// SPDX-License-Identifier: GPL-3.0-or-later
// Picture below, curves above.
#include "app/tools/plugin_views/plot.hpp"

#include "ui/controls/combo_box.hpp"
#include "ui/plots/plot_painting.hpp"
#include "ui/plots/plot_style.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

QString hintOf(const QString& help) {
    const QString open = "Open a recording to see this view";
    return help.isEmpty() ? open : help + "\n\n" + open;
}

/// A graph has one value per place across, so that the cursor can tell it.
bool isGraph(const ViewPicture::Curve& curve) {
    return std::ranges::is_sorted(curve.x) &&
           std::ranges::all_of(curve.x, [](double x) { return std::isfinite(x); });
}

QVector<double> withGaps(const std::vector<double>& values) {
    QVector<double> kept(values.begin(), values.end());
    for (double& value : kept)
        if (!std::isfinite(value)) value = qQNaN();
    return kept;
}

} // namespace

ViewPlot::ViewPlot(const QString& title, const QString& help, QWidget* parent)
    : HintPlot(title, hintOf(help), parent), m_views(new ComboBox(this)),
      m_caption(makeLabel({}, LabelRole::Normal, this)) {
    m_views->setToolTip("The view of the pipeline whose image is drawn");
    m_views->setAccessibleName("View");
    m_views->hide();
    head()->addWidget(m_views);
    m_caption->setContentsMargins(kGrid, 0, kGrid, 0);
    m_caption->setWordWrap(true);
    m_caption->hide();
    qobject_cast<QVBoxLayout*>(layout())->insertWidget(1, m_caption);
    putLegendAbove(plot());
    new PlotPainting(plot(), [this](QCPPainter& painter) { paintImage(painter); });
    connect(m_views, &QComboBox::activated, this, &ViewPlot::viewChosen);
    setHasData(false);
}

QSize ViewPlot::room() const {
    const QCustomPlot& shown = const_cast<ViewPlot*>(this)->plot();
    const QSizeF inside = shown.axisRect()->size();
    return (inside * shown.devicePixelRatioF()).toSize();
}

void ViewPlot::setPicture(const ViewPicture& picture) {
    m_picture = picture;
    m_problem.clear();
    setHasData(true);
    m_caption->setText(picture.caption);
    m_caption->setVisible(!picture.caption.isEmpty());
    makeCurves();
    fitAxis(plot().xAxis, picture.across);
    fitAxis(plot().yAxis, picture.up);
    drawNow();
}

void ViewPlot::setProblem(const QString& sentence) {
    if (!hasData() && m_problem == sentence) return;
    m_picture = {};
    m_problem = sentence;
    m_caption->hide();
    setHint(sentence);
    setHasData(false);
}

void ViewPlot::fitAxis(QCPAxis* axis, const ViewPicture::Axis& wanted) {
    axis->setLabel(wanted.label);
    axis->setRangeReversed(wanted.from > wanted.to);
    tools().fit(axis, std::min(wanted.from, wanted.to), std::max(wanted.from, wanted.to));
}

void ViewPlot::makeCurves() {
    plot().clearPlottables();
    for (const ViewPicture::Curve& curve : m_picture.curves) {
        QCPAbstractPlottable* made = nullptr;
        if (isGraph(curve)) {
            QCPGraph* graph = plot().addGraph();
            graph->setData(withGaps(curve.x), withGaps(curve.y), true);
            made = graph;
        } else {
            auto* path = new QCPCurve(plot().xAxis, plot().yAxis);
            path->setData(withGaps(curve.x), withGaps(curve.y));
            made = path;
        }
        made->setName(curve.label);
    }
    plot().legend->setVisible(m_picture.curves.size() > 1);
    restyle();
}

void ViewPlot::restyle() {
    constexpr double kWidth = 1.25;
    for (int i = 0; i < plot().plottableCount(); ++i)
        plot().plottable(i)->setPen(QPen(plotColour(i), kWidth));
}

void ViewPlot::paintImage(QCPPainter& painter) {
    if (m_picture.image.isNull()) return;
    const QCPAxis& across = *plot().xAxis;
    const QCPAxis& up = *plot().yAxis;
    const QRectF place(
        QPointF(across.coordToPixel(m_picture.across.from), up.coordToPixel(m_picture.up.to)),
        QPointF(across.coordToPixel(m_picture.across.to), up.coordToPixel(m_picture.up.from)));
    const QSize size = (place.size() * plot().devicePixelRatioF()).toSize();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, size != m_picture.image.size());
    painter.drawImage(place, m_picture.image);
}

void ViewPlot::setViews(const QStringList& names) { m_views->offer(names); }

int ViewPlot::view() const { return std::max(m_views->currentIndex(), 0); }

} // namespace echolux
