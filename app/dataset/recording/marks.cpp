// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the table of events: frame,seconds,kind,name,value.
#include "app/dataset/recording/marks.hpp"

#include "app/dataset/recording/recording.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <string_view>

namespace echolux {
namespace {

constexpr std::size_t kMostBytes = std::size_t{4} << 20U;
constexpr std::size_t kColumns = 5;

/// Takes one row from the front of `text`. Fields may stand in quotes; two quotes are one.
std::vector<std::string> takeRow(std::string_view& text) {
    std::vector<std::string> row(1);
    bool quoted = false;
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        const bool doubled = quoted && c == '"' && text.substr(at + 1).starts_with('"');
        if (doubled)
            row.back() += text[++at];
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == ',')
            row.emplace_back();
        else if (!quoted && c == '\n')
            break;
        else if (c != '\r')
            row.back() += c;
    }
    text.remove_prefix(std::min(at + 1, text.size()));
    return row;
}

template <class T> std::optional<T> numberIn(const std::string& text) {
    T value{};
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

} // namespace

std::filesystem::path eventsOf(const std::filesystem::path& recording) {
    return recording.string() + ".events.csv";
}

std::vector<RecordingMark> readMarks(const std::filesystem::path& recording,
                                     std::int64_t frameCount) {
    const std::filesystem::path file = eventsOf(recording);
    std::error_code none;
    if (!std::filesystem::is_regular_file(file, none)) return {};
    std::ifstream in(file, std::ios::binary);
    std::string content(kMostBytes, '\0');
    in.read(content.data(), static_cast<std::streamsize>(content.size()));
    content.resize(static_cast<std::size_t>(in.gcount()));
    std::vector<RecordingMark> marks;
    for (std::string_view text = content; !text.empty();) {
        const std::vector<std::string> row = takeRow(text);
        if (row.size() != kColumns || row[2] != "mark") continue;
        const auto frame = numberIn<std::int64_t>(row[0]); // 0: before the first one
        const auto seconds = numberIn<double>(row[1]);
        if (!frame || !seconds || !std::isfinite(*seconds)) continue;
        if (*frame < 0 || *frame > frameCount) continue;
        marks.push_back({std::max<std::int64_t>(*frame - 1, 0), *seconds, row[3]});
    }
    std::ranges::stable_sort(marks, {}, &RecordingMark::frame);
    return marks;
}

void Recording::takeMarks() { m_info.marks = readMarks(m_info.path, m_info.frameCount); }

} // namespace echolux
