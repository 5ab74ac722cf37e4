// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of the status bar.
#include "ui/window/status_bar.hpp"

#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QToolButton>

namespace echolux {
namespace {

const QString kComputing = QStringLiteral("computing\u2026");

} // namespace

StatusBar::StatusBar(QWidget* parent)
    : QStatusBar(parent), m_source(new ElidedLabel("Nothing is open", this)),
      m_computing(makeLabel(kComputing, LabelRole::Normal, this)), m_volume(new QLabel(this)),
      m_backend(new QLabel(this)), m_path(new QLabel(this)),
      m_lost(makeLabel("", LabelRole::Secondary, this)), m_recording(new QLabel(this)) {
    setSizeGripEnabled(false);
    setContentsMargins(kGrid, 0, kGrid, 0);
    setMinimumHeight(3 * kGrid + kGrid / 2);
    addWidget(m_source, 1);
    addPermanentWidget(m_computing);
    m_computing->setFixedWidth(m_computing->sizeHint().width() + 2 * kGrid);
    m_computing->setToolTip(
        "The image on screen was made before the latest edit; the new image is being computed");
    setComputing(false);
    for (QLabel* label : {m_recording, m_volume, m_backend, m_path, m_lost}) {
        label->setProperty("field", true);
        addPermanentWidget(label);
    }
    m_recording->hide();
    m_recording->setToolTip("A live source is being recorded (Ctrl+R stops it)");
    m_volume->hide();
    m_backend->hide();
    m_path->hide();
    for (QLabel* label : {static_cast<QLabel*>(m_source), m_volume, m_backend, m_path}) {
        setRole(label, LabelRole::Secondary);
    }
    m_volume->setToolTip("B-scans of the shown volume that have been imaged with the present "
                         "parameters. The others follow while playback is frozen");
    m_lost->setToolTip("Frames of a live source since it was opened. Lost: they did not come, or "
                       "there was no memory for them. Left out: the pipeline was busy with earlier "
                       "ones. The dock Live source says more");
    setMissingFrames(0, 0);
    auto* messages = new QToolButton(this);
    messages->setObjectName("messages");
    messages->setIcon(themeIcon("info"));
    messages->setIconSize(QSize(14, 14));
    messages->setAutoRaise(true);
    messages->setFocusPolicy(Qt::TabFocus);
    messages->setAccessibleName("Messages");
    messages->setToolTip("All messages so far (Ctrl+L)");
    addPermanentWidget(messages);
    connect(messages, &QToolButton::clicked, this, &StatusBar::messagesRequested);
}

void StatusBar::setSource(const QString& text, const QString& toolTip) {
    m_source->setFullText(text);
    m_source->setToolTip(toolTip);
}

void StatusBar::setComputing(bool on) { m_computing->setText(on ? kComputing : QString()); }

bool StatusBar::isComputing() const { return !m_computing->text().isEmpty(); }

/// The text has its final width from the start, so that nothing moves while it counts.
void StatusBar::setVolumeProgress(qint64 bscans, qint64 of) {
    constexpr QChar kFigureSpace(0x2007);
    const QString all = QString::number(of);
    const QString now = QString("%1").arg(bscans, all.size(), 10, kFigureSpace);
    m_volume->setText(of > 0 ? QString("volume %1 / %2").arg(now, all) : QString());
    m_volume->setVisible(of > 0);
}

QString StatusBar::volumeProgressText() const { return m_volume->text(); }

void StatusBar::setBackend(const QString& text, const QString& reason) {
    m_backend->setText(text);
    m_backend->setVisible(!text.isEmpty());
    m_backend->setToolTip(reason);
}

void StatusBar::setDisplayPath(const QString& text, const QString& reason, bool direct) {
    m_path->setText(text);
    m_path->setVisible(!text.isEmpty());
    m_path->setToolTip(reason);
    setRole(m_path, direct ? LabelRole::Normal : LabelRole::Secondary);
}

void StatusBar::setMissingFrames(qint64 lost, qint64 leftOut) {
    QString text = QString("%1 lost").arg(lost);
    if (leftOut > 0) text += QString(", %1 left out").arg(leftOut);
    m_lost->setText(text);
    setRole(m_lost, lost == 0 ? LabelRole::Secondary : LabelRole::Warning);
}

void StatusBar::setRecording(const QString& text, bool loses) {
    m_recording->setText(text);
    m_recording->setVisible(!text.isEmpty());
    setRole(m_recording, loses ? LabelRole::Warning : LabelRole::Normal);
}

QString StatusBar::lostText() const { return m_lost->text(); }

} // namespace echolux
