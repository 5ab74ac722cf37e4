// SPDX-License-Identifier: GPL-3.0-or-later
// Puts an array, its sidecar and the numbers that the sidecar points to together into a recording.
#include "app/dataset/sidecar/sidecar_recording.hpp"

#include "app/dataset/container/detect.hpp"
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

constexpr std::int64_t kMaxParts = 1000000;

std::string replaced(std::string text, const std::string& mark, std::int64_t number) {
    const std::size_t at = text.find(mark);
    return at == std::string::npos ? text : text.replace(at, mark.size(), std::to_string(number));
}

class Assembly {
public:
    Assembly(std::shared_ptr<const InputFile> file, std::shared_ptr<ArrayContainer> container,
             const Sidecar& sidecar)
        : m_file(std::move(file)), m_container(std::move(container)), m_sidecar(sidecar),
          m_numbers(m_file->path(), m_container.get(), sidecar.origin) {}

    std::unique_ptr<Recording> build(const std::string& format) {
        ArrayMapping mapping{.axes = m_sidecar.axes, .conjugate = m_sidecar.conjugate};
        std::unique_ptr<ArraySource> source = openArray(mapping);
        m_extents = extentsOf(path(), source->layout(), mapping);
        if (format == nameOf(Hdf5Kind::Matlab)) lookAtMatlabOrder(source->layout(), mapping);
        const double fs =
            m_numbers.one("signal.sampling_frequency", m_sidecar.samplingFrequencyHz, 0.0);
        if (fs <= 0.0) throw error("signal.sampling_frequency must be greater than 0 Hz");

        RecordingInfo info;
        info.path = path();
        info.format = fmt::format("{} + sidecar", format);
        info.frameCount = m_extents.frames;
        if (!m_numbers.doubt().empty())
            info.warnings.push_back("The axes look swapped: " + m_numbers.doubt() + ".");
        info.frame = frameSpecOf(source->layout(), m_extents, fs);
        info.frameRateHz = m_numbers.one("signal.frame_rate", m_sidecar.frameRateHz, 0.0);
        describeSamples(info, mapping);
        info.frame.acquisition = std::make_shared<const Acquisition>(
            describedAcquisition(m_numbers, m_sidecar, m_extents, fs, info));
        info.notes.emplace_back("Sidecar", m_sidecar.origin);
        if (!m_sidecar.title.empty()) info.notes.emplace_back("Title", m_sidecar.title);
        return makeArrayRecording(std::move(info), std::move(source), std::move(mapping));
    }

private:
    const std::filesystem::path& path() const { return m_file->path(); }
    Error error(const std::string& what) const { return m_numbers.error(what); }

    /// HDF5 lists the dimensions of a MATLAB array from last to first. Records are longer than
    /// they are many: where that holds for the reverse of what data.axes says alone, it is told.
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

    std::unique_ptr<ArraySource> openArray(ArrayMapping& mapping) {
        if (!m_container) return openRaw();
        if (m_sidecar.dtype || !m_sidecar.shape.empty() || m_sidecar.offset != 0 ||
            m_sidecar.trailer != 0)
            throw error("data.dtype, shape, offset and trailer describe headerless binary, but "
                        "this file says them itself");
        if (m_sidecar.arrays.empty()) return openNamed("");
        return openStack(mapping);
    }

    std::unique_ptr<ArraySource> openNamed(const std::string& name) {
        if (name.empty() && !m_container->has(name))
            throw error(
                fmt::format("data.array must name one of the arrays {}", m_container->list()));
        return withoutAxes(path(), m_container->open(name), m_sidecar.namedNone);
    }

    std::unique_ptr<ArraySource> openRaw() const {
        if (!m_sidecar.dtype || m_sidecar.shape.empty())
            throw error("headerless binary needs data.dtype and data.shape");
        if (!m_sidecar.arrays.empty())
            throw error("data.array names an array, but headerless binary has no names");
        ArrayLayout layout{*m_sidecar.dtype, m_sidecar.shape, false};
        const std::uint64_t around = m_sidecar.offset + m_sidecar.trailer;
        const std::uint64_t have = m_file->size() < around ? 0 : m_file->size() - around;
        fillOpenExtent(layout, have);
        layout.check(path(), "the sidecar");
        if (m_file->size() < around || layout.bytes() != have)
            throw error(
                fmt::format("the shape {} needs {} bytes, but between offset {} and trailer "
                            "{} the file of {} bytes has {}",
                            layout.describe(), layout.bytes(), m_sidecar.offset, m_sidecar.trailer,
                            m_file->size(), have));
        return withoutAxes(path(),
                           std::make_unique<FileArray>(m_file, m_sidecar.offset, std::move(layout)),
                           m_sidecar.namedNone);
    }

    void fillOpenExtent(ArrayLayout& layout, std::uint64_t have) const {
        const auto open = std::ranges::find(layout.shape, -1);
        if (open == layout.shape.end()) return;
        if (std::ranges::count(layout.shape, -1) > 1)
            throw error("data.shape holds -1 more than once");
        *open = 1;
        layout.check(path(), "the sidecar");
        if (have % layout.bytes() != 0 || have == 0)
            throw error(fmt::format("{} bytes of samples are no multiple of the {} bytes that the "
                                    "known extents of data.shape take",
                                    have, layout.bytes()));
        *open = static_cast<std::int64_t>(have / layout.bytes());
    }

    /// How many names in a row exist, counting `mark` up with the other mark at its first number.
    std::int64_t countNames(const std::string& pattern, const std::string& mark,
                            const std::string& other) const {
        if (pattern.find(mark) == std::string::npos) return 0;
        const std::string start = replaced(pattern, other, m_sidecar.firstIndex);
        std::int64_t count = 0;
        while (count < kMaxParts &&
               m_container->has(replaced(start, mark, m_sidecar.firstIndex + count)))
            ++count;
        if (count == 0)
            throw error(fmt::format("data.array expects '{}', which is not there; the file holds "
                                    "{}",
                                    replaced(start, mark, m_sidecar.firstIndex),
                                    m_container->list()));
        return count;
    }

    std::unique_ptr<ArraySource> openStack(ArrayMapping& mapping) {
        const std::string& pattern = m_sidecar.arrays.front();
        const std::int64_t frames = countNames(pattern, "{frame}", "{transmit}");
        const std::int64_t transmits = countNames(pattern, "{transmit}", "{frame}");
        std::vector<ArrayAxis> outerAxes;
        std::vector<std::int64_t> outer;
        const auto add = [&](ArrayAxis axis, std::int64_t extent) {
            outerAxes.push_back(axis);
            outer.push_back(extent);
        };
        if (frames > 0) add(ArrayAxis::Frame, frames);
        if (transmits > 0) add(ArrayAxis::Transmit, transmits);
        if (m_sidecar.arrays.size() > 1) add(ArrayAxis::Iq, 2);
        if (outer.empty()) return openNamed(pattern);

        std::vector<std::unique_ptr<ArraySource>> parts;
        for (std::int64_t f = 0; f < std::max<std::int64_t>(frames, 1); ++f)
            for (std::int64_t t = 0; t < std::max<std::int64_t>(transmits, 1); ++t)
                for (const std::string& name : m_sidecar.arrays) {
                    const std::string frame = replaced(name, "{frame}", m_sidecar.firstIndex + f);
                    parts.push_back(
                        openNamed(replaced(frame, "{transmit}", m_sidecar.firstIndex + t)));
                }
        mapping.axes.insert(mapping.axes.begin(), outerAxes.begin(), outerAxes.end());
        return std::make_unique<StackedArray>(path(), outer, std::move(parts));
    }

    void describeSamples(RecordingInfo& info, ArrayMapping& mapping) {
        FrameSpec& frame = info.frame;
        frame.codeOffset = m_sidecar.codeOffset;
        frame.codeScale = m_numbers.one("data.code_scale", m_sidecar.codeScale, 1.0);
        if (m_sidecar.converterRange.given()) {
            const auto range = m_numbers.all("data.converter_range", m_sidecar.converterRange);
            if (range.size() != 2 || !(range[0] < range[1]))
                throw error("data.converter_range must be the lowest and the highest code of the "
                            "converter, for example [-2048, 2047]");
            frame.converterRange = {range[0], range[1]};
        }
        if (frame.dtype == DType::ComplexF32) {
            std::swap(mapping.pairOffset, frame.codeOffset);
            if (auto& range = frame.converterRange)
                range = {range->lowest - mapping.pairOffset, range->highest - mapping.pairOffset};
        }
        if (!std::isfinite(frame.codeScale) || frame.codeScale == 0.0)
            throw error("data.code_scale must be a number other than 0");
        if (m_sidecar.conjugate && !m_extents.pairs)
            throw error("data.conjugate is set, but the samples are real");
        const double fd =
            m_numbers.one("signal.demodulation_frequency", m_sidecar.demodulationFrequencyHz, 0.0);
        const double fc = m_numbers.one("signal.centre_frequency", m_sidecar.centreFrequencyHz, fd);
        if (m_extents.pairs && fd <= 0.0)
            throw error("the samples are I/Q pairs, so signal.demodulation_frequency is needed");
        if (!m_extents.pairs && fd != 0.0)
            throw error("signal.demodulation_frequency is given, but the samples are real");
        frame.demodulationFrequencyHz = fd;
        frame.centreFrequencyHz = fc;
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
