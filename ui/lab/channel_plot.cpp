// SPDX-License-Identifier: GPL-3.0-or-later
// Paints channels and delays.
#include "ui/lab/channel_plot.hpp"

#include "ui/controls/combo_box.hpp"
#include "ui/lab/value_slider.hpp"
#include "ui/plots/plot_painting.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr const char* kAcross = "channel";

QImage imageOf(const ChannelLevels& levels) {
    QImage image(levels.channels, levels.rows, QImage::Format_Grayscale8);
    const float highest = *std::ranges::max_element(levels.level);
    const double perDb = 255.0 / ChannelPlot::kRangeDb;
    for (int row = 0; row < levels.rows; ++row) {
        uchar* line = image.scanLine(row);
        for (int channel = 0; channel < levels.channels; ++channel) {
            const float level = levels.level[static_cast<std::size_t>(channel) *
                                                 static_cast<std::size_t>(levels.rows) +
                                             static_cast<std::size_t>(row)];
            const double db = level > 0.0F ? 20.0 * std::log10(level / highest) : -HUGE_VAL;
            line[channel] = static_cast<uchar>(std::clamp(255.0 + perDb * db, 0.0, 255.0));
        }
    }
    return image;
}

/// Averages pixels where the picture becomes smaller. Where it becomes larger, samples stay
/// squares.
QImage scaledTo(const QImage& image, const QSize& size) {
    const auto modeFor = [](int from, int to) {
        return to < from ? Qt::SmoothTransformation : Qt::FastTransformation;
    };
    return image
        .scaled(image.width(), size.height(), Qt::IgnoreAspectRatio,
                modeFor(image.height(), size.height()))
        .scaled(size, Qt::IgnoreAspectRatio, modeFor(image.width(), size.width()));
}

} // namespace

ChannelPlot::ChannelPlot(QWidget* parent)
    : HintPlot("Delays", "Open a recording of channel data that is beamformed", parent),
      m_transmit(new QComboBox(this)), m_map(new ComboBox(this)),
      m_element(new ValueSlider("Element", "Element of the array that receives, counted from 1",
                                {1.0, 2.0, 1.0, 0, {}}, 1.0, this)),
      m_depths(new QToolButton(this)), m_legs(new QToolButton(this)), m_curve(nullptr),
      m_out(nullptr), m_back(nullptr) {
    new PlotPainting(plot(), [this](QCPPainter& painter) { paintLevels(painter); });
    new PlotPainting(plot(), [this](QCPPainter& painter) { paintFamily(painter); });
    new PlotPainting(plot(), [this](QCPPainter& painter) { paintMarks(painter); });
    m_curve = plot().addGraph();
    m_curve->setName("delay (\u00b5s)");
    m_out = plot().addGraph();
    m_out->setName("way out (\u00b5s)");
    m_back = plot().addGraph();
    m_back->setName("way back (\u00b5s)");
    m_transmit->setToolTip("The transmit whose channels are shown: a chosen one, or the one whose "
                           "beam passes nearest to the pixel");
    m_transmit->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_transmit->setMinimumContentsLength(9);
    m_transmit->hide();
    head()->addWidget(m_transmit);
    connect(m_transmit, &QComboBox::activated, this, &ChannelPlot::transmitChosen);
    m_depths->setText("Depths");
    m_depths->setToolTip("Curves of pixels above and below, dotted where the aperture leaves the "
                         "channel out, and the share of samples that it saves over the depth");
    m_depths->setCheckable(true);
    head()->addWidget(m_depths);
    connect(m_depths, &QToolButton::toggled, this, [this] {
        setFamily({});
        emit familyWanted();
    });
    m_legs->setText("Legs");
    m_legs->setToolTip("The two parts of the delay, each alone: the way out, until the wave is at "
                       "the pixel, and the way back, from the pixel to the element of each "
                       "channel");
    m_legs->setCheckable(true);
    head()->addWidget(m_legs);
    connect(m_legs, &QToolButton::toggled, this, [this] {
        setLegs({});
        emit legsWanted();
    });
    makeMapRow();
    plot().xAxis->setLabel(kAcross);
    plot().yAxis->setLabel("time (\u00b5s)");
    plot().yAxis->setRangeReversed(true);
    for (QCPAxis* axis : {plot().xAxis, plot().yAxis}) axis->grid()->setVisible(false);
    restyle();
}

void ChannelPlot::makeMapRow() {
    m_map->addItems({"Map: none", "Map: way out", "Map: way back", "Map: both ways"});
    m_map->setToolTip("Lines of equal delay over the image, in \u00b5s, while this dock is in "
                      "sight: when the wave of the transmit is at a point, how long its echo takes "
                      "to one element, or when the echo is there");
    m_map->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_map->setAccessibleName("Delay map over the image");
    m_element->hide();
    auto* row = new QHBoxLayout;
    row->setContentsMargins(kGrid, 0, kGrid, 0);
    row->setSpacing(kGrid);
    row->addWidget(m_map);
    row->addWidget(m_element, 1);
    row->addStretch();
    static_cast<QBoxLayout*>(layout())->insertLayout(1, row);
    connect(m_map, &QComboBox::currentIndexChanged, this, [this] {
        const DelayMapLeg leg = mapLeg();
        m_element->setVisible(leg == DelayMapLeg::Receive || leg == DelayMapLeg::Both);
        emit mapWanted();
    });
    connect(m_element, &ValueSlider::valueChanged, this, &ChannelPlot::mapWanted);
}

void ChannelPlot::setElements(int count) {
    if (count == m_elements || count < 1) return;
    m_elements = count;
    m_element->setDefault((count + 1) / 2, 1.0, count);
}

DelayMapLeg ChannelPlot::mapLeg() const {
    return static_cast<DelayMapLeg>(std::max(m_map->currentIndex(), 0));
}

int ChannelPlot::mapElement() const {
    return static_cast<int>(std::lround(m_element->value())) - 1;
}

void ChannelPlot::restyle() {
    const double strength = m_marks.images ? 0.9 : 0.6;
    m_curve->setPen(QPen(withAlpha(plotColour(0), strength), 1.0,
                         m_marks.images ? Qt::SolidLine : Qt::DashLine));
    m_out->setPen(QPen(plotColour(2), 1.5));
    m_back->setPen(QPen(plotColour(3), 1.5));
    plot().axisRect()->setBackground(QBrush(surroundTokens().surround));
}

void ChannelPlot::setTransmits(const QStringList& names) {
    if (names == m_names) return;
    m_names = names;
    m_transmit->clear();
    m_transmit->addItem("Nearest");
    for (qsizetype i = 0; i < names.size(); ++i)
        m_transmit->addItem(QString("%1: %2").arg(i + 1).arg(names[i]));
    m_transmit->setVisible(names.size() > 1);
}

int ChannelPlot::transmit() const { return std::max(m_transmit->currentIndex(), 0) - 1; }

void ChannelPlot::clear() {
    m_image = {};
    m_marks = {};
    m_family = {};
    m_shownLegs = {};
    for (QCPGraph* graph : {m_curve, m_out, m_back}) graph->data()->clear();
    showXLabel();
    setHasData(false);
}

void ChannelPlot::setLevels(const ChannelLevels& levels) {
    if (levels.empty()) return clear();
    m_image = imageOf(levels);
    m_startUs = levels.startUs;
    m_stopUs = levels.startUs + levels.rows * levels.stepUs;
    setHasData(true);
    setSubtitle(m_marks.text);
    tools().fit(plot().xAxis, 0.5, levels.channels + 0.5);
    tools().fit(plot().yAxis, m_startUs, m_stopUs);
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void ChannelPlot::setMarks(const DelayMarks& marks) {
    m_marks = marks;
    QVector<double> channels, times;
    for (const DelayMarks::Mark& mark : marks.marks) {
        channels << mark.channel + 1;
        times << mark.timeUs;
    }
    m_curve->setData(channels, times, true);
    if (hasData()) setSubtitle(marks.text);
    restyle();
    plot().replot(QCustomPlot::rpQueuedReplot);
}

bool ChannelPlot::wantsFamily() const { return m_depths->isChecked(); }

void ChannelPlot::setFamily(const DelayCurves& family) {
    m_family = family;
    showXLabel();
    plot().replot(QCustomPlot::rpQueuedReplot);
}

bool ChannelPlot::wantsLegs() const { return m_legs->isChecked(); }

void ChannelPlot::setLegs(const DelayLegs& legs) {
    m_shownLegs = legs;
    QVector<double> channels, out, back;
    for (const DelayMarks::Mark& mark : legs.back) {
        channels << mark.channel + 1;
        out << legs.outUs;
        back << mark.timeUs;
    }
    m_out->setData(channels, out, true);
    m_back->setData(channels, back, true);
    showXLabel();
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void ChannelPlot::showXLabel() {
    QString label = kAcross;
    if (!m_shownLegs.back.empty()) {
        const auto [first, last] =
            std::ranges::minmax(m_shownLegs.back, {}, &DelayMarks::Mark::timeUs);
        label += QString("; out %1 \u00b5s, back %2 to %3 \u00b5s")
                     .arg(m_shownLegs.outUs, 0, 'f', 2)
                     .arg(first.timeUs, 0, 'f', 2)
                     .arg(last.timeUs, 0, 'f', 2);
    }
    if (!m_family.curves.empty())
        label += QString("%1over the depth %2 % of the samples are skipped")
                     .arg(m_shownLegs.back.empty() ? "; " : "\n")
                     .arg(std::lround(100.0 * m_family.skipped));
    plot().xAxis->setLabel(label);
}

/// Paints a thin line per curve.
void ChannelPlot::paintFamily(QCPPainter& painter) {
    const auto at = [this](const DelayMarks::Mark& mark) {
        return QPointF(plot().xAxis->coordToPixel(mark.channel + 1),
                       plot().yAxis->coordToPixel(mark.timeUs));
    };
    const QColor colour = withAlpha(plotColour(0), 0.85);
    for (const auto& curve : m_family.curves) {
        for (std::size_t i = 1; i < curve.size(); ++i) {
            const bool counts = curve[i - 1].weight > 0.0 && curve[i].weight > 0.0;
            painter.setPen(QPen(colour, 1.0, counts ? Qt::SolidLine : Qt::DotLine));
            painter.drawLine(QLineF(at(curve[i - 1]), at(curve[i])));
        }
    }
}

void ChannelPlot::paintLevels(QCPPainter& painter) {
    if (m_image.isNull()) return;
    const QCPAxis& x = *plot().xAxis;
    const QCPAxis& y = *plot().yAxis;
    const int first =
        std::clamp(static_cast<int>(std::floor(x.range().lower - 0.5)), 0, m_image.width() - 1);
    const int last =
        std::clamp(static_cast<int>(std::ceil(x.range().upper - 0.5)), first + 1, m_image.width());
    const double perRow = (m_stopUs - m_startUs) / m_image.height();
    const auto rowAt = [&](double us) { return (us - m_startUs) / perRow; };
    const int top =
        std::clamp(static_cast<int>(std::floor(rowAt(y.range().lower))), 0, m_image.height() - 1);
    const int bottom =
        std::clamp(static_cast<int>(std::ceil(rowAt(y.range().upper))), top + 1, m_image.height());
    const QRect seen(first, top, last - first, bottom - top);
    const QRectF target(
        QPointF(x.coordToPixel(first + 0.5), y.coordToPixel(m_startUs + top * perRow)),
        QPointF(x.coordToPixel(last + 0.5), y.coordToPixel(m_startUs + bottom * perRow)));
    const QSize size = target.size().toSize().expandedTo({1, 1});
    painter.drawImage(target, scaledTo(m_image.copy(seen), size));
}

/// Paints a bar per channel, as bright as the channel's weight.
void ChannelPlot::paintMarks(QCPPainter& painter) {
    constexpr double kHalfHeight = 1.5;
    const QCPAxis& x = *plot().xAxis;
    const double half = std::max(0.75, 0.5 * std::abs(x.coordToPixel(1.0) - x.coordToPixel(0.0)));
    for (const DelayMarks::Mark& mark : m_marks.marks) {
        if (!(mark.weight > 0.0)) continue;
        const QPointF at(x.coordToPixel(mark.channel + 1), plot().yAxis->coordToPixel(mark.timeUs));
        painter.fillRect(QRectF(at.x() - half, at.y() - kHalfHeight, 2.0 * half, 2.0 * kHalfHeight),
                         withAlpha(plotColour(1), std::min(1.0, mark.weight)));
    }
}

void ChannelPlot::showEvent(QShowEvent* event) {
    HintPlot::showEvent(event);
    emit sightChanged(true);
}

void ChannelPlot::hideEvent(QHideEvent* event) {
    HintPlot::hideEvent(event);
    emit sightChanged(false);
}

} // namespace echolux
