// SPDX-License-Identifier: GPL-3.0-or-later
// A heap: "GCOL", version, 3 bytes, its length (8 bytes, all of it), then objects: number (2),
// references (2), 4 bytes, length (8), and that many bytes rounded up to 8. Number 0 is what is
// free, its own 16 bytes counted.
#include "app/dataset/container/hdf5_heap_check.hpp"

#include "app/dataset/recording/input_file.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

namespace echolux {

namespace {

constexpr std::uint64_t kHeader = 16; ///< of a heap, and of an object in it
constexpr std::uint64_t kMostHeap = std::uint64_t{1} << 28U;

template <class T> T numberAt(const std::vector<std::byte>& bytes, std::uint64_t at) {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

bool isSound(const InputFile& file, std::uint64_t start) {
    if (start + kHeader > file.size()) return true; // letters, no heap
    std::vector<std::byte> heap(kHeader);
    file.read(start, heap);
    const auto version = std::to_integer<int>(heap[4]);
    if (version != 1) return true;
    const auto length = numberAt<std::uint64_t>(heap, 8);
    if (length < kHeader || length > kMostHeap || length > file.size() - start) return false;
    heap.resize(length);
    file.read(start, heap);
    std::uint64_t at = kHeader;
    while (length - at >= kHeader) {
        const auto number = numberAt<std::uint16_t>(heap, at);
        const auto size = numberAt<std::uint64_t>(heap, at + 8);
        const std::uint64_t left = length - at;
        if (size > left) return false;
        const std::uint64_t taken = number == 0 ? size : kHeader + (size + 7) / 8 * 8;
        if (taken < kHeader || taken > left) return false;
        at += taken;
    }
    return true;
}

bool stretchIsSound(const InputFile& file, std::uint64_t from, std::uint64_t to) {
    constexpr std::string_view kSignature = "GCOL";
    constexpr std::uint64_t kBlock = std::uint64_t{1} << 20U;
    std::vector<char> block;
    for (std::uint64_t at = from; at < to; at += kBlock) {
        // Signatures that two blocks share are found in the first.
        block.resize(std::min(kBlock + kSignature.size() - 1, to - at));
        file.read(at, std::as_writable_bytes(std::span(block)));
        const std::string_view text(block.data(), block.size());
        for (auto found = text.find(kSignature); found != std::string_view::npos;
             found = text.find(kSignature, found + 1))
            if (!isSound(file, at + found)) return false;
    }
    return true;
}

} // namespace

bool globalHeapsAreSound(const std::filesystem::path& path) {
    constexpr std::uint64_t kLooked = std::uint64_t{32} << 20U;
    const InputFile file(path);
    const std::uint64_t size = file.size();
    if (size <= 2 * kLooked) return stretchIsSound(file, 0, size);
    return stretchIsSound(file, 0, kLooked) && stretchIsSound(file, size - kLooked, size);
}

} // namespace echolux
