// SPDX-License-Identifier: GPL-3.0-or-later
// SEQUENCE<k>/MFMC_DATA is [frame][pair][sample]. TRANSMIT_LAW and RECEIVE_LAW refer to the law of
// each pair, LAW<i>/ELEMENT counts from 1. Clock: t = 0 when the transmitting element fires, as on
// the common clock. Places are those of the probe's own coordinates.
#include "app/dataset/formats/mfmc.hpp"

#include "app/dataset/container/hdf5_attributes.hpp"
#include "app/dataset/container/hdf5_values.hpp"
#include "app/dataset/formats/element_matrix.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/recording/track_choice.hpp"
#include "app/dataset/transmit/transmit_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

namespace echolux {

namespace {

constexpr std::size_t kMostLaws = std::size_t{1} << 22U;

/// [frame][pair][sample] as [frame][transmit][element][sample]; pairs that are not stored are 0.
class PairedArray : public ArraySource {
public:
    PairedArray(std::unique_ptr<ArraySource> source, ElementMatrix matrix)
        : m_source(std::move(source)), m_matrix(std::move(matrix)) {
        m_layout = m_source->layout();
        const auto& shape = m_source->layout().shape;
        m_pairs = static_cast<std::size_t>(shape[1]);
        m_layout.shape = {shape[0], static_cast<std::int64_t>(m_matrix.fired().size()),
                          static_cast<std::int64_t>(m_matrix.elements()), shape[2]};
        m_lineBytes = static_cast<std::size_t>(shape[2]) * m_layout.type.size();
    }
    bool canSlice(std::size_t axis) const override { return axis == 0 && m_source->canSlice(0); }
    void read(std::span<std::byte> out) override {
        const std::size_t frame = m_matrix.lines() * m_lineBytes;
        const std::size_t stored = m_pairs * m_lineBytes;
        m_block.resize(out.size() / frame * stored);
        m_source->read(m_block);
        for (std::size_t i = 0; (i + 1) * frame <= out.size(); ++i)
            scatter(std::span(m_block).subspan(i * stored, stored), out.subspan(i * frame, frame));
    }
    void readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) override {
        m_block.resize(m_pairs * m_lineBytes);
        m_source->readSlice(axis, index, m_block);
        scatter(m_block, out);
    }

private:
    void scatter(std::span<const std::byte> traces, std::span<std::byte> out) const {
        std::ranges::fill(out, std::byte{0});
        for (std::size_t i = 0; i < m_pairs; ++i)
            std::memcpy(out.data() + m_matrix.lineOf(i) * m_lineBytes,
                        traces.data() + i * m_lineBytes, m_lineBytes);
    }

    std::unique_ptr<ArraySource> m_source;
    ElementMatrix m_matrix;
    std::size_t m_pairs = 0;
    std::size_t m_lineBytes = 0;
    std::vector<std::byte> m_block;
};

class MfmcReader {
public:
    MfmcReader(const Hdf5Values& sequence, RecordingInfo info)
        : m_sequence(sequence), m_tree(*sequence.tree()), m_info(std::move(info)) {}

    std::unique_ptr<Recording> build() {
        m_info.format = fmt::format(
            "MFMC {}", m_tree.textAttribute("", "VERSION").value_or("of an unknown version"));
        readProbe();
        auto source = m_tree.open(m_sequence.at("MFMC_DATA"));
        const ArrayLayout stored = source->layout();
        if (stored.shape.size() != 3 || stored.type.components != 1)
            throw m_sequence.error(
                fmt::format("its MFMC_DATA is {}, but Echolux reads real numbers [frame][pair]"
                            "[sample]; save it again",
                            stored.describe()));
        if (m_sequence.has("MFMC_DATA_IM"))
            m_info.warnings.emplace_back("MFMC_DATA_IM, the imaginary parts, is not used.");
        const ElementMatrix matrix(m_info.path, readPairs(stored.shape[1]), elements().size());
        m_info.notes.emplace_back("Capture", matrix.description());
        m_acquisition.receiveWeights = matrix.weights();
        m_acquisition.transmits =
            matrix.transmits(elements(), m_sequence.numberAttribute("START_TIME").value_or(0.0));
        readSoundSpeed();
        auto paired = std::make_unique<PairedArray>(std::move(source), matrix);
        const ArrayMapping mapping{
            .axes = {ArrayAxis::Frame, ArrayAxis::Transmit, ArrayAxis::Channel, ArrayAxis::Sample}};
        const ArrayExtents extents = extentsOf(m_info.path, paired->layout(), mapping);
        m_info.frame = frameSpecOf(paired->layout(), extents, 1.0 / readTimeStep());
        m_info.frame.centreFrequencyHz = m_acquisition.probe.centreFrequencyHz;
        m_info.frame.acquisition = std::make_shared<const Acquisition>(std::move(m_acquisition));
        m_info.frameCount = extents.frames;
        return makeArrayRecording(std::move(m_info), std::move(paired), mapping);
    }

private:
    std::vector<Point>& elements() { return m_acquisition.probe.elements; }

    double readTimeStep() const {
        const double step = m_sequence.numberAttribute("TIME_STEP").value_or(0.0);
        if (!(step > 0.0) || std::isinf(step))
            throw m_sequence.error("its TIME_STEP, the time between samples, is missing or no "
                                   "positive number of seconds; correct it");
        return step;
    }

    /// Points [element][x, y, z]; empty where there are none.
    std::vector<Point> points(const Hdf5Values& probe, const char* name) const {
        const auto values = probe.numbers(name);
        const auto shape = probe.shape(name);
        if (!values || shape.size() != 2 || shape[1] != 3) return {};
        std::vector<Point> points;
        for (std::size_t i = 0; i + 2 < values->size(); i += 3)
            points.push_back({(*values)[i], (*values)[i + 1], (*values)[i + 2]});
        return points;
    }

    /// The longest of these vectors from an element's centre to its edge, doubled.
    double widest(const Hdf5Values& probe, const char* name) const {
        double most = 0.0;
        for (const Point& half : points(probe, name))
            most = std::max(most, 2.0 * std::hypot(half.x, half.y, half.z));
        return std::isfinite(most) ? most : 0.0;
    }

    void readProbe() {
        constexpr std::size_t kMostProbes = 4096;
        const auto probes = m_tree.references(m_sequence.at("PROBE_LIST"), kMostProbes).targets;
        if (probes.size() != 1 || probes.front().empty())
            throw m_sequence.error(fmt::format("its PROBE_LIST names {} probes, but Echolux reads "
                                               "sequences of one; split it",
                                               probes.size()));
        const Hdf5Values values(m_sequence.tree(), probes.front());
        Probe& probe = m_acquisition.probe;
        probe.elements = points(values, "ELEMENT_POSITION");
        if (probe.elements.empty())
            throw m_sequence.error(fmt::format("'{}' is missing or not [element][3]; add the "
                                               "places of its elements in m",
                                               values.at("ELEMENT_POSITION")));
        probe.pitchM = medianPitch(probe.elements);
        probe.elementWidthM = widest(values, "ELEMENT_MINOR");
        probe.elementHeightM = widest(values, "ELEMENT_MAJOR");
        probe.centreFrequencyHz = values.numberAttribute("CENTRE_FREQUENCY").value_or(0.0);
        if (const auto places = m_sequence.shape("PROBE_POSITION");
            !places.empty() && places[0] > 1)
            m_info.warnings.push_back(fmt::format(
                "The probe stood at {} places; images are in the probe's own coordinates.",
                places[0]));
    }

    void readSoundSpeed() {
        // NOTE: HDF5 must not open an object whose header hasAttribute() has not checked.
        std::vector<double> speeds;
        if (m_tree.hasAttribute(m_sequence.where(), "SPECIMEN_VELOCITY")) {
            const Hdf5Handle object(H5Oopen(m_tree.id(), m_sequence.where().c_str(), H5P_DEFAULT));
            speeds = hdf5::readReals(object.get(), "SPECIMEN_VELOCITY").value_or(speeds);
        }
        const double longitudinal = speeds.empty() ? 0.0 : speeds.back(); // shear comes first
        if (longitudinal > 0.0 && std::isfinite(longitudinal)) {
            m_acquisition.soundSpeedMps = longitudinal;
            if (speeds.size() > 1 && speeds.front() > 0.0)
                m_info.notes.emplace_back(
                    "Shear waves", fmt::format("{:g} m/s; images are those of longitudinal waves",
                                               speeds.front()));
            return;
        }
        m_info.warnings.push_back(fmt::format("The file gives no SPECIMEN_VELOCITY; {:g} m/s is "
                                              "assumed, set the speed of sound.",
                                              m_acquisition.soundSpeedMps));
    }

    std::vector<ElementMatrix::Pair> readPairs(std::int64_t count) {
        const std::vector<std::size_t> tx = readLaws("TRANSMIT_LAW", count);
        const std::vector<std::size_t> rx = readLaws("RECEIVE_LAW", count);
        std::vector<ElementMatrix::Pair> pairs;
        for (std::size_t i = 0; i < tx.size(); ++i) pairs.push_back({tx[i], rx[i]});
        return pairs;
    }

    /// The element of each pair, from 0.
    std::vector<std::size_t> readLaws(const char* name, std::int64_t count) {
        const std::string where = m_sequence.at(name);
        const auto laws = m_tree.references(where, kMostLaws).targets;
        if (std::ssize(laws) != count)
            throw m_sequence.error(fmt::format("'{}' names {} laws, but MFMC_DATA has {} pairs; "
                                               "correct the one that is wrong",
                                               where, laws.size(), count));
        std::vector<std::size_t> elements;
        for (const std::string& law : laws) elements.push_back(elementOf(where, law));
        return elements;
    }

    std::size_t elementOf(const std::string& where, const std::string& law) {
        if (const auto known = m_laws.find(law); known != m_laws.end()) return known->second;
        const auto refuse = [&](const std::string& what) {
            throw m_sequence.error(fmt::format("the law '{}' of '{}' {}", law, where, what));
        };
        if (law.empty() || !m_tree.isGroup(law)) refuse("is missing; copy the file again");
        const Hdf5Values values(m_sequence.tree(), law);
        const auto numbers = values.numbers("ELEMENT");
        if (!numbers || numbers->size() != 1)
            refuse(fmt::format("has {} elements, but Echolux reads captures of single elements; "
                               "record a matrix capture",
                               numbers ? numbers->size() : 0));
        const auto delays = values.numbers("DELAY");
        if (delays && std::ranges::any_of(*delays, [](double delay) { return delay != 0.0; }))
            refuse("has a delay, but Echolux reads captures without delays; record a matrix "
                   "capture");
        const double number = numbers->front();
        if (!(number >= 1.0) || number > static_cast<double>(elements().size()) ||
            number != std::floor(number))
            refuse(fmt::format("has element {:g}, but the probe has elements 1 to {}; correct it",
                               number, elements().size()));
        return m_laws[law] = static_cast<std::size_t>(number) - 1;
    }

    const Hdf5Values& m_sequence;
    Hdf5File& m_tree;
    RecordingInfo m_info;
    Acquisition m_acquisition;
    std::map<std::string, std::size_t> m_laws; ///< element of each law that was read
};

} // namespace

bool looksLikeMfmc(const Hdf5File& tree) { return tree.textAttribute("", "TYPE") == "MFMC"; }

std::unique_ptr<Recording> openMfmc(std::shared_ptr<Hdf5File> tree, const OpenOptions& options) {
    RecordingInfo info;
    info.path = tree->path();
    for (const std::string& name : tree->children(""))
        if (tree->isGroup(name) && tree->isDataset(name + "/MFMC_DATA"))
            info.tracks.push_back(name);
    if (info.tracks.empty())
        throw fileError(info.path, "it has the layout of MFMC, but no sequence with MFMC_DATA; "
                                   "save it with its traces");
    info.track = chosenTrack(info.path, info.tracks, options);
    const Hdf5Values sequence(tree, info.tracks[info.track]);
    return MfmcReader(sequence, std::move(info)).build();
}

} // namespace echolux
