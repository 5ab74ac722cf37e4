// SPDX-License-Identifier: GPL-3.0-or-later
// channel_data is (transmit, element, sample), or for Tsinghua (element, transmit x sample). All
// data are RF.
#include "app/dataset/formats/cubdl.hpp"

#include "app/dataset/container/hdf5_values.hpp"
#include "app/dataset/formats/cubdl_facts.hpp"
#include "app/dataset/formats/cubdl_waves.hpp"
#include "app/dataset/formats/element_places.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/recording/headerless_data.hpp"
#include "app/dataset/transmit/transmit_clock.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace echolux {

namespace {

/// Rows that hold the samples of several transmits, one transmit after the other.
class TransmitsInRows : public ArraySource {
public:
    TransmitsInRows(std::unique_ptr<ArraySource> rows, std::int64_t transmits)
        : m_rows(std::move(rows)) {
        m_layout = m_rows->layout();
        m_layout.shape = {m_layout.shape[0], transmits, m_layout.shape[1] / transmits};
    }
    bool canSlice(std::size_t) const override { return false; }
    void read(std::span<std::byte> out) override { m_rows->read(out); }
    void readSlice(std::size_t, std::int64_t, std::span<std::byte>) override {
        throw Error("Transmits that lie in rows are read whole.");
    }

private:
    std::unique_ptr<ArraySource> m_rows;
};

/// The source of a file whose name does not tell it. Empty where no dataset is typical of one
/// source.
std::optional<CubdlSource> sourceByContent(const Hdf5Values& file) {
    if (file.isNumeric("channel_data_t0")) return CubdlSource::Florence;
    if (file.isNumeric("time_zero") && file.isNumeric("element_positions") &&
        file.isNumeric("sound_speed"))
        return CubdlSource::Hopkins;
    const auto directions = file.shape("transmit_direction");
    const bool columns = directions.size() == 2 && directions[1] == 2 && directions[0] != 2;
    if (columns && file.isNumeric("element_positions")) return CubdlSource::Eindhoven;
    return std::nullopt;
}

UndescribedData undescribed(const Hdf5Values& file, const std::string& what,
                            const std::string& orElse = {}) {
    return UndescribedData(
        file.error(fmt::format("{}; {}describe it in '{}.toml' ('echolux help sidecar')", what,
                               orElse, file.path().filename().string()))
            .what(),
        file.error(what).what());
}

CubdlName nameOfFile(const Hdf5Values& file) {
    if (const auto name = cubdlNameOf(file.path())) return *name;
    if (const auto source = sourceByContent(file)) return {*source, 0};
    throw undescribed(file,
                      fmt::format("it looks like a file of the CUBDL challenge, but neither its "
                                  "name nor its datasets ({}) tell which institution gave it, and "
                                  "so not its clock",
                                  file.tree()->list()),
                      "name it as CUBDL does (OSL007.hdf5), or ");
}

class CubdlReader {
public:
    CubdlReader(const Hdf5Values& file, const CubdlName& name) : m_file(file), m_name(name) {}

    std::unique_ptr<Recording> build() {
        if (cubdlBeams(m_name) == CubdlBeams::Unknown)
            throw undescribed(m_file,
                              fmt::format("CUBDL says nothing of the waves and the clock of {}",
                                          describe(m_name)));
        const bool inRows = m_name.source == CubdlSource::Tsinghua;
        auto source = inRows ? openRows() : m_file.tree()->open("channel_data");
        const ArrayLayout layout = source->layout();
        const ArrayMapping mapping{
            .axes = inRows
                        ? std::vector{ArrayAxis::Channel, ArrayAxis::Transmit, ArrayAxis::Sample}
                        : std::vector{ArrayAxis::Transmit, ArrayAxis::Channel, ArrayAxis::Sample}};
        if (layout.shape.size() != mapping.axes.size() || layout.type.components != 1)
            throw m_file.error(fmt::format("'channel_data' is {}, but files of {} have real "
                                           "numbers with the axes transmit, element and sample; "
                                           "save it again",
                                           layout.describe(), nameOf(m_name.source)));
        const ArrayExtents extents = extentsOf(m_file.path(), layout, mapping);
        RecordingInfo info;
        info.path = m_file.path();
        info.format = fmt::format("CUBDL HDF5 ({})", nameOf(m_name.source));
        const bool florence = m_name.source == CubdlSource::Florence;
        info.frame =
            frameSpecOf(layout, extents,
                        demandCubdlNumber(m_file, florence ? "channel_data_sampling_frequency"
                                                           : "sampling_frequency"));
        info.frameCount = extents.frames;
        info.frame.centreFrequencyHz = demandCubdlNumber(m_file, "modulation_frequency");
        info.notes.emplace_back("Given by", describe(m_name));
        Acquisition acquisition;
        acquisition.soundSpeedMps = soundSpeed(info);
        acquisition.probe = probeOf(extents.channels);
        acquisition.probe.centreFrequencyHz = info.frame.centreFrequencyHz;
        acquisition.transmits = readCubdlWaves(m_file, m_name, acquisition,
                                               info.frame.centreFrequencyHz, extents.transmits);
        info.frame.acquisition = std::make_shared<const Acquisition>(std::move(acquisition));
        return makeArrayRecording(std::move(info), std::move(source), mapping);
    }

private:
    std::unique_ptr<ArraySource> openRows() const {
        auto source = m_file.tree()->open("channel_data");
        const ArrayLayout& layout = source->layout();
        if (layout.shape.size() != 2) return source;
        const auto angles = m_file.numbers("angles").value_or(std::vector<double>{});
        const auto transmits = std::ssize(angles);
        if (transmits < 1 || layout.shape[1] % transmits != 0)
            throw m_file.error(fmt::format("'channel_data' is {}, which are no equal parts for "
                                           "the {} transmits of 'angles'; correct the one that is "
                                           "wrong",
                                           layout.describe(), transmits));
        return std::make_unique<TransmitsInRows>(std::move(source), transmits);
    }

    double soundSpeed(RecordingInfo& info) const {
        const auto known = cubdlSoundSpeed(m_name);
        if (!known) {
            if (m_name.number == 0 && m_name.source != CubdlSource::Hopkins)
                info.warnings.push_back(fmt::format(
                    "The file's name does not tell its number in CUBDL, which measured the speed "
                    "of sound in each phantom; that in the file is taken. Name it as CUBDL does, "
                    "{}001.hdf5 or another number.",
                    codeOf(m_name.source)));
            return demandCubdlNumber(m_file, "sound_speed");
        }
        if (const auto own = m_file.number("sound_speed"); own && *own != *known)
            info.notes.emplace_back("Speed in the file",
                                    fmt::format("{:g} m/s; CUBDL found {:g} m/s", *own, *known));
        return *known;
    }

    Probe probeOf(std::int64_t channels) const {
        Probe probe;
        const auto count = static_cast<std::size_t>(channels);
        if (const auto known = cubdlProbe(m_name.source)) {
            probe.name = known->name;
            probe.elements = linearArray(count, known->pitchM);
        } else if (cubdlBeams(m_name) == CubdlBeams::HalfSteps) {
            probe.elements = linearArray(count, demandCubdlNumber(m_file, "pitch"));
        } else if (const auto shape = m_file.shape("element_positions"); shape.size() == 1) {
            probe.elements = onLine(count);
        } else {
            probe.elements = readElementTable(m_file, "element_positions", channels);
            centre(probe.elements);
        }
        probe.pitchM = medianPitch(probe.elements);
        return probe;
    }

    /// Elements on one line. The file gives x alone, and times count from that line.
    std::vector<Point> onLine(std::size_t count) const {
        const auto values = m_file.numbers("element_positions").value_or(std::vector<double>{});
        if (values.size() != count)
            throw m_file.error(fmt::format("'element_positions' has {} elements, but the data {}; "
                                           "correct the one that is wrong",
                                           values.size(), count));
        std::vector<Point> elements(count);
        for (std::size_t k = 0; k < count; ++k) elements[k].x = values[k];
        return elements;
    }

    static void centre(std::vector<Point>& elements) {
        double sum = 0.0;
        for (const Point& element : elements) sum += element.x;
        for (Point& element : elements) element.x -= sum / static_cast<double>(elements.size());
    }

    const Hdf5Values& m_file;
    CubdlName m_name;
};

} // namespace

bool looksLikeCubdl(const Hdf5File& tree) {
    const bool sampled =
        tree.isDataset("sampling_frequency") || tree.isDataset("channel_data_sampling_frequency");
    return tree.isNumeric("channel_data") && sampled &&
           (tree.isDataset("angles") || tree.isDataset("transmit_direction") ||
            tree.isDataset("modulation_frequency"));
}

std::unique_ptr<Recording> openCubdl(const std::shared_ptr<Hdf5File>& tree) {
    const Hdf5Values file(tree);
    return CubdlReader(file, nameOfFile(file)).build();
}

} // namespace echolux
