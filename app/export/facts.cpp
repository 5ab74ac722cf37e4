// SPDX-License-Identifier: GPL-3.0-or-later
// Acquisition and axes as named numbers.
#include "app/export/facts.hpp"

#include "gpu/core/sector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <utility>

namespace echolux {
namespace {

std::int64_t sizeOf(const auto& list) { return static_cast<std::int64_t>(list.size()); }

class Facts {
public:
    explicit Facts(std::vector<NumberFact>& to) : m_to(to) {}
    void one(std::string name, double value) { m_to.push_back({std::move(name), {}, {value}}); }
    template <class List, class Of>
    void each(std::string name, const List& list, std::int64_t width, const Of& of) {
        NumberFact numbers{std::move(name), {sizeOf(list)}, {}};
        if (width > 1) numbers.extent.push_back(width);
        for (const auto& item : list) of(item, numbers.values);
        m_to.push_back(std::move(numbers));
    }

private:
    std::vector<NumberFact>& m_to;
};

void put(const Point& p, std::vector<double>& to) { to.insert(to.end(), {p.x, p.y, p.z}); }

void addTransmits(const Acquisition& acquisition, const FrameSpec& frame, Facts& facts) {
    const std::vector<Transmit>& transmits = acquisition.transmits;
    const auto number = [&](std::string name, auto member) {
        facts.each(std::move(name), transmits, 1,
                   [&](const Transmit& t, auto& to) { to.push_back(t.*member); });
    };
    facts.each("wave", transmits, 1,
               [](const Transmit& t, auto& to) { to.push_back(static_cast<double>(t.wave)); });
    number("angles", &Transmit::angleRad);
    if (std::ranges::any_of(transmits, [](const Transmit& t) { return t.elevationRad != 0.0; }))
        number("elevation_angles", &Transmit::elevationRad);
    number("t0", &Transmit::firstSampleS);
    if (frame.demodulationFrequencyHz != 0.0) number("iq_phase_zero", &Transmit::iqPhaseZeroS);
    facts.each("source", transmits, 3, [](const Transmit& t, auto& to) { put(t.source, to); });
    const auto elements = sizeOf(acquisition.probe.elements);
    if (std::ranges::any_of(transmits, [](const Transmit& t) { return !t.apodization.empty(); })) {
        facts.each("apodization", transmits, elements, [&](const Transmit& t, auto& to) {
            for (std::int64_t e = 0; e < elements; ++e)
                to.push_back(t.apodization.empty() ? 1.0
                                                   : t.apodization[static_cast<std::size_t>(e)]);
        });
    }
}

void addChannelData(const ExportSubject& subject, Facts& facts) {
    const FrameSpec& frame = subject.frame;
    const Acquisition& acquisition = *frame.acquisition;
    const Probe& probe = acquisition.probe;
    facts.one("fs", frame.samplingFrequencyHz());
    facts.one("fc", frame.centreFrequencyHz);
    facts.one("f0", frame.centreFrequencyHz);
    facts.one("fd", frame.demodulationFrequencyHz);
    facts.one("c", acquisition.soundSpeedMps);
    facts.one("pitch", probe.pitchM);
    facts.each("elements", probe.elements, 3, put);
    if (!probe.longAxes.empty())
        facts.each("long_axes", probe.longAxes, 1,
                   [](LongAxis axis, auto& to) { to.push_back(static_cast<double>(axis)); });
    addTransmits(acquisition, frame, facts);
    if (!acquisition.receiveElements.empty())
        facts.each("receive_elements", acquisition.receiveElements, 1,
                   [](std::int32_t e, auto& to) { to.push_back(e); });
    if (!acquisition.receiveWeights.empty())
        facts.each("receive_weights", acquisition.receiveWeights, 1,
                   [](float w, auto& to) { to.push_back(w); });
}

void addAll(std::string name, const std::vector<double>& values, Facts& facts) {
    facts.each(std::move(name), values, 1, [](double value, auto& to) { to.push_back(value); });
}

void addSector(const Sector& sector, Facts& facts) {
    if (sector.hasOneApex()) {
        facts.one("apex_x", sector.apexXM);
        facts.one("apex_z", sector.apexZM);
        facts.one("apex_radius", sector.radiusM);
    } else {
        facts.each("line_x", sector.starts, 1, [](const Point& p, auto& to) { to.push_back(p.x); });
        facts.each("line_z", sector.starts, 1, [](const Point& p, auto& to) { to.push_back(p.z); });
    }
    addAll("line_angles", sector.anglesRad, facts);
}

double secondsOrUnknown(std::int64_t nanoseconds) {
    return nanoseconds < 0 ? std::numeric_limits<double>::quiet_NaN()
                           : static_cast<double>(nanoseconds) * 1e-9;
}

void putPose(const FrameStamp& stamp, std::vector<double>& to) {
    const std::array<double, 12> rows = rowsOf(stamp.pose.get());
    to.insert(to.end(), rows.begin(), rows.end());
}

} // namespace

std::vector<NumberFact> stampFacts(const ExportSubject& subject) {
    const std::vector<FrameStamp>& stamps = subject.stamps;
    std::vector<NumberFact> numbers;
    Facts facts(numbers);
    const auto anyKnown = [&](std::int64_t FrameStamp::*of) {
        return std::ranges::any_of(
            stamps, [](std::int64_t value) { return value >= 0; }, of);
    };
    if (const std::vector<double> seconds = secondsOf(stamps); !seconds.empty())
        addAll("time", seconds, facts);
    if (anyKnown(&FrameStamp::number))
        facts.each("frame_number", stamps, 1, [](const FrameStamp& each, auto& to) {
            to.push_back(static_cast<double>(each.number));
        });
    for (const auto& [name, clock] : {std::pair{"device_time", &FrameStamp::deviceNs},
                                      std::pair{"arrival", &FrameStamp::arrivalNs}})
        if (anyKnown(clock))
            facts.each(name, stamps, 1, [clock = clock](const FrameStamp& each, auto& to) {
                to.push_back(secondsOrUnknown(each.*clock));
            });
    if (std::ranges::any_of(stamps, [](const FrameStamp& each) { return each.pose != nullptr; })) {
        facts.each("frame_pose", stamps, 12, putPose);
        numbers.back().extent = {sizeOf(stamps), 3, 4};
    }
    return numbers;
}

ExportFacts factsOf(const ExportSubject& subject) {
    const FrameSpec& frame = subject.frame;
    ExportFacts result;
    Facts facts(result.numbers);
    if (subject.isChannelData()) {
        result.data = isComplex(frame.dtype) ? "iq" : "rf";
        addChannelData(subject, facts);
        const auto channels = frame.sizeOf(AxisName::Channel);
        for (NumberFact& each : result.numbers) // [transmit][channel]
            if (each.name.starts_with("receive_"))
                each.extent = {each.extent.front() / channels, channels};
    } else {
        result.data = frame.spectrometer && frame.find(AxisName::Depth) == nullptr &&
                              frame.find(AxisName::Sample) != nullptr
                          ? "spectra"
                          : "data";
        for (const Axis& axis : frame.axes)
            addAll(std::string(nameOf(axis.name)), placesOf(frame, axis).values, facts);
        if (subject.isImage()) {
            facts.one("form", static_cast<double>(subject.form));
            facts.each("axis_order", frame.axes, 1, [](const Axis& axis, auto& to) {
                to.push_back(static_cast<double>(axis.name));
            });
        }
        if (frame.centreFrequencyHz > 0.0) facts.one("fc", frame.centreFrequencyHz);
        if (isComplex(frame.dtype)) facts.one("fd", frame.demodulationFrequencyHz);
        if (frame.acquisition) facts.one("c", frame.acquisition->soundSpeedMps);
        if (frame.sector) addSector(*frame.sector, facts);
        if (frame.valueRange) {
            facts.one("range_min", frame.valueRange->min);
            facts.one("range_max", frame.valueRange->max);
        }
    }
    if (frame.pose) {
        facts.each("pose_along", frame.pose->along, 3, put); // lateral, elevation, depth
        facts.each("pose_origin", std::array{frame.pose->origin}, 3, put);
    }
    facts.one("frame_rate", subject.frameRateHz);
    std::vector<NumberFact> stamped = stampFacts(subject);
    const bool timed = !stamped.empty() && stamped.front().name == "time";
    std::ranges::move(stamped, std::back_inserter(result.numbers));
    if (!timed && subject.frames > 1 && subject.frameRateHz > 0.0)
        addAll(
            "time",
            placesOf(frame, {AxisName::Frame, subject.frames, 1.0 / subject.frameRateHz, 0.0, "s"})
                .values,
            facts);
    std::string order;
    if (subject.frames > 1) order = "frame ";
    for (const Axis& axis : frame.axes) {
        const std::string unit = placesOf(frame, axis).unit;
        order += fmt::format("{}{} ", nameOf(axis.name), unit.empty() ? "" : " (" + unit + ")");
    }
    order.pop_back();
    result.texts = {{"axes", order},
                    {"content", contentOf(subject)},
                    {"unit", frame.valueRange ? frame.valueRange->unit : ""},
                    {"description", descriptionOf(subject)}};
    if (frame.pose) result.texts.push_back({"pose_space", frame.pose->space});
    return result;
}

std::string contentOf(const ExportSubject& subject) { return std::string(nameOf(subject.form)); }

std::string descriptionOf(const ExportSubject& subject) {
    std::string text = fmt::format("{}: {} of {}", subject.program,
                                   subject.source.empty() ? "image" : subject.source,
                                   subject.recording.path.filename().string());
    if (!subject.pipeline.empty()) text += ", pipeline " + subject.pipeline;
    if (subject.frame.valueRange && !subject.frame.valueRange->reference.empty())
        text += fmt::format(", {} re {}", subject.frame.valueRange->unit,
                            subject.frame.valueRange->reference);
    return text + fmt::format(", frames {} to {}", subject.firstFrame + 1,
                              subject.firstFrame + subject.frames);
}

} // namespace echolux
