// SPDX-License-Identifier: GPL-3.0-or-later
// A table of entries and what they do.
#include "app/replay/session_target.hpp"

#include "app/live/open_live.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <string_view>
#include <utility>

namespace echolux {
namespace {

using namespace session_words;

/// Menus of the window, whose commands may stand in a session.
constexpr std::array<std::string_view, 9> kMenus{"file.",    "edit.",        "view.",
                                                 "image.",   "playback.",    "pipeline.",
                                                 "measure.", "calibration.", "help."};

std::int64_t numberFrom1(const SessionEntry& entry) {
    std::int64_t number = 0;
    const char* end = entry.value.data() + entry.value.size();
    const auto read = std::from_chars(entry.value.data(), end, number);
    if (read.ec != std::errc() || read.ptr != end || number < 1)
        throw Error(fmt::format("'{}' needs a number from 1, not '{}'", entry.id, entry.value));
    return number;
}

/// "beamform.f_number" and a value.
ParameterChange changeOf(std::string_view name, std::string_view value) {
    const auto dot = name.find('.');
    if (dot == 0 || dot == std::string_view::npos || dot + 1 == name.size())
        throw Error(fmt::format("'{}' names no parameter; write STAGE.KEY, for example "
                                "beamform.f_number",
                                name));
    ParameterChange change{std::string(name.substr(0, dot)), std::string(name.substr(dot + 1)), {}};
    if (!value.empty()) change.value = value;
    return change;
}

/// "gamma" of "display.gamma"
std::string behindDot(const std::string& id) { return id.substr(id.find('.') + 1); }

bool isOn(const SessionEntry& entry) {
    if (entry.value == "on") return true;
    if (entry.value == "off") return false;
    throw Error(fmt::format("'{}' is 'on' or 'off', not '{}'", entry.id, entry.value));
}

} // namespace

void SessionPerformer::perform(const SessionEntry& entry) {
    using Me = SessionPerformer;
    using Entry = SessionEntry;
    struct Row {
        std::string_view id; ///< ends in '.': all names that begin so
        void (*act)(Me& me, const Entry& entry);
    };
    static constexpr Row kRows[] = {
        {kBackend, [](Me& me, const Entry& e) { me.m_backend = e.value; }},
        {kSidecar, [](Me& me, const Entry& e) { me.m_next.sidecar = me.pathOf(e); }},
        {kCalibrationFile, [](Me& me, const Entry& e) { me.m_next.calibration = me.pathOf(e); }},
        {kTrack,
         [](Me& me, const Entry& e) {
             constexpr std::int64_t kMost = 1'000'000;
             me.m_next.track = static_cast<int>(std::min(numberFrom1(e), kMost));
         }},
        {kSha256, [](Me& me, const Entry& e) { me.m_next.sha256 = e.value; }},
        {kOpen, [](Me& me, const Entry& e) { me.openRecording(e); }},
        {kPipeline, [](Me& me, const Entry& e) { me.m_target.usePipeline(me.pipelineOf(e)); }},
        {kPipelineText, [](Me& me, const Entry& e) { me.m_target.usePipelineText(e.text); }},
        {kCalibration, [](Me& me, const Entry& e) { me.m_target.useCalibration(e.text); }},
        {kParameters, [](Me& me, const Entry& e) { me.setParameters(e); }},
        {"parameters.", [](Me& me, const Entry& e) { me.setParameter(e); }},
        {"display.", [](Me& me, const Entry& e) { me.m_target.display(behindDot(e.id), e.value); }},
        {kBscan, [](Me& me, const Entry& e) { me.m_bscan = numberFrom1(e) - 1; }},
        {kFrame,
         [](Me& me, const Entry& e) {
             me.m_target.show(numberFrom1(e) - 1, std::exchange(me.m_bscan, 0));
         }},
        {kValues, [](Me& me, const Entry& e) { me.check(e); }},
        {"document.", [](Me& me, const Entry& e) { me.m_target.part(behindDot(e.id), e.text); }},
        {kViews, [](Me& me, const Entry& e) { me.m_target.views(e.value); }},
        {kLayout, [](Me& me, const Entry& e) { me.m_target.layout(e.value); }},
    };
    const auto fits = [&](std::string_view id) {
        return id.ends_with('.') ? entry.id.starts_with(id) && entry.id.size() > id.size()
                                 : entry.id == id;
    };
    for (const Row& row : kRows)
        if (fits(row.id)) return row.act(*this, entry);
    if (std::ranges::any_of(kMenus, fits)) return m_target.command(entry.id);
    throw Error(
        fmt::format("there is no entry '{}'; 'echolux help sessions' lists them", entry.id));
}

std::filesystem::path SessionPerformer::pathOf(const SessionEntry& entry) const {
    if (entry.value.empty()) throw Error(fmt::format("'{}' needs a path", entry.id));
    return m_folder / entry.value; // an absolute path stays
}

std::string SessionPerformer::pipelineOf(const SessionEntry& entry) const {
    const auto shipped = shippedPipelines();
    const bool isShipped = std::ranges::find(shipped, entry.value) != shipped.end();
    return isShipped ? entry.value : pathOf(entry).string();
}

void SessionPerformer::openRecording(const SessionEntry& entry) {
    m_next.file = isLiveAddress(entry.value) ? std::filesystem::path(entry.value) : pathOf(entry);
    m_target.open(std::exchange(m_next, {}));
}

void SessionPerformer::check(const SessionEntry& entry) {
    const auto space = entry.value.rfind(' ');
    if (space == std::string::npos)
        throw Error(fmt::format("'{}' needs the name of a view and a digest", entry.id));
    m_target.check(entry.value.substr(0, space), entry.value.substr(space + 1));
}

void SessionPerformer::setParameter(const SessionEntry& entry) {
    const ParameterChange change = changeOf(behindDot(entry.id), entry.value);
    if (change.key == kBypass) return m_target.bypass(change.stage, isOn(entry));
    m_target.set({change});
}

void SessionPerformer::setParameters(const SessionEntry& entry) {
    std::vector<ParameterChange> changes;
    std::istringstream lines(entry.text);
    for (std::string line; std::getline(lines, line);) {
        const SessionEntry each = parseEntry(line);
        changes.push_back(changeOf(each.id, each.value));
    }
    if (changes.empty()) throw Error(fmt::format("'{}' has no parameters below it", entry.id));
    m_target.set(changes);
}

} // namespace echolux
