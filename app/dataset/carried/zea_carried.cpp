// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of zea's specification 0.1.8, and those among them that the readers use.
#include "app/dataset/carried/zea_carried.hpp"

#include "app/dataset/carried/carried_hdf5.hpp"
#include "app/dataset/formats/zea_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace echolux {

namespace {

using namespace std::string_view_literals;

constexpr std::array kAttributes{"description"sv, "us_machine"sv, "acquisition_time"sv};

/// Fields of a scan that the reader of channel data uses completely.
constexpr std::array kUsedOfScan{
    "sampling_frequency"sv, "initial_times"sv,    "t0_delays"sv,          "tx_apodizations"sv,
    "focus_distances"sv,    "transmit_origins"sv, "polar_angles"sv,       "azimuth_angles"sv,
    "sound_speed"sv,        "origin"sv,           "rx_aperture_indices"sv};
/// Fields of older scans: of the probe, and sizes of arrays.
constexpr std::array kOlderOfScan{"probe_geometry"sv,
                                  "element_width"sv,
                                  "element_height"sv,
                                  "bandwidth_percent"sv,
                                  "n_frames"sv,
                                  "n_tx"sv,
                                  "n_ax"sv,
                                  "n_el"sv,
                                  "n_ch"sv};
/// Other fields of a scan.
constexpr std::array kRestOfScan{"center_frequency"sv,      "demodulation_frequency"sv,
                                 "time_to_next_transmit"sv, "tgc_gain_curve"sv,
                                 "waveforms_one_way"sv,     "waveforms_two_way"sv};
constexpr std::array kUsedOfProbe{
    "name"sv,           "probe_geometry"sv,         "element_width"sv,
    "element_height"sv, "probe_center_frequency"sv, "probe_bandwidth_percent"sv};
constexpr std::array kRestOfProbe{"type"sv, "lens_sound_speed"sv, "lens_thickness"sv};
constexpr std::array kRestOfMap{"labels"sv, "description"sv, "timestamps"sv, "start_time_offset"sv};

bool isOneOf(const auto& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

/// `name` without `group`/; empty where it is not in this group.
std::string_view within(std::string_view name, std::string_view group) {
    if (!name.starts_with(group) || name.size() <= group.size() + 1) return {};
    return name[group.size()] == '/' ? name.substr(group.size() + 1) : std::string_view{};
}

/// True where a field has one value only, and this is it.
bool isAllOf(const ZeaFields& scan, const std::string& name, double value) {
    constexpr double kSame = 1e-6;
    return std::ranges::all_of(scan.table(name).values, [&](double each) {
        return std::abs(each - value) <= kSame * std::abs(value);
    });
}

bool isUsedByChannels(std::string_view name, const ZeaFields& scan, const FrameSpec& frame) {
    if (const auto field = within(name, "scan"); !field.empty()) {
        if (field == "center_frequency")
            return isAllOf(scan, "center_frequency", frame.centreFrequencyHz);
        if (field == "demodulation_frequency")
            return isAllOf(scan, "demodulation_frequency",
                           isComplex(frame.dtype) ? frame.demodulationFrequencyHz
                                                  : frame.centreFrequencyHz);
        return isOneOf(kUsedOfScan, field) || isOneOf(kOlderOfScan, field);
    }
    return isOneOf(kUsedOfProbe, within(name, "probe"));
}

/// True where the first axis of such a fact counts frames.
bool isPerFrame(std::string_view name) {
    return !within(name, "metrics").empty() || !within(name, "metadata/annotations").empty() ||
           name == "map/timestamps" || name == "scan/time_to_next_transmit";
}

} // namespace

bool isZeaField(std::string_view name) {
    if (name.find('/') == std::string_view::npos) return isOneOf(kAttributes, name);
    if (const auto field = within(name, "scan"); !field.empty())
        return (isOneOf(kUsedOfScan, field) && field != "origin") || isOneOf(kRestOfScan, field);
    if (const auto field = within(name, "probe"); !field.empty())
        return isOneOf(kUsedOfProbe, field) || isOneOf(kRestOfProbe, field);
    return true;
}

CarriedFacts zeaCarried(const RecordingInfo& info) {
    const auto tree = Hdf5File::openReadOnly(info.path);
    const ZeaTracks all = zeaTracks(*tree);
    if (info.track >= all.tracks.size()) return {};
    const ZeaTrack& track = all.tracks[info.track];
    const ZeaFields scan(tree, track.scan);
    const bool channels = track.kind == ZeaKind::Channels;
    FactCollector facts(tree, kZeaFamily, [&](const std::string& name) {
        return channels && isUsedByChannels(name, scan, info.frame);
    });
    for (const std::string_view name : kAttributes) facts.addAttribute(std::string(name));
    const std::string base = track.base.empty() ? "" : track.base + "/";
    facts.addBelow(track.scan, "scan");
    facts.addBelow("probe", "probe");
    if (!base.empty()) facts.addBelow(base + "probe", "probe");
    for (const char* group : {"metadata", "metrics", "custom"}) facts.addBelow(group, group);
    if (!base.empty()) facts.add(base + "label", "track/label");
    for (const std::string_view field : kRestOfMap)
        if (!track.map.empty() && !(track.place && field == "labels"))
            facts.add(track.map + "/" + std::string(field), "map/" + std::string(field));
    CarriedFacts found = facts.take();
    for (CarriedFact& fact : found.facts)
        fact.perFrame = isPerFrame(fact.name) && !fact.layout.shape.empty() &&
                        fact.layout.shape.front() == info.frameCount;
    // NOTE: intervals of several tracks are counted together, and have no meaning for one.
    std::erase_if(found.facts, [](const CarriedFact& fact) {
        return fact.name == "scan/time_to_next_transmit" &&
               !(fact.perFrame && fact.layout.shape.size() == 2);
    });
    return found;
}

} // namespace echolux
