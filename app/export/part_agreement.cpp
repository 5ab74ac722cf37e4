// SPDX-License-Identifier: GPL-3.0-or-later
// Compares heads of parts, field by field.
#include "app/export/part_agreement.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace echolux {
namespace {

std::string named(const NamedPart& part) { return part.path.filename().string(); }

/// "3", or "3 to 8".
std::string counted(const ExportFrames& range) {
    if (range.first == range.last) return fmt::format("frame {}", range.first + 1);
    return fmt::format("frames {} to {}", range.first + 1, range.last + 1);
}

/// The first value in `text` that `other` lacks; empty where there is none.
std::string valueOnlyIn(const std::string& text, const std::string& other) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (line.find(" = ") != std::string::npos && other.find(line) == std::string::npos)
            return line;
    return {};
}

/// " (range_db = 55, there range_db = 60)": values in which two pipelines differ.
std::string differingValues(const std::string& here, const std::string& there) {
    const auto said = [](const std::string& value) { return value.empty() ? "default" : value; };
    const std::string a = valueOnlyIn(here, there);
    const std::string b = valueOnlyIn(there, here);
    if (a.empty() && b.empty()) return {};
    return fmt::format(" ({}, there {})", said(a), said(b));
}

/// Why `part` does not belong to `other`; empty where it does. Reads on from "'part' ".
std::string difference(const PartHead& part, const PartHead& other) {
    if (part.recordingHash != other.recordingHash || part.recordingFrames != other.recordingFrames)
        return fmt::format("is a part of another recording ({})",
                           part.recording.filename().string());
    if (part.facts != other.facts || part.track != other.track)
        return "was made with other facts: a sidecar, a calibration, the track or a plugin differs";
    if (part.outputOf != other.outputOf)
        return fmt::format("holds another output ('{}', there '{}')", part.outputOf,
                           other.outputOf);
    if (part.pipeline != other.pipeline)
        return "was made with another pipeline or other values" +
               differingValues(part.pipeline, other.pipeline);
    if (part.program != other.program)
        return fmt::format("was written by another program ({}, there {})", part.program,
                           other.program);
    if (part.backend != other.backend || part.computedOn != other.computedOn)
        return fmt::format("was computed on {} and not on {}, which may round differently",
                           part.computedOn, other.computedOn);
    if (part.cut != other.cut || part.frame != other.frame || part.frameBytes != other.frameBytes ||
        part.ensemble != other.ensemble || part.perWindow != other.perWindow)
        return fmt::format("holds other frames ({} of {}, there {} of {})", part.frame, part.cut,
                           other.frame, other.cut);
    return {};
}

Error missing(std::int64_t first, std::int64_t last) {
    const ExportFrames range{first, last};
    return Error(fmt::format("No part holds {0}; export --frames {1}:{2} as a part, or name the "
                             "frames that the parts hold with --frames.",
                             counted(range), first + 1, last + 1));
}

} // namespace

std::vector<NamedPart> agreeingParts(const std::vector<std::filesystem::path>& paths) {
    std::vector<NamedPart> parts;
    for (const auto& path : paths) {
        parts.push_back({path, PartFile(path).head()});
        const std::string why = difference(parts.back().head, parts.front().head);
        if (!why.empty())
            throw Error(fmt::format("'{}' {}, so it cannot be joined with '{}'; export all parts "
                                    "in the same way.",
                                    named(parts.back()), why, named(parts.front())));
    }
    std::ranges::stable_sort(parts, {},
                             [](const NamedPart& part) { return part.head.range.first; });
    return parts;
}

void checkCoverage(const std::vector<NamedPart>& parts, const ExportFrames& wanted) {
    std::int64_t next = wanted.first;
    const NamedPart* before = nullptr;
    for (const NamedPart& part : parts) {
        const ExportFrames& range = part.head.range;
        if (range.first < wanted.first || range.last > wanted.last)
            throw Error(fmt::format("'{}' holds {}, but {} are to be joined; leave it out, or name "
                                    "other frames with --frames.",
                                    named(part), counted(range), counted(wanted)));
        if (before != nullptr && range.first < next)
            throw Error(fmt::format("'{}' and '{}' both hold {}; leave one of them out.",
                                    named(*before), named(part),
                                    counted({range.first, std::min(range.last, next - 1)})));
        if (range.first > next) throw missing(next, range.first - 1);
        next = range.last + 1;
        before = &part;
    }
    if (next <= wanted.last) throw missing(next, wanted.last);
}

void checkStillTrue(const NamedPart& part, const PartHead& now) {
    const std::string why = difference(part.head, now);
    if (why.empty()) return;
    throw Error(fmt::format("'{}' {}, compared with what is here now; export the parts again.",
                            named(part), why));
}

} // namespace echolux
