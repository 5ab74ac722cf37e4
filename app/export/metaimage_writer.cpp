// SPDX-License-Identifier: GPL-3.0-or-later
// MetaImage in one file: a header of text lines, samples. Positions in millimetres and always three
// dimensions of space, towards left, back and head where the image has a pose. Volumes follow one
// another along a fourth axis.
#include "app/export/headed_volume.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string>
#include <vector>

namespace echolux {
namespace {

std::string_view metaType(DType type) {
    switch (type) {
    case DType::U8: return "MET_UCHAR";
    case DType::I16: return "MET_SHORT";
    case DType::U16: return "MET_USHORT";
    default: return "MET_FLOAT";
    }
}

std::string metaLine(const std::string& name, const std::string& text) {
    return fmt::format("{} = {}\n", name, text);
}

/// Rows of the square matrix whose rows are the directions of the axes.
std::vector<double> metaTurnOf(const GridPlace& place, const std::array<const ImageAxis*, 3>& axes,
                               std::size_t dimensions) {
    std::vector<double> rows;
    for (std::size_t i = 0; i < dimensions; ++i)
        for (std::size_t j = 0; j < dimensions; ++j)
            rows.push_back(i < 3 && j < 3 ? place.steps[i][j] / axes[i]->spacing
                                          : (i == j ? 1.0 : 0.0));
    return rows;
}

std::string metaHead(const ExportSubject& subject, const VolumeGrid& volume) {
    const std::array<const ImageAxis*, 3> axes{&volume.grid.lateral, &volume.grid.depth,
                                               &volume.grid.elevation};
    const GridPlace place = placeOf(volume, subject.frame);
    const std::size_t dimensions = volume.volumes > 1 ? 4 : 3;
    std::vector<std::int64_t> sizes;
    std::vector<double> spacing;
    for (const ImageAxis* axis : axes) {
        sizes.push_back(axis->size);
        spacing.push_back(axis->spacing);
    }
    std::vector<double> first(place.first.begin(), place.first.end());
    if (dimensions == 4) {
        sizes.push_back(volume.volumes);
        spacing.push_back(1.0);
        first.push_back(0.0);
    }
    std::string text = metaLine("ObjectType", "Image");
    text += metaLine("NDims", std::to_string(dimensions));
    text += metaLine("BinaryData", "True") + metaLine("BinaryDataByteOrderMSB", "False") +
            metaLine("CompressedData", "False");
    if (place.isPosed())
        text +=
            metaLine("TransformMatrix",
                     fmt::format("{:.12g}", fmt::join(metaTurnOf(place, axes, dimensions), " ")));
    text += metaLine("Offset", fmt::format("{:.12g}", fmt::join(first, " ")));
    if (countsInPatient(place)) text += metaLine("AnatomicalOrientation", "RAI");
    text += metaLine("ElementSpacing", fmt::format("{:.12g}", fmt::join(spacing, " ")));
    text += metaLine("DimSize", fmt::format("{}", fmt::join(sizes, " ")));
    if (!volume.inMillimetres()) {
        std::vector<std::string> units;
        for (const ImageAxis* axis : axes) units.push_back(axis->unit.empty() ? "none" : "mm");
        text += metaLine("echolux_units", fmt::format("{}", fmt::join(units, " ")));
    }
    for (const auto& [key, value] : ownKeysOf(subject, place)) text += metaLine(key, value);
    text += metaLine("ElementType", std::string(metaType(volume.type)));
    return text + metaLine("ElementDataFile", "LOCAL");
}

} // namespace

std::unique_ptr<FrameWriter> makeMetaImageWriter(const ExportSubject& subject, OutputFiles& files) {
    checkVolume(subject, files, "A MetaImage");
    if (isComplex(subject.frame.dtype))
        refuseContent(files, subject, "a MetaImage holds no complex samples (write .nrrd)");
    if (ImageGrid(subject.frame).lateral.unit == "deg")
        refuseContent(
            files, subject,
            "a MetaImage holds images in millimetres, not in beam space (add scan_conversion)");
    return makeHeadedVolumeWriter(subject, files, metaHead);
}

} // namespace echolux
