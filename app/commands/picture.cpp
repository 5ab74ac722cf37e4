// SPDX-License-Identifier: GPL-3.0-or-later
// Writes images to files.
#include "app/commands/picture.hpp"

#include "app/command_line/voice.hpp"

#include "app/dataset/container/npy_writer.hpp"
#include "gpu/core/volume_image.hpp"
#include "gpu/core/whole_file.hpp"
#include "ui/controls/picture_bytes.hpp"

#include <QImage>
#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace echolux {

void writePicture(const std::filesystem::path& path, const HostFrameData& image,
                  const ColourMap& map) {
    const ValueRange range = shownRange(image);
    ExportLook look;
    look.colourMap = map.name;
    QImage picture = toPicture(image, look, range);
    picture.setText("Description", QString::fromStdString(levelsOf(range)));
    writeWhole(path, pictureBytes(picture, "PNG"));
}

std::vector<std::filesystem::path> filesOfImage(const std::filesystem::path& path) {
    if (path.extension() != ".npy") return {path};
    return {path, std::filesystem::path(path).replace_extension(".json")};
}

void writeImage(const std::filesystem::path& path, HostFrameData image, const ColourMap& map) {
    image = depthDown(std::move(image));
    if (path.extension() == ".npy") {
        writeNpy(path, image.spec, image.bytes);
    } else if (isWholeVolume(image.spec)) {
        writePicture(path, middleSlice(image), map);
        if (isQuiet()) return;
        const Axis& elevation = image.spec.axes.front();
        const std::int64_t slice = elevation.size / 2;
        fmt::print(stderr,
                   "{} shows slice {} of {} of the volume, at elevation {:.2f} mm; write .npy for "
                   "all of it.\n",
                   path.string(), slice + 1, elevation.size,
                   1e3 * (elevation.origin + static_cast<double>(slice) * elevation.spacing));
    } else {
        writePicture(path, image, map);
    }
}

} // namespace echolux
