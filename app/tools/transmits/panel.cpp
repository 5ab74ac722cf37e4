// SPDX-License-Identifier: GPL-3.0-or-later
// Shows pictures or a sentence, and knows which of them are visible.
#include "app/tools/transmits/panel.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace echolux {

TransmitThumbnails::TransmitThumbnails(QWidget* parent)
    : SeenWidget(parent), m_summary(new ElidedLabel({}, this)),
      m_reason(
          makeLabel("Open a recording of ultrasound channel data", LabelRole::Secondary, this)),
      m_remedy(new QPushButton(this)), m_problem(makeLabel({}, LabelRole::Warning, this)),
      m_grid(new ThumbnailGrid(this)), m_stack(new QStackedLayout) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, kGrid / 2, 0, kGrid / 2);
    layout->setSpacing(kGrid / 2);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(kGrid, 0, kGrid, 0);
    head->setSpacing(kGrid);
    head->addWidget(new QLabel("Transmits", this));
    setRole(m_summary, LabelRole::Secondary);
    head->addWidget(m_summary, 1);
    layout->addLayout(head);
    auto* room = new QWidget(this);
    auto* inset = new QVBoxLayout(room);
    inset->setContentsMargins(kGrid / 2, 0, kGrid / 2, 0);
    inset->addWidget(m_grid);
    for (QLabel* label : {m_reason, m_problem}) {
        label->setAlignment(Qt::AlignCenter);
        label->setWordWrap(true);
        label->setContentsMargins(2 * kGrid, 0, 2 * kGrid, 0);
    }
    auto* none = new QWidget(this);
    auto* middle = new QVBoxLayout(none);
    middle->setSpacing(2 * kGrid);
    middle->addStretch(1);
    middle->addWidget(m_reason);
    middle->addWidget(m_remedy, 0, Qt::AlignHCenter);
    middle->addStretch(1);
    m_remedy->hide();
    m_stack->addWidget(none);
    m_stack->addWidget(room);
    layout->addLayout(m_stack, 1);
    layout->addWidget(m_problem);
    m_problem->hide();
    connect(m_grid, &ThumbnailGrid::edited, this, &TransmitThumbnails::tell);
    connect(m_remedy, &QPushButton::clicked, this, &TransmitThumbnails::remedyChosen);
}

void TransmitThumbnails::setReason(const QString& sentence, const QString& remedy) {
    if (!sentence.isEmpty()) {
        m_reason->setText(sentence);
        m_remedy->setText(remedy);
        m_remedy->setHidden(remedy.isEmpty());
        setProblem({});
    }
    m_stack->setCurrentIndex(sentence.isEmpty() ? 1 : 0);
    tell();
}

QString TransmitThumbnails::reason() const {
    return m_stack->currentIndex() == 0 ? m_reason->text() : QString();
}

void TransmitThumbnails::setProblem(const QString& sentence) {
    m_problem->setText(sentence);
    m_problem->setHidden(sentence.isEmpty());
}

void TransmitThumbnails::setStates(std::vector<bool> states) {
    m_grid->setStates(std::move(states));
    tell();
}

void TransmitThumbnails::setRange(double db) {
    m_rangeDb = db;
    m_grid->setRange(db);
    tell();
}

QString TransmitThumbnails::summary() const { return m_summary->fullText(); }

void TransmitThumbnails::tell() {
    if (m_stack->currentIndex() == 0) return m_summary->setFullText({});
    const std::vector<bool> states = m_grid->states();
    m_summary->setFullText(QString("%1 / %2 on   0 dB: brightest pixel, black: %3 dB below")
                               .arg(std::count(states.begin(), states.end(), true))
                               .arg(states.size())
                               .arg(numberText(m_rangeDb, 0)));
}

} // namespace echolux
