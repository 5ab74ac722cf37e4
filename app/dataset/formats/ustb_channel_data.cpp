// SPDX-License-Identifier: GPL-3.0-or-later
// uff.channel_data: MATLAB's [time][channel][wave][frame]. HDF5 holds it as
// [frame][wave][channel][time], without the first axes where these have one entry.
#include "app/dataset/formats/ustb_objects.hpp"
#include "app/dataset/frames/array_recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux {

namespace {

class UstbChannelData {
public:
    UstbChannelData(const Hdf5Values& object, RecordingInfo info)
        : m_object(object), m_info(std::move(info)) {}

    std::unique_ptr<Recording> build() {
        UstbData data = openUstbData(m_object);
        const ArrayMapping mapping{.axes = axesOf(data), .conjugate = false, .pairOffset = 0.0};
        const ArrayLayout layout = data.source->layout();
        const ArrayExtents extents = extentsOf(m_info.path, layout, mapping);
        m_info.frame = frameSpecOf(layout, extents, demandPositive("sampling_frequency", "Hz"));
        m_info.frameCount = extents.frames;
        readSoundSpeed();
        readProbe(extents.channels);
        readFrequencies(extents.pairs);
        const double initialTime = m_object.number("initial_time").value_or(0.0);
        m_acquisition.transmits = readUstbWaves(m_object, m_acquisition, initialTime, m_info);
        if (std::ssize(m_acquisition.transmits) != extents.transmits)
            throw m_object.error(fmt::format("'{}' describes {} waves, but its data {} hold {}; "
                                             "correct the one that is wrong",
                                             m_object.at("sequence"),
                                             m_acquisition.transmits.size(), layout.describe(),
                                             extents.transmits));
        readFrameRate();
        for (const char* fact : {"name", "author", "reference"}) readFact(fact);
        m_info.frame.acquisition = std::make_shared<const Acquisition>(std::move(m_acquisition));
        return makeArrayRecording(std::move(m_info), std::move(data.source), mapping);
    }

private:
    std::vector<ArrayAxis> axesOf(const UstbData& data) const {
        constexpr std::array kAxes{ArrayAxis::Frame, ArrayAxis::Transmit, ArrayAxis::Channel,
                                   ArrayAxis::Sample};
        const auto& layout = data.source->layout();
        const std::size_t rank = layout.shape.size() - (data.parted ? 1 : 0);
        if (rank < 2 || rank > kAxes.size())
            throw m_object.error(fmt::format("'{}' is {}, but channel data have 2 to 4 axes (time, "
                                             "channel, wave, frame); write them again",
                                             m_object.at("data"), layout.describe()));
        std::vector<ArrayAxis> axes(kAxes.end() - static_cast<long>(rank), kAxes.end());
        if (data.parted) axes.insert(axes.begin(), ArrayAxis::Iq);
        return axes;
    }

    double demandPositive(const char* name, const char* unit) const {
        const auto value = m_object.number(name);
        if (!value || !(*value > 0.0) || std::isinf(*value))
            throw m_object.error(fmt::format(
                "'{}' {}; give it in {}", m_object.at(name),
                value ? fmt::format("is {:g}", *value) : std::string("is missing"), unit));
        return *value;
    }

    void readSoundSpeed() {
        if (m_object.has("sound_speed")) {
            m_acquisition.soundSpeedMps = demandPositive("sound_speed", "m/s");
            return;
        }
        m_info.warnings.push_back(fmt::format("The file gives no speed of sound; {:g} m/s is "
                                              "assumed.",
                                              m_acquisition.soundSpeedMps));
    }

    void readProbe(std::int64_t channels) {
        if (!m_object.isGroup("probe"))
            throw m_object.error(fmt::format("'{}' lacks 'probe', so nobody knows where its "
                                             "elements are; write the channel data with it",
                                             m_object.where()));
        m_acquisition.probe = readUstbProbe(m_object.below("probe"), m_info.warnings);
        const auto elements = std::ssize(m_acquisition.probe.elements);
        if (elements != channels)
            throw m_object.error(fmt::format("'{}' has {} elements, but the data {} channels; "
                                             "correct the one that is wrong",
                                             m_object.at("probe"), elements, channels));
    }

    void readFrequencies(bool pairs) {
        const Hdf5Values pulse = m_object.below("pulse");
        const auto centre = pulse.numbers("center_frequency");
        const double mixed = m_object.number("modulation_frequency").value_or(0.0);
        FrameSpec& frame = m_info.frame;
        if (centre && std::isfinite(centre->front()))
            frame.centreFrequencyHz = std::max(centre->front(), 0.0);
        if (pairs && mixed == 0.0)
            m_info.warnings.emplace_back("The data are complex, but the file says that they were "
                                         "not modulated; they are taken as analytic signals.");
        if (!pairs && mixed != 0.0)
            m_info.warnings.push_back(fmt::format("The file gives the modulation frequency {:.6g} "
                                                  "MHz, but its data are real; they are taken as "
                                                  "RF.",
                                                  mixed * 1e-6));
        if (pairs) frame.demodulationFrequencyHz = mixed;
        if (frame.centreFrequencyHz <= 0.0) frame.centreFrequencyHz = std::max(mixed, 0.0);
        if (frame.centreFrequencyHz <= 0.0)
            m_info.warnings.emplace_back("The file gives no centre frequency of the pulse; it is "
                                         "unknown.");
        m_acquisition.probe.centreFrequencyHz = frame.centreFrequencyHz;
        const auto bandwidth = pulse.numbers("fractional_bandwidth");
        if (bandwidth && bandwidth->size() == 1 && bandwidth->front() > 0.0 &&
            bandwidth->front() <= 2.0)
            m_acquisition.probe.fractionalBandwidth = bandwidth->front();
    }

    void readFrameRate() {
        auto prf = m_object.number("PRF");
        if (!prf) prf = m_object.number("prf");
        if (!prf || !std::isfinite(*prf) || !(*prf > 0.0)) return;
        m_info.frameRateHz = *prf / static_cast<double>(m_acquisition.transmits.size());
        m_info.notes.emplace_back("Pulse repetition", fmt::format("{:g} Hz", *prf));
    }

    /// A text, or a cell array of texts.
    void readFact(const char* name) {
        constexpr std::size_t kMostTexts = 16;
        std::string text = m_object.text(name).value_or("");
        if (m_object.isGroup(name))
            for (const std::string& member : m_object.below(name).children(kMostTexts)) {
                const std::string part = m_object.below(name).text(member).value_or("");
                text += (text.empty() || part.empty() ? "" : "; ") + part;
            }
        if (!text.empty())
            m_info.notes.emplace_back(
                std::string(1, static_cast<char>(name[0] - 'a' + 'A')) + (name + 1), text);
    }

    const Hdf5Values& m_object;
    RecordingInfo m_info;
    Acquisition m_acquisition;
};

} // namespace

std::unique_ptr<Recording> openUstbChannelData(const Hdf5Values& object, RecordingInfo info) {
    return UstbChannelData(object, std::move(info)).build();
}

} // namespace echolux
