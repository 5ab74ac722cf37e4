// SPDX-License-Identifier: GPL-3.0-or-later
// Stacks the matrices of a cell array.
#include "app/dataset/formats/must_signals.hpp"

#include "app/dataset/recording/input_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>

namespace echolux {

namespace {

bool isMatrix(const MatValue& value) {
    return value.kind == MatValue::Kind::Numeric && value.dims.size() == 2 && value.count() > 0;
}

/// Copies columns of `from.dims[0]` samples into columns of `samples` samples, whose rest stays 0.
/// In unsigned codes silence is near the middle of the range and not 0, so a column's last code is
/// repeated instead.
template <class Part> void copyColumns(const MatValue& from, std::size_t samples, Part* out) {
    const auto parts = static_cast<std::size_t>(from.type.components);
    const std::size_t length = static_cast<std::size_t>(from.dims[0]) * parts;
    const Part* in = reinterpret_cast<const Part*>(from.bytes.data());
    for (std::int64_t column = 0; column < from.dims[1]; ++column) {
        std::copy_n(in, length, out);
        if constexpr (std::is_unsigned_v<Part>)
            std::fill(out + length, out + samples * parts, in[length - 1]);
        in += length;
        out += samples * parts;
    }
}

} // namespace

std::int64_t signalCount(const MatValue& value) {
    if (value.kind == MatValue::Kind::Numeric) return value.dims.size() >= 2 ? value.count() : 0;
    if (value.kind != MatValue::Kind::Cell || !std::ranges::all_of(value.cells, isMatrix)) return 0;
    std::int64_t count = 0;
    for (const MatValue& matrix : value.cells) count += matrix.count();
    return count;
}

MatValue stackedSignals(const std::filesystem::path& path, const std::string& name,
                        MatValue signals, std::vector<std::string>& warnings) {
    if (signals.kind != MatValue::Kind::Cell) return signals;
    const MatValue& first = signals.cells.front();
    std::int64_t shortest = first.dims[0];
    std::int64_t longest = first.dims[0];
    for (std::size_t i = 0; i < signals.cells.size(); ++i) {
        const MatValue& matrix = signals.cells[i];
        if (matrix.dims[1] != first.dims[1] || !(matrix.type == first.type))
            throw fileError(path, fmt::format("the matrices of '{}' are to be of one type and have "
                                              "one column for each element, but the first is {} "
                                              "and number {} is {}; correct the one that is wrong",
                                              name, first.describe(), i + 1, matrix.describe()));
        shortest = std::min(shortest, matrix.dims[0]);
        longest = std::max(longest, matrix.dims[0]);
    }
    MatValue stacked{.kind = MatValue::Kind::Numeric, .type = first.type};
    stacked.dims = {longest, first.dims[1]};
    std::ranges::copy(signals.dims, std::back_inserter(stacked.dims));
    // A row or a column of matrices is one axis.
    if (signals.dims.size() == 2 && signals.dims[0] == 1)
        stacked.dims.erase(stacked.dims.begin() + 2);
    // NOTE: the filled samples take memory too, so they must not be many more than those of the
    // file.
    constexpr std::int64_t kMostSilence = 4;
    if (stacked.count() > kMostSilence * signalCount(signals))
        throw fileError(path, fmt::format("the matrices of '{}' have {} to {} samples, too unequal "
                                          "to be kept as one array; cut them to one length",
                                          name, shortest, longest));
    if (shortest != longest)
        warnings.push_back(fmt::format("The matrices of '{}' have {} to {} samples; shorter ones "
                                       "end in silence.",
                                       name, shortest, longest));
    const std::uint64_t bytes = static_cast<std::uint64_t>(stacked.count()) * stacked.type.size();
    checkLoadSize(path, fmt::format("'{}'", name), bytes);
    stacked.bytes.resize(bytes);
    const std::size_t step = bytes / signals.cells.size();
    const auto samples = static_cast<std::size_t>(longest);
    for (std::size_t i = 0; i < signals.cells.size(); ++i) {
        const MatValue matrix = std::move(signals.cells[i]);
        visitComponent(matrix.type, [&](auto zero) {
            using Part = decltype(zero);
            copyColumns(matrix, samples, reinterpret_cast<Part*>(stacked.bytes.data() + i * step));
        });
    }
    return stacked;
}

} // namespace echolux
