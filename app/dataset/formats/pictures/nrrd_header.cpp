// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/formats/pictures/nrrd_header.hpp"

#include "app/dataset/container/text_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace echolux {

namespace {

constexpr std::size_t kMostNrrdHeader = std::size_t{1} << 20U;

/// Splits a text into words. Blanks separate words; quotes keep them together.
std::vector<std::string> wordsIn(std::string_view text) {
    std::vector<std::string> words;
    while (!(text = trimmed(text)).empty()) {
        const bool quoted = text.front() == '"';
        if (quoted) text.remove_prefix(1);
        const std::size_t end = std::min(text.find_first_of(quoted ? "\"" : " \t"), text.size());
        words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

} // namespace

NrrdHeader::NrrdHeader(const InputFile& file) : m_path(file.path()) {
    const std::string text = beginningOf(file, kMostNrrdHeader);
    std::size_t at = 0;
    bool ended = false;
    while (at < text.size() && !ended) {
        const std::size_t end = text.find('\n', at);
        const std::string_view line =
            trimmed(std::string_view(text).substr(at, std::min(end, text.size()) - at));
        at = end == std::string::npos ? text.size() : end + 1;
        ended = line.empty() && end != std::string::npos;
        if (line.empty() || line.front() == '#') continue;
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        const std::string name(line.substr(0, colon));
        if (line.substr(colon).starts_with(":="))
            m_keys[name] = trimmed(line.substr(colon + 2));
        else
            m_fields[name] = trimmed(line.substr(colon + 1));
    }
    // NOTE: headers whose samples lie in another file need no empty line.
    if (!ended && dataFile().empty()) throw wrong("its header has no end");
    m_end = at;
}

Error NrrdHeader::wrong(const std::string& what) const {
    return fileError(m_path, what + "; export it again");
}

std::string NrrdHeader::field(const std::string& name) const {
    const auto at = m_fields.find(name);
    return at == m_fields.end() ? std::string() : at->second;
}

std::string NrrdHeader::key(const std::string& name) const {
    const auto at = m_keys.find(name);
    return at == m_keys.end() ? std::string() : at->second;
}

std::vector<std::int64_t> NrrdHeader::sizes() const {
    constexpr double kMost = 1e9;
    constexpr std::size_t kMostAxes = 16;
    const auto numbers = numbersIn(field("sizes"));
    const auto dimension = numbersIn(field("dimension"));
    if (!numbers || numbers->size() < 2 || numbers->size() > kMostAxes || !dimension ||
        dimension->size() != 1 || (*dimension)[0] != static_cast<double>(numbers->size()))
        throw wrong(fmt::format("its sizes '{}' are not those of {} axes",
                                field("sizes").substr(0, 80), field("dimension").substr(0, 20)));
    std::vector<std::int64_t> sizes;
    for (const double size : *numbers) {
        if (!(size >= 1 && size <= kMost))
            throw wrong(fmt::format("an axis has {:g} entries", size));
        sizes.push_back(static_cast<std::int64_t>(size));
    }
    return sizes;
}

std::vector<std::optional<std::array<double, 3>>> NrrdHeader::directions(std::size_t axes) const {
    std::vector<std::optional<std::array<double, 3>>> result;
    std::string_view text;
    const std::string whole = field("space directions");
    text = whole;
    while (!(text = trimmed(text)).empty()) {
        const bool vector = text.front() == '(';
        std::size_t end = text.find(vector ? ')' : ' ');
        end = std::min(end == std::string_view::npos ? end : end + 1, text.size());
        result.emplace_back();
        if (vector) {
            const auto numbers = numbersIn(text.substr(0, end));
            if (!numbers || numbers->empty() || numbers->size() > 3)
                throw wrong(fmt::format("its space direction '{}' is no vector",
                                        text.substr(0, std::min<std::size_t>(end, 60))));
            result.back().emplace();
            std::ranges::copy(*numbers, result.back()->begin());
        }
        text.remove_prefix(end);
    }
    if (!result.empty() && result.size() != axes)
        throw wrong(fmt::format("it has {} space directions for {} axes", result.size(), axes));
    return result;
}

std::array<double, 3> NrrdHeader::origin() const {
    std::array<double, 3> result{};
    const auto numbers = numbersIn(field("space origin"));
    if (numbers && numbers->size() <= result.size()) std::ranges::copy(*numbers, result.begin());
    return result;
}

std::vector<std::string> NrrdHeader::words(const std::string& name, std::size_t axes) const {
    std::vector<std::string> result = wordsIn(field(name));
    result.resize(axes);
    return result;
}

std::vector<double> NrrdHeader::perAxis(const std::string& name, std::size_t axes) const {
    std::vector<double> result;
    for (const std::string& word : words(name, axes)) {
        const auto number = numbersIn(word);
        result.push_back(number && number->size() == 1 ? (*number)[0] : 0.0);
    }
    return result;
}

std::string NrrdHeader::unitOf(std::size_t spatialAxis, std::size_t axis) const {
    const bool ofSpace = !field("space units").empty();
    const std::vector<std::string> units = wordsIn(field(ofSpace ? "space units" : "units"));
    const std::size_t at = ofSpace ? spatialAxis : axis;
    if (units.empty()) return "mm";
    return at < units.size() && !units[at].empty() ? units[at] : "none";
}

std::optional<PictureAxis> NrrdHeader::lateralInDegrees() const {
    const std::vector<std::int64_t> all = sizes();
    const auto labels = words("labels", all.size());
    const auto found = directions(all.size());
    std::size_t spatial = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!found[i]) continue;
        if (labels[i] == "lateral" && unitOf(spatial, i) == "deg") {
            PictureAxis axis{.size = all[i]};
            placeAlong(axis, *found[i], origin(), 1.0);
            return axis;
        }
        ++spatial;
    }
    return std::nullopt;
}

std::string NrrdHeader::dataFile() const {
    std::string named = field("data file");
    if (named.empty()) named = field("datafile");
    if (named.starts_with("LIST") || named.find('%') != std::string::npos)
        throw wrong("its samples are in several files, but Echolux reads one");
    return named;
}

std::uint64_t NrrdHeader::skipped(const InputFile& data, std::uint64_t begin,
                                  std::uint64_t bytes) const {
    const auto number = [&](const char* spaced, const char* plain) {
        const std::string text = field(spaced).empty() ? field(plain) : field(spaced);
        const auto values = numbersIn(text);
        const bool sound =
            values && values->size() <= 1 && (values->empty() || std::abs((*values)[0]) < 1e15);
        if (!sound) throw wrong(fmt::format("its '{}' is '{}'", spaced, text.substr(0, 40)));
        return values->empty() ? 0.0 : (*values)[0];
    };
    const double lines = number("line skip", "lineskip");
    const double skip = number("byte skip", "byteskip");
    if (lines != 0.0) throw wrong("it skips lines before its samples, which Echolux does not");
    if (skip < 0.0) return data.size() - std::min(data.size(), bytes);
    return begin + static_cast<std::uint64_t>(skip);
}

} // namespace echolux
