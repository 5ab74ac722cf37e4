// SPDX-License-Identifier: GPL-3.0-or-later
// Messages that can wait: a bar above the image that covers nothing of it. Information stands
// beside the menus, so that nothing moves, and leaves by itself; warnings and errors stay until
// dismissed, and get room.
#pragma once

#include <QTimer>
#include <QWidget>

#include <deque>

class QLabel;
class QMenuBar;
class QToolButton;

namespace echolux {

enum class Severity { Info, Warning, Error };

class MessageBar : public QWidget {
    Q_OBJECT
public:
    /// What stays lies over the top edge of `host`, follows its width and moves its layout down.
    /// Information has one line beside `menus`; where these are hidden it gets room, too.
    MessageBar(QWidget* host, QMenuBar* menus);
    void show(Severity severity, const QString& text);
    void dismiss(); ///< the one on view; the next one follows
    void clear();
    QString text() const;
    Severity severity() const;
    int pending() const { return static_cast<int>(m_messages.size()); }
    void setInfoDuration(int milliseconds) { m_infoMs = milliseconds; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    struct Message {
        Severity severity;
        QString text;
    };
    void present();
    void place();
    void placeBesideMenus();
    void setShape(int margin, Qt::Alignment buttons);
    void makeRoom(int height);

    QWidget* m_host;
    QMenuBar* m_menus;
    std::deque<Message> m_messages; ///< the front one is on view
    QLabel* m_icon;
    QLabel* m_text;
    QLabel* m_more;
    QToolButton* m_close;
    QTimer m_timer;
    int m_infoMs = 5000;
};

} // namespace echolux
