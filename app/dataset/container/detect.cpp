// SPDX-License-Identifier: GPL-3.0-or-later
// Signatures of files, and groups and attributes that identify HDF5 trees.
#include "app/dataset/container/detect.hpp"

#include "app/dataset/container/hdf5_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <string>

namespace echolux {

namespace {

constexpr std::size_t kHeadBytes = 1024;
constexpr std::string_view kHdf5Signature("\x89HDF\r\n\x1a\n", 8);

bool hdf5At(const InputFile& file, std::uint64_t offset) {
    if (offset + kHdf5Signature.size() > file.size()) return false;
    std::array<char, kHdf5Signature.size()> bytes{};
    file.read(offset, std::as_writable_bytes(std::span(bytes)));
    return std::string_view(bytes.data(), bytes.size()) == kHdf5Signature;
}

bool isHdf5(const InputFile& file) {
    if (hdf5At(file, 0)) return true;
    constexpr std::uint64_t kFirstUserBlock = 512;
    for (std::uint64_t at = kFirstUserBlock; at < file.size(); at *= 2)
        if (hdf5At(file, at)) return true;
    return false;
}

std::string readHead(const InputFile& file) {
    std::string head(std::min<std::uint64_t>(file.size(), kHeadBytes), '\0');
    file.read(0, std::as_writable_bytes(std::span(head)));
    return head;
}

/// True where the first word is possible in a MAT level 4 file: M*1000 + O*100 + P*10 + T.
bool isMat4(std::string_view head) {
    if (head.size() < 20) return false;
    std::int32_t word = 0;
    std::memcpy(&word, head.data(), sizeof word);
    return word >= 0 && word <= 5000 && word % 10 <= 2 && word / 10 % 10 <= 5 &&
           word / 100 % 10 == 0;
}

bool plausibleMat4(std::string_view head, std::uint64_t fileSize) {
    if (!isMat4(head)) return false;
    std::array<std::int32_t, 5> words{};
    std::memcpy(words.data(), head.data(), sizeof words);
    const std::int64_t nameLength = words[4];
    return words[1] >= 0 && words[2] >= 0 && (words[3] == 0 || words[3] == 1) && nameLength > 1 &&
           nameLength < 256 && 20 + static_cast<std::uint64_t>(nameLength) <= fileSize &&
           std::isalpha(static_cast<unsigned char>(head[20])) != 0;
}

/// True where the file is a PNG or JPEG, which does not say where its pixels lie.
bool isPicture(std::string_view head) {
    return head.starts_with("\x89PNG") || head.starts_with("\xff\xd8\xff");
}

/// True where the file is a pickle of protocol 2 to 5: it begins with the protocol, and ends with
/// the opcode STOP.
bool isPickle(const InputFile& file, std::string_view head) {
    using namespace std::string_view_literals;
    constexpr char kFrame = '\x95';
    if (head.size() < 4 || head[0] != '\x80') return false;
    const bool framed = (head[1] == 4 || head[1] == 5) && head[2] == kFrame;
    // What Python writes first: a dictionary, a list, a tuple, a class, a text, or a global.
    const bool plain = (head[1] == 2 || head[1] == 3) && "}](cX\x8c"sv.find(head[2]) != head.npos;
    std::array<std::byte, 1> last{};
    file.read(file.size() - 1, last);
    return (framed || plain) && last[0] == std::byte{'.'};
}

/// True where the file begins with the header of a tar member, whose checksum is right.
bool isTar(std::string_view head) {
    constexpr std::size_t kHeader = 512;
    constexpr std::size_t kMagic = 257;
    constexpr std::size_t kSum = 148;
    constexpr std::size_t kSumLetters = 8;
    if (head.size() < kHeader || head.substr(kMagic, 5) != "ustar") return false;
    unsigned long sum = 0;
    for (std::size_t i = 0; i < kHeader; ++i)
        sum += i >= kSum && i < kSum + kSumLetters ? ' ' : static_cast<unsigned char>(head[i]);
    return std::strtoul(std::string(head.substr(kSum, kSumLetters)).c_str(), nullptr, 8) == sum;
}

FileKind matKind(const InputFile& file, std::string_view head) {
    const bool big = head.substr(126, 2) == "MI";
    const auto first = static_cast<unsigned char>(head[124]);
    const auto second = static_cast<unsigned char>(head[125]);
    const unsigned version = big ? first << 8U | second : second << 8U | first;
    if (version == 0x0100) return FileKind::Mat5;
    if (version == 0x0200) {
        if (isHdf5(file)) return FileKind::Mat73;
        throw fileError(file.path(), "its header says MATLAB 7.3, but no HDF5 data follow; it was "
                                     "cut off, copy it again");
    }
    throw fileError(file.path(), fmt::format("its header gives MAT-file version {:#06x}, Echolux "
                                             "reads 5 and 7.3; save it with -v7 or -v7.3",
                                             version));
}

} // namespace

void refuseWithoutData(const InputFile& file) {
    if (file.size() == 0)
        throw fileError(file.path(), "the file is empty (0 bytes); copy or record it again");
    if (readHead(file).starts_with("version https://git-lfs"))
        throw fileError(file.path(), "it is a git-LFS pointer, the data themselves were never "
                                     "downloaded; run 'git lfs pull' where it came from");
}

FileKind detectKind(const InputFile& file) {
    using namespace std::string_view_literals;
    refuseWithoutData(file);
    const std::filesystem::path& path = file.path();
    const std::string buffer = readHead(file);
    const std::string_view head = buffer;
    if (head.starts_with("\x93NUMPY"sv)) return FileKind::Npy;
    if (head.starts_with("PK\x03\x04"sv) || head.starts_with("PK\x05\x06"sv)) return FileKind::Zip;
    if (head.starts_with("MATLAB") && head.size() >= 128 &&
        (head.substr(126, 2) == "IM" || head.substr(126, 2) == "MI"))
        return matKind(file, head);
    if (head.starts_with("MATLAB 5.0 MAT-file") || head.starts_with("MATLAB 7.3 MAT-file"))
        throw fileError(path, "its MATLAB header is cut off or damaged; copy it again");
    if (isPicture(head))
        throw fileError(path,
                        "it is a picture, which holds no samples or scale; open the recording that "
                        "it was made from, or convert it to TIFF, NRRD, MetaImage or NIfTI");
    if (isPickle(file, head))
        throw fileError(path, "it is a Python pickle, which Echolux never loads, because loading "
                              "one runs code; load it in Python, and save its arrays as .npz");
    if (isTar(head))
        throw fileError(path, "it is a tar archive; unpack it with 'tar xf', and choose a "
                              "recording in it");
    if (isHdf5(file)) return FileKind::Hdf5;
    if (head.starts_with("    -1\n") || head.starts_with("    -1\r"))
        throw fileError(path, "it is a Universal File Format text (vibration data), which shares "
                              "only the extension with ultrasound's UFF; choose a recording");
    if (plausibleMat4(head, file.size()))
        throw fileError(path, "it is a MAT-file of level 4, which cannot hold the structures that "
                              "describe a recording; save it in MATLAB with -v7 or -v7.3");
    return FileKind::Raw;
}

Hdf5Kind detectTree(const Hdf5File& file) {
    if (file.has("tracks") || (file.has("data") && file.has("scan"))) return Hdf5Kind::Zea;
    for (const char* zea : {"raw_data", "beamformed_data", "envelope_data", "image"})
        if (file.has(std::string("data/") + zea)) return Hdf5Kind::Zea;
    const std::vector<std::string> names = file.children("");
    const auto any = [&](auto test) { return std::ranges::any_of(names, test); };
    if (any([](const std::string& name) { return name.starts_with("event_"); }))
        return Hdf5Kind::Zea;
    if (file.isGroup("US")) return Hdf5Kind::Picmus;
    if (file.has("uff.channel_data") || file.has("version/major")) return Hdf5Kind::UffTaskForce;
    // NOTE: USTB names a version at the root, pyuff_ustb does not.
    if (any([&](const std::string& name) {
            return file.textAttribute(name, "class").value_or("").starts_with("uff.");
        }))
        return Hdf5Kind::Ustb;
    if (any([&](const std::string& name) { return file.hasAttribute(name, "MATLAB_class"); }))
        return Hdf5Kind::Matlab;
    if (file.has("data/rf_data")) return Hdf5Kind::Pybf;
    return Hdf5Kind::Unknown;
}

std::string_view nameOf(Hdf5Kind kind) {
    switch (kind) {
    case Hdf5Kind::Matlab: return "MATLAB 7.3";
    case Hdf5Kind::Zea: return "zea HDF5";
    case Hdf5Kind::Picmus: return "PICMUS HDF5";
    case Hdf5Kind::UffTaskForce: return "ultrasound file format (UFF task force)";
    case Hdf5Kind::Ustb: return "USTB UFF";
    case Hdf5Kind::Pybf: return "pybf HDF5";
    case Hdf5Kind::Unknown: break;
    }
    return "HDF5";
}

} // namespace echolux
