// SPDX-License-Identifier: GPL-3.0-or-later
// Axes, a scale bar and a colour bar round a picture.
#include "app/export/picture.hpp"
#include "gpu/core/error.hpp"
#include "render/view/colour_map.hpp"
#include "render/view/screen_axis.hpp"
#include "render/view/side_letters.hpp"

#include <QFontMetrics>
#include <QGuiApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr QRgb kPaper = 0xff000000;
constexpr QRgb kInk = 0xffe0e0e0;

QString shown(const std::string& text) { return QString::fromStdString(text); }

/// Margins round the picture, in pixels of the result.
struct Margins {
    int left = 0;
    int top = 0;
    int right = 0;
    int bottom = 0;
};

class Marks {
public:
    Marks(const QImage& picture, const FrameSpec& image, const ExportLook& look,
          const ValueRange& range)
        : m_picture(picture), m_places(pictureOf(image)), m_sides(sideLettersOf(image)),
          m_look(look), m_range(range) {
        m_font.setPixelSize(
            look.labelsPx > 0
                ? look.labelsPx
                : std::clamp(std::min(picture.height(), picture.width()) / 28, 11, 30));
    }

    QImage drawn() {
        const QFontMetrics metrics(m_font);
        m_line = metrics.height();
        m_tick = std::max(m_line / 3, 3);
        const Margins margins = room(metrics);
        const int width = margins.left + m_picture.width() + margins.right;
        const int height = margins.top + m_picture.height() + margins.bottom;
        QImage all(width, height, QImage::Format_RGB32);
        all.fill(kPaper);
        all.setDotsPerMeterX(m_picture.dotsPerMeterX());
        all.setDotsPerMeterY(m_picture.dotsPerMeterY());
        QPainter painter(&all);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setRenderHint(QPainter::TextAntialiasing);
        painter.setFont(m_font);
        painter.setPen(QColor(kInk));
        m_area = QRect(margins.left, margins.top, m_picture.width(), m_picture.height());
        painter.drawImage(m_area.topLeft(), m_picture);
        if (m_look.axes) drawAxes(painter, metrics);
        if (m_look.axes) drawSides(painter, metrics);
        if (m_look.scaleBar) paintScaleBar(painter, m_area, m_places.across, m_line);
        if (m_look.colourBar) drawColours(painter, metrics);
        return all;
    }

private:
    Ticks across(const ScreenAxis& axis, double from, double to, int pixels) const {
        const double least = 5.0 * m_line * std::abs(to - from) / std::max(pixels, 1);
        return axis.ticks(from, to, least);
    }
    Ticks acrossTicks() const {
        return across(m_places.across, m_places.across.first, m_places.across.last,
                      m_picture.width());
    }
    Ticks downTicks() const {
        return across(m_places.down, m_places.down.first, m_places.down.last, m_picture.height());
    }
    Ticks colourTicks() const {
        const double span = m_range.max - m_range.min;
        return makeTicks(m_range.min, m_range.max,
                         3.0 * m_line * span / std::max(m_picture.height(), 1));
    }
    Margins room(const QFontMetrics& metrics) const {
        Margins margins;
        if (m_look.axes) {
            int widest = 0;
            const Ticks ticks = downTicks();
            for (const double at : ticks.major)
                widest = std::max(widest, metrics.horizontalAdvance(shown(ticks.label(at))));
            margins.left = widest + 2 * m_tick + m_line + 4;
            margins.bottom = 2 * m_line + 2 * m_tick;
            margins.top = m_line / 2;
            margins.right = 2 * m_line;
        }
        if (m_look.colourBar) {
            int widest = metrics.horizontalAdvance(shown(m_range.unit));
            const Ticks ticks = colourTicks();
            for (const double at : ticks.major)
                widest = std::max(widest, metrics.horizontalAdvance(shown(ticks.label(at))));
            margins.right = 2 * m_line + widest + 2 * m_tick + m_line;
            margins.top = std::max(margins.top, m_range.unit.empty() ? m_line / 2 : 3 * m_line / 2);
            margins.bottom = std::max(margins.bottom, m_line / 2);
        }
        return margins;
    }

    void drawAxes(QPainter& painter, const QFontMetrics& metrics) const {
        painter.drawRect(QRectF(m_area).adjusted(-0.5, -0.5, 0.5, 0.5));
        const ScreenAxis& x = m_places.across;
        const Ticks columns = acrossTicks();
        for (const double label : columns.major) {
            const double part = (x.placeOf(label) - x.first) / (x.last - x.first);
            const double at = m_area.left() + part * m_area.width();
            const double foot = m_area.top() + m_area.height();
            painter.drawLine(QPointF(at, foot), QPointF(at, foot + m_tick));
            painter.drawText(QRectF(at - 200.0, foot + m_tick, 400.0, m_line),
                             Qt::AlignHCenter | Qt::AlignTop, shown(columns.label(label)));
        }
        painter.drawText(QRectF(m_area.left() - 200.0,
                                m_area.top() + m_area.height() + m_tick + m_line,
                                m_area.width() + 400.0, m_line),
                         Qt::AlignCenter, shown(x.title()));
        const ScreenAxis& z = m_places.down;
        const Ticks rows = downTicks();
        for (const double label : rows.major) {
            const double part = (z.placeOf(label) - z.first) / (z.last - z.first);
            const double at = m_area.top() + part * m_area.height();
            painter.drawLine(QPointF(m_area.left() - m_tick, at), QPointF(m_area.left(), at));
            painter.drawText(QRectF(0.0, at - m_line, m_area.left() - m_tick - 2.0, 2.0 * m_line),
                             Qt::AlignRight | Qt::AlignVCenter, shown(rows.label(label)));
        }
        painter.save();
        painter.translate(metrics.ascent(), m_area.top() + m_area.height() / 2.0);
        painter.rotate(-90.0);
        painter.drawText(QRectF(-300.0, -metrics.ascent(), 600.0, m_line), Qt::AlignCenter,
                         shown(z.title()));
        painter.restore();
    }

    /// The sides of a patient, each at the middle of its edge, within the image.
    void drawSides(QPainter& painter, const QFontMetrics& metrics) const {
        const auto letter = [&](const std::string& words, Qt::Alignment at) {
            if (words.empty()) return;
            const int gap = m_tick;
            const QRect room = m_area.adjusted(gap, gap, -gap, -gap);
            QPainterPath path; // with an edge that is visible on bright images
            QRect place = metrics.boundingRect(room, static_cast<int>(at), shown(words));
            path.addText(QPointF(place.left(), place.top() + metrics.ascent()), m_font,
                         shown(words));
            painter.strokePath(path, QPen(QColor(kPaper), 3.0));
            painter.fillPath(path, Qt::white);
        };
        letter(m_sides.left, Qt::AlignLeft | Qt::AlignVCenter);
        letter(m_sides.right, Qt::AlignRight | Qt::AlignVCenter);
        letter(m_sides.top, Qt::AlignHCenter | Qt::AlignTop);
        letter(m_sides.bottom, Qt::AlignHCenter | Qt::AlignBottom);
    }

    void drawColours(QPainter& painter, const QFontMetrics& metrics) const {
        const auto colours = coloursOf(m_look);
        const int left = m_area.left() + m_area.width() + m_line;
        for (int row = 0; row < m_area.height(); ++row) {
            const double part = 1.0 - (row + 0.5) / m_area.height();
            const double entry = std::pow(part, m_look.gamma) * (ColourMap::kEntries - 1);
            const auto at = static_cast<std::size_t>(std::lround(entry));
            painter.fillRect(QRect(left, m_area.top() + row, m_line, 1), QColor(colours[at]));
        }
        painter.drawRect(
            QRectF(left, m_area.top(), m_line, m_area.height()).adjusted(-0.5, -0.5, 0.5, 0.5));
        const Ticks ticks = colourTicks();
        const double edge = left + m_line;
        for (const double value : ticks.major) {
            const double part = (value - m_range.min) / (m_range.max - m_range.min);
            const double at = m_area.top() + (1.0 - part) * m_area.height();
            painter.drawLine(QPointF(edge, at), QPointF(edge + m_tick, at));
            painter.drawText(QRectF(edge + m_tick + 2.0, at - m_line, 400.0, 2.0 * m_line),
                             Qt::AlignLeft | Qt::AlignVCenter, shown(ticks.label(value)));
        }
        painter.drawText(QPointF(left, m_area.top() - m_line + metrics.ascent() - m_tick),
                         shown(m_range.unit));
    }

    const QImage& m_picture;
    Picture m_places;
    SideLetters m_sides;
    ExportLook m_look;
    ValueRange m_range;
    QFont m_font;
    QRect m_area;
    int m_line = 0; ///< height of a line of text
    int m_tick = 0;
};

} // namespace

void paintScaleBar(QPainter& painter, const QRectF& image, const ScreenAxis& across, double line) {
    if (!across.metric) return;
    const double span = std::abs(across.last - across.first);
    const double length = roundDown(0.3 * span * across.labelPerView);
    const double bar = length / across.labelPerView * image.width() / span;
    const double thick = line / 5.0;
    const double edge = line / 16.0;
    const QPointF foot(image.left() + line, image.bottom() - line);
    const QRectF shape(foot.x(), foot.y() - thick, bar, thick);
    painter.fillRect(shape.adjusted(-edge, -edge, edge, edge), QColor(kPaper));
    painter.fillRect(shape, Qt::white);
    QPainterPath words; // with an edge that is visible on bright images
    words.addText(shape.topLeft() - QPointF(0.0, line / 3.0), painter.font(),
                  shown(formatNumber(length, length < 1.0 ? 2 : 0) + " " + across.unit));
    painter.strokePath(words, QPen(QColor(kPaper), 3.0 * edge));
    painter.fillPath(words, Qt::white);
}

QImage withMarks(const QImage& picture, const FrameSpec& image, const ExportLook& look,
                 const ValueRange& range) {
    if (!look.axes && !look.scaleBar && !look.colourBar) return picture;
    if (qGuiApp == nullptr)
        throw Error("Labels need fonts, and nothing has loaded them here; leave out the axes, the "
                    "scale bar and the colour bar.");
    return Marks(picture, image, look, range).drawn();
}

} // namespace echolux
