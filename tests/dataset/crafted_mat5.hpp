// SPDX-License-Identifier: GPL-3.0-or-later
// MAT-files of version 5, element by element.
#pragma once

#include "tests/dataset/crafted_files.hpp"

namespace echolux::test {

namespace mat5 {

inline std::string words(const std::vector<std::uint32_t>& values) { return bytesOfValues(values); }
inline std::string file(const std::string& variables) {
    std::string head = "MATLAB 5.0 MAT-file";
    head.resize(124, ' ');
    return head + std::string("\0\1IM", 4) + variables;
}
/// Type, length and data, padded to 8 bytes.
inline std::string element(std::uint32_t type, const std::string& data) {
    std::string bytes = words({type, static_cast<std::uint32_t>(data.size())}) + data;
    bytes.resize((bytes.size() + 7) / 8 * 8, '\0');
    return bytes;
}
enum Class : std::uint32_t {
    kCell = 1,
    kStruct = 2,
    kChar = 4,
    kSparse = 5,
    kDouble = 6,
    kFunction = 16
};

inline std::string head(std::uint32_t type, const std::vector<std::uint32_t>& dims,
                        const std::string& name = "") {
    return element(6, words({type, 0})) + element(5, words(dims)) + element(1, name);
}
/// A value: its head and what follows.
inline std::string matrix(const std::string& content) { return element(14, content); }
inline std::string number(double value) {
    return matrix(head(kDouble, {1, 1}) + element(9, bytesOfValues(std::vector<double>{value})));
}
inline std::string compressed(const std::string& variable) {
    const std::string stream = deflated(variable);
    return words({15, static_cast<std::uint32_t>(stream.size())}) + stream;
}
/// Values in each other, the outermost named; only lengths grow.
inline std::string nested(std::size_t levels, const std::string& around) {
    std::string bytes = number(1);
    for (std::size_t i = 0; i < levels; ++i) bytes = matrix(around + bytes);
    return bytes;
}
inline std::string cellAround() { return head(kCell, {1, 1}, "c"); }
inline std::string names(std::uint32_t width, const std::string& all) {
    return words({5U | 4U << 16U, width}) + element(1, all);
}
inline std::string structAround() {
    return head(kStruct, {1, 1}, "s") + names(8, std::string("a\0\0\0\0\0\0\0", 8));
}
/// A cell array of so many values of nothing, 8 bytes each.
inline std::string empties(std::uint32_t count) {
    return matrix(head(kCell, {1, count}, "c") + repeated(words({14, 0}), count));
}

} // namespace mat5

inline std::vector<Crafted> craftedMat5() {
    using namespace mat5;
    const auto one = [](std::string name, std::string says, std::function<std::string()> variable) {
        return ofBytes(std::move(name), std::move(says),
                       [variable = std::move(variable)] { return file(variable()); });
    };
    const std::string kDeep = "more than 64 deep";
    const std::string kMany = "more than 100000 groups, values";
    const std::string kMemory = "of memory";
    return {
        one("cells_70_deep", kDeep, [] { return nested(70, cellAround()); }),
        one("cells_5000_deep", kDeep, [] { return nested(5000, cellAround()); }),
        one("structs_200_deep", kDeep, [] { return nested(200, structAround()); }),
        one("compressed_cells_deep", kDeep, [] { return compressed(nested(5000, cellAround())); }),
        one("cells_60_deep", "", [] { return nested(60, cellAround()); }),
        one("many_cells", kMany, [] { return empties(120'000); }),
        one("compressed_cells", kMany, [] { return compressed(empties(1'100'000)); }),
        one("many_variables", kMany, [] { return repeated(number(1), 110'000); }),
        one("zeros", kMemory,
            [] {
                const std::string before =
                    head(kDouble, {kTooMuch / 8, 1}, "RF") + words({9, kTooMuch});
                const auto length = static_cast<std::uint32_t>(before.size() + kTooMuch);
                const std::string stream = deflatedZeros(words({14, length}) + before, kTooMuch);
                return words({15, static_cast<std::uint32_t>(stream.size())}) + stream;
            }),
        one("bytes_as_doubles", kMemory, // 8 bytes each in memory, one in the stream
            [] {
                const std::uint32_t count = kTooMuch / 8;
                const std::string before = head(kDouble, {count, 1}, "RF") + words({2, count});
                const auto length = static_cast<std::uint32_t>(before.size() + count);
                const std::string stream = deflatedZeros(words({14, length}) + before, count);
                return words({15, static_cast<std::uint32_t>(stream.size())}) + stream;
            }),
        one("long_names", kMemory,
            [] {
                constexpr std::uint32_t kFields = 500;
                constexpr std::uint32_t kEntries = 120;
                return compressed(matrix(head(kStruct, {1, kEntries}, "s") +
                                         names(4096, std::string(4096 * kFields, 'n')) +
                                         repeated(words({14, 0}), kFields * kEntries)));
            }),
        one("functions_deep", kDeep,
            [] {
                return nested(5000, head(kFunction, {1, 1}, "f"));
            }),
        one("more_functions_than_bytes", "values in",
            [] {
                return matrix(head(kFunction, {0x7FFF, 0x7FFF}, "f") + words({14, 0}));
            }),
        one("sparse_of_no_byte", "longer than the variable",
            [] {
                return matrix(head(kSparse, {9, 9}, "s") + words({5, 0x7FFFFFF0}));
            }),
        one("sparse_zeros", kMemory,
            [] {
                constexpr std::uint32_t kBytes = kTooMuch / 4;
                const std::string before = head(kSparse, {9, 9}, "s") + words({5, kBytes});
                const auto length = static_cast<std::uint32_t>(before.size() + kBytes);
                const std::string stream = deflatedZeros(words({14, length}) + before, kBytes);
                return words({15, static_cast<std::uint32_t>(stream.size())}) + stream;
            }),
        one("names_of_no_width", "field names",
            [] {
                return matrix(head(kStruct, {1, 1}, "s") + names(0, "abcd"));
            }),
        one("names_of_absurd_width", "field names",
            [] {
                return matrix(head(kStruct, {1, 1}, "s") + names(0x7FFFFFFF, "abcd"));
            }),
        one("half_a_name", "field names",
            [] {
                return matrix(head(kStruct, {1, 1}, "s") + names(8, "abcd"));
            }),
        one("more_structs_than_bytes", "more than it has bytes",
            [] {
                return matrix(head(kStruct, {1, 0x7FFFFFF}, "s") + names(8, std::string(8, 'a')) +
                              words({14, 0}));
            }),
        one("more_cells_than_bytes", "values in",
            [] {
                return matrix(head(kCell, {0x7FFF, 0x7FFF}, "c") + words({14, 0}));
            }),
        one("longer_than_the_file", "only",
            [] {
                return words({14, 0x7FFFFFFF}) + "abcdefgh";
            }),
        one("longer_than_what_holds_it", "longer than the variable",
            [] {
                return matrix(head(kCell, {1, 1}, "c") + words({14, 4096}) + "abcdefgh");
            }),
        one("dimensions_without_end", "larger than any file",
            [] {
                return matrix(head(kDouble, {0x7FFFFFFF, 0x7FFFFFFF}, "RF"));
            }),
        one("negative_dimension", "negative",
            [] {
                return matrix(head(kDouble, {0xFFFFFFFF, 2}, "RF") + element(9, "12345678"));
            }),
        one("too_many_dimensions", "at most",
            [] { return matrix(head(kDouble, std::vector<std::uint32_t>(64, 1), "RF")); }),
        one("fewer_numbers", "announced",
            [] {
                return matrix(head(kDouble, {1000, 1000}, "RF") + element(9, "12345678"));
            }),
        one("fewer_letters", "announced",
            [] {
                return matrix(head(kChar, {1, 100000}, "t") + element(16, "abc"));
            }),
        one("no_imaginary_part", "",
            [] {
                return matrix(head(kDouble | 0x0800U, {1, 1}, "RF") + element(9, "12345678"));
            }),
        one("no_array_flags", "without array flags",
            [] {
                return matrix(element(5, words({kDouble, 0})) + element(5, words({1, 1})));
            }),
        one("no_dimensions", "without dimensions",
            [] {
                return matrix(element(6, words({kDouble, 0})) + element(6, words({1, 1})));
            }),
        one("dimensions_of_six_bytes", "a list of 6 bytes",
            [] {
                return matrix(element(6, words({kDouble, 0})) + element(5, "123456"));
            }),
        one("name_of_numbers", "without a name",
            [] {
                return matrix(element(6, words({kDouble, 0})) + element(5, words({1, 1})) +
                              element(9, "12345678"));
            }),
        one("name_of_5000_letters", "without a name",
            [] {
                return matrix(head(kDouble, {1, 1}, std::string(5000, 'n')));
            }),
        one("names_without_width", "width of its names",
            [] {
                return matrix(head(kStruct, {1, 1}, "s") + element(6, words({8})) +
                              element(1, std::string(8, 'a')));
            }),
        one("numbers_of_no_type", "unknown type 8",
            [] {
                return matrix(head(kDouble, {1, 1}, "RF") + element(8, "12345678"));
            }),
        one("small_element_of_nine_bytes", "small element",
            [] {
                return matrix(head(kDouble, {1, 1}, "RF") + words({9U | 9U << 16U, 0}));
            }),
        one("cell_of_a_bare_number", "a field that is no variable",
            [] {
                return matrix(head(kCell, {1, 1}, "c") + element(9, "12345678"));
            }),
        one("number_outside_variables", "type 9 where a variable should be",
            [] { return element(9, "12345678"); }),
        one("compressed_nonsense", "does not inflate",
            [] {
                return words({15, 64}) + std::string(64, 'U');
            }),
        one("compressed_twice", "no variable",
            [] { return compressed(compressed(nested(1, cellAround()))); }),
        one("stream_without_end", "",
            [] {
                const std::string whole = compressed(nested(1, cellAround()));
                const std::string cut = whole.substr(8, whole.size() - 14);
                return words({15, static_cast<std::uint32_t>(cut.size())}) + cut;
            }),
    };
}

} // namespace echolux::test
