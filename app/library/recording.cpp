// SPDX-License-Identifier: GPL-3.0-or-later
// echolux_open, echolux_close and echolux_recording_...: files.
#include "app/library/calls.hpp"

#include "app/dataset/recording/recording.hpp"

#include <fmt/format.h>

#include <memory>
#include <mutex>
#include <span>

struct echolux_recording {
    std::unique_ptr<echolux::Recording> file;
    echolux_spec spec;
    std::mutex reading; ///< one thread reads at a time
};

using namespace echolux;          // NOLINT: the functions below belong to no namespace
using namespace echolux::library; // NOLINT

namespace {

const RecordingInfo& infoOf(const echolux_recording* recording) {
    return checked(Kind::Recording, recording, "recording").file->info();
}

} // namespace

echolux_recording* echolux_open(const char* path) {
    return value<echolux_recording*>(nullptr, [&] {
        auto recording = std::make_unique<echolux_recording>();
        recording->file = openRecording(given(path, "path"));
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
