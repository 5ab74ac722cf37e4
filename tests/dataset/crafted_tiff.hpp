// SPDX-License-Identifier: GPL-3.0-or-later
// TIFF files, entry by entry, little-endian.
#pragma once

#include "tests/dataset/crafted_files.hpp"

namespace echolux::test {

namespace tiff {

struct Entry {
    std::uint16_t tag = 0;
    std::uint16_t type = 0;
    std::uint32_t count = 0;
    std::uint32_t value = 0; ///< or where the values lie
};
enum Type : std::uint16_t { kAscii = 2, kShort = 3, kLong = 4 };

template <class T> std::string raw(T value) { return bytesOfValues(std::vector<T>{value}); }

inline std::string directory(const std::vector<Entry>& entries, std::uint32_t next) {
    std::string bytes = raw(static_cast<std::uint16_t>(entries.size()));
    for (const Entry& each : entries)
        bytes += raw(each.tag) + raw(each.type) + raw(each.count) + raw(each.value);
    return bytes + raw(next);
}
/// The header and `data`; directories may lie anywhere in it.
inline std::string file(std::uint32_t first, const std::string& data) {
    return std::string("II*\0", 4) + raw(first) + data;
}
inline constexpr std::uint32_t kFirst = 8; ///< behind the header

/// A grey page of one strip.
struct Page {
    std::uint32_t width = 4;
    std::uint32_t height = 4;
    std::uint16_t bits = 8;
    std::uint16_t compression = 1;
    std::uint16_t perPixel = 1;
    std::uint16_t format = 1;
    std::uint32_t stripAt = 1024;
    std::uint32_t stripBytes = 16;
    std::uint32_t strips = 1;
    std::uint32_t rowsPerStrip = 4;
    std::uint32_t next = 0;
    std::uint32_t textAt = 0;
    std::uint32_t textBytes = 0;

    std::vector<Entry> entries() const {
        std::vector<Entry> all{{256, kLong, 1, width},
                               {257, kLong, 1, height},
                               {258, kShort, 1, bits},
                               {259, kShort, 1, compression},
                               {262, kShort, 1, 1},
                               {273, kLong, strips, stripAt},
                               {277, kShort, 1, perPixel},
                               {278, kLong, 1, rowsPerStrip},
                               {279, kLong, strips, stripBytes},
                               {339, kShort, 1, format}};
        if (textBytes != 0) all.insert(all.begin() + 5, Entry{270, kAscii, textBytes, textAt});
        return all;
    }
    std::string bytes() const { return directory(entries(), next); }
};
/// One page and what lies from byte 1024 on.
inline std::string page(const Page& page, const std::string& data) {
    std::string bytes = file(kFirst, page.bytes());
    bytes.resize(1024, '\0');
    return bytes + data;
}
inline std::string described(const std::string& text) {
    const auto length = static_cast<std::uint32_t>(text.size() + 1);
    return page({.textAt = 1040, .textBytes = length}, std::string(16, '\1') + text + '\0');
}
inline std::string ome(const std::string& pixels) {
    return "<?xml version=\"1.0\"?><OME><Image><Pixels " + pixels + "/></Image></OME>";
}
/// Pages without number: each directory names the next.
inline std::string chain(std::size_t pages) {
    std::string all;
    Page each;
    const std::size_t length = each.bytes().size();
    each.stripAt = static_cast<std::uint32_t>(kFirst + pages * length);
    for (std::size_t i = 0; i < pages; ++i) {
        each.next = i + 1 == pages ? 0 : static_cast<std::uint32_t>(kFirst + (i + 1) * length);
        all += each.bytes();
    }
    return file(kFirst, all + std::string(16, '\1'));
}

} // namespace tiff

inline std::vector<Crafted> craftedTiff() {
    using namespace tiff;
    const std::string pixels(16, '\1');
    const auto one = [=](std::string name, std::string says, Page like) {
        return ofBytes(std::move(name), std::move(says), [=] { return page(like, pixels); });
    };
    const auto text = [](std::string name, std::string says, std::function<std::string()> words) {
        return ofBytes(std::move(name), std::move(says), [=] { return described(words()); });
    };
    return {
        one("sound", "", {}),
        one("next_is_itself", "", {.next = kFirst}),
        one("next_beyond_the_end", "", {.next = 0x7FFFFFFF}),
        one("next_is_the_header", "", {.next = 2}),
        one("no_width", "", {.width = 0}),
        one("absurd_width", "", {.width = 0xFFFFFFFF}),
        one("absurd_page", "more than its", {.width = 1'000'000, .height = 1'000'000}),
        one("strip_beyond_the_end", "goes on to byte", {.stripAt = 0xFFFFFF00}),
        one("strip_longer_than_the_file", "", {.stripBytes = 0xFFFFFF00}),
        one("strips_without_number", "", {.strips = 0x7FFFFFFF}),
        one("no_rows_in_a_strip", "", {.rowsPerStrip = 0}),
        one("seven_bits", "", {.bits = 7}),
        one("values_without_number", "", {.perPixel = 65535}),
        one("no_such_format", "", {.format = 77}),
        one("no_such_compression", "", {.compression = 4242}),
        one("deflated_nonsense", "", {.compression = 8}),
        ofBytes("deflated_zeros", "of memory",
                [] {
                    const std::string stream = deflatedZeros("", kTooMuch);
                    constexpr std::uint32_t kWidth = 16384;
                    constexpr std::uint32_t kHeight = kTooMuch / kWidth;
                    return page({.width = kWidth,
                                 .height = kHeight,
                                 .compression = 8,
                                 .stripBytes = static_cast<std::uint32_t>(stream.size()),
                                 .rowsPerStrip = kHeight},
                                stream);
                }),
        ofBytes("two_pages_in_a_circle", "",
                [=] {
                    Page first{.next = kFirst + 600};
                    Page second{.next = kFirst};
                    std::string bytes = file(kFirst, first.bytes());
                    bytes.resize(kFirst + 600, '\0');
                    bytes += second.bytes();
                    bytes.resize(1024, '\0');
                    return bytes + pixels;
                }),
        ofBytes("pages_of_a_chain", "", [] { return chain(3000); }),
        ofBytes("directory_longer_than_the_file", "damaged",
                [] { return file(kFirst, raw(std::uint16_t{0xFFFF}) + "abc"); }),
        ofBytes("description_longer_than_the_file", "",
                [=] { return page({.textAt = 1024, .textBytes = 0x7FFFFFFF}, pixels); }),
        text("ome_deep", "more than 64 deep", [] { return "<OME>" + repeated("<a>", 100'000); }),
        text("ome_of_many_elements", "of memory",
             [] { return "<OME>" + repeated("<a/>", 1'100'000) + "</OME>"; }),
        text("ome_of_absurd_sizes", "pages",
             [] { return ome("SizeZ=\"1000000000\" SizeT=\"1000000000\" SizeC=\"1000000000\""); }),
        text("imagej_of_absurd_sizes", "pages",
             [] { return std::string("ImageJ=1\nframes=1e300\nslices=1e300\nchannels=1e300\n"); }),
    };
}

} // namespace echolux::test
