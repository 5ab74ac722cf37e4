// SPDX-License-Identifier: GPL-3.0-or-later
// Parses columns of numbers, whatever the language of the system.
#include "app/dataset/container/text_array.hpp"

#include "app/dataset/recording/opening.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace echolux {

namespace {

constexpr std::uint64_t kMostTextBytes = std::uint64_t{64} << 20U;
constexpr std::string_view kBlanks = " \t\r\f\v";

/// `text` is not empty.
bool beginsLikeNumber(std::string_view text) {
    return std::string_view("0123456789+-.").find(text.front()) != std::string_view::npos;
}

/// Splits one line into its fields. Blanks beside another separator count as part of it.
std::vector<std::string> fieldsOf(std::string_view line) {
    const bool semicolons = line.find(';') != std::string_view::npos;
    const std::string_view mark = semicolons                                 ? ";"
                                  : line.find(',') != std::string_view::npos ? ","
                                                                             : "";
    std::vector<std::string> fields;
    const std::string_view marks = mark.empty() ? kBlanks : mark;
    Opening::keep("one line of it",
                  sizeof(std::string) *
                      static_cast<std::uint64_t>(std::ranges::count_if(
                          line, [&](char c) { return marks.find(c) != marks.npos; })));
    while (true) {
        const std::size_t end = line.find_first_of(marks);
        std::string field(trimmed(line.substr(0, end)));
        if (semicolons) std::ranges::replace(field, ',', '.');
        fields.push_back(std::move(field));
        if (end == std::string_view::npos) break;
        line = line.substr(end + 1);
        if (mark.empty()) line = trimmed(line);
        if (trimmed(line).empty()) break; // a separator at the line's end
    }
    return fields;
}

double numberIn(const std::filesystem::path& path, const std::string& field,
                std::int64_t lineNumber) {
    const char* begin = field.data();
    const char* end = begin + field.size();
    if (begin != end && *begin == '+') ++begin;
    double value = 0.0;
    const auto [at, error] = std::from_chars(begin, end, value);
    if (error != std::errc() || at != end)
        throw fileError(path,
                        fmt::format("line {} holds '{}', which is no number; keep only columns "
                                    "of numbers and one heading",
                                    lineNumber, field.substr(0, 40)));
    return value;
}

class TextContainer : public ArrayContainer {
public:
    explicit TextContainer(TextTable table) : m_table(std::move(table)) {}
    bool has(const std::string& where) const override { return where.empty(); }
    std::unique_ptr<ArraySource> open(const std::string&) override {
        ArrayLayout layout{*parseElementType("float64"), {m_table.rows}, false};
        if (m_table.columns > 1) layout.shape.push_back(m_table.columns);
        std::vector<std::byte> bytes(layout.bytes());
        std::memcpy(bytes.data(), m_table.values.data(), bytes.size());
        return std::make_unique<MemoryArray>(std::move(bytes), std::move(layout));
    }
    std::string list() const override {
        return fmt::format("text of {} rows and {} columns", m_table.rows, m_table.columns);
    }

private:
    TextTable m_table;
};

} // namespace

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<double> TextTable::series(const std::filesystem::path& path) const {
    if (rows < 2 || columns > 2)
        throw fileError(path, fmt::format("{} rows and {} columns are no curve; one column, or an "
                                          "index and a value, in two rows or more are needed",
                                          rows, columns));
    if (columns == 1) return values;
    std::vector<double> second;
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
        if (values[2 * row] != values.front() + static_cast<double>(row) ||
            (values.front() != 0.0 && values.front() != 1.0))
            throw fileError(path, fmt::format("the first column must count its rows from 0 or 1, "
                                              "but row {} has {:g}; correct it",
                                              row, values[2 * row]));
        second.push_back(values[2 * row + 1]);
    }
    return second;
}

bool looksLikeText(const InputFile& file) {
    constexpr std::uint64_t kHead = 4096;
    std::string head(std::min(file.size(), kHead), '\0');
    file.read(0, std::as_writable_bytes(std::span(head)));
    return std::ranges::all_of(head, [](char c) {
        const auto code = static_cast<unsigned char>(c);
        return code >= 0x20U || (code >= 0x09U && code <= 0x0DU);
    });
}

TextTable readTextTable(const InputFile& file) {
    if (file.size() > kMostTextBytes)
        throw fileError(file.path(), fmt::format("a text of {} bytes is too long for a table of "
                                                 "numbers; save it as .npy",
                                                 file.size()));
    std::string text(file.size(), '\0');
    file.read(0, std::as_writable_bytes(std::span(text)));
    std::string_view rest = text;
    if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
    checkLoadSize(file.path(), "its numbers", sizeof(double) * (file.size() / 2));
    TextTable table;
    bool heading = true; // a heading may still come
    for (std::int64_t number = 1; !rest.empty(); ++number) {
        const std::size_t end = rest.find('\n');
        const std::string_view line = trimmed(rest.substr(0, end));
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
        if (line.empty() || line.front() == '#') continue;
        if (std::exchange(heading, false) && !beginsLikeNumber(line)) continue;
        const std::vector<std::string> fields = fieldsOf(line);
        const auto columns = static_cast<std::int64_t>(fields.size());
        if (table.rows == 0) table.columns = columns;
        if (columns != table.columns)
            throw fileError(file.path(), fmt::format("line {} has {} columns where the first has "
                                                     "{}; correct that line",
                                                     number, columns, table.columns));
        for (const std::string& field : fields)
            table.values.push_back(numberIn(file.path(), field, number));
        ++table.rows;
    }
    if (table.rows == 0)
        throw fileError(file.path(), "it is a text without numbers; choose another file");
    return table;
}

std::unique_ptr<ArrayContainer> openText(const InputFile& file) {
    return std::make_unique<TextContainer>(readTextTable(file));
}

} // namespace echolux
