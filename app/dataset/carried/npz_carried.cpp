// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays beside those of named_recording.hpp and named_images.hpp.
#include "app/dataset/carried/npz_carried.hpp"

#include "app/dataset/container/archive.hpp"
#include "app/dataset/container/npz.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>

namespace echolux {

namespace {

using namespace std::string_view_literals;

/// Names that the readers know, and those that `echolux export` writes besides.
constexpr std::array kKnownArrays{"rf"sv,
                                  "iq"sv,
                                  "fs"sv,
                                  "f0"sv,
                                  "fc"sv,
                                  "fd"sv,
                                  "fdemod"sv,
                                  "c"sv,
                                  "pitch"sv,
                                  "x"sv,
                                  "y"sv,
                                  "z"sv,
                                  "t0"sv,
                                  "wave"sv,
                                  "angles"sv,
                                  "source"sv,
                                  "elements"sv,
                                  "long_axes"sv,
                                  "data"sv,
                                  "form"sv,
                                  "frame_rate"sv,
                                  "axis_order"sv,
                                  "apodization"sv,
                                  "depth"sv,
                                  "lateral"sv,
                                  "elevation"sv,
                                  "apex_x"sv,
                                  "apex_z"sv,
                                  "line_x"sv,
                                  "line_z"sv,
                                  "iq_phase_zero"sv,
                                  "range_min"sv,
                                  "range_max"sv,
                                  "axes"sv,
                                  "content"sv,
                                  "receive_elements"sv,
                                  "unit"sv,
                                  "time"sv,
                                  "description"sv,
                                  "apex_radius"sv,
                                  "receive_weights"sv,
                                  "line_angles"sv,
                                  "elevation_angles"sv,
                                  "demodulation_frequency"sv,
                                  "modulation_frequency"sv};

constexpr std::uint64_t kMostOfArchive = std::uint64_t{64} << 20U;

/// The elements in row-major order.
std::vector<std::byte> inRows(const ArrayLayout& layout, const std::vector<std::byte>& stored) {
    if (!layout.columnMajor || layout.shape.size() < 2) return stored;
    const std::vector<std::int64_t> strides = layout.strides();
    const std::size_t each = layout.type.size();
    std::vector<std::byte> rows(stored.size());
    std::vector<std::int64_t> index(layout.shape.size(), 0);
    for (std::size_t to = 0; to < rows.size(); to += each) {
        std::int64_t from = 0;
        for (std::size_t axis = 0; axis < index.size(); ++axis) from += index[axis] * strides[axis];
        std::memcpy(rows.data() + to, stored.data() + static_cast<std::size_t>(from) * each, each);
        for (std::size_t axis = index.size(); axis-- > 0;) {
            if (++index[axis] < layout.shape[axis]) break;
            index[axis] = 0;
        }
    }
    return rows;
}

} // namespace

CarriedFacts npzCarried(const RecordingInfo& info) {
    CarriedFacts found{.family = kNpzFamily};
    const auto arrays = openNpz(std::make_shared<Archive>(info.path));
    std::uint64_t bytes = 0;
    for (const std::string& name : arrays->names()) {
        if (std::ranges::find(kKnownArrays, name) != kKnownArrays.end()) continue;
        try {
            const auto source = arrays->open(name);
            CarriedFact fact{.name = name, .layout = source->layout()};
            bytes += fact.layout.bytes();
            if (bytes > kMostOfArchive) {
                found.left.push_back(name);
                continue;
            }
            checkLoadSize(info.path, "what it says besides", bytes);
            std::vector<std::byte> stored(fact.layout.bytes());
            source->read(stored);
            fact.numbers = inRows(fact.layout, stored);
            fact.layout.columnMajor = false;
            fact.layout.type.bigEndian = false;
            found.facts.push_back(std::move(fact));
        } catch (const Error&) { // texts, and objects that only Python can load
            found.left.push_back(name);
        }
    }
    return found;
}

} // namespace echolux
