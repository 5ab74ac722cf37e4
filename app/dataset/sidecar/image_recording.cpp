// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a recording of an array of images and the places that its sidecar gives.
#include "app/dataset/sidecar/image_recording.hpp"

#include "app/dataset/frames/shown_range.hpp"
#include "app/dataset/sidecar/sidecar_array.hpp"
#include "app/dataset/sidecar/sidecar_numbers.hpp"
#include "gpu/core/sector.hpp"

#include <fmt/format.h>

#include <utility>

namespace echolux {

namespace {

class ImageAssembly {
public:
    ImageAssembly(const std::shared_ptr<const InputFile>& file,
                  const std::shared_ptr<ArrayContainer>& container, const Sidecar& sidecar)
        : m_file(file), m_container(container), m_sidecar(sidecar),
          m_numbers(file->path(), container.get(), sidecar) {}

    std::unique_ptr<Recording> build(const std::string& format) {
        ArrayMapping mapping{.axes = m_sidecar.axes, .conjugate = m_sidecar.conjugate};
        auto source = openSidecarArray(m_file, m_container.get(), m_sidecar, m_numbers, mapping);
        const ArrayExtents extents = extentsOf(m_file->path(), source->layout(), mapping);
        m_info.path = m_file->path();
        m_info.format = fmt::format("{} + sidecar", format);
        m_info.frameCount = extents.frames;
        m_info.frame = imageSpecOf(source->layout(), extents, *m_sidecar.image);
        m_info.frameRateHz =
            m_numbers.one("image.frame_rate", m_container ? m_container->frameRateHz() : 0.0);
        describeCodes(m_numbers, m_sidecar, extents.pairs, m_info.frame, mapping);
        describeFrequencies(extents.pairs);
        for (Axis& axis : m_info.frame.axes) describeAxis(axis);
        describeRange();
        if (!m_info.frame.valueRange)
            m_info.frame.valueRange = shownRangeOf(m_file->path(), *source, mapping, m_info.frame);
        m_info.notes.emplace_back("Sidecar", m_sidecar.origin);
        if (const auto title = m_sidecar.word("title"); !title.empty())
            m_info.notes.emplace_back("Title", title);
        return makeArrayRecording(std::move(m_info), std::move(source), std::move(mapping));
    }

private:
    Error error(const std::string& what) const { return m_numbers.error(what); }

    void describeFrequencies(bool pairs) {
        const double fd = m_numbers.one("image.demodulation_frequency", 0.0);
        if (pairs && *m_sidecar.image != RecordedForm::Beamformed)
            throw error(fmt::format("the samples are I/Q pairs, but image.form is '{}', which has "
                                    "no phase",
                                    nameOf(*m_sidecar.image)));
        if (!pairs && fd != 0.0)
            throw error("image.demodulation_frequency is given, but the samples are real");
        m_info.frame.demodulationFrequencyHz = fd;
        m_info.frame.centreFrequencyHz = m_numbers.one("image.centre_frequency", fd);
    }

    void describeAxis(Axis& axis) {
        if (axis.name == AxisName::Depth)
            place(axis, "depth", depthStep(), false);
        else if (axis.name == AxisName::Elevation)
            place(axis, "elevation", step("image.elevation_step"), true);
        else if (m_sidecar.isSector())
            fan(axis);
        else
            place(axis, "lateral", step("image.lateral_step"), true);
    }

    /// m; 0 where it is not given.
    double step(const char* key) const {
        if (!m_sidecar.has(key)) return 0.0;
        const double metres = m_numbers.one(key, 0.0);
        if (metres <= 0.0) throw error(fmt::format("{} must be greater than 0 m", key));
        return metres;
    }

    double depthStep() {
        if (!m_sidecar.has("image.sampling_frequency")) return step("image.depth_step");
        const double fs = m_numbers.one("image.sampling_frequency", 0.0);
        constexpr double kSoftTissue = 1540.0;
        const double speed = m_numbers.one("sound_speed", kSoftTissue);
        if (fs <= 0.0 || speed <= 0.0)
            throw error("image.sampling_frequency and sound_speed must be greater than 0");
        if (!m_sidecar.has("sound_speed"))
            m_info.warnings.emplace_back("The sidecar gives no sound_speed; 1540 m/s is assumed.");
        return speed / (2.0 * fs);
    }

    void place(Axis& axis, const std::string& name, double stepM, bool centred) {
        const std::string first = "image." + name + "_first";
        if (stepM <= 0.0) {
            if (m_sidecar.has(first))
                throw error(
                    fmt::format("image.{0}_first is given, but image.{0}_step is not", name));
            m_info.warnings.push_back(fmt::format("The sidecar gives no {}_step; the scale of the "
                                                  "images is unknown in that direction.",
                                                  name));
            return;
        }
        const double middle = -0.5 * static_cast<double>(axis.size - 1) * stepM;
        axis.unit = "m";
        axis.spacing = stepM;
        axis.origin = m_numbers.one(first, centred ? middle : 0.0);
    }

    /// Lines that fan out: their angles are the places of the lateral axis.
    void fan(const Axis& axis) {
        Sector sector;
        const auto lines = static_cast<std::size_t>(axis.size);
        if (m_sidecar.has("image.angles")) {
            sector.anglesRad = m_numbers.all("image.angles");
            if (sector.anglesRad.size() != lines)
                throw error(fmt::format("image.angles has {} entries, but the images have {} lines",
                                        sector.anglesRad.size(), lines));
        } else {
            const double gap = m_numbers.one("image.angle_step", 0.0);
            const double first =
                m_numbers.one("image.angle_first", -0.5 * static_cast<double>(axis.size - 1) * gap);
            for (std::size_t i = 0; i < lines; ++i)
                sector.anglesRad.push_back(first + static_cast<double>(i) * gap);
        }
        if (m_sidecar.has("image.apex")) {
            const std::vector<double> apex = m_numbers.all("image.apex");
            if (apex.size() != 2) throw error("image.apex must be [x, z] in m");
            sector.apexXM = apex[0];
            sector.apexZM = apex[1];
        }
        sector.radiusM = m_numbers.length("image.radius");
        m_info.frame.sector = std::make_shared<const Sector>(std::move(sector));
        placeLines(m_info.frame);
    }

    void describeRange() {
        if (!m_sidecar.has("image.shown_range")) return;
        const std::vector<double> range = m_numbers.all("image.shown_range");
        if (range.size() != 2 || !(range[0] < range[1]))
            throw error("image.shown_range must be the lowest and the highest level in dB, for "
                        "example [-60, 0]");
        if (*m_sidecar.image != RecordedForm::Decibels)
            throw error("image.shown_range belongs to form = \"decibels\": the levels of other "
                        "forms come from log_compression");
        m_info.frame.valueRange = ValueRange{range[0], range[1], "dB", "as recorded"};
    }

    std::shared_ptr<const InputFile> m_file;
    std::shared_ptr<ArrayContainer> m_container;
    const Sidecar& m_sidecar;
    SidecarNumbers m_numbers;
    RecordingInfo m_info;
};

} // namespace

std::unique_ptr<Recording> openImages(const std::shared_ptr<const InputFile>& file,
                                      const std::shared_ptr<ArrayContainer>& container,
                                      const Sidecar& sidecar, const std::string& format) {
    return ImageAssembly(file, container, sidecar).build(format);
}

} // namespace echolux
