// SPDX-License-Identifier: GPL-3.0-or-later
// Other programs on this machine send entries of a session to the window: by a local socket, or by
// OpenIGTLink. Only where the user asked for it by name.
#pragma once

#include <QObject>
#include <QString>

#include <functional>
#include <string>

namespace echolux {

struct SessionEntry;

/// Where programs of this user find a window that listens as NAME.
QString controlPath(const QString& name);

/// What answers: empty, or why an entry was not done.
using ControlDone = std::function<void(const QString& problem)>;
/// Does an entry of one program once the ones before are done.
using ControlPerform = std::function<void(SessionEntry entry, ControlDone done)>;
/// For each program that connects.
using ControlSender = std::function<ControlPerform()>;

class ControlDesk : public QObject {
    Q_OBJECT
public:
    explicit ControlDesk(ControlSender sender) : m_sender(std::move(sender)) {}

    /// "NAME": a local socket that this user alone may use. Each line is an entry; each is answered
    /// by a line "ok" or "error: SENTENCE". An entry with a text below it ends with an empty line;
    /// one that the program leaves unfinished is not done. "igtl:PORT": messages STRING and COMMAND
    /// from programs on this machine, answered by STRING and RTS_COMMAND. Throws Error where
    /// nothing can listen there.
    void listen(const std::string& address);

signals:
    void informed(const QString& sentence);

private:
    void listenAt(const QString& name);
    void listenAtPort(const QString& port);

    ControlSender m_sender;
};

} // namespace echolux
