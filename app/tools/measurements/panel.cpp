// SPDX-License-Identifier: GPL-3.0-or-later
// Three pages. The first one is a tree of two levels below rows of buttons.
#include "app/tools/measurements/panel.hpp"

#include "app/tools/measurements/distribution_plot.hpp"
#include "app/tools/measurements/sweep_panel.hpp"
#include "ui/controls/action_text.hpp"
#include "ui/controls/combo_box.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace echolux {
namespace {

constexpr int kFirstOfReference = 2; ///< column

} // namespace

MeasurementsPanel::MeasurementsPanel(QWidget* parent)
    : SeenWidget(parent), m_pages(new QTabBar(this)), m_sweep(new SweepPanel(this)),
      m_histogram(new DistributionPlot(this)), m_views(new ComboBox(this)),
      m_inEachView(makeAction(this, "Figures in each view", {}, {},
                              "Where several views show the same place: shows the lateral width of "
                              "points (W) and the contrast (C) along the lower edge of each")),
      m_hint(makeLabel({}, LabelRole::Normal, this)), m_list(new QTreeWidget(this)),
      m_compare(new QPushButton("Compare", this)) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    auto* pages = new QStackedWidget(this);
    pages->addWidget(makeShapes());
    pages->addWidget(m_sweep);
    pages->addWidget(m_histogram);
    m_pages->addTab("Shapes");
    m_pages->addTab("Plot against");
    m_pages->addTab("Histogram");
    m_pages->setDrawBase(false);
    m_pages->setAccessibleName("Page of the measurements");
    m_inEachView->setCheckable(true);
    m_inEachView->setChecked(true);
    addAction(m_inEachView);
    connect(m_inEachView, &QAction::toggled, this, &MeasurementsPanel::inEachViewWanted);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kGrid, 0, kGrid, kGrid);
    layout->setSpacing(kGrid);
    layout->addWidget(m_pages);
    layout->addWidget(pages, 1);
    connect(m_pages, &QTabBar::currentChanged, pages, &QStackedWidget::setCurrentIndex);
    connect(m_list, &QTreeWidget::itemSelectionChanged, this, [this] {
        if (!m_filling) emit selectionChanged();
    });
    connect(m_list, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int column) {
        const int row = m_list->indexOfTopLevelItem(item);
        if (m_filling || column != 0 || row < 0 || row >= m_shown.size()) return;
        const QString former = m_shown[row].name;
        const QString name = item->text(0).trimmed();
        if (name != former) emit renamed(former, name);
    });
}

QWidget* MeasurementsPanel::makeShapes() {
    using Tool = MeasuringTool;
    auto* lines = new QHBoxLayout;
    addTool(*lines, Tool::Point, "Point", "Shift+P",
            "Click near a point: the width of its brightest pixel is measured");
    addTool(*lines, Tool::Line, "Line", "Shift+D,Shift+L",
            "Drag from one place to another: length, profile and edge are measured");
    addTool(*lines, Tool::Angle, "Angle", "Shift+A",
            "Click three places: the angle at the second one is measured");
    m_calliper = addTool(*lines, Tool::Calliper, "Calliper", "Shift+C",
                         "Click a column: the thickness between its two strongest surfaces is "
                         "measured; drag its box to the depths that are searched");
    m_envelope = addTool(*lines, Tool::Envelope, "Envelope", {},
                         "Measures the heartbeats of the sonogram, or of the rectangle that is "
                         "drawn on it: velocities, resistivity and pulsatility");
    m_envelope->hide();
    auto* regions = new QHBoxLayout;
    addTool(*regions, Tool::Rectangle, "Rectangle", "Shift+R",
            "Drag a rectangle: its pixels are measured");
    addTool(*regions, Tool::Ellipse, "Ellipse", "Shift+E",
            "Drag the rectangle that an ellipse fills: its pixels are measured");
    addTool(*regions, Tool::Region, "Region", {},
            "Drag round a part of the image: its pixels are measured; or those of the region that "
            "is drawn (D)");
    auto* pairs = new QHBoxLayout;
    addTool(*pairs, Tool::Blob, "Blob", "Shift+O",
            "Click near a bright spot: the area of its connected pixels, down to 6 dB below their "
            "peak, is measured");
    addTool(*pairs, Tool::Contrast, "Contrast", "Shift+T",
            "Click a region, then the region around it: they are compared; or the two that are "
            "selected in the list");
    auto* keep = new QHBoxLayout;
    addButton(*keep, "Remove", "Removes the selected measurements",
              &MeasurementsPanel::removeWanted);
    auto* copy = new QPushButton("Copy", this);
    copy->setToolTip("Copies all figures as text");
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(text()); });
    keep->addWidget(copy);
    addButton(*keep, "Save",
              "Writes the measurements beside the recording now, where they are found the next "
              "time and by 'echolux measure'; changes are written there by themselves",
              &MeasurementsPanel::saveWanted);
    auto* paper = new QHBoxLayout;
    m_compare->setCheckable(true);
    m_compare->setToolTip("Keeps the figures of now as a reference, also while another pipeline or "
                          "recording is opened, and shows how far the figures differ from it");
    connect(m_compare, &QPushButton::toggled, this, &MeasurementsPanel::comparingWanted);
    paper->addWidget(m_compare);
    addEntry(*paper, QStringLiteral("Figure\u2026"),
             "Writes the image with axes and shapes for a paper: PDF, SVG, PNG or TIFF",
             &MeasurementsPanel::figureWanted);
    addEntry(*paper, QStringLiteral("Report\u2026"),
             "Writes a page with the image, all figures, the settings and the recording's hash: "
             "HTML or PDF",
             &MeasurementsPanel::reportWanted);
    m_list->setHeaderLabels({"Measurement", "Value", "Reference", "Difference"});
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->setIndentation(kGrid);
    setComparing(false);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setAccessibleName("Measurements");
    m_views->setAccessibleName("View that is measured");
    m_views->setToolTip("The view that is measured; a click on another view chooses that one");
    m_views->hide();
    connect(m_views, &QComboBox::currentIndexChanged, this, &MeasurementsPanel::viewChosen);
    m_hint->setWordWrap(true);
    m_hint->setText("Take a tool, then draw on the image. Esc puts it away.");
    m_hint->setContentsMargins(kGrid, kGrid, kGrid, kGrid);
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid);
    layout->addWidget(m_views);
    layout->addLayout(lines);
    layout->addLayout(regions);
    layout->addLayout(pairs);
    layout->addLayout(keep);
    layout->addWidget(m_hint);
    layout->addWidget(m_list, 1);
    layout->addLayout(paper);
    return page;
}

void MeasurementsPanel::setInEachView(bool on) { m_inEachView->setChecked(on); }

void MeasurementsPanel::setComparing(bool on) {
    m_compare->setChecked(on);
    for (int column = kFirstOfReference; column < m_list->columnCount(); ++column)
        m_list->setColumnHidden(column, !on);
}

void MeasurementsPanel::setViews(const QStringList& names, int chosen) {
    const QSignalBlocker blocker(m_views);
    m_views->clear();
    m_views->addItems(names);
    m_views->setCurrentIndex(chosen);
    m_views->setVisible(names.size() > 1);
}

void MeasurementsPanel::chooseView(int view) {
    const QSignalBlocker blocker(m_views);
    m_views->setCurrentIndex(view);
}

void MeasurementsPanel::setOnSonogram(bool is) {
    m_envelope->setVisible(is);
    m_calliper->setVisible(!is);
    m_tools[MeasuringTool::Envelope]->setVisible(is);
    m_tools[MeasuringTool::Calliper]->setVisible(!is);
}

/// The action is in the menu Measure, too.
QPushButton* MeasurementsPanel::addTool(QBoxLayout& row, MeasuringTool tool, const QString& text,
                                        const QString& keys, const QString& tip) {
    QList<QKeySequence> sequences;
    for (const QString& each : keys.split(',', Qt::SkipEmptyParts)) sequences << QKeySequence(each);
    QAction* action = makeAction(this, text, {}, sequences, tip);
    action->setCheckable(true);
    connect(action, &QAction::triggered, this,
            [this, tool](bool on) { emit toolWanted(on ? std::optional(tool) : std::nullopt); });
    addAction(action);
    m_tools[tool] = action;
    auto* button = new QPushButton(text, this);
    button->setCheckable(true);
    button->setToolTip(toolTipWithKeys(tip, *action));
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    connect(action, &QAction::toggled, button, &QPushButton::setChecked);
    row.addWidget(button);
    return button;
}

void MeasurementsPanel::setTool(std::optional<MeasuringTool> tool) {
    for (const auto& [each, action] : m_tools) action->setChecked(each == tool);
}

void MeasurementsPanel::select(const QString& name) {
    for (int row = 0; row < m_list->topLevelItemCount(); ++row)
        if (m_shown[row].name == name) return m_list->setCurrentItem(m_list->topLevelItem(row));
}

void MeasurementsPanel::addEntry(QBoxLayout& row, const QString& text, const QString& tip,
                                 void (MeasurementsPanel::*signal)()) {
    addButton(row, text, tip, signal);
    QAction* action = makeAction(this, text, {}, {}, tip);
    connect(action, &QAction::triggered, this, signal);
    addAction(action);
}

QPushButton* MeasurementsPanel::addButton(QBoxLayout& row, const QString& text, const QString& tip,
                                          void (MeasurementsPanel::*signal)()) {
    auto* button = new QPushButton(text, this);
    button->setToolTip(tip);
    connect(button, &QPushButton::clicked, this, signal);
    row.addWidget(button);
    return button;
}

/// Rows that stay keep their selection, whether they are open, and an editor.
void MeasurementsPanel::setMeasurements(const QList<ShownMeasurement>& measurements) {
    m_filling = true;
    m_shown = measurements;
    while (m_list->topLevelItemCount() > measurements.size())
        delete m_list->takeTopLevelItem(m_list->topLevelItemCount() - 1);
    for (int row = 0; row < measurements.size(); ++row) {
        const ShownMeasurement& shown = measurements[row];
        QTreeWidgetItem* item = m_list->topLevelItem(row);
        if (item == nullptr) {
            item = new QTreeWidgetItem(m_list);
            item->setFlags(item->flags() | Qt::ItemIsEditable);
            item->setExpanded(true);
        }
        item->setText(0, shown.name);
        item->setText(1, shown.kind);
        const int lines = shown.problem.isEmpty() ? static_cast<int>(shown.figures.size()) : 1;
        while (item->childCount() > lines) delete item->takeChild(item->childCount() - 1);
        while (item->childCount() < lines) new QTreeWidgetItem(item);
        if (!shown.problem.isEmpty()) {
            item->child(0)->setText(0, shown.problem);
            item->child(0)->setText(1, {});
            item->child(0)->setToolTip(0, shown.problem);
            continue;
        }
        for (int line = 0; line < lines; ++line) {
            const ShownFigure& figure = shown.figures[line];
            const QStringList cells{figure.name, figure.value, figure.reference, figure.difference};
            item->child(line)->setToolTip(0, figure.name);
            for (int column = 0; column < cells.size(); ++column) {
                item->child(line)->setText(column, cells[column]);
                if (column > 0) item->child(line)->setTextAlignment(column, Qt::AlignRight);
            }
        }
    }
    m_filling = false;
    m_hint->setVisible(m_shown.isEmpty());
}

QStringList MeasurementsPanel::selected() const {
    QStringList names;
    for (int row = 0; row < m_list->topLevelItemCount(); ++row) {
        QTreeWidgetItem* item = m_list->topLevelItem(row);
        bool chosen = item->isSelected();
        for (int line = 0; line < item->childCount(); ++line)
            chosen = chosen || item->child(line)->isSelected();
        if (chosen) names += m_shown[row].name;
    }
    return names;
}

QString MeasurementsPanel::text() const {
    QString all;
    for (const ShownMeasurement& shown : m_shown) {
        if (!shown.problem.isEmpty()) all += shown.name + "\t" + shown.problem + "\n";
        for (const ShownFigure& figure : shown.figures) {
            QStringList cells{shown.name, figure.name, figure.value};
            if (!figure.reference.isEmpty()) cells << figure.reference << figure.difference;
            all += cells.join('\t') + '\n';
        }
    }
    return all;
}

} // namespace echolux
