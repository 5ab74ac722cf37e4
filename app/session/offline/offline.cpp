// SPDX-License-Identifier: GPL-3.0-or-later
// Computes single frames with a runner.
#include "app/session/offline/offline.hpp"

#include "app/dataset/recording/sample_check.hpp"
#include "app/pipeline/past_images.hpp"
#include "app/pipeline/runner.hpp"
#include "gpu/memory/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace echolux {

void runPast(Recording& recording, Runner& runner, const EnsembleWindows& windows,
             std::int64_t first, const Buffer& raw) {
    const std::int64_t past = imagesBefore(*runner.snapshot()) * windows.each;
    for (std::int64_t at = std::max<std::int64_t>(first - past, 0); at < first;
         at += windows.each) {
        readFrames(recording, at, {raw.as<std::byte>(), raw.bytes()});
        runner.enqueue({.raw = raw.as<std::byte>(), .frame = at});
        runner.drain();
    }
}

namespace {

/// The runner's outputs of a frame.
using Results = std::function<std::vector<ConstTensorView>(const Runner& runner, int slot)>;

std::vector<HostFrameData> process(Recording& recording, const SnapshotPtr& snapshot,
                                   Backend backend, std::int64_t index,
                                   const std::vector<std::string>& kept, const Results& results) {
    const RecordingInfo& info = recording.info();
    const EnsembleWindows windows = windowsOf(info, snapshot->ensemble(), snapshot->name);
    if (index < 0 || index >= windows.whole()) {
        throw Error(fmt::format(
            "{} has frames 1 to {}{}, but frame {} was asked for.", info.path.filename().string(),
            windows.whole(),
            windows.each > 1 ? fmt::format(" in whole ensembles of {}", windows.each) : "",
            index + 1));
    }
    const std::int64_t first = windows.firstOf(index);
    const Buffer raw(stagingMemory(backend), snapshot->input.bytes());
    Runner runner(backend, 1);
    runner.apply(snapshot, kept);
    runPast(recording, runner, windows, first, raw);
    readFrames(recording, first, {raw.as<std::byte>(), raw.bytes()});
    const int slot = runner.enqueue({.raw = raw.as<std::byte>(), .frame = first});
    std::optional<std::string> warning;
    const std::size_t each = info.frame.bytes();
    for (std::int64_t n = 0; n < windows.each && !warning; ++n) {
        const std::byte* frame = raw.as<std::byte>() + static_cast<std::size_t>(n) * each;
        warning = frameWarning(info, first + n, {frame, each});
    }
    std::vector<HostFrameData> all;
    for (const ConstTensorView& result : results(runner, slot)) {
        HostFrameData out{*result.spec, std::vector<std::byte>(result.spec->bytes()), warning};
        download(runner.exec(slot), out.bytes.data(), result.data, out.bytes.size());
        all.push_back(std::move(out));
    }
    runner.drain();
    return all;
}

} // namespace

std::vector<HostFrameData> processViews(Recording& recording, const SnapshotPtr& snapshot,
                                        Backend backend, std::int64_t index) {
    return process(recording, snapshot, backend, index, {}, [&](const Runner& runner, int slot) {
        std::vector<ConstTensorView> views;
        for (std::size_t view = 0; view < snapshot->views.size(); ++view)
            views.push_back(runner.viewOutput(slot, view));
        return views;
    });
}

HostFrameData processFrame(Recording& recording, const SnapshotPtr& snapshot, Backend backend,
                           std::int64_t index, const std::optional<std::string>& stage) {
    const auto kept = stage ? std::vector{*stage} : std::vector<std::string>{};
    return std::move(
        process(recording, snapshot, backend, index, kept, [&](const Runner& runner, int slot) {
            return std::vector{stage ? runner.keptOutput(slot, *stage)
                                     : runner.viewOutput(slot, 0)};
        }).front());
}

} // namespace echolux
