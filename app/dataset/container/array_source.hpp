// SPDX-License-Identifier: GPL-3.0-or-later
// An n-dimensional array of numbers in a file, read whole or one index of an axis at a time; and
// containers that hold such arrays by name.
#pragma once

#include "app/dataset/container/element_type.hpp"
#include "app/dataset/recording/frame_part.hpp"
#include "app/dataset/recording/input_file.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace echolux {

struct ArrayLayout {
    ElementType type;
    std::vector<std::int64_t> shape; ///< in index order
    bool columnMajor = false;        ///< true: the first axis is contiguous; false: the last one

    std::int64_t count() const; ///< product of the shape; 1 for a scalar
    std::uint64_t bytes() const { return static_cast<std::uint64_t>(count()) * type.size(); }
    std::vector<std::int64_t> strides() const; ///< in elements, in index order
    std::string describe() const;              ///< "29 x 128 x 2 (16-bit integers)"
    /// Throws where an extent is negative or the number of bytes overflows. `where` names the
    /// array.
    void check(const std::filesystem::path& path, const std::string& where) const;
};

/// Bytes that are read at most to guess what an array holds.
inline constexpr std::uint64_t kMostLooked = std::uint64_t{64} << 20U;

/// Reads an array. Elements are delivered in the byte order of this machine.
class ArraySource {
public:
    virtual ~ArraySource() = default;
    const ArrayLayout& layout() const { return m_layout; }
    /// True where one index of this axis can be read without reading the rest.
    virtual bool canSlice(std::size_t axis) const = 0;
    /// Reads all elements in the order of the layout.
    virtual void read(std::span<std::byte> out) = 0;
    /// Reads the elements at `index` of `axis`, in the order of the layout without that axis.
    virtual void readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) = 0;
    /// Parts of a slice of `bytes` bytes, as readSlice() delivers it. Empty where readSlice() must
    /// be used.
    virtual std::vector<FramePart> partsOfSlice(std::int64_t /*index*/,
                                                std::size_t /*bytes*/) const {
        return {};
    }
    /// A hint: readSlice() of these bytes will follow soon, along the slowest axis.
    virtual void foreseeSlice(std::int64_t /*index*/, std::size_t /*bytes*/) const {}

protected:
    ArrayLayout m_layout;
};

/// An array that is contiguous in a file: headerless binary and .npy.
class FileArray : public ArraySource {
public:
    FileArray(std::shared_ptr<const InputFile> file, std::uint64_t offset, ArrayLayout layout);
    bool canSlice(std::size_t axis) const override;
    void read(std::span<std::byte> out) override;
    void readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) override;
    std::vector<FramePart> partsOfSlice(std::int64_t index, std::size_t bytes) const override;
    void foreseeSlice(std::int64_t index, std::size_t bytes) const override {
        m_file->foresee(m_offset + static_cast<std::uint64_t>(index) * bytes, bytes);
    }

private:
    std::shared_ptr<const InputFile> m_file;
    std::uint64_t m_offset = 0;
};

/// An array in memory, in native byte order.
class MemoryArray : public ArraySource {
public:
    MemoryArray(std::vector<std::byte> bytes, ArrayLayout layout);
    bool canSlice(std::size_t axis) const override;
    void read(std::span<std::byte> out) override;
    void readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) override;

private:
    std::vector<std::byte> m_bytes;
};

/// Arrays of the same layout, joined along new outer axes. The names of the arrays in the file tell
/// their indices along these axes.
class StackedArray : public ArraySource {
public:
    /// `outer` has the sizes of at least one outer axis. `parts` are ordered with the last outer
    /// axis fastest. Throws where the layouts of the parts differ.
    StackedArray(const std::filesystem::path& path, std::vector<std::int64_t> outer,
                 std::vector<std::unique_ptr<ArraySource>> parts);
    bool canSlice(std::size_t axis) const override;
    void read(std::span<std::byte> out) override;
    void readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) override;

private:
    void readParts(std::size_t first, std::size_t count, std::span<std::byte> out);
    std::vector<std::unique_ptr<ArraySource>> m_parts;
};

/// The same elements without the axes that a sidecar names `none`. `namedNone` holds their indices
/// in order. Throws where one of them has more than one entry.
std::unique_ptr<ArraySource> withoutAxes(const std::filesystem::path& path,
                                         std::unique_ptr<ArraySource> source,
                                         const std::vector<std::size_t>& namedNone);

/// A file with named arrays: .npz, HDF5. A .npy file has one array with an empty name.
class ArrayContainer {
public:
    virtual ~ArrayContainer() = default;
    virtual bool has(const std::string& where) const = 0;
    virtual std::unique_ptr<ArraySource> open(const std::string& where) = 0;
    virtual std::string list() const = 0; ///< names with layouts, shortened, for messages
    /// All names that open() accepts, at most 4096. Empty where they cannot be listed.
    virtual std::vector<std::string> names() const { return {}; }
    /// Hz; 0 where the file does not say it.
    virtual double frameRateHz() const { return 0.0; }
};

/// All numbers of a small array (positions, angles, times), in the order of its indices.
std::vector<double> readNumbers(const std::filesystem::path& path, ArraySource& source,
                                const std::string& where);

} // namespace echolux
