// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, menu and cursor of plots.
#include "ui/plots/plot_tools.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"
#include "ui/controls/action_text.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/controls/picture_bytes.hpp"
#include "ui/plots/plot_export.hpp"
#include "ui/theme/theme.hpp"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {
namespace {

constexpr double kSavedScale = 2.0; ///< size of saved pictures relative to the screen
constexpr int kDigits = 4;

/// The value of the curve at the place nearest to `key`; nothing for an empty curve.
std::optional<double> valueNear(const QCPGraph& curve, double key) {
    const auto data = curve.data();
    if (data->isEmpty()) return std::nullopt;
    auto at = data->findBegin(key, false);
    if (at == data->constEnd()) --at;
    if (at != data->constBegin() && std::abs((at - 1)->key - key) < std::abs(at->key - key)) --at;
    return at->value;
}

const QString kBetweenValues = QStringLiteral("   ");

QString withUnit(const QString& number, const QString& unit) {
    return unit.isEmpty() ? number : number + ' ' + unit;
}

} // namespace

PlotTools::PlotTools(QCustomPlot& plot, QString name)
    : QObject(&plot), m_plot(plot), m_name(std::move(name)), m_menu(new QMenu(&plot)),
      m_line(new QCPItemStraightLine(&plot)), m_text(new QCPItemText(&plot)) {
    m_plot.setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    QCPAxisRect* rect = m_plot.axisRect();
    const QList<QCPAxis*> across = rect->axes(QCPAxis::atBottom | QCPAxis::atTop);
    const QList<QCPAxis*> up = rect->axes(QCPAxis::atLeft | QCPAxis::atRight);
    rect->setRangeDragAxes(across, up);
    rect->setRangeZoomAxes(across, up);
    m_plot.setFocusPolicy(Qt::StrongFocus);
    m_line->setSelectable(false);
    m_text->setSelectable(false);
    m_text->setLayer(QStringLiteral("overlay")); // before the curves
    m_text->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_text->position->setCoords(1.0, 0.0);
    m_text->setPositionAlignment(Qt::AlignRight | Qt::AlignTop);
    m_text->setTextAlignment(Qt::AlignRight);
    m_text->setPadding(QMargins(4, 1, 4, 1));
    hideCursor();
    makeMenu();
    m_plot.installEventFilter(this);
    for (QCPAxis* axis : across + up) {
        // An axis that was never fitted follows another one.
        connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this, axis] {
            if (m_home.contains(axis)) m_fitted = m_fitted && m_fitting;
        });
    }
    connect(&m_plot, &QCustomPlot::mouseMove, this,
            [this](const QMouseEvent* event) { showCursor(event->position()); });
    connect(&m_plot, &QCustomPlot::mouseDoubleClick, this, &PlotTools::showAll);
    // Below a cursor at rest the values are updated with the curves.
    connect(&m_plot, &QCustomPlot::beforeReplot, this, [this] {
        if (m_cursor) m_text->setText(wrapped(cursorText()));
    });
    connect(&Theme::instance(), &Theme::changed, this, &PlotTools::restyle);
    restyle();
}

PlotTools::~PlotTools() = default;

void PlotTools::restyle() {
    m_line->setPen(QPen(tokens().secondary, 1.0));
    m_text->setFont(smallFont());
    m_text->setColor(tokens().text);
    m_text->setBrush(withAlpha(tokens().panel, 0.85));
}

void PlotTools::makeMenu() {
    const auto make = [this](const char* text, const char* keys, const char* help) {
        QAction* action =
            makeAction(m_menu, text, {},
                       *keys == '\0' ? QList<QKeySequence>() : QList{QKeySequence(keys)}, help);
        // NOTE: eventFilter() handles the key while the plot has the focus, because the window uses
        // the same key.
        action->setShortcutContext(Qt::WidgetShortcut);
        m_menu->addAction(action);
        return action;
    };
    m_copyValues = make("Copy &values", "Ctrl+C", "The curves as text, for a spreadsheet");
    m_copyImage = make("Copy &image", "", "The plot as it looks");
    m_save =
        make("&Save as CSV, PNG, SVG\u2026", "", "The curves as text, or the plot as it looks");
    m_menu->addSeparator();
    m_showAll = make("Show &all", "", "Undo zooming and moving");
    m_copyValues->setWhatsThis("Copy the values of a plot");
    connect(m_copyValues, &QAction::triggered, this, &PlotTools::copyValues);
    connect(m_copyImage, &QAction::triggered, this, &PlotTools::copyImage);
    connect(m_save, &QAction::triggered, this, &PlotTools::chooseFile);
    connect(m_showAll, &QAction::triggered, this, &PlotTools::showAll);
}

QString PlotTools::help() {
    return QStringLiteral("Wheel: zoom. Drag: move. Double click: show all. Right click or Menu "
                          "key: copy, save. With the focus, Ctrl+C copies the values.");
}

void PlotTools::fit(QCPAxis* axis, double from, double to) {
    m_home[axis] = QCPRange(from, to);
    if (!m_fitted) return;
    m_fitting = true;
    axis->setRange(from, to);
    m_fitting = false;
}

void PlotTools::showAll() {
    m_fitted = true;
    for (auto at = m_home.constBegin(); at != m_home.constEnd(); ++at)
        fit(at.key(), at->lower, at->upper);
    m_plot.replot(QCustomPlot::rpQueuedReplot);
}

QString PlotTools::cursorText() const {
    if (!m_cursor) return {};
    const double key = m_plot.xAxis->pixelToCoord(m_cursor->x());
    const AxisWords across = wordsOf(*m_plot.xAxis);
    QStringList parts{withUnit(significantText(key, kDigits), across.unit)};
    for (int i = 0; i < m_plot.graphCount(); ++i) {
        const QCPGraph& curve = *m_plot.graph(i);
        if (!isCurve(curve)) continue;
        const auto value = valueNear(curve, key);
        if (value)
            parts << nameOf(curve) + ' ' +
                         withUnit(significantText(*value, kDigits),
                                  wordsOf(*curve.valueAxis()).unit);
    }
    return parts.join(kBetweenValues);
}

/// Where the values do not fit in one line, each gets a line.
QString PlotTools::wrapped(QString values) const {
    const int room =
        m_plot.axisRect()->width() - m_text->padding().left() - m_text->padding().right();
    const bool fits = QFontMetrics(m_text->font()).horizontalAdvance(values) <= room;
    return fits ? values : values.replace(kBetweenValues, QStringLiteral("\n"));
}

void PlotTools::showCursor(const QPointF& at) {
    if (!m_plot.axisRect()->rect().contains(at.toPoint())) return hideCursor();
    m_cursor = at;
    const double key = m_plot.xAxis->pixelToCoord(at.x());
    m_line->point1->setCoords(key, 0.0);
    m_line->point2->setCoords(key, 1.0);
    m_line->setVisible(true);
    m_text->setVisible(true);
    m_plot.replot(QCustomPlot::rpQueuedReplot);
}

void PlotTools::hideCursor() {
    const bool shown = m_cursor.has_value();
    m_cursor.reset();
    m_line->setVisible(false);
    m_text->setVisible(false);
    if (shown) m_plot.replot(QCustomPlot::rpQueuedReplot);
}

void PlotTools::copyValues() {
    QApplication::clipboard()->setText(QString::fromUtf8(csvOf(m_plot)));
    emit copied("Values of the plot copied");
}

void PlotTools::copyImage() {
    QApplication::clipboard()->setImage(imageOf(m_plot, kSavedScale));
    emit copied("Image of the plot copied");
}

void PlotTools::chooseFile() {
    QString filter;
    QString path =
        QFileDialog::getSaveFileName(m_plot.window(), "Save the plot", m_name + ".csv",
                                     "Values (*.csv);;Picture (*.png);;Drawing (*.svg)", &filter);
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty())
        path += filter.contains("png") ? ".png" : filter.contains("svg") ? ".svg" : ".csv";
    const QString problem = saveTo(path);
    problem.isEmpty() ? emit saved(path) : emit failed(problem);
}

QString PlotTools::saveTo(const QString& path) const {
    const QString kind = QFileInfo(path).suffix().toLower();
    if (kind != "csv" && kind != "png" && kind != "svg")
        return "Plots are saved as .csv, .png or .svg, not as " + QFileInfo(path).fileName() +
               "; choose one of these endings.";
    try {
        writeWhole(path.toStdString(), kind == "png"
                                           ? pictureBytes(imageOf(m_plot, kSavedScale), "PNG")
                                       : kind == "svg" ? svgOf(m_plot).toStdString()
                                                       : csvOf(m_plot).toStdString());
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

bool PlotTools::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Leave: hideCursor(); break;
    case QEvent::ContextMenu: {
        const auto* asked = static_cast<QContextMenuEvent*>(event);
        hideCursor();
        m_menu->popup(asked->reason() == QContextMenuEvent::Mouse
                          ? asked->globalPos()
                          : m_plot.mapToGlobal(m_plot.rect().center()));
        return true;
    }
    case QEvent::ShortcutOverride:
        if (static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) event->accept();
        break;
    case QEvent::KeyPress:
        if (static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
            copyValues();
            return true;
        }
        break;
    default: break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace echolux
