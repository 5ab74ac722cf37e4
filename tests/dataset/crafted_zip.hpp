// SPDX-License-Identifier: GPL-3.0-or-later
// ZIP archives, record by record: .npz and .oct.
#pragma once

#include "tests/dataset/crafted_files.hpp"

namespace echolux::test {

namespace zip {

template <class T> std::string raw(T value) { return bytesOfValues(std::vector<T>{value}); }

/// A member as its headers claim it to be.
struct Member {
    std::string name;
    std::string stored;
    std::uint32_t bytes = 0; ///< uncompressed
    std::uint16_t method = 0;
    std::uint16_t flags = 0;
    std::uint32_t crc = 0;
    std::uint16_t moreName = 0; ///< by which the name is said to be longer

    std::string facts() const {
        return raw(flags) + raw(method) + std::string(4, '\0') + raw(crc) +
               raw(static_cast<std::uint32_t>(stored.size())) + raw(bytes) +
               raw(static_cast<std::uint16_t>(name.size() + moreName));
    }
    std::string local() const {
        return "PK\3\4" + raw(std::uint16_t{20}) + facts() + raw(std::uint16_t{0}) + name + stored;
    }
    std::string central(std::uint32_t at) const {
        return "PK\1\2" + raw(std::uint16_t{20}) + raw(std::uint16_t{20}) + facts() +
               std::string(12, '\0') + raw(at) + name;
    }
};

inline Member member(std::string name, const std::string& data, bool deflate = false) {
    const auto crc = static_cast<std::uint32_t>(
        ::crc32(0, reinterpret_cast<const Bytef*>(data.data()), static_cast<uInt>(data.size())));
    return {.name = std::move(name),
            .stored = deflate ? deflated(data, -MAX_WBITS) : data,
            .bytes = static_cast<std::uint32_t>(data.size()),
            .method = static_cast<std::uint16_t>(deflate ? 8 : 0),
            .crc = crc};
}

inline std::string ending(std::uint16_t count, std::uint32_t length, std::uint32_t at) {
    return std::string("PK\5\6\0\0\0\0", 8) + raw(count) + raw(count) + raw(length) + raw(at) +
           std::string(2, '\0');
}
inline std::string archive(const std::vector<Member>& members) {
    std::string bytes;
    std::string directory;
    for (const Member& each : members) {
        directory += each.central(static_cast<std::uint32_t>(bytes.size()));
        bytes += each.local();
    }
    return bytes + directory +
           ending(static_cast<std::uint16_t>(members.size()),
                  static_cast<std::uint32_t>(directory.size()),
                  static_cast<std::uint32_t>(bytes.size()));
}
/// So many entries for one stored member, counted with 64 bits.
inline std::string overlapping(std::uint64_t count) {
    const Member each = member("a.npy", "");
    const std::string local = each.local();
    const std::string directory = repeated(each.central(0), count);
    const std::uint64_t end = local.size() + directory.size();
    return local + directory + "PK\6\6" + raw(std::uint64_t{44}) + raw(std::uint16_t{45}) +
           raw(std::uint16_t{45}) + std::string(8, '\0') + raw(count) + raw(count) +
           raw(std::uint64_t{directory.size()}) + raw(std::uint64_t{local.size()}) + "PK\6\7" +
           std::string(4, '\0') + raw(end) + raw(std::uint32_t{1}) +
           ending(0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF);
}

/// A .npz that describes itself; its samples as given.
inline std::vector<Member> described(const Member& samples) {
    const auto number = [](const std::string& name, double value) {
        return member(name + ".npy",
                      npyBytes(npyDictionary("<f8", "()"), bytesOfValues(std::vector{value})));
    };
    return {samples, number("fs", 20e6), number("f0", 5e6), number("pitch", 0.3e-3)};
}
inline std::string npz(const std::string& samples) {
    return archive(described(member("rf.npy", samples)));
}
inline std::string oct(const std::string& header) {
    return archive({member("Header.xml", header, true),
                    member("data\\Spectral0.data", std::string(256, '\1'))});
}

} // namespace zip

inline std::vector<Crafted> craftedZip() {
    using namespace zip;
    const auto header = [](std::string name, std::string says, std::function<std::string()> xml) {
        return ofBytes(std::move(name), std::move(says), [=] { return oct(xml()); });
    };
    const auto array = [](std::string name, std::string says, std::string dictionary) {
        return ofBytes(std::move(name), std::move(says),
                       [=] { return npz(npyBytes(dictionary, "12345678")); });
    };
    const auto changed = [](std::string name, std::string says, auto change) {
        return ofBytes(std::move(name), std::move(says), [=] {
            Member samples = member("rf.npy", npyBytes(npyDictionary("<i2", "(2, 2)"), "12345678"));
            change(samples);
            return archive(described(samples));
        });
    };
    return {
        ofBytes("many_entries_of_one_member", "more than 100000",
                [] { return overlapping(150'000); }),
        ofBytes("more_entries_than_there_are", "",
                [] {
                    std::string bytes = npz("");
                    bytes[bytes.size() - 12] = '\x7f';
                    return bytes;
                }),
        ofBytes("directory_beyond_the_end", "damaged",
                [] {
                    const std::string local = member("rf.npy", "").local();
                    return local + ending(1, 46, 0x7FFFFFFF);
                }),
        ofBytes("member_beyond_the_end", "",
                [] {
                    const Member one = member("rf.npy", "");
                    const std::string directory = one.central(0x7FFFFFFF);
                    return one.local() + directory +
                           ending(1, static_cast<std::uint32_t>(directory.size()),
                                  static_cast<std::uint32_t>(one.local().size()));
                }),
        ofBytes("zeros", "of memory",
                [] {
                    const std::string head = npyBytes(
                        npyDictionary("<i2", "(1, 1, " + std::to_string(kTooMuch / 2) + ")"), "");
                    Member samples{.name = "rf.npy",
                                   .stored = deflatedZeros(head, kTooMuch, -MAX_WBITS),
                                   .bytes = static_cast<std::uint32_t>(head.size() + kTooMuch),
                                   .method = 8};
                    return archive(described(samples));
                }),
        changed("impossible_size", "", [](Member& m) { m.bytes = 0xFFFFFFF0; }),
        changed("impossible_ratio", "",
                [](Member& m) {
                    m.stored = deflated(m.stored, -MAX_WBITS);
                    m.method = 8;
                    m.bytes = 0x7FFFFFFF;
                }),
        changed("encrypted", "", [](Member& m) { m.flags = 1; }),
        changed("no_such_method", "", [](Member& m) { m.method = 99; }),
        changed("wrong_checksum", "", [](Member& m) { m.crc ^= 1U; }),
        changed("name_beyond_the_end", "", [](Member& m) { m.moreName = 0xFF00; }),
        changed("deflated_nonsense", "", [](Member& m) { m.method = 8; }),
        array("shape_without_end", "", npyDictionary("<i2", "(2147483647, 2147483647, 4)")),
        array("shape_of_many_axes", "", npyDictionary("<i2", "(" + repeated("1, ", 5000) + ")")),
        array("negative_shape", "", npyDictionary("<i2", "(-4, 4)")),
        array("parentheses_deep", "", npyDictionary("<i2", std::string(60'000, '('))),
        array("shape_larger_than_the_member", "", npyDictionary("<i2", "(4096, 4096)")),
        ofBytes("header_longer_than_the_member", "",
                [] {
                    std::string bytes = npyBytes(npyDictionary("<i2", "(2, 2)"), "12345678", 2);
                    bytes.replace(8, 4, "\xff\xff\xff\x7f");
                    return npz(bytes);
                }),
        header("xml_deep", "more than 64 deep",
               [] { return "<Ocity>" + repeated("<a>", 1'000'000); }),
        header("xml_of_many_elements", "of memory",
               [] { return "<Ocity>" + repeated("<a/>", 1'200'000) + "</Ocity>"; }),
        header("xml_of_many_attributes", "of memory",
               [] { return "<Ocity><a " + repeated("b=\"\" ", 4'000'000) + "/></Ocity>"; }),
        header(
            "xml_of_entities", "entities",
            [] { return std::string("<!DOCTYPE a [<!ENTITY a \"&a;&a;\">]><Ocity>&a;</Ocity>"); }),
        header("xml_longer_than_any", "no scan needs",
               [] { return "<Ocity>" + std::string(std::size_t{33} << 20U, ' ') + "</Ocity>"; }),
        header("xml_of_absurd_sizes", "",
               [] {
                   return std::string(
                       "<Ocity><DataFiles><DataFile Type=\"Raw\" SizeZ=\"999999999\" "
                       "SizeX=\"999999999\" BytesPerPixel=\"2\">"
                       "data\\Spectral0.data</DataFile></DataFiles></Ocity>");
               }),
        ofBytes("bscans_without_number", "of memory",
                [] {
                    const Member stack = member("", std::string(std::size_t{8} << 20U, '\0'), true);
                    std::string files;
                    std::vector<Member> members;
                    for (int i = 0; i < 20; ++i) {
                        const std::string name = "data\\Spectral" + std::to_string(i) + ".data";
                        files += "<DataFile SizeZ=\"4\" SizeX=\"1\" SizeY=\"1000000\" "
                                 "BytesPerPixel=\"2\" ScanRegionStart0=\"0\" "
                                 "ScanRegionEnd0=\"1\">" +
                                 name + "</DataFile>";
                        members.push_back(stack);
                        members.back().name = name;
                    }
                    members.push_back(
                        member("Header.xml", "<Ocity><Instrument><BytesPerPixel>2</BytesPerPixel>"
                                             "</Instrument><DataFiles>" +
                                                 files + "</DataFiles></Ocity>"));
                    return archive(members);
                }),
        ofBytes("many_spectra", "",
                [] {
                    std::string files;
                    std::vector<Member> members;
                    for (int i = 0; i < 20'000; ++i) {
                        const std::string name = "data\\Spectral" + std::to_string(i) + ".data";
                        files += "<DataFile SizeZ=\"2\" SizeX=\"1\">" + name + "</DataFile>";
                        members.push_back(member(name, "abcd"));
                    }
                    members.push_back(member("Header.xml", "<Ocity><DataFiles>" + files +
                                                               "</DataFiles></Ocity>"));
                    return archive(members);
                }),
    };
}

} // namespace echolux::test
