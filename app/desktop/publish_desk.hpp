// SPDX-License-Identifier: GPL-3.0-or-later
// Publishes the images of the first view on a network, whatever recording is open.
#pragma once

#include "app/session/publish/image_publisher.hpp"

#include <QObject>
#include <QString>

#include <memory>
#include <string>
#include <vector>

class QAction;

namespace echolux {

class MainWindow;
class MessageDesk;
class Session;

class PublishDesk : public QObject {
    Q_OBJECT
public:
    PublishDesk(MainWindow& window, Session& session, MessageDesk& messages);
    ~PublishDesk() override;

    /// Throws Error as publishTarget() does.
    void publish(const std::string& address);
    void stop();
    std::vector<PublishCounters> counters() const;

    void leaving(); ///< the engine will go
    void adopted(); ///< another engine is there
    void follow();  ///< shows the counters

private:
    struct Publication {
        std::shared_ptr<PublishTarget> target;
        std::string address;
        std::unique_ptr<ImagePublisher> sink; ///< null: no recording is open
    };
    void ask();
    void begin(Publication& publication);
    void showState();

    MainWindow& m_window;
    Session& m_session;
    MessageDesk& m_messages;
    QAction* m_stop;
    std::vector<Publication> m_publications;
};

} // namespace echolux
