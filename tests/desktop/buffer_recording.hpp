// SPDX-License-Identifier: GPL-3.0-or-later
// A recording whose frames hold several B-scans.
#pragma once

#include "app/dataset/native_writer.hpp"
#include "app/dataset/recording.hpp"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace echolux::testing_support {

/// The bundled volume, its B-scans eight to a frame.
inline std::string buffersOfEight(const QString& folder) {
    constexpr std::int64_t kTogether = 8;
    const std::string path = (folder + "/buffers.echolux.h5").toStdString();
    const auto source = openRecording(ECHOLUX_SOURCE_DIR "/testdata/retina_volume.echolux.h5");
    FrameSpec spec = source->info().frame;
    spec.axes.insert(spec.axes.begin(), {AxisName::Elevation, kTogether, 1.0, 0.0, ""});
    NativeWriter writer(path, spec, 5.0, {});
    const std::size_t bytes = source->info().frame.bytes();
    std::vector<std::byte> frame(kTogether * bytes);
    for (std::int64_t first = 0; first < source->info().frameCount; first += kTogether) {
        for (std::int64_t i = 0; i < kTogether; ++i) {
            source->readFrame(first + i,
                              std::span(frame).subspan(static_cast<std::size_t>(i) * bytes, bytes));
        }
        writer.append(frame);
    }
    return path;
}

} // namespace echolux::testing_support
