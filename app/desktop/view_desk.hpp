// SPDX-License-Identifier: GPL-3.0-or-later
// The views at work: where they get their pictures, what they are called, what they say of
// themselves.
#pragma once

#include <QObject>
#include <QStringList>

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

    /// Null for nowhere: the views must not ask a supplier that is about to go.
    void supply(Engine* engine);
    void recordingOpened();
    void followPipeline();
    void imageReady(std::size_t view);

private:
    MainWindow& m_window;
    ViewArea& m_views;
    Session& m_session;
    QStringList m_names; ///< shown
};

} // namespace echolux
