// SPDX-License-Identifier: GPL-3.0-or-later
// US/US_DATASET0000/...: data/real and data/imag (angle, element, sample), with a first axis of
// frames where there are several. Clock: t = 0 when the plane wave crosses the origin, as on the
// common clock. The down-mixer's phase is zero there.
#include "app/dataset/formats/picmus.hpp"

#include "app/dataset/container/hdf5_values.hpp"
#include "app/dataset/formats/element_places.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/recording/track_choice.hpp"
#include "app/dataset/transmit/transmit_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace echolux {

namespace {

constexpr double kProbeFrequencyHz = 5.208e6; ///< of the probe of all PICMUS files

enum class Subtype { SyntheticAperture = 0, PlaneWaves = 1, VirtualSources = 2, Beams = 3 };

bool holdsChannelData(const Hdf5Values& group) {
    constexpr double kReconstruction = 1.0; // type SR
    return group.isNumeric("data/real") && !group.has("scan") &&
           group.numberAttribute("type") != kReconstruction;
}

/// What a group of the same layout holds if it holds no channel data.
std::string_view kindOf(const Hdf5Values& group) {
    for (const char* name : {"scatterers_positions", "phantom_xPts", "phantom_occlusionDiameter",
                             "phantom_xCenter", "phantom_zPts"})
        if (group.has(name)) return "a phantom, the truth that images are compared with";
    if (group.has("data") || group.has("scan")) return "a reconstructed image";
    if (group.has("x_axis") || group.has("z_axis")) return "a grid of pixels to reconstruct";
    return "no channel data";
}

class PicmusReader {
public:
    PicmusReader(const Hdf5Values& group, RecordingInfo info)
        : m_group(group), m_info(std::move(info)) {}

    std::unique_ptr<Recording> build() {
        const bool pairs = holdsPairs();
        auto source =
            pairs ? openParts(*m_group.tree(), m_group.at("data/real"), m_group.at("data/imag"))
                  : m_group.tree()->open(m_group.at("data/real"));
        const ArrayLayout layout = source->layout();
        const ArrayMapping mapping{.axes = axesOf(layout, pairs)};
        const ArrayExtents extents = extentsOf(m_info.path, layout, mapping);
        m_info.format = fmt::format("PICMUS HDF5 ({})", pairs ? "IQ" : "RF");
        m_info.frame = frameSpecOf(layout, extents, demand("sampling_frequency"));
        m_info.frameCount = extents.frames;
        m_acquisition.soundSpeedMps = demand("sound_speed");
        readProbe(extents);
        readFrequency(pairs);
        readWaves(extents);
        const double prf = m_group.number("PRF").value_or(0.0);
        if (std::isfinite(prf) && prf > 0.0)
            m_info.frameRateHz = prf / static_cast<double>(extents.transmits);
        for (const char* fact : {"name", "creation_date"})
            if (const auto text = m_group.textAttribute(fact); text && !text->empty())
                m_info.notes.emplace_back(fact == std::string_view("name") ? "Name" : "Recorded",
                                          *text);
        m_info.frame.acquisition = std::make_shared<const Acquisition>(std::move(m_acquisition));
        return makeArrayRecording(std::move(m_info), std::move(source), mapping);
    }

private:
    double demand(const char* name) const {
        const auto value = m_group.number(name);
        if (!value || !(*value > 0.0) || std::isinf(*value))
            throw m_group.error(
                fmt::format("'{}' {}; correct it", m_group.at(name),
                            value ? fmt::format("is {:g}", *value) : std::string("is missing")));
        return *value;
    }

    bool hasImaginaryPart() const {
        if (!m_group.isNumeric("data/imag")) return false;
        const auto source = m_group.tree()->open(m_group.at("data/imag"));
        const ArrayLayout& layout = source->layout();
        if (layout.shape.empty()) return false;
        const auto entries = layout.shape.front();
        const std::uint64_t slice = layout.bytes() / static_cast<std::uint64_t>(entries);
        checkLoadSize(m_info.path, "one transmit", slice);
        std::vector<std::byte> bytes(slice);
        source->readSlice(0, entries / 2, bytes);
        return std::ranges::any_of(toDoubles(layout.type, bytes),
                                   [](double v) { return v != 0.0; });
    }

    /// True where the samples are I/Q pairs. signal_format decides. Where it is missing, or says RF
    /// although a modulation frequency and imaginary parts exist, the content decides.
    bool holdsPairs() {
        const auto format = m_group.numberAttribute("signal_format");
        if (format == 1.0) {
            if (!m_group.isNumeric("data/imag"))
                throw m_group.error(fmt::format("it says that it holds IQ data, but lacks '{}'; "
                                                "copy it again",
                                                m_group.at("data/imag")));
            return true;
        }
        const bool modulated = m_group.number("modulation_frequency").value_or(0.0) > 0.0;
        if ((format == 0.0 && !modulated) || !hasImaginaryPart()) return false;
        if (format == 0.0)
            m_info.warnings.emplace_back("The file says that it holds RF data, but has a "
                                         "modulation frequency and imaginary parts; they are taken "
                                         "as IQ data.");
        return true;
    }

    std::vector<ArrayAxis> axesOf(const ArrayLayout& layout, bool pairs) const {
        constexpr std::array kAxes{ArrayAxis::Frame, ArrayAxis::Transmit, ArrayAxis::Channel,
                                   ArrayAxis::Sample};
        const std::size_t rank = layout.shape.size() - (pairs ? 1 : 0);
        if (rank < 2 || rank > kAxes.size())
            throw m_group.error(fmt::format("'{}' is {}, but data of PICMUS have 3 axes (angle, "
                                            "element, sample), 2 for one angle, 4 with frames; "
                                            "save it again",
                                            m_group.at("data"), layout.describe()));
        std::vector<ArrayAxis> axes(kAxes.end() - static_cast<long>(rank), kAxes.end());
        if (pairs) axes.insert(axes.begin(), ArrayAxis::Iq);
        return axes;
    }

    void readProbe(const ArrayExtents& extents) {
        Probe& probe = m_acquisition.probe;
        probe.elements = readElementTable(m_group, "probe_geometry", extents.channels);
        probe.pitchM = medianPitch(probe.elements);
    }

    void readFrequency(bool pairs) {
        FrameSpec& frame = m_info.frame;
        const double mixed = m_group.number("modulation_frequency").value_or(0.0);
        if (pairs && mixed > 0.0) {
            frame.demodulationFrequencyHz = mixed;
            frame.centreFrequencyHz = mixed;
        } else {
            frame.centreFrequencyHz = kProbeFrequencyHz;
            if (pairs) frame.demodulationFrequencyHz = kProbeFrequencyHz;
            m_info.warnings.push_back(fmt::format("The file gives no {} frequency; {:g} MHz, that "
                                                  "of the probe of PICMUS, is assumed.",
                                                  pairs ? "modulation" : "centre",
                                                  kProbeFrequencyHz * 1e-6));
        }
        m_acquisition.probe.centreFrequencyHz = frame.centreFrequencyHz;
    }

    void readWaves(const ArrayExtents& extents) {
        const auto count = static_cast<std::size_t>(extents.transmits);
        Transmit transmit;
        transmit.firstSampleS = m_group.number("initial_time").value_or(0.0);
        m_acquisition.transmits.assign(count, transmit);
        const auto angles = m_group.numbers("angles");
        if (!angles) return fireElements();
        if (angles->size() != count)
            throw m_group.error(fmt::format("'{}' has {} entries, but the data {} transmits; "
                                            "correct the one that is wrong",
                                            m_group.at("angles"), angles->size(), count));
        for (std::size_t i = 0; i < count; ++i) m_acquisition.transmits[i].angleRad = (*angles)[i];
    }

    /// For files without angles: each element fires in turn, where the file says so.
    void fireElements() {
        const bool synthetic =
            m_group.numberAttribute("subtype") == static_cast<double>(Subtype::SyntheticAperture);
        const auto& elements = m_acquisition.probe.elements;
        if (!synthetic || m_acquisition.transmits.size() != elements.size())
            throw m_group.error(fmt::format("'{}' is missing, so nobody knows what was sent{}; add "
                                            "the angles of its plane waves in rad",
                                            m_group.at("angles"),
                                            synthetic ? ", and there is not one transmit for each "
                                                        "element"
                                                      : ""));
        for (std::size_t i = 0; i < elements.size(); ++i) {
            m_acquisition.transmits[i].wave = Wave::Element;
            m_acquisition.transmits[i].source = elements[i];
        }
    }

    const Hdf5Values& m_group;
    RecordingInfo m_info;
    Acquisition m_acquisition;
};

} // namespace

bool looksLikePicmus(const Hdf5File& tree) {
    return tree.isGroup("US") && !tree.hasAttribute("US", "MATLAB_class");
}

std::unique_ptr<Recording> openPicmus(std::shared_ptr<Hdf5File> tree, const OpenOptions& options) {
    RecordingInfo info;
    info.path = tree->path();
    std::vector<std::string> groups;
    std::string others;
    for (const std::string& name : tree->children("US")) {
        const std::string where = "US/" + name;
        if (!tree->isGroup(where)) continue;
        const Hdf5Values group(tree, where);
        if (holdsChannelData(group))
            groups.push_back(where);
        else if (others.empty())
            others = fmt::format("'{}' is {}", where, kindOf(group));
    }
    if (groups.empty())
        throw fileError(info.path,
                        fmt::format("it has the layout of PICMUS, but {}; choose the dataset file "
                                    "with the echoes ('..._rf.hdf5' or '..._iq.hdf5')",
                                    others.empty() ? "holds no dataset" : others));
    for (const std::string& where : groups) {
        const std::string title = Hdf5Values(tree, where).textAttribute("name").value_or("");
        const std::string name = where.substr(where.rfind('/') + 1);
        info.tracks.push_back(title.empty() ? name : fmt::format("{}: {}", name, title));
    }
    info.track = chosenTrack(info.path, info.tracks, options);
    const Hdf5Values group(tree, groups[info.track]);
    return PicmusReader(group, std::move(info)).build();
}

} // namespace echolux
