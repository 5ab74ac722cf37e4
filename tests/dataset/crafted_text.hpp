// SPDX-License-Identifier: GPL-3.0-or-later
// Headers and descriptions in plain text: NRRD, and TOML as sidecars have it.
#pragma once

#include "tests/dataset/crafted_files.hpp"

namespace echolux::test {

/// An NRRD of 4 by 4 pixels; `fields` come last and so count.
inline std::string nrrdOf(const std::string& fields, const std::string& data) {
    return "NRRD0005\ntype: uint8\ndimension: 2\nsizes: 4 4\nencoding: raw\n" + fields + "\n" +
           data;
}

inline std::vector<Crafted> craftedNrrd() {
    const auto one = [](std::string name, std::string says, std::string fields) {
        return ofBytes(std::move(name), std::move(says),
                       [=] { return nrrdOf(fields, std::string(16, '\1')); });
    };
    const std::string absurd = "sizes: 1000000000 1\n";
    return {
        one("sound", "", ""),
        one("absurd_sizes", "", "sizes: 1000000000 1000000000\n"),
        one("lines_without_samples", "was cut off",
            absurd + "labels: \"lateral\" \"depth\"\nspace units: \"deg\" \"mm\"\n"
                     "space dimension: 2\nspace directions: (1,0) (0,1)\n"
                     "echolux_sector:=apex 0 0 mm, radius 0 mm\n"),
        one("too_many_axes", "axes", "dimension: 17\nsizes: " + repeated("1 ", 17) + "\n"),
        one("axes_without_number", "axes", "sizes: " + repeated("1 ", 100'000) + "\n"),
        one("negative_sizes", "entries", "sizes: -4 4\n"),
        one("sizes_of_no_number", "sizes", "sizes: nan inf\n"),
        one("dimension_lies", "axes", "dimension: 3\n"),
        one("no_such_type", "type", "type: quaternion\n"),
        one("no_such_encoding", "encoding", "encoding: bzip2\n"),
        one("hex", "encoding", "encoding: hex\n"),
        one("gzip_of_nonsense", "", "encoding: gzip\n"),
        one("impossible_ratio", "impossible", "encoding: gzip\nsizes: 30000 30000\n"),
        one("skips_beyond_the_end", "was cut off", "byte skip: 900000000000000\n"),
        one("skips_without_end", "byte skip", "byte skip: 1e300\n"),
        one("skips_backwards", "", "byte skip: -1\nsizes: 400 400\n"),
        one("skips_lines", "skips lines", "line skip: 1000000000\n"),
        one("parentheses_deep", "", "space directions: " + std::string(500'000, '(') + "\n"),
        one("quotes_without_end", "", "kinds: " + repeated("\"a ", 100'000) + "\n"),
        one("data_elsewhere", "beside it", "data file: ../../../../etc/passwd\n"),
        one("data_in_many_files", "several files", "data file: LIST\n"),
        one("data_in_itself", "", "data file: file\n"),
        ofBytes("header_without_end", "no end",
                [] { return "NRRD0005\n" + repeated("a: b\n", 400'000); }),
        ofBytes("zeros", "of memory",
                [] {
                    const std::string sizes =
                        "sizes: 16384 " + std::to_string(kTooMuch / 16384) + "\nencoding: gzip\n";
                    constexpr int kGzip = MAX_WBITS + 16;
                    return nrrdOf(sizes, deflatedZeros("", kTooMuch, kGzip));
                }),
    };
}

/// Sidecars; `says` is what refuses the samples beside them.
inline std::vector<Crafted> craftedToml() {
    const std::string data = "[data]\ndtype = \"<i2\"\naxes = [\"channel\", \"sample\"]\n";
    const std::string rest = "[probe]\npitch = 0.3e-3\n[signal]\nsampling_frequency = 20e6\n"
                             "[transmit]\nangles_deg = [0]\n";
    const std::string sound = data + "shape = [2, 8]\n" + rest;
    const std::string kDeep = "more than 64 deep";
    const auto top = [=](std::string name, std::string says, std::string before) {
        return ofBytes(std::move(name), std::move(says), [=] { return before + sound; });
    };
    const auto shaped = [=](std::string name, std::string says, std::string shape) {
        return ofBytes(std::move(name), std::move(says),
                       [=] { return data + "shape = [" + shape + "]\n" + rest; });
    };
    constexpr std::size_t kMany = 100'000;
    return {
        top("sound", "", ""),
        top("lists_deep", kDeep, "title = " + std::string(kMany, '[') + "\n"),
        top("closed_lists_deep", kDeep,
            "title = " + std::string(kMany, '[') + std::string(kMany, ']') + "\n"),
        top("lists_over_lines_deep", kDeep, "title = " + repeated("[\n", kMany)),
        top("lists_behind_commas_deep", kDeep, "title = " + repeated("[1,", kMany)),
        top("tables_deep", kDeep, "title = " + repeated("{a=", kMany) + "1\n"),
        top("dotted_key", kDeep, repeated("a.", 250'000) + "a = 1\n"),
        top("quoted_dotted_key", kDeep, repeated("\"a\".", kMany) + "a = 1\n"),
        top("dotted_key_in_a_table", kDeep, "title = {" + repeated("a.", kMany) + "a = 1}\n"),
        top("tables_of_dotted_keys", kDeep, "title = " + repeated("{a.b.c=", 30) + "1\n"),
        ofBytes("dotted_heading", kDeep, [=] { return "[" + repeated("a.", kMany) + "a]\n"; }),
        ofBytes("dotted_heading_of_lists", kDeep,
                [=] { return "[[" + repeated("a.", kMany) + "a]]\n"; }),
        ofBytes("headings_ever_deeper", kDeep,
                [=] {
                    std::string text;
                    std::string path = "a";
                    for (int i = 0; i < 100; ++i, path += ".a") text += "[" + path + "]\n";
                    return text;
                }),
        top("strings_before_the_deep", kDeep,
            "a = '\"'\nb = \"'\"\nc = '''\n'\"\n'''\nd = \"\"\"\\\"\"\"\"\ne = " +
                std::string(kMany, '[') + "\n"),
        top("brackets_in_comments", "", "#" + std::string(200, '[') + "\n"),
        top("brackets_in_strings", "", "title = \"" + std::string(200, '[') + "\"\n"),
        top("brackets_in_long_strings", "", "title = '''\n" + std::string(200, '[') + "'''\n"),
        top("string_without_end", "line", "title = \"" + std::string(kMany, '[') + "\n"),
        top("long_string_without_end", "TOML", "title = '''" + std::string(kMany, '[') + "\n"),
        top("closed_before_opened", "TOML", std::string(kMany, ']') + "\n"),
        shaped("absurd_shape", "", "9223372036854775807, 9223372036854775807"),
        shaped("shape_longer_than_the_file", "", "1000000, 1000000"),
        shaped("shape_of_nothing", "shape", "0, 0"),
        shaped("axes_without_number", "", repeated("1, ", 100'000) + "1"),
        ofBytes("longer_than_any", "no sidecar",
                [] { return std::string(std::size_t{2} << 20U, '\n'); }),
    };
}

} // namespace echolux::test
