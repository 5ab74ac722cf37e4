// SPDX-License-Identifier: GPL-3.0-or-later
// Buttons, seek slider and readings of the transport bar.
#include "ui/transport_bar.hpp"

#include "ui/action_text.hpp"
#include "ui/combo_box.hpp"
#include "ui/labels.hpp"
#include "ui/slider.hpp"
#include "ui/theme.hpp"

#include <QAction>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <cmath>

namespace echolux {
namespace {

constexpr std::array kSpeeds = {0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, TransportBar::kUnpaced};

QString speedText(double factor) {
    return factor == TransportBar::kUnpaced ? "max" : QString::number(factor, 'g', 3) + "\u00d7";
}

} // namespace

std::vector<QAction*> TransportBar::Actions::all() const {
    return {open, first, stepBack, play, stepForward, last, loop, slower, faster, screenshot};
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
    m_actions.screenshot = make("&Save screenshot", "screenshot", {QKeySequence("Ctrl+S")},
                                "Save the image and all settings as a PNG");

    connect(m_actions.open, &QAction::triggered, this, &TransportBar::openRequested);
    connect(m_actions.first, &QAction::triggered, this, [this] { emit seekRequested(0); });
    connect(m_actions.last, &QAction::triggered, this, [this] { emit seekRequested(m_count - 1); });
    connect(m_actions.stepBack, &QAction::triggered, this, [this] { emit stepRequested(-1); });
    connect(m_actions.stepForward, &QAction::triggered, this, [this] { emit stepRequested(1); });
    connect(m_actions.play, &QAction::triggered, this, [this] { emit playToggled(!m_playing); });
    connect(m_actions.loop, &QAction::triggered, this, &TransportBar::loopToggled);
    connect(m_actions.slower, &QAction::triggered, this, [this] { changeSpeed(-1); });
    connect(m_actions.faster, &QAction::triggered, this, [this] { changeSpeed(1); });
    connect(m_actions.screenshot, &QAction::triggered, this, &TransportBar::screenshotRequested);
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
    // As wide as the longer of its two texts, so that nothing moves when it toggles.
    play->setFixedWidth(play->fontMetrics().horizontalAdvance("Freeze") + 5 * kGrid);

    space(kGrid / 2);
    m_speedBox = new ComboBox(this);
    for (const double factor : kSpeeds) m_speedBox->addItem(speedText(factor), factor);
    m_speedBox->setFixedWidth(9 * kGrid);
    m_speedBox->setMaxVisibleItems(static_cast<int>(kSpeeds.size()));
    m_speedBox->setToolTip("Speed against the recorded rate; max: as fast as possible ([ and ])");
    connect(m_speedBox, &QComboBox::activated, this, [this](int index) {
        setSpeed(m_speedBox->itemData(index).toDouble());
        emit speedChosen(m_speed);
    });
    addWidget(m_speedBox);
    setSpeed(1.0);

    space(kGrid);
    m_seek = new Slider(this);
    m_seek->setToolTip("Drag to any frame");
    m_seek->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(m_seek, &Slider::sliderMoved, this, [this](int index) { emit seekRequested(index); });
    connect(m_seek, &Slider::stepRequested, this,
            [this](double steps, bool) { emit stepRequested(steps > 0 ? 1 : -1); });
    addWidget(m_seek);
    space(kGrid);
    m_frame = new QLabel(this);
    m_frame->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_frame->setToolTip("Frame shown / frames in the recording");
    addWidget(m_frame);
    space(kGrid);
    m_rate = makeLabel("", LabelRole::Secondary, this);
    m_rate->setToolTip("Frames per second at speed 1: as recorded, at most 60; 20 where the "
                       "recording does not say");
    addWidget(m_rate);
    addSeparator();
    addAction(m_actions.screenshot);
}

void TransportBar::setFrame(qint64 index, qint64 count) {
    if (count != m_count) {
        m_count = count;
        const bool opened = count > 0;
        m_seek->setRange(0, static_cast<int>(std::max<qint64>(0, count - 1)));
        const bool moves = count > 1;
        for (QAction* action : m_actions.all()) action->setEnabled(moves);
        m_actions.open->setEnabled(true);
        m_actions.screenshot->setEnabled(opened);
        m_seek->setEnabled(moves);
        m_speedBox->setEnabled(moves);
        const QString widest = QString("%1 / %1").arg(QString(QString::number(count).size(), '0'));
        m_frame->setFixedWidth(m_frame->fontMetrics().horizontalAdvance(widest) + 2);
    }
    m_index = index;
    if (!m_seek->isSliderDown()) m_seek->setValue(static_cast<int>(index));
    showFrame();
}

void TransportBar::showFrame() {
    m_frame->setText(m_count > 0 ? QString("%1 / %2").arg(m_index + 1).arg(m_count) : QString());
}

QString TransportBar::frameText() const { return m_frame->text(); }

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
        toolTipWithKeys(m_playing ? "Freeze the image" : "Play the recording", *m_actions.play));
}

void TransportBar::setLoop(bool loop) { m_actions.loop->setChecked(loop); }

void TransportBar::setSpeed(double factor) {
    m_speed = factor;
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

void TransportBar::setRecordedRate(double framesPerSecond) {
    m_rate->setText(
        framesPerSecond > 0.0
            ? QString("%1 frames/s").arg(framesPerSecond, 0, 'f', framesPerSecond < 100.0 ? 1 : 0)
            : QString());
}

} // namespace echolux
