// SPDX-License-Identifier: GPL-3.0-or-later
// Messages that can wait. Warnings and errors stand above the image, cover nothing of it, and stay
// until they are dismissed or what they were about is over; information stands beside the menus,
// so that nothing moves, and leaves by itself.
#pragma once

#include "ui/window/message_strip.hpp"

#include <QObject>
#include <QTimer>

#include <deque>
#include <initializer_list>

class QMenuBar;

namespace echolux {

/// What a message is about: it goes when that changes.
enum class Topic {
    General,
    Recording,   ///< the one that is open
    Volume,      ///< that the recording makes
    Calibration, ///< that is in force
    Opening,     ///< of another file
    Edit,        ///< the last one
    Pipeline,    ///< what is computed now
    Engine,      ///< computing
    Pace,        ///< of playing
    Saving,
    ImageView, ///< drawing
    VolumeView
};

class MessageBar : public QObject {
    Q_OBJECT
public:
    /// What stays lies over the top edge of `host`, follows its width and moves its layout down.
    /// Information has one line beside `menus`; where these are hidden it gets room, too.
    MessageBar(QWidget* host, QMenuBar* menus);
    /// The newest comes first; of the same words there is one. A message goes when its action runs;
    /// information has none.
    void show(Severity severity, const QString& text, Topic topic = Topic::General,
              const MessageAction& action = {});
    /// What these were about has changed.
    void withdraw(std::initializer_list<Topic> topics);
    void dismiss(); ///< the one on view; the next one follows
    void clear();
    QString text() const; ///< on view above the image, or else beside the menus
    Severity severity() const;
    int pending() const; ///< also those below the one on view
    void raise();
    void setInfoDuration(int milliseconds) { m_infoMs = milliseconds; }
    MessageStrip& standing() { return *m_standing; }
    MessageStrip& passing() { return *m_passing; }

signals:
    void shown(echolux::Severity severity, const QString& text); ///< once more, if repeated

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
    QString m_information; ///< passes; the newest
    QTimer m_timer;
    int m_infoMs = 5000;
};

} // namespace echolux
