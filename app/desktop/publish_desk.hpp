// SPDX-License-Identifier: GPL-3.0-or-later
// Publishes the images of the first view on a network, whatever recording is open.
#pragma once

#include "app/session/publish/image_publisher.hpp"

#include <QList>
#include <QObject>
#include <QString>

#include <memory>
#include <string>
#include <vector>

class QAction;
class QWidget;

namespace echolux {

class Session;

class PublishDesk : public QObject {
    Q_OBJECT
public:
    PublishDesk(QWidget& window, Session& session);
    ~PublishDesk() override;

    QList<QAction*> entries() const { return {m_begin, m_stop}; } ///< for the menu of files

    /// Throws Error as publishTarget() does.
    void publish(const std::string& address);
    void stop();
    std::vector<PublishCounters> counters() const;

    void leaving(); ///< the engine will go
    void adopted(); ///< another engine is there
    void follow();  ///< shows the counters

signals:
    void informed(const QString& sentence);
    void failed(const QString& sentence);

private:
    struct Publication {
        std::shared_ptr<PublishTarget> target;
        std::string address;
        std::unique_ptr<ImagePublisher> sink; ///< null: no recording is open
    };
    void ask();
    void begin(Publication& publication);
    void showState();

    QWidget& m_window;
    Session& m_session;
    QAction *m_begin, *m_stop;
    std::vector<Publication> m_publications;
};

} // namespace echolux
