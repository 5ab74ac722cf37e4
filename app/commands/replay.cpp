// SPDX-License-Identifier: GPL-3.0-or-later
// echolux replay: does again what a session says, and compares the images bit by bit.
#include "app/command_line/options.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/picture.hpp"
#include "app/replay/python_script.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>

namespace echolux {
namespace {

struct ReplayCommand {
    std::string file;
    std::string folder;
    std::string python;
    bool force = false;
    bool json = false;
};

struct Tally {
    int images = 0;
    int same = 0;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
};

/// "image_03_frame_12.npy": a name for each image, in the order of the session.
std::filesystem::path nameOf(const ReplayedImage& image, int number) {
    std::string view = image.view;
    std::ranges::replace_if(
        view, [](unsigned char c) { return std::isalnum(c) == 0 && c != '_' && c != '-'; }, '_');
    return fmt::format("image_{:02}_{}_frame_{}.npy", number, view, image.frame + 1);
}

void write(const ReplayedImage& image, const std::filesystem::path& file,
           const OutputOptions& output) {
    for (const std::filesystem::path& each : filesOfImage(file)) output.refuseExisting(each);
    HostFrameData data{image.spec, std::vector<std::byte>(image.values.size() * sizeof(float))};
    std::memcpy(data.bytes.data(), image.values.data(), data.bytes.size());
    writeImage(file, std::move(data), colourMap("gray"));
}

/// Lets each entry act. Errors name the line.
void perform(const std::vector<SessionEntry>& entries, SessionPerformer& performer,
             const std::string& name) {
    for (const SessionEntry& entry : entries) {
        try {
            performer.perform(entry);
        } catch (const Error& error) {
            std::string why = error.what();
            if (!why.ends_with('.')) why += '.';
            throw Error(fmt::format("{}, line {}: {}", name, entry.line, why));
        }
    }
}

void replay(const ReplayCommand& command) {
    const std::filesystem::path file(command.file);
    const auto entries = loadSession(command.file);
    const OutputOptions output{{}, command.force};
    const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
    if (!command.python.empty()) {
        output.refuseExisting(command.python);
        refuseRecording(command.python, file);
        for (const SessionEntry& entry : entries)
            if (entry.id == session_words::kOpen)
                refuseRecording(command.python, folder / entry.value);
    }
    if (!command.folder.empty()) std::filesystem::create_directories(command.folder);
    Tally tally;
    Replayer replayer([&](const ReplayedImage& image) {
        ++tally.images;
        tally.same += image.same ? 1 : 0;
        if (command.json)
            tally.list.push_back(
                {{"view", image.view}, {"frame", image.frame + 1}, {"same", image.same}});
        else
            fmt::print("{} {}, frame {}: {}\n", image.same ? "=" : "!", image.view, image.frame + 1,
                       image.same ? "the same to the bit" : "differs");
        if (!command.folder.empty())
            write(image, command.folder / nameOf(image, tally.images), output);
    });
    PythonScript script(replayer);
    SessionTarget& target = command.python.empty() ? static_cast<SessionTarget&>(replayer) : script;
    SessionPerformer performer(target, folder);
    perform(entries, performer, file.filename().string());
    if (!command.python.empty()) writeWhole(command.python, script.text());
    if (command.json) {
        fmt::print("{}\n", tally.list.dump(2));
    } else {
        if (replayer.commands() > 0)
            fmt::print("{} entries for a window passed over\n", replayer.commands());
        fmt::print("{} of {} images are the same to the bit\n", tally.same, tally.images);
    }
    if (tally.same == tally.images) return;
    const std::string& backend = performer.backend();
    const bool elsewhere = !backend.empty() && backend != "cpu";
    throw Error(elsewhere
                    ? fmt::format("The session was seen on {}, which rounds differently; only "
                                  "sessions of the CPU are repeated to the bit.",
                                  backend)
                    : "Images differ: the recording, or this version of the program, is another.");
}

} // namespace

void addReplay(CLI::App& app) {
    auto options = std::make_shared<ReplayCommand>();
    CLI::App* command = app.add_subcommand(
        "replay", "Do again what a session of the window says, and compare its images");
    command->footer("'echolux help sessions' tells how sessions are recorded and what stands in "
                    "them.\nImages are computed on the CPU. The exit status is 2 where one differs "
                    "from what the session saw.");
    command->add_option("SESSION", options->file, "Session to replay")->required();
    command->add_option("-o,--output", options->folder,
                        "Folder for the images (.npy, with a JSON of their axes beside each)");
    command->add_option("--python", options->python,
                        "Script to write that does the same through the Python package");
    command->add_flag("--json", options->json, "Print each image as JSON");
    command->add_flag("--force", options->force, "Replace files that exist");
    acceptBackend(*command);
    command->callback([options] { replay(*options); });
}

} // namespace echolux
