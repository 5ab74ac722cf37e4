// SPDX-License-Identifier: GPL-3.0-or-later
// Two servers, and one connection for each program that has come.
#include "app/desktop/control_desk.hpp"

#include "app/network/igtl_message.hpp"
#include "app/replay/session_text.hpp"
#include "gpu/core/error.hpp"
#include "ui/controls/failure_sentence.hpp"

#include <QDateTime>
#include <QDir>
#include <QLocalServer>
#include <QLocalSocket>
#include <QPointer>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTcpSocket>

#include <fmt/format.h>

#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace echolux {
namespace {

constexpr qint64 kMostWaiting = qint64{16} << 20U; ///< bytes that came and make no whole message

/// Entries that stand as lines. One with a text below it is whole at an empty line or at the next
/// entry.
class LineConnection : public QObject {
public:
    LineConnection(QIODevice& device, ControlPerform target)
        : QObject(&device), m_device(device), m_perform(std::move(target)) {
        connect(&device, &QIODevice::readyRead, this, &LineConnection::read);
    }

private:
    void read() {
        while (m_answers.size() < kMostUnanswered && m_device.canReadLine()) {
            QByteArray line = m_device.readLine();
            if (line.endsWith('\n')) line.chop(1);
            take(line);
        }
        if (m_device.bytesAvailable() > kMostWaiting) m_device.close();
    }
    void take(const QByteArray& line) {
        if (line.startsWith("  ") && !m_text.isEmpty()) {
            m_text += line + '\n';
            if (m_text.size() > kMostWaiting) m_device.close();
            return;
        }
        perform();
        if (line.trimmed().isEmpty()) return;
        m_text = line + '\n';
        if (!takesText(line.trimmed().split(' ').front().toStdString())) perform();
    }
    void perform() {
        if (m_text.isEmpty()) return;
        const std::string text = std::exchange(m_text, {}).toStdString();
        try {
            for (SessionEntry& entry : parseEntries(text, "the message"))
                m_perform(std::move(entry), answer());
        } catch (const std::exception& error) {
            answer()(sentenceOf(error));
        }
    }
    /// Answers are sent in the order of what they answer.
    ControlDone answer() {
        const auto place = std::make_shared<std::optional<QString>>();
        m_answers.push_back(place);
        return [this, guard = QPointer<QObject>(this), place](const QString& problem) {
            *place = problem;
            if (guard) sendAnswers();
        };
    }
    void sendAnswers() {
        for (; !m_answers.empty() && *m_answers.front(); m_answers.pop_front()) {
            const QString& problem = **m_answers.front();
            m_device.write(problem.isEmpty() ? "ok\n" : ("error: " + problem + '\n').toUtf8());
        }
        if (m_device.canReadLine())
            QMetaObject::invokeMethod(this, &LineConnection::read, Qt::QueuedConnection);
    }

    QIODevice& m_device;
    ControlPerform m_perform;
    static constexpr std::size_t kMostUnanswered = 100; ///< more are read later
    QByteArray m_text;                                  ///< of an entry that is not whole yet
    std::deque<std::shared_ptr<std::optional<QString>>> m_answers; ///< not sent yet
};

/// Messages of OpenIGTLink. Those that are neither STRING nor COMMAND are passed over.
class MessageConnection : public QObject {
public:
    MessageConnection(QTcpSocket& socket, ControlPerform target)
        : QObject(&socket), m_socket(socket), m_perform(std::move(target)) {
        connect(&socket, &QIODevice::readyRead, this, &MessageConnection::read);
    }

private:
    void read() {
        try {
            while (readOne()) {
            }
        } catch (const std::exception&) {
            m_socket.abort(); // what follows cannot be found
        }
    }
    /// False where no whole message is there.
    bool readOne() {
        const QByteArray head = m_socket.peek(kIgtlHeaderBytes);
        if (head.size() < static_cast<qsizetype>(kIgtlHeaderBytes)) return false;
        const auto bytes = std::as_bytes(std::span(head.constData(), kIgtlHeaderBytes));
        const IgtlHeader header = readIgtlHeader(bytes.first<kIgtlHeaderBytes>());
        if (header.bodyBytes > kMostWaiting) throw Error("The message is too long.");
        const auto size = static_cast<qint64>(kIgtlHeaderBytes + header.bodyBytes);
        if (m_socket.bytesAvailable() < size) return false;
        const QByteArray message = m_socket.read(size);
        const auto body =
            std::as_bytes(std::span(message.constData(), message.size())).subspan(kIgtlHeaderBytes);
        if (header.type == "STRING") perform(readIgtlString(igtlContent(header, body)), false);
        if (header.type == "COMMAND") perform(readIgtlCommand(igtlContent(header, body)), true);
        return true;
    }
    /// Answers once, after the last entry or the first that fails.
    void perform(const IgtlText& asked, bool isCommand) {
        struct State {
            std::size_t left;
            bool answered = false;
        };
        const auto answer = [guard = QPointer(&m_socket), asked,
                             isCommand](const QString& problem) {
            if (!guard) return;
            const std::string text = problem.isEmpty() ? "ok" : "error: " + problem.toStdString();
            const std::int64_t now = QDateTime::currentMSecsSinceEpoch() * 1'000'000;
            const auto bytes =
                isCommand ? writeIgtlAnswer({asked.number, asked.name, text}, "Echolux", now)
                          : writeIgtlString(text, "Echolux", now);
            guard->write(reinterpret_cast<const char*>(bytes.data()),
                         static_cast<qint64>(bytes.size()));
        };
        try {
            auto entries = parseEntries(asked.text, "the message");
            if (entries.empty()) return answer("The message holds no entry.");
            const auto state = std::make_shared<State>(State{entries.size()});
            for (SessionEntry& entry : entries)
                m_perform(std::move(entry), [state, answer](const QString& problem) {
                    --state->left;
                    if (state->answered || (problem.isEmpty() && state->left > 0)) return;
                    state->answered = true;
                    answer(problem);
                });
        } catch (const std::exception& error) {
            answer(sentenceOf(error));
        }
    }

    QTcpSocket& m_socket;
    ControlPerform m_perform;
};

} // namespace

QString controlPath(const QString& name) {
    QString folder = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
    if (folder.isEmpty()) folder = QDir::tempPath();
    return folder + "/echolux-" + name;
}

void ControlDesk::listen(const std::string& address) {
    const QString text = QString::fromStdString(address);
    if (text.startsWith("igtl:")) return listenAtPort(text.mid(5));
    static const QRegularExpression kName("^[A-Za-z0-9_-]{1,40}$");
    if (!kName.match(text).hasMatch())
        throw Error(fmt::format("'{}' is no name to listen at; write letters, digits, - and _, or "
                                "igtl:PORT.",
                                address));
    listenAt(text);
}

void ControlDesk::listenAt(const QString& name) {
    const QString path = controlPath(name);
    QLocalSocket other;
    other.connectToServer(path);
    constexpr int kAnswersMs = 200;
    if (other.waitForConnected(kAnswersMs))
        throw Error(fmt::format("Another window listens as '{}' already; choose another name.",
                                name.toStdString()));
    QLocalServer::removeServer(path); // of a window that was killed
    auto* server = new QLocalServer(this);
    server->setSocketOptions(QLocalServer::UserAccessOption);
    if (!server->listen(path))
        throw Error(fmt::format("Nothing can listen at '{}': {}.", path.toStdString(),
                                server->errorString().toStdString()));
    connect(server, &QLocalServer::newConnection, this, [this, server] {
        while (QLocalSocket* socket = server->nextPendingConnection()) {
            connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
            socket->setReadBufferSize(kMostWaiting);
            new LineConnection(*socket, m_sender());
        }
    });
    emit informed(QString("'echolux send %1 ENTRY' reaches this window.").arg(name));
}

void ControlDesk::listenAtPort(const QString& port) {
    bool isNumber = false;
    const ushort number = port.toUShort(&isNumber);
    auto* server = new QTcpServer(this);
    if (!isNumber || !server->listen(QHostAddress::LocalHost, number))
        throw Error(fmt::format(
            "Nothing can listen at 'igtl:{}': {}; choose another port.", port.toStdString(),
            isNumber ? server->errorString().toStdString() : std::string("it is no port")));
    connect(server, &QTcpServer::newConnection, this, [this, server] {
        while (QTcpSocket* socket = server->nextPendingConnection()) {
            connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            socket->setReadBufferSize(2 * kMostWaiting);
            new MessageConnection(*socket, m_sender());
        }
    });
    emit informed(QString("Programs on this machine reach this window by OpenIGTLink at port %1.")
                      .arg(server->serverPort()));
}

} // namespace echolux
