// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a recording of an array, its sidecar and the numbers that the sidecar refers to.
#include "app/dataset/sidecar/sidecar_recording.hpp"

#include "app/dataset/container/detect.hpp"
#include "app/dataset/recording/estimated.hpp"
#include "app/dataset/sidecar/sidecar_array.hpp"
#include "app/dataset/sidecar/sidecar_geometry.hpp"
#include "app/dataset/sidecar/sidecar_numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace echolux {

namespace {

class Assembly {
public:
    Assembly(std::shared_ptr<const InputFile> file, std::shared_ptr<ArrayContainer> container,
             const Sidecar& sidecar)
        : m_file(std::move(file)), m_container(std::move(container)), m_sidecar(sidecar),
          m_numbers(m_file->path(), m_container.get(), sidecar) {}

    std::unique_ptr<Recording> build(const std::string& format) {
        ArrayMapping mapping{.axes = m_sidecar.axes, .conjugate = m_sidecar.conjugate};
        std::unique_ptr<ArraySource> source =
            openSidecarArray(m_file, m_container.get(), m_sidecar, m_numbers, mapping);
        m_extents = extentsOf(path(), source->layout(), mapping);
        if (format == nameOf(Hdf5Kind::Matlab)) lookAtMatlabOrder(source->layout(), mapping);
        const double fs = samplingFrequency();

        RecordingInfo info;
        info.path = path();
        info.format = fmt::format("{} + sidecar", format);
        info.frameCount = m_extents.frames;
        if (!m_numbers.doubt().empty())
            info.warnings.push_back("The axes look swapped: " + m_numbers.doubt() + ".");
        info.frame = frameSpecOf(source->layout(), m_extents, fs);
        info.frameRateHz =
            m_numbers.one("signal.frame_rate", m_container ? m_container->frameRateHz() : 0.0);
        describeSamples(info, mapping);
        info.frame.acquisition = std::make_shared<const Acquisition>(
            describedAcquisition(m_numbers, m_sidecar, m_extents, fs, info));
        info.aberration = describedAberration(m_numbers, m_sidecar, info.frame.acquisition->probe);
        info.notes.emplace_back("Sidecar", m_sidecar.origin);
        if (const auto title = m_sidecar.word("title"); !title.empty())
            info.notes.emplace_back("Title", title);
        return makeArrayRecording(std::move(info), std::move(source), std::move(mapping));
    }

private:
    const std::filesystem::path& path() const { return m_file->path(); }
    Error error(const std::string& what) const { return m_numbers.error(what); }

    double samplingFrequency() const {
        if (m_sidecar.has("signal.sampling_interval")) {
            const double interval = m_numbers.one("signal.sampling_interval", 0.0);
            if (interval <= 0.0) throw error("signal.sampling_interval must be greater than 0 s");
            return 1.0 / interval;
        }
        const double fs = m_numbers.one("signal.sampling_frequency", 0.0);
        if (fs <= 0.0) throw error("signal.sampling_frequency must be greater than 0 Hz");
        return fs;
    }

    /// HDF5 lists the dimensions of a MATLAB array from last to first. A record usually has more
    /// samples than there are channels or transmits. Where only the reverse of data.axes gives
    /// this, the user is told.
    void lookAtMatlabOrder(const ArrayLayout& layout, ArrayMapping mapping) {
        const auto plausible = [](const ArrayExtents& extents) {
            return extents.samples >= extents.channels && extents.samples >= extents.transmits;
        };
        if (plausible(m_extents)) return;
        std::ranges::reverse(mapping.axes);
        const ArrayExtents reversed = extentsOf(path(), layout, mapping);
        if (!plausible(reversed)) return;
        std::vector<std::string_view> names;
        for (const ArrayAxis axis : mapping.axes) names.push_back(nameOf(axis));
        m_numbers.setDoubt(fmt::format(
            "{} samples of {} channels and {} transmits are read, but HDF5 lists the dimensions of "
            "a MATLAB array from last to first, so data.axes may have to be [\"{}\"]: {} samples "
            "of {} channels and {} transmits",
            m_extents.samples, m_extents.channels, m_extents.transmits, fmt::join(names, "\", \""),
            reversed.samples, reversed.channels, reversed.transmits));
    }

    void describeSamples(RecordingInfo& info, ArrayMapping& mapping) {
        FrameSpec& frame = info.frame;
        describeCodes(m_numbers, m_sidecar, m_extents.pairs, frame, mapping);
        const double fd = m_numbers.one("signal.demodulation_frequency", 0.0);
        const double fc = m_numbers.one("signal.centre_frequency", fd);
        if (m_extents.pairs && fd <= 0.0)
            throw error("the samples are I/Q pairs, so signal.demodulation_frequency is needed");
        if (!m_extents.pairs && fd != 0.0)
            throw error("signal.demodulation_frequency is given, but the samples are real");
        frame.demodulationFrequencyHz = fd;
        frame.centreFrequencyHz = fc;
        if (m_sidecar.centreEstimated) noteEstimatedCentre(info);
        if (fc == 0.0)
            info.warnings.emplace_back("The centre frequency is unknown; give "
                                       "signal.centre_frequency in the sidecar.");
    }

    std::shared_ptr<const InputFile> m_file;
    std::shared_ptr<ArrayContainer> m_container;
    const Sidecar& m_sidecar;
    SidecarNumbers m_numbers;
    ArrayExtents m_extents;
};

} // namespace

std::unique_ptr<Recording> openDescribed(std::shared_ptr<const InputFile> file,
                                         std::shared_ptr<ArrayContainer> container,
                                         const Sidecar& sidecar, const std::string& format) {
    return Assembly(std::move(file), std::move(container), sidecar).build(format);
}

} // namespace echolux
