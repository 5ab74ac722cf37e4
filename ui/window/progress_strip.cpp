// SPDX-License-Identifier: GPL-3.0-or-later
// Delay, position and look of the strip.
#include "ui/window/progress_strip.hpp"

#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>

namespace echolux {
namespace {

constexpr int kDelayMs = 300;
constexpr int kBarWidth = 20 * kGrid;
constexpr int kHeight = 5 * kGrid;

} // namespace

ProgressStrip::ProgressStrip(QWidget* host)
    : QWidget(host), m_text(new ElidedLabel({}, this)), m_bar(new QProgressBar(this)),
      m_cancel(new QPushButton("Cancel", this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 0, kGrid, 0);
    layout->setSpacing(2 * kGrid);
    layout->addWidget(m_text, 1);
    m_bar->setRange(0, 0);
    m_bar->setTextVisible(false);
    m_bar->setFixedSize(kBarWidth, kGrid / 2);
    m_bar->setAccessibleName("Work in progress");
    layout->addWidget(m_bar);
    m_cancel->setFocusPolicy(Qt::TabFocus);
    m_cancel->setToolTip("Cancel this; what is open stays open");
    layout->addWidget(m_cancel);
    connect(m_cancel, &QPushButton::clicked, this, &ProgressStrip::cancelled);
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &ProgressStrip::present);
    host->installEventFilter(this);
    hide();
}

void ProgressStrip::begin(const QString& text) {
    m_busy = true;
    m_text->setFullText(text);
    m_text->setToolTip(text);
    if (isHidden()) m_delay.start();
}

void ProgressStrip::setDone(double share) {
    constexpr int kSteps = 1000;
    m_bar->setRange(0, share < 0.0 ? 0 : kSteps);
    if (share >= 0.0) m_bar->setValue(static_cast<int>(share * kSteps));
}

void ProgressStrip::end() {
    m_busy = false;
    m_delay.stop();
    hide();
}

QString ProgressStrip::text() const { return m_text->fullText(); }

void ProgressStrip::present() {
    show();
    place();
    raise();
}

void ProgressStrip::place() {
    setGeometry(0, parentWidget()->height() - kHeight, parentWidget()->width(), kHeight);
}

bool ProgressStrip::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize && !isHidden()) place();
    return QWidget::eventFilter(watched, event);
}

void ProgressStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), tokens().raised);
    painter.fillRect(0, 0, width(), 1, tokens().line);
}

} // namespace echolux
