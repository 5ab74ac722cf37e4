// SPDX-License-Identifier: GPL-3.0-or-later
// data is (frame, event, channel, sample). Events refer to waves, probes and setups by number. The
// wave of an event is at its reference point `time_offset` after the event starts. The first sample
// is taken `receive_setup/time_offset` after the event starts.
#include "app/dataset/formats/uff_task_force.hpp"

#include "app/dataset/formats/uff_task_force_parts.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/recording/track_choice.hpp"
#include "app/dataset/transmit/transmit_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace echolux {

namespace {

constexpr const char* kRoot = "uff.channel_data";

class TaskForceReader {
public:
    explicit TaskForceReader(std::shared_ptr<Hdf5File> tree) : m_root(std::move(tree), kRoot) {
        m_info.path = m_root.path();
    }

    std::unique_ptr<Recording> build(const OpenOptions& options) {
        readVersion();
        if (!m_root.isGroup(""))
            throw m_root.error(fmt::format("it lacks the group '{}'; choose a file with channel "
                                           "data",
                                           kRoot));
        m_info.tracks = {"channel data"};
        m_info.track = chosenTrack(m_info.path, m_info.tracks, options);
        const bool pairs = !m_root.isNumeric("data") && m_root.isNumeric("data_real");
        auto source = openSamples(pairs);
        const ArrayLayout layout = source->layout();
        const ArrayMapping mapping{.axes = axesOf(layout, pairs)};
        m_extents = extentsOf(m_info.path, layout, mapping);
        const auto speed = m_root.number("sound_speed");
        if (!speed || !(*speed > 0.0))
            throw m_root.error(
                fmt::format("'{}' is no positive speed; give it in m/s", m_root.at("sound_speed")));
        m_acquisition.soundSpeedMps = *speed;
        readEvents();
        m_info.frame = frameSpecOf(layout, m_extents, m_samplingHz);
        m_info.frameCount = m_extents.frames;
        readFrequencies(m_extents.pairs);
        const double rate = m_root.number("repetition_rate").value_or(0.0);
        if (std::isfinite(rate) && rate > 0.0) m_info.frameRateHz = rate;
        for (const auto& [name, field] :
             {std::pair{"Author", "authors"}, std::pair{"Description", "description"},
              std::pair{"System", "system"}, std::pair{"Recorded", "local_time"}})
            if (const auto text = m_root.text(field); text && !text->empty())
                m_info.notes.emplace_back(name, *text);
        m_info.frame.acquisition = std::make_shared<const Acquisition>(std::move(m_acquisition));
        return makeArrayRecording(std::move(m_info), std::move(source), mapping);
    }

private:
    void readVersion() {
        const Hdf5Values version(m_root.tree(), "version");
        const double major = version.number("major").value_or(0.0);
        const double minor = version.number("minor").value_or(3.0);
        m_info.format = fmt::format("UFF of the task force (v{:g}.{:g})", major, minor);
        if (major != 0.0)
            throw m_root.error(fmt::format("its UFF version is {:g}.{:g}, but Echolux reads 0.3; "
                                           "write it with that version",
                                           major, minor));
        if (minor != 3.0)
            m_info.warnings.push_back(fmt::format("The file has the UFF version 0.{:g}, but only "
                                                  "0.3 is known; check the image.",
                                                  minor));
    }

    std::unique_ptr<ArraySource> openSamples(bool pairs) {
        if (pairs) {
            if (!m_root.isNumeric("data_imag"))
                throw m_root.error("it holds 'data_real' without 'data_imag'; write both");
            return openParts(*m_root.tree(), m_root.at("data_real"), m_root.at("data_imag"));
        }
        if (!m_root.isNumeric("data"))
            throw m_root.error(fmt::format("it lacks '{}', the samples; write the channel data "
                                           "again",
                                           m_root.at("data")));
        return m_root.tree()->open(m_root.at("data"));
    }

    std::vector<ArrayAxis> axesOf(const ArrayLayout& layout, bool pairs) const {
        const std::size_t rank = layout.shape.size() - (pairs ? 1 : 0);
        std::vector<ArrayAxis> axes{ArrayAxis::Frame, ArrayAxis::Transmit, ArrayAxis::Channel,
                                    ArrayAxis::Sample};
        if (rank < 2 || rank > axes.size())
            throw m_root.error(fmt::format("its data are {}, but have 4 axes (frame, event, "
                                           "channel, sample); write them again",
                                           layout.describe()));
        axes.erase(axes.begin(), axes.end() - static_cast<long>(rank));
        if (pairs) axes.insert(axes.begin(), ArrayAxis::Iq);
        return axes;
    }

    void readEvents() {
        const Hdf5Values events = m_root.below("unique_events");
        const std::vector<std::string> sequence = uffMembers(m_root.below("sequence"));
        if (std::ssize(sequence) != m_extents.transmits)
            throw m_root.error(fmt::format("its sequence has {} events, but the data {}; correct "
                                           "the one that is wrong",
                                           sequence.size(), m_extents.transmits));
        for (const std::string& where : sequence) {
            const double number = Hdf5Values(m_root.tree(), where).number("event").value_or(0.0);
            readEvent(uffMember(events, number));
        }
        settleChannels();
    }

    void readEvent(const Hdf5Values& event) {
        const Hdf5Values receive = event.below("receive_setup");
        readProbe(receive);
        const double fs = receive.number("sampling_frequency").value_or(0.0);
        const double mixed = receive.number("modulation_frequency").value_or(0.0);
        const bool first = m_acquisition.transmits.empty();
        if (!first && (fs != m_samplingHz || mixed != m_mixedHz))
            throw m_root.error(fmt::format("'{}' is sampled at {:g} Hz and mixed with {:g} Hz, "
                                           "other than the event before it; events of one kind "
                                           "make an image",
                                           event.where(), fs, mixed));
        m_samplingHz = fs;
        m_mixedHz = mixed;

        const Hdf5Values waves = event.below("transmit_setup/transmit_waves");
        const std::vector<std::string> sent = uffMembers(waves);
        if (sent.size() != 1)
            throw m_root.error(fmt::format("'{}' sends {} waves at once, but Echolux images events "
                                           "of one wave; choose another recording",
                                           event.where(), sent.size()));
        const Hdf5Values wave(m_root.tree(), sent.front());
        Transmit transmit =
            readUffWave(uffMember(m_root.below("unique_waves"), wave.number("wave").value_or(0.0)));
        const Point reference = readUffPlace(wave.below("time_zero_reference_point"));
        // Time from the start of the event until the wave is at the origin.
        const double atOrigin = wave.number("time_offset").value_or(0.0) -
                                uffArrival(transmit, reference, m_acquisition.soundSpeedMps);
        transmit.firstSampleS = receive.number("time_offset").value_or(0.0) - atOrigin;
        transmit.iqPhaseZeroS = -atOrigin;
        m_acquisition.transmits.push_back(std::move(transmit));
        readChannels(receive);
    }

    /// All events must use one probe to listen.
    void readProbe(const Hdf5Values& receive) {
        const double number = receive.number("probe").value_or(1.0);
        if (m_probe == number) return;
        if (m_probe > 0.0)
            throw m_root.error(fmt::format("its events listen with the probes {:g} and {:g}; "
                                           "recordings of one probe make an image",
                                           m_probe, number));
        m_probe = number;
        m_acquisition.probe = readUffProbe(uffMember(m_root.below("probes"), number));
    }

    /// Entry k is the element of channel k, from 1. 0: the channel is not connected.
    void readChannels(const Hdf5Values& receive) {
        const auto channels = static_cast<std::size_t>(m_extents.channels);
        const std::size_t elements = m_acquisition.probe.elements.size();
        std::vector<double> mapping =
            receive.numbers("channel_mapping").value_or(std::vector<double>{});
        if (mapping.empty()) {
            mapping.resize(channels);
            std::iota(mapping.begin(), mapping.end(), 1.0);
        }
        if (mapping.size() != channels)
            throw m_root.error(fmt::format("'{}' has {} entries, but the data {} channels; correct "
                                           "the one that is wrong",
                                           receive.at("channel_mapping"), mapping.size(),
                                           channels));
        std::vector<bool> taken(elements, false);
        const std::size_t start = m_heard.size();
        for (const double entry : mapping) {
            if (!(entry >= 0.0) || entry > static_cast<double>(elements) ||
                entry != std::floor(entry))
                throw m_root.error(fmt::format("'{}' names element {:g}, but the probe has "
                                               "elements 1 to {}; correct it",
                                               receive.at("channel_mapping"), entry, elements));
            m_heard.push_back(static_cast<std::int32_t>(entry) - 1);
            m_weights.push_back(entry > 0.0 ? 1.0F : 0.0F);
            if (entry > 0.0) taken[static_cast<std::size_t>(entry) - 1] = true;
        }
        // A channel that is not connected gets an element that no other channel listens to.
        std::size_t free = 0;
        for (std::size_t i = start; i < m_heard.size(); ++i) {
            if (m_heard[i] >= 0) continue;
            while (free < elements && taken[free]) ++free;
            if (free == elements)
                throw m_root.error(fmt::format("the data have {} channels, more than the probe's "
                                               "{} elements; leave out those that are not "
                                               "connected",
                                               channels, elements));
            m_heard[i] = static_cast<std::int32_t>(free);
            taken[free] = true;
        }
    }

    void settleChannels() {
        const auto channels = static_cast<std::size_t>(m_extents.channels);
        bool straight = m_acquisition.probe.elements.size() == channels;
        for (std::size_t i = 0; straight && i < m_heard.size(); ++i)
            straight = m_heard[i] == static_cast<std::int32_t>(i % channels);
        if (!straight) m_acquisition.receiveElements = std::move(m_heard);
        if (std::ranges::any_of(m_weights, [](float w) { return w == 0.0F; }))
            m_acquisition.receiveWeights = std::move(m_weights);
    }

    void readFrequencies(bool pairs) {
        FrameSpec& frame = m_info.frame;
        if (pairs) {
            frame.demodulationFrequencyHz = m_mixedHz;
            m_info.warnings.emplace_back("The format does not say where the down-mixer's phase is "
                                         "zero; the start of each event is assumed.");
        }
        if (std::isfinite(m_mixedHz)) frame.centreFrequencyHz = std::max(m_mixedHz, 0.0);
        if (frame.centreFrequencyHz <= 0.0)
            m_info.warnings.emplace_back("The file gives no centre frequency of the pulse; it is "
                                         "unknown.");
        m_acquisition.probe.centreFrequencyHz = frame.centreFrequencyHz;
    }

    Hdf5Values m_root;
    RecordingInfo m_info;
    Acquisition m_acquisition;
    ArrayExtents m_extents;
    double m_samplingHz = 0.0;
    double m_mixedHz = 0.0;
    double m_probe = 0.0;              ///< number of the probe that listens; 0: not known yet
    std::vector<std::int32_t> m_heard; ///< element of each channel, [transmit][channel]
    std::vector<float> m_weights;
};

} // namespace

bool looksLikeTaskForceUff(const Hdf5File& tree) {
    return tree.isGroup(kRoot) || tree.has("version/major");
}

std::unique_ptr<Recording> openTaskForceUff(std::shared_ptr<Hdf5File> tree,
                                            const OpenOptions& options) {
    return TaskForceReader(std::move(tree)).build(options);
}

} // namespace echolux
