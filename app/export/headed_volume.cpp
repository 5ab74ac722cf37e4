// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/headed_volume.hpp"

#include "app/export/facts.hpp"
#include "gpu/core/sector.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numbers>

namespace echolux {
namespace {

class HeadedVolumeWriter : public FrameWriter {
public:
    HeadedVolumeWriter(const ExportSubject& subject, OutputFiles& files, VolumeHead head)
        : m_frame(subject.frame), m_plain(subject.frame), m_file(files, files.partial()) {
        const VolumeGrid volume(subject);
        remarkOnScale(subject, volume);
        m_plain.dtype = volume.type;
        m_file.write(head(subject, volume));
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

/// Start and angle of each line in beam space.
std::string linePlacesOf(const Sector& sector) {
    std::vector<double> lines;
    for (std::size_t i = 0; i < sector.lines(); ++i) {
        const Point start = sector.startOf(i);
        lines.insert(lines.end(), {1e3 * start.x, 1e3 * start.z,
                                   sector.anglesRad[i] * 180.0 / std::numbers::pi});
    }
    return fmt::format("{:.9g} (x mm, z mm, angle deg of each)", fmt::join(lines, " "));
}

} // namespace

std::unique_ptr<FrameWriter> makeHeadedVolumeWriter(const ExportSubject& subject,
                                                    OutputFiles& files, VolumeHead head) {
    return std::make_unique<HeadedVolumeWriter>(subject, files, head);
}

bool countsInPatient(const GridPlace& place) { return place.space == Pose().space; }

std::vector<std::pair<std::string, std::string>> ownKeysOf(const ExportSubject& subject,
                                                           const GridPlace& place) {
    std::vector<std::pair<std::string, std::string>> keys;
    const auto add = [&](const char* name, std::string text) {
        std::ranges::replace(text, '\n', ' ');
        keys.emplace_back(name, std::move(text));
    };
    if (place.isPosed() && !countsInPatient(place)) add("echolux_space", place.space);
    add("echolux_content", contentOf(subject));
    add("echolux_description", descriptionOf(subject));
    if (const auto& range = subject.frame.valueRange)
        add("echolux_range", fmt::format("{:g} {:g} {}", range->min, range->max, range->unit));
    if (subject.frameRateHz > 0.0)
        add("echolux_frame_rate", fmt::format("{:.9g} Hz", subject.frameRateHz));
    if (!subject.frame.sector) return keys;
    const Sector& sector = *subject.frame.sector;
    if (sector.hasOneApex())
        add("echolux_sector",
            fmt::format("apex {:.9g} {:.9g} mm, radius {:.9g} mm", 1e3 * sector.apexXM,
                        1e3 * sector.apexZM, 1e3 * sector.radiusM));
    if (lateralAxisOf(sector).unit != "rad") add("echolux_lines", linePlacesOf(sector));
    return keys;
}

} // namespace echolux
