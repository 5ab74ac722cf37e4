// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the tags and attributes of XML 1.0.
#include "app/dataset/container/xml_text.hpp"

#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/opening.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace echolux {

namespace {

/// Bytes of a node and of an attribute in pugixml's tree.
constexpr std::uint64_t kNodeBytes = 80;
constexpr std::uint64_t kAttributeBytes = 48;

/// The position behind a comment or the like that begins at `at`, which is neither element nor
/// text.
std::size_t behindOther(std::string_view xml, std::size_t at) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kOthers{
        {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}}};
    for (const auto& [start, stop] : kOthers) {
        if (!xml.substr(at).starts_with(start)) continue;
        const std::size_t end = xml.find(stop, at + start.size());
        return end == std::string_view::npos ? xml.size() : end + stop.size();
    }
    return at;
}

} // namespace

void checkXml(const std::filesystem::path& path, const std::string& what, std::string_view xml) {
    int depth = 0;
    std::uint64_t bytes = xml.size(); // the parser works on a copy
    std::size_t at = 0;
    while ((at = xml.find('<', at)) != std::string_view::npos) {
        if (const std::size_t end = behindOther(xml, at); end != at) {
            at = end;
            bytes += kNodeBytes;
            continue;
        }
        const bool closes = xml.substr(at).starts_with("</");
        char quote = '\0';
        std::size_t end = at + 1;
        for (; end < xml.size() && (quote != '\0' || xml[end] != '>'); ++end) {
            const char c = xml[end];
            if (quote == c)
                quote = '\0';
            else if (quote == '\0' && (c == '"' || c == '\''))
                quote = c;
            if (quote == '\0' && c == '=') bytes += kAttributeBytes;
        }
        const bool isEmpty = xml[end - 1] == '/';
        if (closes)
            depth = std::max(depth - 1, 0);
        else if (!isEmpty)
            ++depth;
        if (!closes) bytes += 2 * kNodeBytes; // the element and the text in it
        if (depth > kMostDepth)
            throw fileError(path, fmt::format("the elements of {} lie more than {} deep within "
                                              "each other, which no recording needs; save it again "
                                              "with the program that made it",
                                              what, kMostDepth));
        at = end;
    }
    Opening::keep(what, bytes);
}

} // namespace echolux
