// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/split.hpp"

#include "app/bench/split_runners.hpp"
#include "app/dataset/recording/ensemble.hpp"
#include "app/pipeline/stacked_frames.hpp"
#include "app/session/checked_image.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <optional>
#include <set>
#include <utility>

namespace echolux {
namespace {

/// What the runners share: whole volumes by their B-scans, or frames.
struct SharedStream {
    SnapshotPtr snapshot;
    SplitBy by = SplitBy::Frames;
    std::int64_t framesPerItem = 1; ///< recorded frames in one frame of the snapshot
};

SharedStream sharedStream(const SnapshotPtr& single, std::int64_t frameCount) {
    const std::int64_t bscans = single->input.stack.bscansPerVolume;
    if (bscans > 1 && bscans <= frameCount) {
        if (SnapshotPtr volumes = stackedSnapshot(*single, bscans))
            return {std::move(volumes), SplitBy::Elevations, bscans};
    }
    return {single, SplitBy::Frames, 1};
}

/// Frames of a recording in host memory, and room for their images.
class HeldFrames {
public:
    HeldFrames(Recording& recording, const SharedStream& shared, Backend backend) {
        constexpr std::size_t kMostBytes = std::size_t{1} << 30;
        const std::size_t rawBytes = shared.snapshot->input.bytes();
        const std::size_t imageBytes = shared.snapshot->output().bytes();
        const auto there =
            static_cast<std::size_t>(recording.info().frameCount / shared.framesPerItem);
        const std::size_t items =
            std::clamp<std::size_t>(kMostBytes / (rawBytes + 2 * imageBytes), 1, there);
        m_raw = Buffer(stagingMemory(backend), items * rawBytes);
        for (Buffer& images : m_images) images = Buffer(stagingMemory(backend), items * imageBytes);
        for (std::size_t i = 0; i < items; ++i) {
            std::byte* to = m_raw.as<std::byte>() + i * rawBytes;
            readFrames(recording, static_cast<std::int64_t>(i) * shared.framesPerItem,
                       {to, rawBytes});
            m_raws.push_back(to);
        }
    }

    std::size_t items() const { return m_raws.size(); }
    /// Items per second over at least `seconds`, after one pass.
    double itemsPerS(SplitRunners& runners, std::size_t which, double seconds) {
        using Clock = std::chrono::steady_clock;
        const std::span<std::byte> images{m_images[which].as<std::byte>(), m_images[which].bytes()};
        runners.image(m_raws, images);
        const auto from = Clock::now();
        std::chrono::duration<double> spent{};
        std::size_t imaged = 0;
        while (spent.count() < seconds) {
            runners.image(m_raws, images);
            imaged += items();
            spent = Clock::now() - from;
        }
        return static_cast<double>(imaged) / spent.count();
    }
    bool sameImages() const {
        return std::memcmp(m_images[0].data(), m_images[1].data(), m_images[0].bytes()) == 0;
    }

private:
    Buffer m_raw;
    Buffer m_images[2];
    std::vector<const std::byte*> m_raws;
};

} // namespace

void runSplitStream(const ImagingOptions& imaging, const std::vector<int>& gpus, double seconds,
                    const std::string& json) {
    if (gpus.size() < 2)
        throw Error("--gpus names the GPUs that share a stream; name at least two, such as 0,1. "
                    "0,0 runs two runners on one GPU.");
    std::optional<PartialFile> file;
    if (!json.empty()) file.emplace(json);
    std::vector<BackendChoice> choices;
    std::vector<std::string> devices;
    for (const int gpu : gpus) {
        choices.push_back(chooseBackend(imaging.backend, gpu));
        devices.push_back(choices.back().device);
    }
    const Backend backend = choices.front().backend;
    auto recording = openRecording(imaging.file, imaging.openOptions());
    const FrameSpec raw = recording->info().frame;
    const SnapshotPtr single = imagingSnapshot(raw, imaging.config(raw));
    const SharedStream shared = sharedStream(single, recording->info().frameCount);
    SplitRunners several(shared.snapshot, backend, gpus, shared.by);
    HeldFrames held(*recording, shared, backend);
    const bool volumes = shared.by == SplitBy::Elevations;
    const char* const item = volumes ? "volume" : "frame";
    std::printf("%s\n",
                fmt::format("{} {}{} of {}, from host memory to images on the host, shared by {} "
                            "runners: {}.",
                            held.items(), item, held.items() == 1 ? "" : "s",
                            shared.snapshot->input.describe(), gpus.size(),
                            fmt::join(devices, "; "))
                    .c_str());
    if (backend == Backend::Cpu) {
        std::printf("There is no GPU in use: the runners share the CPU.\n");
    } else if (std::set<int>(gpus.begin(), gpus.end()).size() == 1) {
        std::printf("All runners share GPU %d: nothing gets faster by that.\n", gpus.front());
    }
    const auto framesPerS = [&](SplitRunners& runners, std::size_t which) {
        return held.itemsPerS(runners, which, seconds) * static_cast<double>(shared.framesPerItem);
    };
    const double ofOne = [&] {
        SplitRunners one(shared.snapshot, backend, {gpus.front()}, shared.by);
        return framesPerS(one, 0);
    }();
    const double ofAll = framesPerS(several, 1);
    std::printf("%s\n", fmt::format("  {:.1f} frames/s with one runner, {:.1f} with {}: {:.2f} "
                                    "times as fast; images {}",
                                    ofOne, ofAll, gpus.size(), ofAll / ofOne,
                                    held.sameImages() ? "the same to the bit" : "differ")
                            .c_str());
    if (!file) return;
    const nlohmann::ordered_json report{{"bench", "stream"},
                                        {"backend", nameOf(backend)},
                                        {"gpus", gpus},
                                        {"devices", devices},
                                        {"input", raw.describe()},
                                        {"shared", volumes ? "bscans" : "frames"},
                                        {"frames_per_second_one", ofOne},
                                        {"frames_per_second", ofAll},
                                        {"same_images", held.sameImages()}};
    file->finish(report.dump(2) + '\n');
}

} // namespace echolux
