// SPDX-License-Identifier: GPL-3.0-or-later
// Connects the views: their images, their names and their problems.
#pragma once

#include <QObject>
#include <QStringList>

#include <cstddef>
#include <optional>

namespace echolux {

class DisplayGroup;
class MessageDesk;
class Session;
class StatusBar;
class ViewArea;

class ViewDesk : public QObject {
    Q_OBJECT
public:
    ViewDesk(ViewArea& views, DisplayGroup& display, StatusBar& status, Session& session,
             MessageDesk& messages);

    /// Gives the views the images of the open recording. False takes them away: views must not call
    /// a supplier that is about to be destroyed.
    void supply(bool images);
    void recordingOpened();
    void followPipeline();
    void imageReady(std::size_t view);

private:
    ViewArea& m_views;
    DisplayGroup& m_display;
    Session& m_session;
    QStringList m_names;               ///< names now shown
    std::optional<std::size_t> m_main; ///< number of the main view now shown
};

} // namespace echolux
