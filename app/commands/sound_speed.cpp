// SPDX-License-Identifier: GPL-3.0-or-later
// echolux sound: the speed of sound, from the recorded channels themselves.
#include "app/calibration/sound_speed.hpp"
#include "app/command_line/options.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/number_span.hpp"
#include "app/dataset/recording/recording.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace echolux {
namespace {

struct SoundCommand {
    ImagingOptions imaging;
    FrameOption frame;
    std::int64_t frames = 1;
    std::string region;
    double lowestMps = 0.0;
    double highestMps = 0.0;
    double delayUs = 0.0;
    double fNumber = sound_speed::PlaceOptions{}.fNumber;
    OutputOptions json;
};

sound_speed::Region regionOf(const std::string& text) {
    const auto mm = numbersIn(text, ',');
    if (!mm || mm->size() != 4 || !((*mm)[2] > 0.0) || !((*mm)[3] > 0.0))
        throw Error(fmt::format("'{}' is no region; write x,z,width,height in mm, x and z of its "
                                "centre, for example --region=0,30,20,20.",
                                text));
    const double x = 1e-3 * (*mm)[0], z = 1e-3 * (*mm)[1];
    const double halfWidth = 0.5e-3 * (*mm)[2], halfHeight = 0.5e-3 * (*mm)[3];
    return {x - halfWidth, x + halfWidth, z - halfHeight, z + halfHeight};
}

sound_speed::Search searchOf(const SoundCommand& command, double recordedMps) {
    sound_speed::Search search;
    search.places.fNumber = command.fNumber;
    search.places.delayS = 1e-6 * command.delayUs;
    if (!command.region.empty()) search.places.region = regionOf(command.region);
    if (command.lowestMps == 0.0 && command.highestMps == 0.0) return search;
    search.speeds = sound_speed::usualSpeeds(recordedMps);
    if (command.lowestMps != 0.0) search.speeds.lowestMps = command.lowestMps;
    if (command.highestMps != 0.0) search.speeds.highestMps = command.highestMps;
    if (!(search.speeds.lowestMps < search.speeds.highestMps))
        throw Error(fmt::format("The search from {:g} to {:g} m/s is empty; --from must be less "
                                "than --to.",
                                search.speeds.lowestMps, search.speeds.highestMps));
    return search;
}

void checkFrames(const RecordingInfo& info, const SoundCommand& command) {
    const std::int64_t first = command.frame.index();
    if (first < 0 || command.frames < 1 || first + command.frames > info.frameCount)
        throw Error(fmt::format("{} has frames 1 to {}, but {} from frame {} on were asked for.",
                                info.path.filename().string(), info.frameCount, command.frames,
                                command.frame.number));
}

std::string line(const sound_speed::Estimate& found) {
    if (found.isSure()) return fmt::format("{:8.1f} m/s +- {:.1f}", found.speedMps, found.errorMps);
    return fmt::format("no estimate: {}", found.doubt);
}

nlohmann::json asJson(const sound_speed::Estimate& found, std::int64_t frame) {
    return {{"frame", frame},
            {"speed_mps", found.isSure() ? nlohmann::json(found.speedMps) : nlohmann::json()},
            {"error_mps", found.errorMps},
            {"doubt", found.doubt},
            {"places", found.places},
            {"curve", {{"speed_mps", found.triedMps}, {"unevenness", found.unevenness}}}};
}

void estimateSpeed(const SoundCommand& command) {
    std::optional<PartialFile> json;
    if (!command.json.path.empty()) {
        refuseRecording(command.json.path, command.imaging.file);
        command.json.refuseExisting(command.json.path);
        json.emplace(command.json.path);
    }
    const Backend backend = chooseBackend(command.imaging.backend, command.imaging.gpu).backend;
    const auto recording = openRecording(command.imaging.file, command.imaging.openOptions());
    const RecordingInfo& info = recording->info();
    printWarnings(info.warnings);
    checkFrames(info, command);
    const double recordedMps = info.frame.acquisition ? info.frame.acquisition->soundSpeedMps : 0.0;
    SoundSpeedEstimator estimator(backend, info.frame, searchOf(command, recordedMps));
    std::vector<std::byte> raw(info.frame.bytes());
    std::vector<sound_speed::Estimate> found;
    nlohmann::json frames = nlohmann::json::array();
    for (std::int64_t i = 0; i < command.frames; ++i) {
        recording->readFrame(command.frame.index() + i, raw);
        found.push_back(estimator.estimate(raw));
        frames.push_back(asJson(found.back(), command.frame.number + i));
        fmt::print("frame {:<5}{}\n", command.frame.number + i, line(found.back()));
    }
    const SoundSpeedOfFrames all = ofFrames(found);
    if (all.frames > 1 && all.sure > 0)
        fmt::print("median    {:8.1f} m/s of {} frames; the recording says {:g} m/s\n",
                   all.speedMps, all.sure, recordedMps);
    if (json) {
        const nlohmann::json report{
            {"file", info.path.filename().string()},
            {"recorded_mps", recordedMps},
            {"speed_mps", all.sure > 0 ? nlohmann::json(all.speedMps) : nlohmann::json()},
            {"frames", frames}};
        json->finish(report.dump(2) + "\n");
    }
    if (all.sure == 0)
        throw Error(fmt::format("No speed of sound was found in '{}': {}; choose another region "
                                "(--region), other frames or another search (--from, --to).",
                                info.path.filename().string(), all.doubt));
}

} // namespace

void addSound(CLI::App& app) {
    auto options = std::make_shared<SoundCommand>();
    CLI::App& command = *app.add_subcommand(
        "sound", "Estimate the speed of sound from recorded channels: 'echolux help sound'");
    options->imaging.addFileTo(command, true);
    command.add_option("--backend", options->imaging.backend, "auto, cuda or cpu")
        ->capture_default_str();
    addDeviceTo(command, options->imaging.gpu);
    options->frame.addTo(command, "The first frame");
    command.add_option("--frames", options->frames, "How many frames; their median is printed")
        ->capture_default_str();
    command.add_option("--region", options->region,
                       "x,z,width,height in mm, x and z of its centre, at the recorded speed "
                       "(default: what is insonified, 0.5 to 1.2 array widths deep)");
    command
        .add_option("--from", options->lowestMps,
                    "Lowest speed, m/s (default: the recorded one / 1.1)")
        ->check(CLI::Range(100.0, 20000.0));
    command
        .add_option("--to", options->highestMps,
                    "Highest speed, m/s (default: 1.14 times the recorded one)")
        ->check(CLI::Range(100.0, 20000.0));
    command
        .add_option("--delay", options->delayUs,
                    "Delay of all samples that the recording does not know of, us: a lens, or "
                    "the pulse's peak after its begin")
        ->check(CLI::Range(-100.0, 100.0))
        ->capture_default_str();
    command
        .add_option("--f-number", options->fNumber,
                    "Depth over the width of elements that are compared")
        ->check(CLI::Range(0.3, 3.0))
        ->capture_default_str();
    command.add_option("--json", options->json.path,
                       "OUT.json with curves and figures of each frame");
    command.add_flag("--force", options->json.force, "Replace the file where it exists");
    command.callback([options] { estimateSpeed(*options); });
}

} // namespace echolux
