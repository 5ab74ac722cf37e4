// SPDX-License-Identifier: GPL-3.0-or-later
// Small datasets and attributes of other programs' HDF5 trees, of any stored type.
#include "app/dataset/container/hdf5_values.hpp"

#include "app/dataset/container/hdf5_whole.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace echolux {

namespace {

constexpr std::size_t kMostLetters = 4096;

/// A text, stored letter by letter or as one string; at most kMostLetters of it.
std::optional<std::string> readString(const Hdf5File& tree, const std::string& where,
                                      hid_t dataset) {
    const Hdf5Handle type(H5Dget_type(dataset));
    const Hdf5Handle space(H5Dget_space(dataset));
    if (H5Tget_class(type.get()) != H5T_STRING) return std::nullopt;
    const hssize_t count = H5Sget_simple_extent_npoints(space.get());
    if (count < 1 || static_cast<std::size_t>(count) > kMostLetters) return std::nullopt;
    if (H5Tis_variable_str(type.get()) > 0) {
        std::optional<std::string> text = tree.text(where);
        if (text) text->resize(std::min(text->size(), kMostLetters));
        return text;
    }
    const std::size_t width = H5Tget_size(type.get());
    if (width == 0 || width * static_cast<std::size_t>(count) > kMostLetters) return std::nullopt;
    std::string cells(width * static_cast<std::size_t>(count), '\0');
    if (!Hdf5Whole(dataset).read(type.get(), cells.data())) return std::nullopt;
    std::erase(cells, '\0');
    return cells;
}

void appendUtf8(std::string& text, std::uint32_t code) {
    if (code < 0x80) {
        text += static_cast<char>(code);
    } else if (code < 0x800) {
        text += static_cast<char>(0xC0U | code >> 6U);
        text += static_cast<char>(0x80U | (code & 0x3FU));
    } else {
        text += static_cast<char>(0xE0U | code >> 12U);
        text += static_cast<char>(0x80U | (code >> 6U & 0x3FU));
        text += static_cast<char>(0x80U | (code & 0x3FU));
    }
}

/// The text of 16 bit codes, in which MATLAB keeps letters; nothing where they are no letters.
std::optional<std::string> textOfCodes(const std::vector<double>& codes) {
    if (codes.size() > kMostLetters) return std::nullopt;
    std::string text;
    for (const double code : codes) {
        if (!(code >= 0.0) || code > 0xFFFF || code != std::floor(code)) return std::nullopt;
        const auto value = static_cast<std::uint32_t>(code);
        if (value >= 0x20 && (value < 0xD800 || value > 0xDFFF)) appendUtf8(text, value);
    }
    return text;
}

/// Two arrays of one layout as one: the second follows the first.
class PartedArray : public ArraySource {
public:
    PartedArray(std::unique_ptr<ArraySource> real, std::unique_ptr<ArraySource> imaginary)
        : m_parts{std::move(real), std::move(imaginary)} {
        m_layout = m_parts[0]->layout();
        m_layout.shape.insert(m_layout.shape.begin(), 2);
    }
    bool canSlice(std::size_t axis) const override {
        return axis == 0 || (m_parts[0]->canSlice(axis - 1) && m_parts[1]->canSlice(axis - 1));
    }
    void read(std::span<std::byte> out) override {
        m_parts[0]->read(out.first(out.size() / 2));
        m_parts[1]->read(out.last(out.size() / 2));
    }
    void readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) override {
        if (axis == 0) return m_parts[static_cast<std::size_t>(index)]->read(out);
        m_parts[0]->readSlice(axis - 1, index, out.first(out.size() / 2));
        m_parts[1]->readSlice(axis - 1, index, out.last(out.size() / 2));
    }

private:
    std::array<std::unique_ptr<ArraySource>, 2> m_parts;
};

} // namespace

std::string Hdf5Values::at(const std::string& name) const {
    return m_group.empty() ? name : m_group + "/" + name;
}

Error Hdf5Values::error(const std::string& what) const { return fileError(path(), what); }

std::optional<std::vector<double>> Hdf5Values::numbers(const std::string& name) const {
    const std::string where = at(name);
    if (!m_tree->isNumeric(where)) return std::nullopt;
    const auto source = m_tree->open(where);
    constexpr std::int64_t kMost = std::int64_t{1} << 21; // numbers of geometry and timing
    if (source->layout().count() > kMost)
        throw error(fmt::format("'{}' holds {} numbers, far more than geometry or timing need; the "
                                "file is damaged, copy it again",
                                where, source->layout().count()));
    return readNumbers(path(), *source, where);
}

std::optional<double> Hdf5Values::number(const std::string& name) const {
    const auto values = numbers(name);
    if (!values) return std::nullopt;
    if (values->size() != 1)
        throw error(fmt::format("'{}' holds {} numbers instead of one; correct it", at(name),
                                values->size()));
    return values->front();
}

std::vector<std::int64_t> Hdf5Values::shape(const std::string& name) const {
    if (!isNumeric(name)) return {};
    return m_tree->open(at(name))->layout().shape;
}

std::optional<std::string> Hdf5Values::text(const std::string& name) const {
    if (!m_tree->isDataset(at(name))) return std::nullopt;
    if (const auto codes = numbers(name)) return textOfCodes(*codes);
    const Hdf5Handle dataset(H5Dopen2(m_tree->id(), at(name).c_str(), H5P_DEFAULT));
    return readString(*m_tree, at(name), dataset.get());
}

std::optional<double> Hdf5Values::numberAttribute(const std::string& name) const {
    if (!m_tree->hasAttribute(m_group, name)) return std::nullopt;
    const Hdf5Handle attribute(H5Aopen_by_name(m_tree->id(),
                                               m_group.empty() ? "/" : m_group.c_str(),
                                               name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
    const Hdf5Handle type(H5Aget_type(attribute.get()));
    const Hdf5Handle space(H5Aget_space(attribute.get()));
    constexpr hssize_t kMost = 64;
    const hssize_t count = H5Sget_simple_extent_npoints(space.get());
    if (count < 1 || count > kMost) return std::nullopt;
    const H5T_class_t kind = H5Tget_class(type.get());
    if (kind == H5T_FLOAT) {
        std::array<double, kMost> values{};
        if (H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, values.data()) < 0) return std::nullopt;
        return values.front();
    }
    if (kind != H5T_INTEGER && kind != H5T_ENUM) return std::nullopt;
    // NOTE: HDF5 1.10 converts an enumeration to a number only as its own integer type.
    const Hdf5Handle base(kind == H5T_ENUM ? H5Tget_super(type.get()) : H5Tcopy(type.get()));
    const std::size_t size = H5Tget_size(type.get());
    // NOTE: HDF5 1.10 assumes that an enumeration is as long as its integers.
    if (size > sizeof(std::int64_t) || H5Tget_size(base.get()) != size) return std::nullopt;
    std::array<std::int64_t, kMost> values{};
    if (H5Aread(attribute.get(), type.get(), values.data()) < 0) return std::nullopt;
    if (H5Tconvert(base.get(), H5T_NATIVE_INT64, static_cast<std::size_t>(count), values.data(),
                   nullptr, H5P_DEFAULT) < 0)
        return std::nullopt;
    return static_cast<double>(values.front());
}

std::unique_ptr<ArraySource> openParts(Hdf5File& tree, const std::string& real,
                                       const std::string& imaginary) {
    auto first = tree.open(real);
    auto second = tree.open(imaginary);
    if (first->layout().shape != second->layout().shape ||
        !(first->layout().type == second->layout().type))
        throw fileError(tree.path(), fmt::format("'{}' is {}, but '{}' {}; save both parts in one "
                                                 "type and shape",
                                                 real, first->layout().describe(), imaginary,
                                                 second->layout().describe()));
    if (first->layout().type.components != 1)
        throw fileError(tree.path(), fmt::format("'{}' holds complex numbers where real parts are "
                                                 "expected; save real and imaginary parts",
                                                 real));
    return std::make_unique<PartedArray>(std::move(first), std::move(second));
}

} // namespace echolux
