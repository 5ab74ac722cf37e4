// SPDX-License-Identifier: GPL-3.0-or-later
// NRRD 4: a header of text lines, an empty line, samples. Positions in millimetres and always three
// space dimensions: those of the pose, else those of the axes. Volumes follow one another along a
// fourth axis.
#include "app/export/headed_volume.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <vector>

namespace echolux {
namespace {

std::string_view nrrdType(DType type) {
    switch (type) {
    case DType::U8: return "uint8";
    case DType::I16: return "int16";
    case DType::U16: return "uint16";
    default: return "float";
    }
}

std::string nrrdHead(const ExportSubject& subject, const VolumeGrid& volume) {
    const std::array axes{&volume.grid.lateral, &volume.grid.depth, &volume.grid.elevation};
    const GridPlace place = placeOf(volume, subject.frame);
    std::vector<std::string> sizes;
    std::vector<std::string> directions;
    std::vector<std::string> kinds;
    std::vector<std::string> labels;
    if (volume.grid.isComplex) {
        sizes.emplace_back("2");
        directions.emplace_back("none");
        kinds.emplace_back("complex");
        labels.emplace_back("\"\"");
    }
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const GridPlace::Vector& step = place.steps[i];
        sizes.push_back(std::to_string(axes[i]->size));
        directions.push_back(fmt::format("({:.12g},{:.12g},{:.12g})", step[0], step[1], step[2]));
        kinds.emplace_back("domain");
        labels.push_back(fmt::format("\"{}\"", nameOf(axes[i]->name)));
    }
    if (volume.volumes > 1) {
        sizes.push_back(std::to_string(volume.volumes));
        directions.emplace_back("none");
        kinds.emplace_back("list");
        labels.emplace_back("\"frame\"");
    }
    std::string text = "NRRD0004\n# Complete NRRD file format specification at:\n"
                       "# http://teem.sourceforge.net/nrrd/format.html\n";
    text += fmt::format(
        "type: {}\ndimension: {}\n{}\nsizes: {}\n", nrrdType(volume.type), sizes.size(),
        countsInPatient(place) ? "space: left-posterior-superior" : "space dimension: 3",
        fmt::join(sizes, " "));
    text += fmt::format("space directions: {}\nkinds: {}\nlabels: {}\n", fmt::join(directions, " "),
                        fmt::join(kinds, " "), fmt::join(labels, " "));
    std::vector<std::string> units;
    for (const ImageAxis* axis : axes) units.push_back(fmt::format("\"{}\"", axis->unit));
    text += fmt::format("space units: {}\nspace origin: ({:.12g})\nendian: little\nencoding: raw\n",
                        fmt::join(units, " "), fmt::join(place.first, ","));
    for (const auto& [key, value] : ownKeysOf(subject, place))
        text += fmt::format("{}:={}\n", key, value);
    return text + '\n';
}

} // namespace

std::unique_ptr<FrameWriter> makeNrrdWriter(const ExportSubject& subject, OutputFiles& files) {
    checkVolume(subject, files, "A NRRD file");
    return makeHeadedVolumeWriter(subject, files, nrrdHead);
}

} // namespace echolux
