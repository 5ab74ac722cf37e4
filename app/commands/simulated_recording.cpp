// SPDX-License-Identifier: GPL-3.0-or-later
// Writes simulated frames to a file.
#include "app/commands/simulated_recording.hpp"

#include "app/command_line/voice.hpp"

#include "app/command_line/interrupt.hpp"
#include "app/dataset/recording/counted.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <vector>

namespace echolux {

namespace {

/// Prints a line on stderr about once a second, where the work takes that long.
class Progress {
public:
    void show(std::int64_t done, std::int64_t all) {
        const auto now = std::chrono::steady_clock::now();
        if (isQuiet() || now - m_last < std::chrono::seconds(1)) return;
        m_last = now;
        std::fprintf(stderr, "echolux: %lld of %lld frames\n", static_cast<long long>(done),
                     static_cast<long long>(all));
    }

private:
    std::chrono::steady_clock::time_point m_last = std::chrono::steady_clock::now();
};

} // namespace

void record(const SimulatedRecording& recording, const RenderFrame& render) {
    std::vector<std::byte> frame(recording.frame.bytes());
    std::int64_t limited = render(0, frame);

    const StopOnInterrupt guard;
    NativeWriter writer(recording.path, recording.frame, recording.frameRateHz,
                        recording.provenance, recording.writing);
    Progress progress;
    for (std::int64_t i = 0; i < recording.frames && (i == 0 || !StopOnInterrupt::isRequested());
         ++i) {
        if (i > 0) limited += render(i, frame);
        writer.append(frame);
        progress.show(i + 1, recording.frames);
    }
    writer.close();
    if (limited > 0 && !isQuiet())
        std::fprintf(stderr,
                     "echolux: %lld samples were beyond the converter's range; %s to keep them\n",
                     static_cast<long long>(limited), recording.limitAdvice.c_str());
    if (writer.frameCount() < recording.frames)
        throw Error(fmt::format("Stopped at your request: '{}' holds {} of {} frames.",
                                recording.path.string(), writer.frameCount(), recording.frames));
    fmt::print("{}: {} of {}, {:.2f} MB\n", recording.path.string(),
               counted(writer.frameCount(), "frame"), recording.frame.describe(),
               static_cast<double>(std::filesystem::file_size(recording.path)) / 1e6);
}

std::string seedError(const std::string& text) {
    std::uint64_t seed = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, code] = std::from_chars(text.data(), end, seed);
    if (code == std::errc() && rest == end) return "";
    return fmt::format("'{}' is no seed: choose a whole number from 0 to {}", text, UINT64_MAX);
}

void checkFrames(std::int64_t frames) {
    constexpr std::int64_t kMostFrames = 1000000;
    if (frames < 1 || frames > kMostFrames)
        throw Error(fmt::format("--frames is {}, but a recording has 1 to {} frames: choose a "
                                "number in between.",
                                frames, kMostFrames));
}

} // namespace echolux
