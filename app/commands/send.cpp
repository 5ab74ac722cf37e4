// SPDX-License-Identifier: GPL-3.0-or-later
// echolux send: gives a running window entries of a session.
#include "app/commands/commands.hpp"
#include "app/desktop/control_desk.hpp"
#include "app/replay/session_text.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <QLocalSocket>
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace echolux {
namespace {

struct SendOptions {
    std::string name;
    std::vector<std::string> lines;
    double seconds = 60.0;
};

std::vector<SessionEntry> entriesOf(const std::vector<std::string>& lines) {
    if (lines != std::vector<std::string>{"-"}) {
        std::vector<SessionEntry> entries;
        for (const std::string& line : lines) entries.push_back(parseEntry(line));
        return entries;
    }
    const std::string text(std::istreambuf_iterator<char>(std::cin), {});
    return parseSession(text, "standard input");
}

/// Paths are meant from here, not from where the window was started.
SessionEntry fromHere(SessionEntry entry) {
    using namespace session_words;
    std::error_code ignored;
    const bool isPath = entry.id == kOpen || entry.id == kSidecar || entry.id == kCalibrationFile ||
                        entry.id == kPipeline;
    if (isPath && std::filesystem::exists(entry.value, ignored))
        entry.value = std::filesystem::absolute(entry.value).string();
    return entry;
}

/// What the window answers to one entry.
std::string answerOf(QLocalSocket& socket, const SessionEntry& entry, double seconds) {
    const int patienceMs = static_cast<int>(seconds * 1e3);
    socket.write((toText(entry) + '\n').c_str());
    while (!socket.canReadLine()) {
        if (socket.waitForReadyRead(patienceMs)) continue;
        if (socket.state() != QLocalSocket::ConnectedState)
            throw Error(fmt::format("The window was closed before '{}' was done.", entry.id));
        throw Error(
            fmt::format("The window did not answer to '{}' within {:g} s.", entry.id, seconds));
    }
    return socket.readLine().trimmed().toStdString();
}

void send(const SendOptions& options) {
    const auto entries = entriesOf(options.lines);
    QLocalSocket socket;
    socket.connectToServer(controlPath(QString::fromStdString(options.name)));
    constexpr int kAnswersMs = 2000;
    if (!socket.waitForConnected(kAnswersMs))
        throw Error(fmt::format("No window listens as '{0}'; start one with 'echolux view --listen "
                                "{0}'.",
                                options.name));
    for (const SessionEntry& entry : entries) {
        const std::string answer = answerOf(socket, fromHere(entry), options.seconds);
        constexpr std::string_view kError = "error: ";
        if (answer.starts_with(kError)) throw Error(answer.substr(kError.size()));
    }
}

} // namespace

void addSend(CLI::App& app) {
    auto options = std::make_shared<SendOptions>();
    CLI::App* command = app.add_subcommand("send", "Give a running window lines of a session");
    command->footer("The window was started with 'echolux view --listen NAME'. 'echolux help "
                    "sessions' lists the entries.\nThe first entry that the window refuses ends "
                    "the command with status 2.");
    command->add_option("NAME", options->name, "Name at which the window listens")->required();
    command
        ->add_option("ENTRY", options->lines,
                     "Entries, such as 'parameters.beamform.f_number 1.5'; - reads a session from "
                     "standard input")
        ->required();
    command->add_option("--patience", options->seconds, "Seconds to wait for each answer")
        ->check(CLI::Range(0.1, 86400.0))
        ->capture_default_str();
    command->callback([options] { send(*options); });
}

} // namespace echolux
