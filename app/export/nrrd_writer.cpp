// SPDX-License-Identifier: GPL-3.0-or-later
// NRRD 4: a header of text lines, an empty line, samples. Positions in millimetres and always three
// space dimensions: those of the pose, else those of the axes. Volumes follow one another along a
// fourth axis.
#include "app/export/facts.hpp"
#include "app/export/volume_grid.hpp"
#include "gpu/core/sector.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numbers>
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

/// A line `name:=text`. The value ends with the line, so it must not contain a line break.
std::string keyLine(const std::string& name, std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return fmt::format("{}:={}\n", name, text);
}

/// The positions of lines in beam space: their apex, else start and angle of each line. Also the
/// angles where the lateral axis does not give them.
std::string sectorKeys(const FrameSpec& image) {
    if (!image.sector) return {};
    const Sector& sector = *image.sector;
    std::string keys;
    if (sector.hasOneApex())
        keys += keyLine("echolux_sector",
                        fmt::format("apex {:.9g} {:.9g} mm, radius {:.9g} mm", 1e3 * sector.apexXM,
                                    1e3 * sector.apexZM, 1e3 * sector.radiusM));
    if (lateralAxisOf(sector).unit == "rad") return keys;
    std::vector<double> lines;
    for (std::size_t i = 0; i < sector.lines(); ++i) {
        const Point start = sector.startOf(i);
        lines.insert(lines.end(), {1e3 * start.x, 1e3 * start.z,
                                   sector.anglesRad[i] * 180.0 / std::numbers::pi});
    }
    return keys + keyLine("echolux_lines", fmt::format("{:.9g} (x mm, z mm, angle deg of each)",
                                                       fmt::join(lines, " ")));
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
    const bool patient = place.space == Pose().space;
    text += fmt::format(
        "type: {}\ndimension: {}\n{}\nsizes: {}\n", nrrdType(volume.type), sizes.size(),
        patient ? "space: left-posterior-superior" : "space dimension: 3", fmt::join(sizes, " "));
    text += fmt::format("space directions: {}\nkinds: {}\nlabels: {}\n", fmt::join(directions, " "),
                        fmt::join(kinds, " "), fmt::join(labels, " "));
    std::vector<std::string> units;
    for (const ImageAxis* axis : axes) units.push_back(fmt::format("\"{}\"", axis->unit));
    text += fmt::format("space units: {}\nspace origin: ({:.12g})\nendian: little\nencoding: raw\n",
                        fmt::join(units, " "), fmt::join(place.first, ","));
    if (place.isPosed() && !patient) text += keyLine("echolux_space", place.space);
    text += keyLine("echolux_content", contentOf(subject));
    text += keyLine("echolux_description", descriptionOf(subject));
    if (subject.frame.valueRange)
        text += keyLine("echolux_range",
                        fmt::format("{:g} {:g} {}", subject.frame.valueRange->min,
                                    subject.frame.valueRange->max, subject.frame.valueRange->unit));
    if (subject.frameRateHz > 0.0)
        text += keyLine("echolux_frame_rate", fmt::format("{:.9g} Hz", subject.frameRateHz));
    return text + sectorKeys(subject.frame) + "\n";
}

class NrrdWriter : public FrameWriter {
public:
    NrrdWriter(const ExportSubject& subject, OutputFiles& files)
        : m_frame(subject.frame), m_plain(subject.frame), m_file(files, files.partial()) {
        const VolumeGrid volume(subject);
        remarkOnScale(subject, volume);
        m_plain.dtype = volume.type;
        m_file.write(nrrdHead(subject, volume));
    }
    void add(std::span<const std::byte> frame) override {
        m_file.write(rowsOf(m_plain, plainSamples(m_frame, frame)));
    }
    void finish() override { m_file.close(); }

private:
    FrameSpec m_frame;
    FrameSpec m_plain; ///< with the written sample type
    ByteWriter m_file;
};

} // namespace

std::unique_ptr<FrameWriter> makeNrrdWriter(const ExportSubject& subject, OutputFiles& files) {
    checkVolume(subject, files, "A NRRD file");
    return std::make_unique<NrrdWriter>(subject, files);
}

} // namespace echolux
