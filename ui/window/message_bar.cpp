// SPDX-License-Identifier: GPL-3.0-or-later
// Order and position of messages.
#include "ui/window/message_bar.hpp"

#include "ui/theme/theme.hpp"

#include <QEvent>
#include <QMenuBar>

#include <algorithm>

namespace echolux {

MessageBar::MessageBar(QWidget* host, QMenuBar* menus)
    : QObject(host), m_host(host), m_menus(menus),
      m_standing(new MessageStrip(menus->parentWidget())),
      m_passing(new MessageStrip(menus->parentWidget())) {
    connect(m_standing, &MessageStrip::dismissed, this, [this] {
        if (!m_messages.empty()) m_messages.pop_front();
        present();
    });
    connect(m_standing, &MessageStrip::acted, this, [this] {
        if (m_messages.empty()) return;
        const auto run = m_messages.front().action.run;
        dismiss();
        if (run) run();
    });
    const auto pass = [this] {
        m_information.clear();
        present();
    };
    connect(m_passing, &MessageStrip::dismissed, this, pass);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, pass);
    host->installEventFilter(this);
    menus->installEventFilter(this);
}

void MessageBar::show(Severity severity, const QString& text, Topic topic,
                      const MessageAction& action) {
    if (severity == Severity::Info) {
        m_information = text;
        m_timer.start(m_infoMs);
    } else {
        std::erase_if(m_messages, [&](const Message& each) { return each.text == text; });
        m_messages.push_front({severity, text, topic, action});
    }
    present();
    emit shown(severity, text);
}

void MessageBar::withdraw(std::initializer_list<Topic> topics) {
    const auto gone = std::erase_if(m_messages, [&](const Message& each) {
        return std::ranges::find(topics, each.topic) != topics.end();
    });
    if (gone > 0) present();
}

void MessageBar::dismiss() {
    MessageStrip* seen = m_messages.empty() ? m_passing : m_standing;
    emit seen->dismissed();
}

void MessageBar::clear() {
    m_messages.clear();
    m_information.clear();
    present();
}

QString MessageBar::text() const {
    return m_messages.empty() ? m_information : m_messages.front().text;
}

Severity MessageBar::severity() const {
    return m_messages.empty() ? Severity::Info : m_messages.front().severity;
}

int MessageBar::pending() const {
    return static_cast<int>(m_messages.size()) + (m_information.isEmpty() ? 0 : 1);
}

void MessageBar::raise() {
    m_standing->raise();
    m_passing->raise();
}

void MessageBar::present() {
    if (!m_messages.empty()) {
        const auto below = m_messages.size() - 1;
        m_standing->setMessage(m_messages.front().severity, m_messages.front().text,
                               below > 0 ? QString("%1 more").arg(below) : QString(),
                               m_messages.front().action.label);
    }
    if (m_information.isEmpty()) m_timer.stop();
    m_passing->setMessage(Severity::Info, m_information);
    place();
    m_standing->setVisible(!m_messages.empty());
    m_passing->setVisible(!m_information.isEmpty());
    raise();
}

void MessageBar::place() {
    const QPoint top = m_host->mapTo(m_standing->parentWidget(), QPoint());
    int room = 0;
    if (!m_messages.empty()) room += m_standing->layIn(top, m_host->width());
    if (!m_information.isEmpty()) {
        if (m_menus->isVisible()) {
            m_passing->layInOneLine(besideMenus());
        } else {
            room += m_passing->layIn(top + QPoint(0, room), m_host->width());
        }
    }
}

QRect MessageBar::besideMenus() const {
    QRect room = m_menus->geometry();
    for (QAction* menu : m_menus->actions()) {
        const int taken = m_menus->x() + m_menus->actionGeometry(menu).right();
        room.setLeft(std::max(room.left(), taken + 2 * kGrid));
    }
    return room;
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
    const bool moved = event->type() == QEvent::Resize || event->type() == QEvent::Move ||
                       event->type() == QEvent::Show || event->type() == QEvent::Hide;
    if ((watched == m_host || watched == m_menus) && moved && pending() > 0) place();
    // NOTE: when docks are rearranged, the window raises the host above the messages.
    if (watched == m_host && event->type() == QEvent::ZOrderChange) raise();
    return QObject::eventFilter(watched, event);
}

} // namespace echolux
