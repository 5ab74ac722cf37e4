// SPDX-License-Identifier: GPL-3.0-or-later
// Two boxes, a table and a plot.
#include "app/tools/waveform/panel.hpp"

#include "app/tools/waveform/plot.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QIcon>
#include <QLabel>
#include <QPixmap>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <array>

namespace echolux {
namespace {

struct Column {
    const char* name;
    const char* help;
};
constexpr std::array kColumns{
    Column{"end", "End of the beat, before the newest line"},
    Column{"PSV", "Peak systolic velocity"},
    Column{"EDV", "End-diastolic velocity: the least of the beat's second half"},
    Column{"TAMAX", "Mean of the maximum over the beat"},
    Column{"RI", "Resistivity index: (PSV - EDV) / PSV"},
    Column{"PI", "Pulsatility index: (PSV - EDV) / TAMAX"},
    Column{"1/min", "Heart rate"},
};

} // namespace

WaveformPanel::WaveformPanel(QWidget* parent)
    : SeenWidget(parent), m_maximum(new QCheckBox("Maximum", this)),
      m_mean(new QCheckBox("Mean", this)), m_problem(makeLabel({}, LabelRole::Normal, this)),
      m_table(new QTableWidget(0, static_cast<int>(kColumns.size()), this)),
      m_plot(new WaveformPlot(this)) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    m_maximum->setToolTip("Draws the largest velocity over time on the sonogram");
    m_mean->setToolTip("Draws the mean velocity over time on the sonogram");
    for (QCheckBox* box : {m_maximum, m_mean}) {
        box->setChecked(true);
        connect(box, &QCheckBox::toggled, this, &WaveformPanel::shownChanged);
    }
    colour();
    connect(&Theme::instance(), &Theme::changed, this, &WaveformPanel::colour);
    auto* copy = new QPushButton("Copy", this);
    copy->setToolTip("Copies the table as text");
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(text()); });
    m_problem->setWordWrap(true);
    m_problem->hide();
    m_table->setAccessibleName("Heartbeats");
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setShowGrid(false);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setMinimumSectionSize(kGrid);
    setBeats("cm/s", "s", {});
    auto* boxes = new QHBoxLayout;
    boxes->addWidget(m_maximum);
    boxes->addWidget(m_mean);
    boxes->addStretch(1);
    boxes->addWidget(copy);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kGrid, kGrid, kGrid, kGrid);
    layout->setSpacing(kGrid);
    layout->addLayout(boxes);
    layout->addWidget(m_problem);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_plot, 1);
}

void WaveformPanel::colour() {
    const auto mark = [](QCheckBox& box, int ink) {
        QPixmap line(2 * kGrid, kGrid / 2);
        line.fill(plotColour(ink));
        box.setIcon(QIcon(line));
    };
    mark(*m_maximum, kMaximumInk);
    mark(*m_mean, kMeanInk);
}

bool WaveformPanel::showsMaximum() const { return m_maximum->isChecked(); }
bool WaveformPanel::showsMean() const { return m_mean->isChecked(); }

void WaveformPanel::setBeats(const QString& unit, const QString& timeUnit,
                             const QList<QStringList>& rows) {
    constexpr int kVelocities = 3;
    for (int column = 0; column < m_table->columnCount(); ++column) {
        const Column& shown = kColumns[static_cast<std::size_t>(column)];
        auto* head = new QTableWidgetItem(shown.name);
        const bool isVelocity = column >= 1 && column <= kVelocities;
        const QString& in = column == 0 ? timeUnit : isVelocity ? unit : QString();
        if (!in.isEmpty()) head->setText(QString("%1\n%2").arg(shown.name, in));
        head->setToolTip(shown.help);
        m_table->setHorizontalHeaderItem(column, head);
    }
    m_table->setRowCount(static_cast<int>(rows.size()));
    for (int row = 0; row < m_table->rowCount(); ++row)
        for (int column = 0; column < m_table->columnCount(); ++column) {
            auto* item = new QTableWidgetItem(rows[row].value(column));
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            m_table->setItem(row, column, item);
        }
}

void WaveformPanel::setProblem(const QString& sentence) {
    m_problem->setText(sentence);
    m_problem->setVisible(!sentence.isEmpty());
}

QString WaveformPanel::problem() const { return m_problem->text(); }

QString WaveformPanel::text() const {
    QString all;
    const auto add = [&](const auto& itemOf) {
        QStringList words;
        for (int column = 0; column < m_table->columnCount(); ++column)
            words += itemOf(column)->text().replace('\n', ' ');
        all += words.join('\t') + '\n';
    };
    add([this](int column) { return m_table->horizontalHeaderItem(column); });
    for (int row = 0; row < m_table->rowCount(); ++row)
        add([this, row](int column) { return m_table->item(row, column); });
    return all;
}

} // namespace echolux
