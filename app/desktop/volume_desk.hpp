// SPDX-License-Identifier: GPL-3.0-or-later
// The volume that a recording makes, at work: its axes, its progress, the B-scan that is chosen in
// it.
#pragma once

#include <QObject>

#include <cstdint>
#include <string>

namespace echolux {

class MainWindow;
class MessageDesk;
class Session;
class ViewArea;

class VolumeDesk : public QObject {
    Q_OBJECT
public:
    VolumeDesk(MainWindow& window, ViewArea& views, Session& session, MessageDesk& messages);

    void recordingOpened();
    void volumeChanged();
    void showProgress(); ///< of a volume that is filled in while frozen

signals:
    void frozen(); ///< to show the chosen B-scan

private:
    void follow();
    void followShownBscan();
    void choose(std::int64_t bscan);

    MainWindow& m_window;
    ViewArea& m_views;
    Session& m_session;
    MessageDesk& m_messages;
    std::string m_problem; ///< told already
};

} // namespace echolux
