// SPDX-License-Identifier: GPL-3.0-or-later
// echolux_open, echolux_open_with, echolux_close and echolux_recording_...: files.
#include "app/library/calls.hpp"

#include "app/dataset/native/native_writer.hpp"
#include "app/dataset/plugins/plugin_readers.hpp"
#include "app/dataset/recording/recording.hpp"
#include "app/pipeline/plugins.hpp"
#include "gpu/core/error.hpp"
#include "gpu/stage/plugin.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <system_error>
#include <vector>

struct echolux_recording {
    std::unique_ptr<echolux::Recording> file;
    echolux_spec spec;
    std::mutex reading; ///< one thread reads at a time
};

using namespace echolux;          // NOLINT: the functions below belong to no namespace
using namespace echolux::library; // NOLINT

namespace {

/// Before any call of the library, so that no plugin is loaded without its readers.
[[maybe_unused]] const bool kTakesReaders = [] {
    setPluginTaker([](const PluginContents& contents, const std::string& plugin) {
        return takeReaders(contents.readers, plugin);
    });
    return true;
}();

const RecordingInfo& infoOf(const echolux_recording* recording) {
    return checked(Kind::Recording, recording, "recording").file->info();
}

std::vector<FrameStamp> stampsOf(echolux_recording* recording, int64_t first, int64_t count) {
    const std::int64_t frames = infoOf(recording).frameCount;
    if (first < 0 || count < 0 || first > frames || count > frames - first)
        throw Misuse{fmt::format("There are no {} frames from {} on; the recording has {}, counted "
                                 "from 0.",
                                 count, first, frames)};
    const std::scoped_lock lock(recording->reading);
    return stampsOf(*recording->file, first, count);
}

Provenance provenanceOfCaller() {
    const auto now =
        std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
    return {.program = fmt::format("libecholux {}", echolux_version()),
            .source = "echolux_write",
            .created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", now),
            .seed = {},
            .notes = {}};
}

} // namespace

echolux_recording* echolux_open(const char* path) {
    return echolux_open_with(path, nullptr, nullptr, -1);
}

echolux_recording* echolux_open_with(const char* path, const char* sidecar, const char* calibration,
                                     int track) {
    return value<echolux_recording*>(nullptr, [&] {
        OpenOptions options;
        if (sidecar != nullptr) options.sidecar = sidecar;
        if (calibration != nullptr) options.calibration = calibration;
        if (track >= 0) options.track = static_cast<std::size_t>(track);
        auto recording = std::make_unique<echolux_recording>();
        recording->file = openRecording(given(path, "path"), options);
        recording->spec.spec = recording->file->info().frame;
        addHandle(Kind::Spec, &recording->spec);
        addHandle(Kind::Recording, recording.get());
        return recording.release();
    });
}

void echolux_close(echolux_recording* recording) {
    status([&] {
        if (recording == nullptr) return;
        checked(Kind::Recording, recording, "recording");
        removeHandle(Kind::Recording, recording);
        removeHandle(Kind::Spec, &recording->spec);
        delete recording; // NOLINT: the caller's handle
    });
}

const char* echolux_recording_format(const echolux_recording* recording) {
    return value<const char*>(nullptr, [&] { return kept(infoOf(recording).format); });
}

int64_t echolux_recording_frames(const echolux_recording* recording) {
    return value<int64_t>(-1, [&] { return infoOf(recording).frameCount; });
}

double echolux_recording_rate(const echolux_recording* recording) {
    return value(-1.0, [&] { return infoOf(recording).frameRateHz; });
}

const char* echolux_recording_warnings(const echolux_recording* recording) {
    return value<const char*>(nullptr, [&] {
        return kept(fmt::format("{}", fmt::join(infoOf(recording).warnings, "\n")));
    });
}

const char* echolux_recording_tracks(const echolux_recording* recording) {
    return value<const char*>(nullptr, [&] {
        return kept(fmt::format("{}", fmt::join(infoOf(recording).tracks, "\n")));
    });
}

const echolux_spec* echolux_recording_spec(const echolux_recording* recording) {
    return value<const echolux_spec*>(
        nullptr, [&] { return &checked(Kind::Recording, recording, "recording").spec; });
}

int echolux_recording_read(echolux_recording* recording, int64_t frame, void* out, size_t bytes) {
    return status([&] {
        const RecordingInfo& info = infoOf(recording);
        given(out, "out");
        if (bytes != info.frame.bytes())
            throw Misuse{fmt::format("out has {} bytes, but a frame of this recording has {}.",
                                     bytes, info.frame.bytes())};
        if (frame < 0 || frame >= info.frameCount)
            throw Misuse{fmt::format("There is no frame {}; the recording has {}, counted from 0.",
                                     frame, info.frameCount)};
        const std::scoped_lock lock(recording->reading);
        recording->file->readFrame(frame, {static_cast<std::byte*>(out), bytes});
    });
}

int64_t echolux_recording_stamps(echolux_recording* recording, int64_t first, int64_t count,
                                 int64_t* numbers, int64_t* device_ns, int64_t* arrival_ns,
                                 double* poses) {
    return value<int64_t>(-1, [&] {
        const std::vector<FrameStamp> stamps = stampsOf(recording, first, count);
        for (std::size_t i = 0; i < stamps.size(); ++i) {
            const FrameStamp& stamp = stamps[i];
            if (numbers != nullptr) numbers[i] = stamp.number;
            if (device_ns != nullptr) device_ns[i] = stamp.deviceNs;
            if (arrival_ns != nullptr) arrival_ns[i] = stamp.arrivalNs;
            if (poses == nullptr) continue;
            std::ranges::copy(rowsOf(stamp.pose.get()), poses + 12 * i);
        }
        return static_cast<int64_t>(stamps.size());
    });
}

const char* echolux_recording_space(echolux_recording* recording, int64_t frame) {
    return value<const char*>(nullptr, [&] {
        const std::vector<FrameStamp> stamps = stampsOf(recording, frame, 1);
        return kept(stamps.empty() || !stamps[0].pose ? "" : stamps[0].pose->space);
    });
}

int echolux_write(const char* path, const echolux_spec* spec, double rate_hz, const void* frames,
                  size_t bytes, int replace) {
    return status([&] {
        const FrameSpec& frame = checked(Kind::Spec, spec, "spec").spec;
        const auto* next = static_cast<const std::byte*>(given(frames, "frames"));
        if (frame.axes.empty()) throw Misuse{"spec has no axes; add them first."};
        const std::size_t each = frame.bytes();
        if (bytes == 0 || bytes % each != 0)
            throw Misuse{fmt::format("frames has {} bytes, which are no whole frames of {}: {}.",
                                     bytes, each, frame.describe())};
        if (!std::isfinite(rate_hz) || rate_hz < 0.0)
            throw Misuse{fmt::format("rate_hz is {}, but must be 0 or greater.", rate_hz)};
        std::error_code ignored;
        if (replace == 0 && std::filesystem::exists(given(path, "path"), ignored))
            throw Error(
                fmt::format("'{}' exists; choose another name, or have it replaced.", path));
        NativeWriter writer(given(path, "path"), frame, rate_hz, provenanceOfCaller(),
                            {.overwrite = replace != 0});
        for (const std::byte* end = next + bytes; next != end; next += each)
            writer.append({next, each});
        writer.close();
    });
}
