// SPDX-License-Identifier: GPL-3.0-or-later
// A recording's facts as JSON.
#include "app/commands/info_json.hpp"

#include "app/dataset/facts/facts.hpp"
#include "app/dataset/recording/estimated.hpp"
#include "app/dataset/transmit/array_kind.hpp"
#include "app/dataset/transmit/wave_name.hpp"
#include "app/session/recording_facts.hpp"
#include "gpu/core/sector.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace echolux {

namespace {

nlohmann::json converterRange(const FrameSpec& frame) {
    if (!frame.converterRange) return nullptr;
    return {frame.converterRange->lowest, frame.converterRange->highest};
}

nlohmann::json pointsJson(const std::vector<Point>& points) {
    nlohmann::json list = nlohmann::json::array();
    for (const Point& p : points) list.push_back({p.x, p.y, p.z});
    return list;
}

nlohmann::json transmitJson(const Transmit& t, const FrameSpec& frame) {
    nlohmann::json entry{{"wave", nameOf(t.wave)},
                         {"first_sample_s", t.firstSampleS},
                         {"origin_m", {t.origin.x, t.origin.y, t.origin.z}}};
    if (t.wave == Wave::Plane) {
        entry["angle_rad"] = t.angleRad;
        entry["elevation_rad"] = t.elevationRad;
    } else if (t.wave != Wave::None) {
        entry["source_m"] = {t.source.x, t.source.y, t.source.z};
    }
    if (!t.apodization.empty()) entry["apodization"] = t.apodization;
    if (frame.demodulationFrequencyHz > 0.0) entry["iq_phase_zero_s"] = t.iqPhaseZeroS;
    return entry;
}

void put(nlohmann::json& into, const FrameSpec& frame, std::initializer_list<const Fact*> facts) {
    for (const Fact* fact : facts) into[nameWithUnit(*fact)] = fact->place.get(frame);
}

nlohmann::json probeJson(const FrameSpec& frame) {
    const Acquisition& acquisition = *frame.acquisition;
    const Probe& probe = acquisition.probe;
    const ArrayKind kind = arrayKindOf(probe, acquisition.soundSpeedMps);
    nlohmann::json entry{{"name", probe.name},
                         {"array", nameOf(kind.shape)},
                         {"elements_m", pointsJson(probe.elements)}};
    put(entry, frame,
        {&fact::kPitch, &fact::kElementWidth, &fact::kElementHeight, &fact::kElevationFocus,
         &fact::kFractionalBandwidth});
    if (kind.columns > 0) {
        entry["columns"] = kind.columns;
        entry["rows"] = kind.rows;
    }
    if (kind.radiusM > 0.0) entry["radius_m"] = kind.radiusM;
    if (!probe.normals.empty()) entry["normals"] = pointsJson(probe.normals);
    if (kind.shape == ArrayShape::RowColumn) {
        nlohmann::json axes = nlohmann::json::array();
        for (const LongAxis axis : probe.longAxes)
            axes.push_back(axis == LongAxis::None      ? "none"
                           : axis == LongAxis::Lateral ? "lateral"
                                                       : "elevation");
        entry["long_axes"] = std::move(axes);
    }
    return entry;
}

void addAcquisition(nlohmann::json& into, const RecordingInfo& info) {
    const FrameSpec& frame = info.frame;
    const Acquisition& acquisition = *frame.acquisition;
    nlohmann::json transmits = nlohmann::json::array();
    for (const Transmit& t : acquisition.transmits) transmits.push_back(transmitJson(t, frame));
    const CoveredDepths depth = coveredDepths(frame);
    put(into, frame,
        {&fact::kSamplingFrequency, &fact::kCentreFrequency, &fact::kDemodulation,
         &fact::kSoundSpeed});
    into["centre_frequency_estimated"] = isCentreEstimated(info);
    if (acquisition.transmitSpeedMps != 0.0) put(into, frame, {&fact::kTransmitSpeed});
    into["depth_range_m"] = {depth.min, depth.max};
    into["probe"] = probeJson(frame);
    into["transmits"] = std::move(transmits);
    into["steering"] = acquisition.steering == Steering::Tilts ? "tilts" : "projections";
    if (const auto& heard = acquisition.receiveElements; !heard.empty()) {
        const auto channels = static_cast<std::ptrdiff_t>(frame.sizeOf(AxisName::Channel));
        for (auto row = heard.begin(); row != heard.end(); row += channels)
            into["receive_elements"].push_back(std::vector<std::int32_t>(row, row + channels));
    }
    if (const RangeWeights& weights = acquisition.rangeWeights; !weights.values.empty()) {
        nlohmann::json& table = into["receive_weights_over_range"];
        table = {{"first_range_m", weights.firstM}, {"range_step_m", weights.stepM}};
        const auto steps = std::ssize(weights.values) / frame.sizeOf(AxisName::Channel);
        for (auto row = weights.values.begin(); row != weights.values.end(); row += steps)
            table["weights"].push_back(std::vector<float>(row, row + steps));
    }
    into["partial_matrix"] = !acquisition.receiveWeights.empty();
}

void addAberration(nlohmann::json& into, const RecordingInfo& info) {
    const AberrationTruth& truth = *info.aberration;
    const AberrationFigures figures = figuresOf(truth, info.frame.acquisition->probe.elements);
    into["aberration"] = {{"delay_s", truth.delayS},
                          {"amplitude", truth.amplitude},
                          {"delay_rms_s", figures.delayRmsS},
                          {"gain_rms_db", figures.gainRmsDb},
                          {"correlation_length_m", {figures.lengthXM, figures.lengthYM}}};
}

void addSpectrometer(nlohmann::json& into, const RecordingInfo& info) {
    const FrameSpec& frame = info.frame;
    const Spectrometer& facts = *frame.spectrometer;
    into["spectrometer"] = {{"background", facts.background},
                            {"resampling", facts.resampling},
                            {"dispersion_rad", facts.dispersionRad}};
    put(into["spectrometer"], frame,
        {&fact::kCentreWavelength, &fact::kBandwidth, &fact::kRefractiveIndex});
    put(into, frame, {&fact::kLineSpacing});
}

void addSector(nlohmann::json& into, const Sector& sector) {
    into["angles_rad"] = sector.anglesRad;
    if (sector.hasOneApex()) {
        into["apex_m"] = {sector.apexXM, sector.apexZM};
        into["radius_m"] = sector.radiusM;
        return;
    }
    for (const Point& start : sector.starts) into["starts_m"].push_back({start.x, start.z});
}

void addImages(nlohmann::json& into, const FrameSpec& frame) {
    into["recorded_form"] = nameOf(frame.recordedForm);
    for (const Axis& axis : frame.axes) {
        nlohmann::json& place = into["places"][std::string(nameOf(axis.name))];
        place = {{"first", axis.origin}, {"spacing", axis.spacing}, {"unit", axis.unit}};
        if (AxisPlaces each = placesOf(frame, axis); each.unit != axis.unit)
            place = {{"each", std::move(each.values)}, {"unit", each.unit}};
    }
    put(into, frame, {&fact::kCentreFrequency, &fact::kDemodulation});
    if (frame.sector) addSector(into["sector"], *frame.sector);
    if (frame.valueRange) into["shown_range"] = {frame.valueRange->min, frame.valueRange->max};
}

void addStack(nlohmann::json& into, const FrameSpec& frame) {
    into["bscans_per_volume"] = frame.stack.bscansPerVolume;
    into["bscans_per_place"] = frame.stack.repeats;
    put(into, frame, {&fact::kBscanSpacing});
}

/// What a carried fact says: its text or texts, or its numbers with their shape, as far as they are
/// few.
nlohmann::json factJson(const CarriedFact& fact) {
    constexpr std::int64_t kMostListed = 65536;
    nlohmann::json entry;
    if (!fact.unit.empty()) entry["unit"] = fact.unit;
    if (!fact.description.empty()) entry["description"] = fact.description;
    if (!fact.layout.shape.empty()) entry["shape"] = fact.layout.shape;
    if (!fact.texts.empty())
        entry["values"] = fact.texts;
    else if (fact.layout.count() <= kMostListed)
        entry["values"] = toDoubles(fact.layout.type, fact.numbers);
    return entry;
}

/// Null for unknown, as JSON has no NaN.
nlohmann::json knownOr(std::int64_t value) {
    return value < 0 ? nlohmann::json() : nlohmann::json(value);
}

} // namespace

nlohmann::json toJson(const CarriedFacts& carried) {
    nlohmann::json all = nlohmann::json::object();
    for (const CarriedFact& fact : carried.facts) all[fact.name] = factJson(fact);
    return all;
}

nlohmann::json toJson(const std::vector<FrameStamp>& stamps, bool each) {
    const auto count = static_cast<std::int64_t>(stamps.size());
    const StampedRate rate = rateBetween(stamps.front(), stamps.back(), count);
    nlohmann::json result{
        {"rate_by_device_hz", rate.deviceHz},
        {"rate_by_arrival_hz", rate.arrivalHz},
        {"first_arrival_ns", knownOr(stamps.front().arrivalNs)},
        {"last_arrival_ns", knownOr(stamps.back().arrivalNs)},
        {"poses", std::ranges::count_if(stamps, [](const auto& stamp) { return !!stamp.pose; })}};
    if (!each) return result;
    for (const FrameStamp& stamp : stamps) {
        result["number"].push_back(knownOr(stamp.number));
        result["device_time_ns"].push_back(knownOr(stamp.deviceNs));
        result["arrival_ns"].push_back(knownOr(stamp.arrivalNs));
        result["pose"].push_back(stamp.pose ? nlohmann::json(rowsOf(stamp.pose.get()))
                                            : nlohmann::json());
        result["space"].push_back(stamp.pose ? nlohmann::json(stamp.pose->space)
                                             : nlohmann::json());
    }
    return result;
}

nlohmann::json toJson(const RecordingInfo& info) {
    const FrameSpec& frame = info.frame;
    nlohmann::json axes = nlohmann::json::array();
    for (const Axis& axis : frame.axes)
        axes.push_back({{"name", nameOf(axis.name)}, {"size", axis.size}});
    nlohmann::json notes = nlohmann::json::object();
    for (const auto& [name, text] : info.notes) notes[name] = text;
    nlohmann::json result{
        {"path", info.path.string()},
        {"format", info.format},
        {"frames", info.frameCount},
        {"frame_rate_hz", info.frameRateHz},
        {"dtype", nameOf(frame.dtype)},
        {"axes", std::move(axes)},
        {"converter_range", converterRange(frame)},
        {"notes", std::move(notes)},
        {"warnings", info.warnings},
    };
    put(result, frame, {&fact::kCodeOffset, &fact::kCodeScale});
    if (frame.spectrometer)
        addSpectrometer(result, info);
    else if (frame.recordedForm != RecordedForm::Signals)
        addImages(result, frame);
    else
        addAcquisition(result, info);
    if (frame.pose) {
        const Pose& pose = *frame.pose;
        result["pose"] = {{"space", pose.space},
                          {"lateral", pointsJson({pose.along[0]})[0]},
                          {"elevation", pointsJson({pose.along[1]})[0]},
                          {"depth", pointsJson({pose.along[2]})[0]},
                          {"origin_m", pointsJson({pose.origin})[0]}};
    }
    if (info.aberration && frame.acquisition) addAberration(result, info);
    if (info.tracks.size() > 1) result["tracks"] = info.tracks;
    if (info.tracks.size() > 1) result["track"] = info.track + 1;
    if (frame.spectrometer || frame.stack.bscansPerVolume > 1) addStack(result, frame);
    return result;
}

} // namespace echolux
