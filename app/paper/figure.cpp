// SPDX-License-Identifier: GPL-3.0-or-later
// Layout from the widths of the labels, then panel after panel.
#include "app/paper/figure.hpp"

#include "app/paper/measured_places.hpp"
#include "gpu/core/error.hpp"
#include "render/view/colour_map.hpp"
#include "render/view/mixed_pixels.hpp"
#include "render/view/screen_axis.hpp"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr double kUnitsPerPt = 10.0;
constexpr double kThin = 5.0;  ///< lines of axes
constexpr double kShape = 8.0; ///< lines of shapes
constexpr double kLeastImageMm = 8.0;
const QColor kShapeInk(240, 200, 40);

QString qt(const std::string& text) { return QString::fromStdString(text); }

struct Inks {
    QColor paper, ink;
};
Inks inksOf(const FigureStyle& style) {
    return style.dark ? Inks{Qt::black, QColor(224, 224, 224)} : Inks{Qt::white, Qt::black};
}

QFont fontOf(const FigureStyle& style) {
    QFont font(style.font.empty() ? QStringLiteral("Helvetica") : qt(style.font));
    font.setStyleHint(QFont::SansSerif);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setPixelSize(static_cast<int>(std::lround(style.fontPt * kUnitsPerPt)));
    return font;
}

/// Where the parts of one panel lie, from its upper left corner.
struct Frame {
    QRectF image;
    double width = 0.0;
    double height = 0.0;
};

class Layout {
public:
    Layout(const std::vector<FigurePanel>& panels, const FigureStyle& style)
        : m_panels(panels), m_style(style), m_font(fontOf(style)), m_metrics(m_font),
          m_line(m_metrics.height()), m_tick(m_line / 4.0) {
        if (qGuiApp == nullptr) throw Error("A figure needs fonts, and nothing has loaded them.");
        if (panels.empty()) throw Error("A figure needs an image; name a recording.");
        const int wanted = style.columns > 0 ? style.columns : static_cast<int>(panels.size());
        m_columns = std::min(wanted, static_cast<int>(panels.size()));
        const double each = style.widthMm * kFigureUnitsPerMm / m_columns;
        for (std::size_t n = 0; n < panels.size(); ++n) m_frames.push_back(frameOf(n, each));
        place(each);
    }

    QSizeF size() const { return {m_style.widthMm * kFigureUnitsPerMm, m_height}; }

    void paint(QPainter& painter) const {
        const Inks inks = inksOf(m_style);
        painter.fillRect(QRectF({0.0, 0.0}, size()), inks.paper);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        painter.setFont(m_font);
        for (std::size_t n = 0; n < m_panels.size(); ++n) {
            painter.save();
            painter.translate(m_places[n]);
            painter.setPen(QPen(inks.ink, kThin));
            paintPanel(painter, n);
            painter.restore();
        }
    }

private:
    double widest(const Ticks& ticks) const {
        double most = 0.0;
        for (const double value : ticks.major)
            most = std::max(most, m_metrics.horizontalAdvance(qt(ticks.label(value))));
        return most;
    }
    Ticks ticksOf(const ScreenAxis& axis, double length, double apart) const {
        const double span = std::abs(axis.last - axis.first);
        return axis.ticks(axis.first, axis.last, apart * m_line * span / length);
    }
    Ticks levelTicks(const FigurePanel& panel, double length) const {
        const double span = panel.range.max - panel.range.min;
        return makeTicks(panel.range.min, panel.range.max, 2.0 * m_line * span / length);
    }
    QString titleOf(std::size_t n) const {
        const QString title = qt(m_panels[n].title);
        if (!m_style.letters) return title;
        const QString letter = QString("(%1)").arg(QChar('a' + static_cast<int>(n % 26)));
        return title.isEmpty() ? letter : letter + ' ' + title;
    }

    /// The margins depend on the labels, and these on the height of the image. The height that the
    /// full width would give is close enough.
    Frame frameOf(std::size_t n, double width) const {
        const FigurePanel& panel = m_panels[n];
        const Picture places = pictureOf(panel.image.spec);
        const double across = std::abs(places.across.last - places.across.first);
        const double down = std::abs(places.down.last - places.down.first);
        const double ratio = places.aspect() == Aspect::True ? down / across : 1.0;
        const double guess = std::min(width * ratio, m_style.mostHeightMm * kFigureUnitsPerMm);
        const double left = 1.4 * m_line + widest(ticksOf(places.down, guess, 1.5)) + 2.0 * m_tick;
        double right = m_line;
        if (m_style.colourBar) {
            right = m_line + 2.0 * m_tick + widest(levelTicks(panel, guess)) + 1.5 * m_line;
            right = std::max(right, m_line + m_metrics.horizontalAdvance(qt(panel.range.unit)));
        }
        const double above = titleOf(n).isEmpty() ? 0.0 : 1.25 * m_line;
        const double top = above + (m_style.colourBar ? 1.25 * m_line : 0.5 * m_line);
        double imageWidth = width - left - right;
        if (imageWidth < kLeastImageMm * kFigureUnitsPerMm)
            throw Error("The figure is too narrow for its panels; make it wider, its font smaller, "
                        "or place the panels in fewer columns.");
        double imageHeight = imageWidth * ratio;
        if (imageHeight > m_style.mostHeightMm * kFigureUnitsPerMm) {
            imageHeight = m_style.mostHeightMm * kFigureUnitsPerMm;
            if (places.aspect() == Aspect::True) imageWidth = imageHeight / ratio;
        }
        return {QRectF(left, top, imageWidth, imageHeight), left + imageWidth + right,
                top + imageHeight + 2.0 * m_line + 2.0 * m_tick};
    }

    /// Panels stand in the middle of their columns, images of a row with their upper edges in line.
    void place(double column) {
        for (std::size_t first = 0; first < m_frames.size();
             first += static_cast<std::size_t>(m_columns)) {
            const std::size_t end =
                std::min(first + static_cast<std::size_t>(m_columns), m_frames.size());
            double top = 0.0;
            for (std::size_t n = first; n < end; ++n) top = std::max(top, m_frames[n].image.top());
            double row = 0.0;
            for (std::size_t n = first; n < end; ++n) {
                const double lower = top - m_frames[n].image.top();
                const double x = column * static_cast<double>(n - first);
                m_places.emplace_back(x + std::max(column - m_frames[n].width, 0.0) / 2.0,
                                      m_height + lower);
                row = std::max(row, lower + m_frames[n].height);
            }
            m_height += row;
        }
    }

    void paintPanel(QPainter& painter, std::size_t n) const {
        const FigurePanel& panel = m_panels[n];
        const QRectF& area = m_frames[n].image;
        const Picture places = pictureOf(panel.image.spec);
        painter.setRenderHint(QPainter::SmoothPixmapTransform,
                              mayMixPixels(panel.image.spec.valueKind));
        painter.drawImage(area, toPicture(panel.image, m_style.look, panel.range,
                                          inksOf(m_style).paper.rgb() & 0xffffffU));
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        painter.drawRect(area);
        if (const QString title = titleOf(n); !title.isEmpty())
            painter.drawText(QRectF(area.left(), 0.0, m_frames[n].width - area.left(), m_line),
                             Qt::AlignLeft | Qt::AlignVCenter, title);
        paintAcross(painter, area, places.across);
        paintDown(painter, area, places.down);
        if (m_style.colourBar) paintLevels(painter, area, panel);
        paintShapes(painter, area, places, panel);
        if (m_style.look.scaleBar) paintScaleBar(painter, area, places.across, m_line);
    }

    void paintAcross(QPainter& painter, const QRectF& area, const ScreenAxis& axis) const {
        const Ticks ticks = ticksOf(axis, area.width(), 3.0);
        for (const double label : ticks.major) {
            const double part = (axis.placeOf(label) - axis.first) / (axis.last - axis.first);
            const double x = area.left() + part * area.width();
            painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + m_tick));
            painter.drawText(QRectF(x - 2000.0, area.bottom() + 1.5 * m_tick, 4000.0, m_line),
                             Qt::AlignHCenter | Qt::AlignTop, qt(ticks.label(label)));
        }
        painter.drawText(
            QRectF(area.center().x() - 5000.0, area.bottom() + m_tick + m_line, 10000.0, m_line),
            Qt::AlignCenter, qt(axis.title()));
    }

    void paintDown(QPainter& painter, const QRectF& area, const ScreenAxis& axis) const {
        const Ticks ticks = ticksOf(axis, area.height(), 1.5);
        for (const double label : ticks.major) {
            const double part = (axis.placeOf(label) - axis.first) / (axis.last - axis.first);
            const double y = area.top() + part * area.height();
            painter.drawLine(QPointF(area.left() - m_tick, y), QPointF(area.left(), y));
            painter.drawText(
                QRectF(area.left() - 1.5 * m_tick - 2000.0, y - m_line, 2000.0, 2.0 * m_line),
                Qt::AlignRight | Qt::AlignVCenter, qt(ticks.label(label)));
        }
        painter.save();
        painter.translate(m_line / 2.0, area.center().y());
        painter.rotate(-90.0);
        painter.drawText(QRectF(-5000.0, -m_line / 2.0, 10000.0, m_line), Qt::AlignCenter,
                         qt(axis.title()));
        painter.restore();
    }

    void paintLevels(QPainter& painter, const QRectF& area, const FigurePanel& panel) const {
        const auto colours = coloursOf(m_style.look);
        QImage ramp(1, static_cast<int>(colours.size()), QImage::Format_RGB32);
        for (std::size_t row = 0; row < colours.size(); ++row) {
            const double part = 1.0 - static_cast<double>(row) / (ColourMap::kEntries - 1);
            const auto entry = static_cast<std::size_t>(
                std::lround(std::pow(part, m_style.look.gamma) * (ColourMap::kEntries - 1)));
            ramp.setPixel(0, static_cast<int>(row), colours[entry]);
        }
        const QRectF bar(area.right() + m_line, area.top(), m_line / 1.5, area.height());
        painter.drawImage(bar, ramp);
        painter.drawRect(bar);
        const Ticks ticks = levelTicks(panel, area.height());
        for (const double value : ticks.major) {
            const double part = (value - panel.range.min) / (panel.range.max - panel.range.min);
            const double y = bar.bottom() - part * bar.height();
            painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + m_tick, y));
            painter.drawText(QRectF(bar.right() + 1.5 * m_tick, y - m_line, 2000.0, 2.0 * m_line),
                             Qt::AlignLeft | Qt::AlignVCenter, qt(ticks.label(value)));
        }
        painter.drawText(QPointF(bar.left(), bar.top() - m_metrics.descent() - m_tick),
                         qt(panel.range.unit));
    }

    void paintShapes(QPainter& painter, const QRectF& area, const Picture& places,
                     const FigurePanel& panel) const {
        const auto across = [&](double at) {
            return area.left() + (at - places.across.first) /
                                     (places.across.last - places.across.first) * area.width();
        };
        const auto down = [&](double at) {
            return area.top() + (at - places.down.first) / (places.down.last - places.down.first) *
                                    area.height();
        };
        const MeasuredPlaces units(panel.image.spec);
        painter.save();
        painter.setClipRect(area);
        painter.setBrush(Qt::NoBrush);
        for (const measure::Measurement& shape : panel.shapes) {
            QPolygonF line;
            for (const measure::Place& place : outlineOf(shape)) {
                const Vec2 at = units.inView(place);
                line << QPointF(across(at.x), down(at.y));
            }
            if (line.isEmpty()) continue;
            paintShape(painter, line, isRegion(shape.kind));
            if (m_style.names) paintName(painter, line.boundingRect(), qt(shape.name), area);
        }
        painter.restore();
    }

    void paintShape(QPainter& painter, const QPolygonF& line, bool closed) const {
        for (const QPen& pen :
             {QPen(QColor(0, 0, 0, 150), 2.0 * kShape), QPen(kShapeInk, kShape)}) {
            painter.setPen(pen);
            if (line.size() == 1) {
                painter.drawLine(line[0] - QPointF(m_tick, 0), line[0] + QPointF(m_tick, 0));
                painter.drawLine(line[0] - QPointF(0, m_tick), line[0] + QPointF(0, m_tick));
            } else if (closed) {
                painter.drawPolygon(line);
            } else {
                painter.drawPolyline(line);
            }
        }
    }

    /// Above the shape, or below it at the upper edge of the image.
    void paintName(QPainter& painter, const QRectF& shape, const QString& name,
                   const QRectF& area) const {
        const QRectF box = shape.adjusted(-m_tick, -m_tick, m_tick, m_tick);
        const double width = m_metrics.horizontalAdvance(name);
        const double x = std::max(std::min(box.left(), area.right() - width), area.left());
        const bool fits = box.top() - m_line >= area.top();
        const QPointF at(x, fits ? box.top() - m_metrics.descent()
                                 : box.bottom() + m_metrics.ascent());
        painter.setPen(QColor(0, 0, 0, 180));
        painter.drawText(at + QPointF(kThin, kThin), name);
        painter.setPen(kShapeInk);
        painter.drawText(at, name);
    }

    const std::vector<FigurePanel>& m_panels;
    const FigureStyle& m_style;
    QFont m_font;
    QFontMetricsF m_metrics;
    double m_line; ///< height of a line of text
    double m_tick;
    int m_columns = 1;
    std::vector<Frame> m_frames;
    std::vector<QPointF> m_places; ///< upper left corners of the panels
    double m_height = 0.0;
};

} // namespace

QSizeF sizeOfFigure(const std::vector<FigurePanel>& panels, const FigureStyle& style) {
    return Layout(panels, style).size();
}

void paintFigure(QPainter& painter, const std::vector<FigurePanel>& panels,
                 const FigureStyle& style) {
    Layout(panels, style).paint(painter);
}

} // namespace echolux
