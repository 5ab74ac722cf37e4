// SPDX-License-Identifier: GPL-3.0-or-later
// Entries that come from other programs: done in order, answered, refused with a sentence.
#include "app/desktop/control_desk.hpp"
#include "app/network/igtl_message.hpp"
#include "gpu/core/error.hpp"
#include "tests/desktop/open_window.hpp"
#include "tests/support/refusal.hpp"
#include "ui/parameters/display_group.hpp"

#include <QFile>
#include <QLocalSocket>
#include <QTcpServer>
#include <QTcpSocket>
#include <gtest/gtest.h>

#include <span>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::OpenWindow;
using testing_support::refusal;

QString uniqueName(const char* what) {
    return QString("test-%1-%2").arg(what).arg(QCoreApplication::applicationPid());
}

/// A window that listens, and a program that is connected.
struct Controlled : OpenWindow {
    Controlled() {
        EXPECT_TRUE(showsFrames(1));
        desktop.control().listen(name.toStdString());
        program.connectToServer(controlPath(name));
        EXPECT_TRUE(comesTrue([&] { return program.state() == QLocalSocket::ConnectedState; }));
    }
    QStringList answers(const QByteArray& sent, int count) {
        program.write(sent);
        QStringList lines;
        EXPECT_TRUE(comesTrue([&] {
            while (program.canReadLine()) lines << QString::fromUtf8(program.readLine()).trimmed();
            return lines.size() >= count;
        })) << lines.join('|').toStdString();
        return lines;
    }
    QString name = uniqueName("lines");
    QLocalSocket program;
};

TEST(Control, LinesAreDoneAndAnswered) {
    Controlled window;
    EXPECT_EQ(window.answers("parameters.beamform.speed_of_sound 1.5 km/s\n", 1),
              QStringList{"ok"});
    EXPECT_EQ(window.speedOfSound(), 1500.0);
    EXPECT_EQ(window.answers("display.gamma 1.5\nplayback.frame 7\n", 2),
              (QStringList{"ok", "ok"}));
    EXPECT_EQ(window.desktop.window().display().settings().gamma, 1.5);
    EXPECT_EQ(
        window.answers("parameters\n  beamform.f_number 2\n  log_compression.range_db 40\n\n", 1),
        QStringList{"ok"});
    EXPECT_EQ(window.value("beamform", "f_number"), 2.0);
    EXPECT_EQ(window.answers("display.gamma big\n= 3\n", 2),
              (QStringList{"error: 'big' is no value of display.gamma.",
                           "error: the message, line 1: '= 3' begins with no name of an entry; "
                           "write a name and a value, for example 'parameters.beamform.f_number "
                           "1.5'."}));
}

/// Of a program that was killed, half an entry is not done.
TEST(Control, AnUnfinishedEntryIsForgotten) {
    Controlled window;
    const double before = window.value("beamform", "f_number");
    window.program.write("parameters\n  beamform.f_number 0.7\n");
    window.program.flush();
    window.program.disconnectFromServer();
    QLocalSocket second;
    second.connectToServer(controlPath(window.name));
    second.write("display.gamma 1.5\n");
    EXPECT_TRUE(comesTrue([&] { return second.canReadLine(); }));
    EXPECT_EQ(window.value("beamform", "f_number"), before);
}

/// A program that sends without end leaves the window to others.
TEST(Control, ManyEntriesLetOthersThrough) {
    Controlled window;
    QByteArray many;
    for (int i = 0; i < 500; ++i) many += "display.gamma 1.2\n";
    window.program.write(many);
    QLocalSocket second;
    second.connectToServer(controlPath(window.name));
    second.write("display.gamma 1.5\n");
    EXPECT_TRUE(comesTrue([&] { return second.canReadLine(); }));
    EXPECT_EQ(second.readLine(), "ok\n");
    EXPECT_TRUE(window.showsMoreFrames(2));
}

/// What follows an opening waits for it.
TEST(Control, AnOpeningIsWaitedFor) {
    Controlled window;
    const QByteArray other = ECHOLUX_SOURCE_DIR "/testdata/sector.h5";
    EXPECT_EQ(window.answers("recording.open " + other + "\nplayback.frame 1\n", 2),
              (QStringList{"ok", "ok"}));
    EXPECT_EQ(window.openFile(), "sector.h5");
}

TEST(Control, NamesAreTakenOnceAndByThisUserAlone) {
    Controlled window;
    EXPECT_EQ(QFile::permissions(controlPath(window.name)) &
                  (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther),
              QFile::Permissions());
    const auto refused = [&](const std::string& address) {
        return refusal([&] { window.desktop.control().listen(address); });
    };
    EXPECT_EQ(refused(window.name.toStdString()), "Another window listens as '" +
                                                      window.name.toStdString() +
                                                      "' already; choose another name.");
    EXPECT_EQ(refused("../up"),
              "'../up' is no name to listen at; write letters, digits, - and _, or igtl:PORT.");
    EXPECT_EQ(refused("igtl:many"),
              "Nothing can listen at 'igtl:many': it is no port; choose another port.");
}

/// A message of OpenIGTLink from its parts.
QByteArray message(const char* type, const QByteArray& body) {
    QByteArray head(2, '\0');
    head[1] = 1;
    head += QByteArray(type).leftJustified(12, '\0') + QByteArray("Test").leftJustified(20, '\0') +
            QByteArray(8, '\0');
    const auto number = [&](std::uint64_t value) {
        for (int shift = 56; shift >= 0; shift -= 8)
            head += static_cast<char>(value >> static_cast<unsigned>(shift));
    };
    number(static_cast<std::uint64_t>(body.size()));
    number(igtlCrc(std::as_bytes(std::span(body.constData(), body.size()))));
    return head + body;
}

struct Answer {
    IgtlHeader header;
    IgtlText text;
};

Answer answerIn(QTcpSocket& socket) {
    QByteArray all;
    EXPECT_TRUE(comesTrue([&] {
        all += socket.readAll();
        return all.size() > static_cast<qsizetype>(kIgtlHeaderBytes) + 4;
    }));
    const auto bytes = std::as_bytes(std::span(all.constData(), all.size()));
    const IgtlHeader header = readIgtlHeader(bytes.first<kIgtlHeaderBytes>());
    const auto content = igtlContent(header, bytes.subspan(kIgtlHeaderBytes));
    return {header, header.type == "STRING" ? readIgtlString(content) : readIgtlCommand(content)};
}

TEST(Control, OpenIGTLinkSendsStringsAndCommands) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    ushort port = 0;
    {
        QTcpServer free;
        ASSERT_TRUE(free.listen(QHostAddress::LocalHost));
        port = free.serverPort();
    }
    window.desktop.control().listen("igtl:" + std::to_string(port));
    QTcpSocket program;
    program.connectToHost(QHostAddress(QHostAddress::LocalHost), port);
    ASSERT_TRUE(comesTrue([&] { return program.state() == QTcpSocket::ConnectedState; }));
    const QByteArray line = "parameters.beamform.f_number 1.75";
    program.write(message("STATUS", "passed over"));
    program.write(
        message("STRING", QByteArray("\0\3\0", 3) + static_cast<char>(line.size()) + line));
    Answer answer = answerIn(program);
    EXPECT_EQ(answer.header.type, "STRING");
    EXPECT_EQ(answer.text.text, "ok");
    EXPECT_EQ(window.value("beamform", "f_number"), 1.75);
    const QByteArray bad = "view.nothing";
    program.write(
        message("COMMAND", QByteArray("\0\0\1\5", 4) + QByteArray("Run").leftJustified(20, '\0') +
                               QByteArray("\0\3\0\0\0", 5) + static_cast<char>(bad.size()) + bad));
    answer = answerIn(program);
    EXPECT_EQ(answer.header.type, "RTS_COMMAND");
    EXPECT_EQ(answer.text.number, 261U);
    EXPECT_EQ(answer.text.name, "Run");
    EXPECT_TRUE(answer.text.text.starts_with("error: No command is called 'view.nothing'"))
        << answer.text.text;
    // What is no message ends the connection, and not the window.
    program.write(QByteArray(100, 'x'));
    EXPECT_TRUE(comesTrue([&] { return program.state() != QTcpSocket::ConnectedState; }));
    EXPECT_TRUE(window.showsMoreFrames(1));
}

} // namespace
} // namespace echolux
