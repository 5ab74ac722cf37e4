// SPDX-License-Identifier: GPL-3.0-or-later
// The bundled volume recorded otherwise: several B-scans in each frame, more or fewer of them.
#pragma once

#include "app/dataset/native/native_writer.hpp"
#include "app/dataset/recording/recording.hpp"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace echolux::testing_support {

/// `bscans` of it, then of its beginning again, `together` to a frame.
inline std::string recordedAgain(const QString& folder, std::int64_t bscans,
                                 std::int64_t together) {
    const std::string path = (folder + "/again.echolux.h5").toStdString();
    const auto source = openRecording(ECHOLUX_SOURCE_DIR "/testdata/retina_volume.echolux.h5");
    FrameSpec spec = source->info().frame;
    if (together > 1)
        spec.axes.insert(spec.axes.begin(), {AxisName::Elevation, together, 1.0, 0.0, ""});
    NativeWriter writer(path, spec, 40.0 / static_cast<double>(together), {});
    const std::size_t bytes = source->info().frame.bytes();
    std::vector<std::byte> frame(static_cast<std::size_t>(together) * bytes);
    for (std::int64_t first = 0; first < bscans; first += together) {
        for (std::int64_t i = 0; i < together; ++i) {
            source->readFrame((first + i) % source->info().frameCount,
                              std::span(frame).subspan(static_cast<std::size_t>(i) * bytes, bytes));
        }
        writer.append(frame);
    }
    return path;
}
inline std::string buffersOfEight(const QString& folder) { return recordedAgain(folder, 48, 8); }

} // namespace echolux::testing_support
