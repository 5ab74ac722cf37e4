// SPDX-License-Identifier: GPL-3.0-or-later
// The volume of a recording: its axes, its progress, and the B-scan that is chosen in it.
#pragma once

#include <QObject>

#include <cstdint>
#include <string>

namespace echolux {

struct BscanLayout;
class Session;
class StatusBar;
class ViewArea;

class VolumeDesk : public QObject {
    Q_OBJECT
public:
    VolumeDesk(StatusBar& status, ViewArea& views, Session& session);

    void recordingOpened();
    void volumeChanged();
    void showProgress(); ///< progress of the sweep that fills a volume while playback is frozen

signals:
    void frozen();                        ///< playback froze to show the chosen B-scan
    void warned(const QString& sentence); ///< empty: there is no problem any more

private:
    void follow();
    void followShownBscan();
    BscanLayout shownLayout() const;
    void choose(std::int64_t bscan);

    StatusBar& m_status;
    ViewArea& m_views;
    Session& m_session;
    std::string m_problem; ///< the problem already shown
};

} // namespace echolux
