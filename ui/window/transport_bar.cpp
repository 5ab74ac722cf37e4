// SPDX-License-Identifier: GPL-3.0-or-later
// Buttons, seek slider and numbers of the transport bar.
#include "ui/window/transport_bar.hpp"

#include "gpu/core/quantity.hpp"
#include "ui/controls/action_text.hpp"
#include "ui/controls/combo_box.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"
#include "ui/window/seek_bar.hpp"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace echolux {
namespace {

constexpr std::array kSpeeds = {0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, TransportBar::kUnpaced};

QString speedText(double factor) {
    return factor == TransportBar::kUnpaced ? "max" : QString::number(factor, 'g', 3) + "\u00d7";
}

QString ratePerS(double framesPerSecond) {
    return numberText(framesPerSecond, framesPerSecond < 100.0 ? 1 : 0);
}

} // namespace

std::vector<QAction*> TransportBar::Actions::all() const {
    return {open, first,    stepBack,    play,     stepForward, last,    loop,       slower, faster,
            goTo, markBack, markForward, playFrom, playTo,      playAll, screenshot, record, mark};
}

TransportBar::TransportBar(QWidget* parent) : QToolBar("Transport", parent) {
    setObjectName("transport");
    setMovable(false);
    setFloatable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    setIconSize(QSize(20, 20));
    makeActions();
    makeWidgets();
    setFrame(0, 0);
    showPlaying();
}

void TransportBar::makeActions() {
    const auto make = [this](const char* text, const char* icon, QList<QKeySequence> keys,
                             const char* help) { return makeAction(this, text, icon, keys, help); };
    m_actions.open = make("&Open\u2026", "open", {QKeySequence("Ctrl+O")}, "Open a recording");
    m_actions.first =
        make("&First frame", "first", {QKeySequence("Home")}, "Go to the first frame");
    m_actions.stepBack = make("Step &back", "step_back", {QKeySequence(","), QKeySequence("Left")},
                              "Freeze and go one frame back");
    m_actions.play = make("&Freeze", "pause", {QKeySequence("Space")}, "Freeze or play");
    m_actions.stepForward =
        make("Step f&orward", "step_forward", {QKeySequence("."), QKeySequence("Right")},
             "Freeze and go one frame on");
    m_actions.last = make("&Last frame", "last", {QKeySequence("End")}, "Go to the last frame");
    m_actions.loop = make("Loo&p", "loop", {QKeySequence("L")}, "Begin again after the last frame");
    m_actions.loop->setCheckable(true);
    m_actions.slower = make("Slo&wer", "", {QKeySequence("[")}, "Play slower");
    m_actions.faster = make("F&aster", "", {QKeySequence("]")}, "Play faster");
    m_actions.goTo = make("&Go to frame", "", {QKeySequence("G")}, "Type the number of a frame");
    m_actions.markBack = make("Former mar&k", "", {QKeySequence("Ctrl+,")},
                              "Freeze at the mark before the shown frame");
    m_actions.markForward = make("&Next mark", "", {QKeySequence("Ctrl+.")},
                                 "Freeze at the mark behind the shown frame");
    m_actions.playFrom = make("Play from &here", "", {QKeySequence("I")},
                              "Play the part that begins with the shown frame");
    m_actions.playTo = make("Play &to here", "", {QKeySequence("O")},
                            "Play the part that ends with the shown frame");
    m_actions.playAll =
        make("Play &all of it", "", {QKeySequence("U")}, "Play the whole recording");
    m_actions.screenshot = make("&Save screenshot", "screenshot", {QKeySequence("Ctrl+S")},
                                "Save the image and all settings as a PNG");
    m_actions.record = make("&Record", "record", {QKeySequence("Ctrl+R")},
                            "Record the frames of a live source to a file");
    m_actions.record->setCheckable(true);
    m_actions.mark = make("&Mark", "", {QKeySequence("Ctrl+M")},
                          "Write a mark beside the recording, at the newest frame");

    connect(m_actions.open, &QAction::triggered, this, &TransportBar::openRequested);
    connect(m_actions.first, &QAction::triggered, this, [this] { emit seekRequested(0); });
    connect(m_actions.last, &QAction::triggered, this, [this] { emit seekRequested(m_count - 1); });
    connect(m_actions.stepBack, &QAction::triggered, this, [this] { emit stepRequested(-1); });
    connect(m_actions.stepForward, &QAction::triggered, this, [this] { emit stepRequested(1); });
    connect(m_actions.play, &QAction::triggered, this, [this] { emit playToggled(!m_playing); });
    connect(m_actions.loop, &QAction::triggered, this, &TransportBar::loopToggled);
    connect(m_actions.slower, &QAction::triggered, this, [this] { changeSpeed(-1); });
    connect(m_actions.faster, &QAction::triggered, this, [this] { changeSpeed(1); });
    connect(m_actions.goTo, &QAction::triggered, this, [this] {
        m_frame->setFocus(Qt::ShortcutFocusReason);
        m_frame->selectAll();
    });
    connect(m_actions.markBack, &QAction::triggered, this, [this] { goToMark(-1); });
    connect(m_actions.markForward, &QAction::triggered, this, [this] { goToMark(1); });
    connect(m_actions.playFrom, &QAction::triggered, this,
            [this] { choosePart(m_index, std::max<qint64>(m_index, m_seek->last())); });
    connect(m_actions.playTo, &QAction::triggered, this,
            [this] { choosePart(std::min<qint64>(m_index, m_seek->first()), m_index); });
    connect(m_actions.playAll, &QAction::triggered, this, [this] { choosePart(0, m_count - 1); });
    connect(m_actions.screenshot, &QAction::triggered, this, &TransportBar::screenshotRequested);
    connect(m_actions.record, &QAction::triggered, this, &TransportBar::recordToggled);
    connect(m_actions.mark, &QAction::triggered, this, &TransportBar::markRequested);
}

void TransportBar::makeWidgets() {
    const auto space = [this](int width) {
        auto* widget = new QWidget(this);
        widget->setFixedWidth(width);
        addWidget(widget);
    };
    addAction(m_actions.open);
    static_cast<QToolButton*>(widgetForAction(m_actions.open))
        ->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_actions.open->setIconText("Open");
    addSeparator();
    for (QAction* action : {m_actions.first, m_actions.stepBack, m_actions.play,
                            m_actions.stepForward, m_actions.last, m_actions.loop}) {
        addAction(action);
    }
    auto* play = static_cast<QToolButton*>(widgetForAction(m_actions.play));
    play->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    play->setObjectName("play");
    // As wide as the longer of its two texts, so that nothing moves when it changes.
    play->setFixedWidth(play->fontMetrics().horizontalAdvance("Freeze") + 5 * kGrid);

    space(kGrid / 2);
    m_speedBox = new ComboBox(this);
    for (const double factor : kSpeeds) m_speedBox->addItem(speedText(factor), factor);
    m_speedBox->setFixedWidth(9 * kGrid);
    m_speedBox->setMaxVisibleItems(static_cast<int>(kSpeeds.size()));
    m_speedBox->setToolTip(
        "Playing speed, compared with the recorded rate; max: as fast as possible ([ and ])");
    connect(m_speedBox, &QComboBox::activated, this, [this](int index) {
        setSpeed(m_speedBox->itemData(index).toDouble());
        emit speedChosen(m_speed);
    });
    addWidget(m_speedBox);
    setSpeed(1.0);

    space(kGrid);
    m_seek = new SeekBar(this);
    m_seek->setToolTip(
        "Drag to any frame. The tabs below: drag to play a part alone (I, O); double "
        "click: all again (U)");
    m_seek->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(m_seek, &Slider::sliderMoved, this, [this](int index) { emit seekRequested(index); });
    connect(m_seek, &SeekBar::partChosen, this, &TransportBar::partChosen);
    connect(m_seek, &Slider::stepRequested, this,
            [this](double steps, bool) { emit stepRequested(steps > 0 ? 1 : -1); });
    addWidget(m_seek);
    space(kGrid);
    m_frame = new QLineEdit(this);
    m_frame->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_frame->setFixedHeight(3 * kGrid);
    m_frame->setFocusPolicy(Qt::ClickFocus);
    m_frame->setToolTip("Frame shown; type another and press Return (G)");
    m_frame->setAccessibleName("Frame");
    m_frame->installEventFilter(this);
    connect(m_frame, &QLineEdit::editingFinished, this, &TransportBar::takeFrame);
    connect(m_frame, &QLineEdit::returnPressed, m_frame, &QWidget::clearFocus);
    addWidget(m_frame);
    m_frames = makeLabel("", LabelRole::Normal, this);
    m_frames->setToolTip("Frames in the recording");
    m_frames->setContentsMargins(kGrid / 2, 0, 0, 0);
    addWidget(m_frames);
    space(kGrid);
    m_rate = makeLabel("", LabelRole::Secondary, this);
    addWidget(m_rate);
    addSeparator();
    addAction(m_actions.record);
    addAction(m_actions.screenshot);
}

void TransportBar::setFrame(qint64 index, qint64 count) {
    if (count != m_count) {
        m_count = count;
        const bool opened = count > 0;
        m_seek->setRange(0, static_cast<int>(std::max<qint64>(0, count - 1)));
        enableActions();
        const QString widest(QString::number(count).size(), '0');
        m_frame->setFixedWidth(m_frame->fontMetrics().horizontalAdvance(widest) + 2 * kGrid);
        m_frames->setText(opened ? QString("/ %1").arg(count) : QString());
        m_seek->setPart(0, m_seek->maximum());
    }
    m_index = index;
    if (!m_seek->isSliderDown()) m_seek->setValue(static_cast<int>(index));
    showFrame();
}

void TransportBar::enableActions() {
    const bool moves = m_count > 1;
    for (QAction* action : m_actions.all()) action->setEnabled(moves);
    for (QAction* action : {m_actions.loop, m_actions.slower, m_actions.faster, m_actions.playFrom,
                            m_actions.playTo, m_actions.playAll})
        action->setEnabled(moves && !m_live);
    for (QAction* action : {m_actions.markBack, m_actions.markForward})
        action->setEnabled(moves && !m_seek->marks().isEmpty());
    m_actions.open->setEnabled(true);
    m_actions.screenshot->setEnabled(m_count > 0);
    m_actions.record->setEnabled(m_live);
    m_actions.mark->setEnabled(m_actions.record->isChecked());
    m_seek->setEnabled(moves);
    m_speedBox->setEnabled(moves && !m_live);
    m_frame->setEnabled(moves);
}

void TransportBar::setMarks(const QList<SeekMark>& marks) {
    m_seek->setMarks(marks);
    enableActions();
}

void TransportBar::goToMark(int places) {
    const SeekMark* found = nullptr;
    for (const SeekMark& mark : m_seek->marks()) {
        if (places < 0 && mark.frame < m_index) found = &mark;
        if (places > 0 && mark.frame > m_index && found == nullptr) found = &mark;
    }
    if (found == nullptr) return;
    emit playToggled(false);
    emit seekRequested(found->frame);
}

void TransportBar::setLive(bool live) {
    m_live = live;
    m_frames->setToolTip(live ? "Frames that are kept in memory" : "Frames in the recording");
    enableActions();
    showPlaying();
}

void TransportBar::setRecording(bool recording) {
    m_actions.record->setChecked(recording);
    m_actions.record->setText(recording ? "Stop &recording" : "&Record");
    m_actions.record->setIconText(recording ? "Stop" : "Record");
    enableActions();
}

void TransportBar::showFrame() {
    if (!m_frame->hasFocus()) m_frame->setText(numberOfFrame()); // else the user is about to type
}

QString TransportBar::numberOfFrame() const {
    return m_count > 0 ? QString::number(m_index + 1) : QString();
}

QString TransportBar::frameText() const {
    return m_count > 0 ? QString("%1 / %2").arg(m_index + 1).arg(m_count) : QString();
}

void TransportBar::takeFrame() {
    const bool asked = m_frame->isModified();
    const QString typed = m_frame->text();
    m_frame->setText(numberOfFrame());
    if (!asked) return;
    const Quantity number = readQuantity(typed.toStdString(), {});
    QString note;
    if (!number.value) {
        note = QString("\"%1\" was not taken: %2; frames are numbered from 1 to %3.")
                   .arg(typed, QString::fromStdString(number.problem))
                   .arg(m_count);
    } else {
        const double inside = std::clamp(std::round(*number.value), 1.0, double(m_count));
        if (inside != *number.value)
            note =
                QString(
                    "There is no frame %1, so frame %2 is shown; frames are numbered from 1 to %3.")
                    .arg(typed.trimmed())
                    .arg(inside)
                    .arg(m_count);
        emit seekRequested(static_cast<qint64>(inside) - 1);
    }
    if (!note.isEmpty())
        QToolTip::showText(m_frame->mapToGlobal(QPoint(0, m_frame->height())), note, m_frame);
}

bool TransportBar::eventFilter(QObject* watched, QEvent* event) {
    const bool escape = watched == m_frame && event->type() == QEvent::KeyPress &&
                        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (!escape) return QToolBar::eventFilter(watched, event);
    m_frame->setText(numberOfFrame());
    m_frame->clearFocus();
    return true;
}

void TransportBar::setPart(qint64 first, qint64 last) {
    m_seek->setPart(static_cast<int>(first), static_cast<int>(last));
}

void TransportBar::choosePart(qint64 first, qint64 last) {
    setPart(first, last);
    emit partChosen(first, last);
}

void TransportBar::setPlaying(bool playing) {
    if (m_playing == playing) return;
    m_playing = playing;
    showPlaying();
}

void TransportBar::showPlaying() {
    m_actions.play->setIcon(themeIcon(m_playing ? "pause" : "play"));
    m_actions.play->setText(m_playing ? "&Freeze" : "&Play");
    m_actions.play->setIconText(m_playing ? "Freeze" : "Play");
    m_actions.play->setToolTip(
        toolTipWithKeys(!m_playing ? m_live ? "Go on with the newest frame" : "Play the recording"
                        : m_live   ? "Freeze, and keep the latest frames in memory to look at them"
                                   : "Freeze the image",
                        *m_actions.play));
    showRate();
}

void TransportBar::setLoop(bool loop) { m_actions.loop->setChecked(loop); }

void TransportBar::setSpeed(double factor) {
    m_speed = factor;
    m_reachedRate = 0.0; // it was measured at the former speed
    if (m_rate != nullptr) showRate();
    int at = m_speedBox->findData(factor);
    if (at < 0) {
        m_speedBox->addItem(speedText(factor), factor);
        at = m_speedBox->count() - 1;
    }
    m_speedBox->setCurrentIndex(at);
}

void TransportBar::changeSpeed(int places) {
    const auto at = std::ranges::find(kSpeeds, m_speed);
    const auto from = at == kSpeeds.end() ? 3 : at - kSpeeds.begin();
    const auto to = std::clamp<std::ptrdiff_t>(from + places, 0,
                                               static_cast<std::ptrdiff_t>(kSpeeds.size()) - 1);
    if (kSpeeds[static_cast<std::size_t>(to)] == m_speed) return;
    setSpeed(kSpeeds[static_cast<std::size_t>(to)]);
    emit speedChosen(m_speed);
}

void TransportBar::setRecordedRate(double framesPerSecond, double ofDevice) {
    m_recordedRate = framesPerSecond;
    m_deviceRate = std::max(ofDevice, framesPerSecond);
    m_reachedRate = 0.0;
    QString help = QString("Frames per second that are played now; speed 1\u00d7 is %1 frames/s")
                       .arg(ratePerS(framesPerSecond));
    if (m_deviceRate > m_recordedRate)
        help += QString(", as many as a screen shows. The device recorded %1 frames/s.")
                    .arg(ratePerS(m_deviceRate));
    m_rate->setToolTip(framesPerSecond > 0.0 ? help : QString());
    const auto width = [this](const QString& text) {
        return m_rate->fontMetrics().horizontalAdvance(text);
    };
    const QString widest = ratePerS(std::max({1000.0, 9.9 * framesPerSecond, m_deviceRate}));
    m_rate->setFixedWidth(framesPerSecond > 0.0 ? width(QString("%1 of %1 /s").arg(widest)) : 0);
    showRate();
}

void TransportBar::setReachedRate(double framesPerSecond) {
    m_reachedRate = framesPerSecond;
    showRate();
}

/// While playing it shows the played rate, and the device's at this speed where the played one is
/// clearly lower.
void TransportBar::showRate() {
    constexpr double kNearly = 0.95;
    const double wanted = m_recordedRate * m_speed;
    QString text;
    if (m_recordedRate > 0.0) {
        if (!m_playing) {
            text = "frozen";
        } else if (m_speed == kUnpaced || m_live) {
            text = m_reachedRate > 0.0 ? ratePerS(m_reachedRate) + " frames/s" : QString();
        } else {
            const double all = m_deviceRate * m_speed;
            const bool slow = m_reachedRate > 0.0 && m_reachedRate < kNearly * wanted;
            const double played = slow ? m_reachedRate : wanted;
            text = played < kNearly * all ? ratePerS(played) + " of " + ratePerS(all) + " /s"
                                          : ratePerS(wanted) + " frames/s";
        }
    }
    m_rate->setText(text);
}

QString TransportBar::rateText() const { return m_rate->text(); }

} // namespace echolux
