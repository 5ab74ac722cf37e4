// SPDX-License-Identifier: GPL-3.0-or-later
// Connects the views: their images, their names and their problems.
#pragma once

#include <QObject>
#include <QStringList>

#include <cstddef>
#include <optional>

namespace echolux {

class Engine;
class MainWindow;
class MessageDesk;
class Session;
class ViewArea;

class ViewDesk : public QObject {
    Q_OBJECT
public:
    ViewDesk(MainWindow& window, ViewArea& views, Session& session, MessageDesk& messages);

    /// Null disconnects the views: they must not call a supplier that is about to be destroyed.
    void supply(Engine* engine);
    void recordingOpened();
    void followPipeline();
    void imageReady(std::size_t view);

private:
    MainWindow& m_window;
    ViewArea& m_views;
    Session& m_session;
    QStringList m_names;               ///< names now shown
    std::optional<std::size_t> m_main; ///< number of the main view now shown
};

} // namespace echolux
