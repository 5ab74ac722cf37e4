// SPDX-License-Identifier: GPL-3.0-or-later
// The volume of a recording: its axes, its progress, and the B-scan that is chosen in it.
#pragma once

#include <QObject>

#include <cstdint>
#include <string>

namespace echolux {

struct BscanLayout;
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
    void showProgress(); ///< progress of the sweep that fills a volume while playback is frozen

signals:
    void frozen(); ///< playback froze to show the chosen B-scan

private:
    void follow();
    void followShownBscan();
    BscanLayout shownLayout() const;
    void choose(std::int64_t bscan);

    MainWindow& m_window;
    ViewArea& m_views;
    Session& m_session;
    MessageDesk& m_messages;
    std::string m_problem; ///< the problem already shown
};

} // namespace echolux
