// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/recording/printable.hpp"

#include <cstddef>

namespace echolux {

namespace {

/// Bytes of the character at the beginning of `text` if it is a control character behind ASCII:
/// U+0080 to U+009F, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069. Else 0.
std::size_t controlBytes(std::string_view text) {
    const auto byte = [&](std::size_t at) {
        return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
    };
    if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) <= 0x9F) return 2;
    if (byte(0) != 0xE2) return 0;
    const unsigned last = byte(2);
    const bool marks =
        byte(1) == 0x80 && (last == 0x8E || last == 0x8F || (last >= 0xA8 && last <= 0xAE));
    const bool isolates = byte(1) == 0x81 && last >= 0xA6 && last <= 0xA9;
    return marks || isolates ? 3 : 0;
}

} // namespace

std::string printable(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    while (!text.empty()) {
        const auto first = static_cast<unsigned char>(text.front());
        const std::size_t bytes = controlBytes(text);
        if (first == '\t' || first == '\n' || first == '\r')
            plain += ' ';
        else if (first < ' ' || first == 0x7F || bytes > 0)
            plain += '?';
        else
            plain += text.front();
        text.remove_prefix(bytes > 0 ? bytes : 1);
    }
    return plain;
}

} // namespace echolux
