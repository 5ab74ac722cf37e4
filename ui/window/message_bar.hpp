// SPDX-License-Identifier: GPL-3.0-or-later
// Messages that need no answer. Warnings and errors lie over the upper edge of the image, which
// does not move, and stay until the user dismisses them or their topic changes. Information is
// shown beside the menus, so that nothing moves, and disappears by itself.
#pragma once

#include "ui/window/message_strip.hpp"

#include <QObject>
#include <QTimer>

#include <deque>
#include <initializer_list>

class QMenuBar;

namespace echolux {

/// Subject of a message. The message is removed when the subject changes.
enum class Topic {
    General,
    Recording,   ///< the open recording
    Volume,      ///< the volume of the recording
    Calibration, ///< the calibration in force
    Opening,     ///< the opening of another file
    Edit,        ///< the last edit
    Pipeline,    ///< the pipeline in force
    Engine,      ///< errors of the computation
    Pace,        ///< speed of playback
    Saving,
    ImageView, ///< drawing of images
    VolumeView
};

class MessageBar : public QObject {
    Q_OBJECT
public:
    /// Warnings and errors lie over the top edge of `host` and follow its width. Information has
    /// one line beside `menus`; where the menus are hidden, it is placed like a warning.
    MessageBar(QWidget* host, QMenuBar* menus);
    /// The newest message is shown first. A message with the same text replaces the former one.
    /// Running its action removes the message. Information has no action.
    void show(Severity severity, const QString& text, Topic topic = Topic::General,
              const MessageAction& action = {});
    /// Removes the messages of these topics.
    void withdraw(std::initializer_list<Topic> topics);
    void dismiss(); ///< removes the shown message and shows the next one
    void clear();
    QString text() const; ///< the message over the image, otherwise the one beside the menus
    Severity severity() const;
    int pending() const; ///< number of messages over the image, including those not shown
    void raise();
    void setInfoDuration(int milliseconds) { m_infoMs = milliseconds; }
    MessageStrip& standing() { return *m_standing; }
    MessageStrip& passing() { return *m_passing; }

signals:
    /// Emitted again for a repeated message.
    void shown(echolux::Severity severity, const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Message {
        Severity severity;
        QString text;
        Topic topic;
        MessageAction action;
    };
    void present();
    void place();
    QRect besideMenus() const;

    QWidget* m_host;
    QMenuBar* m_menus;
    std::deque<Message> m_messages; ///< newest first
    MessageStrip* m_standing;
    MessageStrip* m_passing;
    QString m_information; ///< the newest information; removed by a timer
    QTimer m_timer;
    int m_infoMs = 5000;
};

} // namespace echolux
