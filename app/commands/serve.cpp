// SPDX-License-Identifier: GPL-3.0-or-later
// echolux serve: writes the frames of a recording or a simulator to shared memory or a network, as
// a scanner would.
#include "app/command_line/interrupt.hpp"
#include "app/command_line/options.hpp"
#include "app/commands/commands.hpp"
#include "app/live/network_sources.hpp"
#include "app/live/open_live.hpp"
#include "app/live/replay_source.hpp"
#include "app/live/shared_writer.hpp"
#include "app/live/zmq_writer.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace echolux {
namespace {

struct ServeOptions {
    std::string from;
    std::string to; ///< empty: shared memory
    SharedWriter::Setup shared{.name = "live"};
    std::string backend = "auto";
    int gpu = 0;
    std::optional<double> rateHz;
    std::optional<std::int64_t> frames;
};

std::unique_ptr<LiveSource> sourceOf(const ServeOptions& options) {
    std::unique_ptr<LiveSource> source;
    if (isLiveAddress(options.from)) {
        const Backend backend = chooseBackend(options.backend, options.gpu).backend;
        source = liveSource(options.from, backend);
    } else {
        source = std::make_unique<ReplaySource>(openRecording(options.from), options.from);
    }
    if (options.rateHz) source->setParameter("rate", *options.rateHz);
    return source;
}

/// False where Ctrl-C came before the first frame. Throws Error where the source ends before.
bool makesFrames(LiveSource& source) {
    std::vector<std::byte> frame(source.info().frame.bytes());
    FrameStamp stamp;
    while (!StopOnInterrupt::isRequested()) {
        const auto outcome = source.next(frame, stamp, {});
        if (outcome == LiveSource::Outcome::Frame) return true;
        if (outcome == LiveSource::Outcome::Ended || outcome == LiveSource::Outcome::Changed)
            throw Error(fmt::format("'{}': {}", source.info().path.string(), source.reason()));
    }
    return false;
}

/// Calls `next` until it is false, Ctrl-C came or as many frames were written as are wanted. Says
/// how fast it was. `written`: frames so far.
void run(const ServeOptions& options, const FrameSpec& frame, const std::function<bool()>& next,
         const std::function<std::uint64_t()>& written) {
    const auto start = std::chrono::steady_clock::now();
    const auto isDone = [&] {
        return StopOnInterrupt::isRequested() ||
               (options.frames && written() >= static_cast<std::uint64_t>(*options.frames));
    };
    while (!isDone() && next()) {
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const auto frames = static_cast<double>(written());
    fmt::print("{} frames in {:.2f} s: {:.1f} frames/s, {:.3f} GB/s", written(), seconds,
               frames / seconds, frames * static_cast<double>(frame.bytes()) / seconds * 1e-9);
}

bool goesOn(LiveSource::Outcome outcome) {
    return outcome != LiveSource::Outcome::Ended && outcome != LiveSource::Outcome::Changed;
}

void serveShared(const ServeOptions& options, LiveSource& source) {
    const FrameSpec& frame = source.info().frame;
    SharedWriter writer(options.shared, source.info());
    fmt::print("shared:{}  {}, {} slots of {:.2f} MB; Ctrl-C ends\n", options.shared.name,
               frame.describe(), options.shared.slotCount,
               static_cast<double>(frame.bytes()) / 1e6);
    std::fflush(stdout);
    const auto next = [&] {
        const std::span<std::byte> out = writer.begin();
        if (out.empty()) {
            std::this_thread::sleep_for(std::chrono::microseconds(200));
            return true;
        }
        FrameStamp stamp;
        const auto outcome = source.next(out, stamp, {});
        if (outcome == LiveSource::Outcome::Frame) writer.publish(stamp);
        return goesOn(outcome);
    };
    run(options, frame, next, [&] { return writer.published(); });
    fmt::print("; a reader took {}\n", writer.taken());
}

void serveZmq(const ServeOptions& options, LiveSource& source) {
    const HostAndPort place = zmqPlace(options.to);
    ZmqWriter writer(place, source.info());
    fmt::print("zmq:{}  {}; Ctrl-C ends\n", place.text(), source.info().frame.describe());
    std::fflush(stdout);
    std::vector<std::byte> frame(source.info().frame.bytes());
    const auto next = [&] {
        FrameStamp stamp;
        const auto outcome = source.next(frame, stamp, {});
        if (outcome == LiveSource::Outcome::Frame) writer.publish(frame, stamp);
        return goesOn(outcome);
    };
    run(options, source.info().frame, next, [&] { return writer.published(); });
    fmt::print("\n");
}

void serve(const ServeOptions& options) {
    const StopOnInterrupt guard;
    const std::unique_ptr<LiveSource> source = sourceOf(options);
    if (!makesFrames(*source)) return;
    if (options.to.empty())
        serveShared(options, *source);
    else
        serveZmq(options, *source);
}

} // namespace

void addServe(CLI::App& app) {
    auto options = std::make_shared<ServeOptions>();
    CLI::App* command = app.add_subcommand(
        "serve", "Write frames to shared memory, or send them by ZeroMQ, as a scanner would: shown "
                 "by 'echolux view --source' (echolux help live)");
    command
        ->add_option("FROM", options->from,
                     "A recording, or the address of a simulator (simulator:echoes, simulator:oct)")
        ->required();
    command->add_option("--name", options->shared.name, "Name of the memory")
        ->capture_default_str();
    command->add_option("--to", options->to,
                        "Send them instead: zmq:PORT to programs on this machine, zmq:ADDRESS:PORT "
                        "to others");
    command->add_option("--slots", options->shared.slotCount, "Frames that the memory holds")
        ->check(CLI::Range(2, 65536))
        ->capture_default_str();
    command->add_flag("--block", options->shared.blocks,
                      "Wait for the reader, instead of overwriting the oldest frame");
    command
        ->add_option("--rate", options->rateHz,
                     "Frames per second, instead of the recorded rate; 0: as fast as possible")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--frames", options->frames, "End after so many frames")
        ->check(CLI::PositiveNumber);
    command
        ->add_option("--backend", options->backend, "Where a simulator computes: auto, cuda, cpu")
        ->capture_default_str();
    addDeviceTo(*command, options->gpu);
    addPluginsTo(*command);
    command->callback([options] { serve(*options); });
}

} // namespace echolux
