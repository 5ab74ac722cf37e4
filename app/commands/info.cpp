// SPDX-License-Identifier: GPL-3.0-or-later
// echolux info: shows the facts of a recording as text or JSON.
#include "app/command_line/options.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/info_json.hpp"
#include "app/dataset/carried/carried_facts.hpp"
#include "app/dataset/recording/recording.hpp"
#include "app/session/recording_facts.hpp"
#include "gpu/core/csv_text.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace echolux {

namespace {

void printText(const RecordingInfo& info, const CarriedFacts& carried) {
    const auto line = [](std::string_view name, const std::string& text) {
        fmt::print("{:<20}{}\n", name, text);
    };
    for (const RecordingFact& fact : recordingFacts(info)) line(fact.name, fact.text);
    for (const CarriedFact& fact : carried.facts)
        line("Carried along", fmt::format("{}: {}", fact.name, fact.inWords()));
    for (const std::string& name : carried.left)
        line("Not carried along", name + ": too large, or it cannot be read");
}

/// UTC, to the millisecond.
std::string timeText(std::int64_t sinceNs) {
    const std::chrono::sys_time<std::chrono::milliseconds> time{
        std::chrono::milliseconds(sinceNs / 1'000'000)};
    return fmt::format("{:%Y-%m-%d %H:%M:}{:06.3f}", time,
                       static_cast<double>(sinceNs / 1'000'000 % 60'000) * 1e-3);
}

std::string rateText(double rateHz, const char* by) {
    return rateHz > 0.0 ? fmt::format("{:.4g} Hz by {}", rateHz, by)
                        : fmt::format("unknown by {}", by);
}

void printStampedFacts(const std::vector<FrameStamp>& stamps) {
    const auto print = [](const char* name, const std::string& text) {
        fmt::print("{:<20}{}\n", name, text);
    };
    const StampedRate rate =
        rateBetween(stamps.front(), stamps.back(), static_cast<std::int64_t>(stamps.size()));
    print("Frames were made", rateText(rate.deviceHz, "the clock of their source") + ", " +
                                  rateText(rate.arrivalHz, "their arrival"));
    if (stamps.front().arrivalNs >= 0 && stamps.back().arrivalNs >= 0)
        print("Frames came", fmt::format("{} to {} UTC", timeText(stamps.front().arrivalNs),
                                         timeText(stamps.back().arrivalNs)));
    const std::vector<double> seconds = secondsOf(stamps);
    std::size_t longest = 0;
    for (std::size_t i = 1; i + 1 < seconds.size(); ++i)
        if (seconds[i + 1] - seconds[i] > seconds[longest + 1] - seconds[longest]) longest = i;
    if (!seconds.empty())
        print("Longest gap",
              fmt::format("{:.4g} ms, after frame {}",
                          1e3 * (seconds[longest + 1] - seconds[longest]), longest + 1));
    const auto placed =
        std::ranges::find_if(stamps, [](const FrameStamp& each) { return each.pose != nullptr; });
    if (placed == stamps.end()) return;
    print("Poses", fmt::format("of {} of {} frames, in '{}'",
                               std::ranges::count_if(
                                   stamps, [](const FrameStamp& each) { return !!each.pose; }),
                               stamps.size(), placed->pose->space));
}

/// Of all frames, as a table.
void printStamps(const std::vector<FrameStamp>& stamps) {
    fmt::print("frame,number,device_time_ns,arrival_ns,space");
    for (const char axis : {'x', 'y', 'z'})
        for (const char* of : {"lateral", "elevation", "depth", "origin"})
            fmt::print(",{}_{}", axis, of);
    fmt::print("\n");
    for (std::size_t i = 0; i < stamps.size(); ++i) {
        const FrameStamp& stamp = stamps[i];
        fmt::print("{},{},{},{},{}", i + 1, stamp.number, stamp.deviceNs, stamp.arrivalNs,
                   csvText(stamp.pose ? stamp.pose->space : ""));
        for (const double value : rowsOf(stamp.pose.get()))
            fmt::print(",{}", std::isfinite(value) ? fmt::format("{:.9g}", value) : "");
        fmt::print("\n");
    }
}

struct InfoOptions {
    int track = 0;
    std::vector<std::string> files;
    std::string sidecar;
    std::string calibration;
    bool json = false;
    bool stamps = false;
};

/// Prints them, or with --json adds them to `all`.
void show(const std::string& file, const InfoOptions& options, nlohmann::json& all) {
    OpenOptions open;
    if (!options.sidecar.empty()) open.sidecar = options.sidecar;
    if (!options.calibration.empty()) open.calibration = options.calibration;
    open.track = trackIndex(options.track);
    const auto recording = openRecording(file, open);
    const RecordingInfo& info = recording->info();
    const CarriedFacts carried = carriedFacts(*recording);
    const std::vector<FrameStamp> stamps = stampsOf(*recording, 0, info.frameCount);
    if (options.stamps && stamps.empty())
        throw Error(fmt::format("'{}' keeps no time and place of its frames; recordings of live "
                                "sources do.",
                                file));
    if (options.json) {
        nlohmann::json facts = toJson(info);
        facts["carried"] = toJson(carried);
        if (!stamps.empty()) facts["stamps"] = toJson(stamps, options.stamps);
        all.push_back(std::move(facts));
    } else if (options.stamps) {
        printStamps(stamps);
    } else {
        printText(info, carried);
        if (!stamps.empty()) printStampedFacts(stamps);
    }
}

/// Goes on after files that cannot be opened. Returns how many these were.
std::size_t showSeveral(const InfoOptions& options, nlohmann::json& all) {
    std::size_t failed = 0;
    for (const std::string& file : options.files) {
        if (!options.json && &file != &options.files.front()) fmt::print("\n");
        try {
            show(file, options, all);
        } catch (const Error& error) {
            ++failed;
            if (options.json)
                all.push_back({{"path", file}, {"error", error.what()}});
            else
                fmt::print("{:<20}{}\n{:<20}{}\n", "File", file, "Error", error.what());
        }
    }
    return failed;
}

void runInfo(const InfoOptions& options) {
    const bool several = options.files.size() > 1;
    if (several && options.stamps)
        throw Error("--stamps prints a table of the frames of one file; name one.");
    nlohmann::json all = nlohmann::json::array();
    std::size_t failed = 0;
    if (several)
        failed = showSeveral(options, all);
    else
        show(options.files.front(), options, all);
    if (options.json)
        fmt::print("{}\n", (several ? all : all.front())
                               .dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    if (failed > 0)
        throw Error(fmt::format("{} of {} files could not be opened; what is wrong stands above.",
                                failed, options.files.size()));
}

} // namespace

void addInfo(CLI::App& app) {
    const auto options = std::make_shared<InfoOptions>();
    CLI::App* command = app.add_subcommand("info", "Print what is known of recordings");
    acceptBackend(*command);
    command->add_option("FILE", options->files, "Recordings")->required();
    command->add_flag("--json", options->json,
                      "Print JSON, in SI units; of several files an array");
    command->add_flag("--stamps", options->stamps,
                      "Print when each frame of a live source was made and came, and where it lay");
    command->add_option("--sidecar", options->sidecar,
                        "TOML file that describes FILE ('echolux help sidecar')");
    command->add_option("--calibration", options->calibration,
                        "Calibration of the spectrometer, in place of the recording's own");
    addTrackTo(*command, options->track);
    addPluginsTo(*command);
    command->callback([options] { runInfo(*options); });
}

} // namespace echolux
