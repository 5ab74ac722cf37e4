// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays in files, arrays in memory, and arrays stacked from several.
#include "app/dataset/container/array_source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace echolux {

namespace {

/// True where all axes that are slower in memory than `axis` have one entry.
bool isSlowest(const ArrayLayout& layout, std::size_t axis) {
    const auto outer = layout.columnMajor ? std::span(layout.shape).subspan(axis + 1)
                                          : std::span(layout.shape).first(axis);
    return std::ranges::all_of(outer, [](std::int64_t extent) { return extent == 1; });
}

/// NOTE: what a reader process answers may hold any bytes and components.
bool isNumber(const ElementType& type) {
    const int bytes = type.bytes;
    return (bytes == 1 || bytes == 2 || bytes == 3 || bytes == 4 || bytes == 8) &&
           (type.components == 1 || type.components == 2);
}

} // namespace

std::int64_t ArrayLayout::count() const {
    std::int64_t product = 1;
    for (const std::int64_t extent : shape) product *= extent;
    return product;
}

std::vector<std::int64_t> ArrayLayout::strides() const {
    std::vector<std::int64_t> strides(shape.size());
    std::int64_t step = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const std::size_t axis = columnMajor ? i : shape.size() - 1 - i;
        strides[axis] = step;
        step *= shape[axis];
    }
    return strides;
}

std::string ArrayLayout::describe() const {
    return shape.empty() ? fmt::format("one number ({})", inWords(type))
                         : fmt::format("{} ({})", fmt::join(shape, " x "), inWords(type));
}

void ArrayLayout::check(const std::filesystem::path& path, const std::string& where) const {
    if (!isNumber(type))
        throw fileError(path, fmt::format("the elements of {}, {} times {} bytes, are no numbers; "
                                          "the file is damaged, copy it again",
                                          where, type.components, type.bytes));
    std::uint64_t bytes = type.size();
    for (const std::int64_t extent : shape) {
        if (extent < 0)
            throw fileError(path, fmt::format("the shape of {} has the negative extent {}; the "
                                              "file is damaged or its sidecar is wrong",
                                              where, extent));
        if (extent == 0)
            throw fileError(path, fmt::format("{} is empty: its shape is ({}); record or export it "
                                              "again",
                                              where, fmt::join(shape, ", ")));
        constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        if (static_cast<std::uint64_t>(extent) > kMost / bytes)
            throw fileError(path, fmt::format("the shape ({}) of {} is larger than any file can "
                                              "be; the file is damaged or its sidecar is wrong",
                                              fmt::join(shape, ", "), where));
        bytes *= static_cast<std::uint64_t>(extent);
    }
}

FileArray::FileArray(std::shared_ptr<const InputFile> file, std::uint64_t offset,
                     ArrayLayout layout)
    : m_file(std::move(file)), m_offset(offset) {
    m_layout = std::move(layout);
}

bool FileArray::canSlice(std::size_t axis) const { return isSlowest(m_layout, axis); }

void FileArray::read(std::span<std::byte> out) {
    m_file->read(m_offset, out);
    toNativeOrder(m_layout.type, out);
}

void FileArray::readSlice(std::size_t, std::int64_t index, std::span<std::byte> out) {
    m_file->read(m_offset + static_cast<std::uint64_t>(index) * out.size(), out);
    toNativeOrder(m_layout.type, out);
}

std::vector<FramePart> FileArray::partsOfSlice(std::int64_t index, std::size_t bytes) const {
    return partsOfFile(*m_file, m_offset + static_cast<std::uint64_t>(index) * bytes, bytes,
                       turnedBytes(m_layout.type));
}

MemoryArray::MemoryArray(std::vector<std::byte> bytes, ArrayLayout layout)
    : m_bytes(std::move(bytes)) {
    m_layout = std::move(layout);
}

bool MemoryArray::canSlice(std::size_t axis) const { return isSlowest(m_layout, axis); }

void MemoryArray::read(std::span<std::byte> out) {
    std::memcpy(out.data(), m_bytes.data(), out.size());
}

void MemoryArray::readSlice(std::size_t, std::int64_t index, std::span<std::byte> out) {
    std::memcpy(out.data(), m_bytes.data() + static_cast<std::size_t>(index) * out.size(),
                out.size());
}

StackedArray::StackedArray(const std::filesystem::path& path, std::vector<std::int64_t> outer,
                           std::vector<std::unique_ptr<ArraySource>> parts)
    : m_parts(std::move(parts)) {
    const ArrayLayout& first = m_parts.front()->layout();
    for (const auto& part : m_parts)
        if (part->layout().shape != first.shape || !(part->layout().type == first.type) ||
            part->layout().columnMajor != first.columnMajor)
            throw fileError(path, fmt::format("its arrays differ: one is {}, another {}; describe "
                                              "only arrays of one type and shape in the sidecar",
                                              first.describe(), part->layout().describe()));
    m_layout = first;
    // NOTE: column-major parts in a row-major stack have no common layout.
    if (first.columnMajor)
        throw fileError(path, "arrays in Fortran order cannot be put together from several names; "
                              "save them in C order");
    m_layout.shape.insert(m_layout.shape.begin(), outer.begin(), outer.end());
}

bool StackedArray::canSlice(std::size_t axis) const { return axis == 0; }

void StackedArray::readParts(std::size_t first, std::size_t count, std::span<std::byte> out) {
    const std::size_t each = out.size() / count;
    for (std::size_t i = 0; i < count; ++i) m_parts[first + i]->read(out.subspan(i * each, each));
}

void StackedArray::read(std::span<std::byte> out) { readParts(0, m_parts.size(), out); }

void StackedArray::readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) {
    const std::size_t count = m_parts.size() / static_cast<std::size_t>(m_layout.shape[axis]);
    readParts(static_cast<std::size_t>(index) * count, count, out);
}

std::vector<double> readNumbers(const std::filesystem::path& path, ArraySource& source,
                                const std::string& where) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 24U;
    const ArrayLayout& layout = source.layout();
    if (layout.bytes() > kMost)
        throw fileError(path, fmt::format("'{}' holds {} numbers, far more than geometry or timing "
                                          "need; check the name in the sidecar",
                                          where, layout.count()));
    std::vector<std::byte> bytes(layout.bytes());
    source.read(bytes);
    std::vector<double> values = toDoubles(layout.type, bytes);
    if (!layout.columnMajor || layout.shape.size() != 2 || layout.type.components != 1)
        return values;
    std::vector<double> ordered(values.size());
    const auto rows = static_cast<std::size_t>(layout.shape[0]);
    const auto columns = static_cast<std::size_t>(layout.shape[1]);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c) ordered[r * columns + c] = values[c * rows + r];
    return ordered;
}

namespace {

class SqueezedArray : public ArraySource {
public:
    SqueezedArray(std::unique_ptr<ArraySource> source, const std::vector<std::size_t>& namedNone)
        : m_source(std::move(source)) {
        m_layout = m_source->layout();
        m_layout.shape.clear();
        for (std::size_t axis = 0; axis < m_source->layout().shape.size(); ++axis) {
            if (std::ranges::count(namedNone, axis) > 0) continue;
            m_layout.shape.push_back(m_source->layout().shape[axis]);
            m_axes.push_back(axis);
        }
    }
    bool canSlice(std::size_t axis) const override { return m_source->canSlice(m_axes[axis]); }
    void read(std::span<std::byte> out) override { m_source->read(out); }
    void readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) override {
        m_source->readSlice(m_axes[axis], index, out);
    }
    std::vector<FramePart> partsOfSlice(std::int64_t index, std::size_t bytes) const override {
        return m_source->partsOfSlice(index, bytes);
    }
    void foreseeSlice(std::int64_t index, std::size_t bytes) const override {
        m_source->foreseeSlice(index, bytes);
    }

private:
    std::unique_ptr<ArraySource> m_source;
    std::vector<std::size_t> m_axes; ///< axes of the source
};

} // namespace

std::unique_ptr<ArraySource> withoutAxes(const std::filesystem::path& path,
                                         std::unique_ptr<ArraySource> source,
                                         const std::vector<std::size_t>& namedNone) {
    if (namedNone.empty()) return source;
    const std::vector<std::int64_t>& shape = source->layout().shape;
    for (const std::size_t axis : namedNone)
        if (axis >= shape.size() || shape[axis] != 1)
            throw fileError(
                path, fmt::format("axis {} of {} is named 'none', but {}; name what it counts",
                                  axis + 1, source->layout().describe(),
                                  axis >= shape.size()
                                      ? std::string("there is no such axis")
                                      : fmt::format("has {} entries, and only an axis of one can "
                                                    "be left out",
                                                    shape[axis])));
    return std::make_unique<SqueezedArray>(std::move(source), namedNone);
}

} // namespace echolux
