// SPDX-License-Identifier: GPL-3.0-or-later
// echolux info: shows the facts of a recording as text or JSON.
#include "app/commands/commands.hpp"
#include "app/commands/info_json.hpp"
#include "app/commands/options.hpp"
#include "app/dataset/carried/carried_facts.hpp"
#include "app/dataset/recording/recording.hpp"
#include "app/session/recording_facts.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

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

struct InfoOptions {
    int track = 0;
    std::string file;
    std::string sidecar;
    std::string calibration;
    bool json = false;
};

void runInfo(const InfoOptions& options) {
    OpenOptions open;
    if (!options.sidecar.empty()) open.sidecar = options.sidecar;
    if (!options.calibration.empty()) open.calibration = options.calibration;
    open.track = trackIndex(options.track);
    const auto recording = openRecording(options.file, open);
    const RecordingInfo& info = recording->info();
    const CarriedFacts carried = carriedFacts(info);
    if (options.json) {
        nlohmann::json facts = toJson(info);
        facts["carried"] = toJson(carried);
        fmt::print("{}\n", facts.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    } else {
        printText(info, carried);
    }
}

} // namespace

void addInfo(CLI::App& app) {
    const auto options = std::make_shared<InfoOptions>();
    CLI::App* command = app.add_subcommand("info", "Print what is known of a recording");
    acceptBackend(*command);
    command->add_option("FILE", options->file, "Recording")->required();
    command->add_flag("--json", options->json, "Print JSON, in SI units");
    command->add_option("--sidecar", options->sidecar,
                        "TOML file that describes FILE ('echolux help sidecar')");
    command->add_option("--calibration", options->calibration,
                        "Calibration of the spectrometer, in place of the recording's own");
    addTrackTo(*command, options->track);
    addPluginsTo(*command);
    command->callback([options] { runInfo(*options); });
}

} // namespace echolux
