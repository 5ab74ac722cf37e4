// SPDX-License-Identifier: GPL-3.0-or-later
// Opens arrays by name, stacks arrays whose names differ by a number or come from a list, and
// determines open sizes.
#include "app/dataset/sidecar/sidecar_array.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {

namespace {

constexpr std::int64_t kMaxParts = 1000000;

/// The same elements under an equivalent layout: axes of one entry moved behind all others, or all
/// axes in reverse order.
class RelaidArray : public ArraySource {
public:
    RelaidArray(std::unique_ptr<ArraySource> source, std::size_t longer, bool reversed)
        : m_source(std::move(source)), m_reversed(reversed) {
        m_layout = m_source->layout();
        m_layout.shape.resize(m_layout.shape.size() + longer, 1);
        if (!reversed) return;
        std::ranges::reverse(m_layout.shape);
        m_layout.columnMajor = !m_layout.columnMajor;
    }
    bool canSlice(std::size_t axis) const override {
        const std::size_t own = axisOf(axis);
        return own < m_source->layout().shape.size() && m_source->canSlice(own);
    }
    void read(std::span<std::byte> out) override { m_source->read(out); }
    void readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) override {
        m_source->readSlice(axisOf(axis), index, out);
    }

private:
    std::size_t axisOf(std::size_t axis) const {
        return m_reversed ? m_layout.shape.size() - 1 - axis : axis;
    }

    std::unique_ptr<ArraySource> m_source;
    bool m_reversed;
};

class ArrayOpener {
public:
    ArrayOpener(const std::shared_ptr<const InputFile>& file, ArrayContainer* container,
                const Sidecar& sidecar, const SidecarNumbers& numbers)
        : m_file(file), m_container(container), m_sidecar(sidecar), m_numbers(numbers) {}

    std::unique_ptr<ArraySource> open(ArrayMapping& mapping) {
        if (m_container == nullptr) return openRaw();
        if (!m_sidecar.shape.empty() || m_sidecar.offset != 0 || m_sidecar.trailer != 0)
            throw error("data.shape, offset and trailer describe headerless binary, but "
                        "this file says them itself");
        if (m_sidecar.arrays.empty() && m_sidecar.transmitArrays.empty()) return openNamed("");
        return openStack(mapping);
    }

private:
    Error error(const std::string& what) const { return m_numbers.error(what); }

    std::unique_ptr<ArraySource> openNamed(const std::string& name) {
        if (name.empty() && !m_container->has(name))
            throw error(
                fmt::format("data.array must name one of the arrays {}", m_container->list()));
        return fitted(m_container->open(name));
    }

    /// Removes axes of one entry that have no name, and adds those that MATLAB does not keep.
    std::unique_ptr<ArraySource> fitted(std::unique_ptr<ArraySource> source) const {
        const std::size_t rank = source->layout().shape.size();
        const std::size_t named = m_sidecar.axes.size() + m_sidecar.namedNone.size();
        if (source->layout().columnMajor && named > rank)
            source = std::make_unique<RelaidArray>(std::move(source), named - rank, false);
        const std::vector<std::size_t> left = m_sidecar.namedNone.empty()
                                                  ? spareAxes(source->layout().shape, named)
                                                  : m_sidecar.namedNone;
        return withoutAxes(m_file->path(), std::move(source), left);
    }

    std::unique_ptr<ArraySource> openRaw() const {
        if (!m_sidecar.dtype || m_sidecar.shape.empty())
            throw error("headerless binary needs data.dtype and data.shape");
        if (!m_sidecar.arrays.empty() || !m_sidecar.transmitArrays.empty())
            throw error("data.array names an array, but headerless binary has no names");
        ArrayLayout layout{*m_sidecar.dtype, m_sidecar.shape, false};
        const std::uint64_t around = m_sidecar.offset + m_sidecar.trailer;
        const std::uint64_t have = m_file->size() < around ? 0 : m_file->size() - around;
        fillOpenExtent(layout, have);
        layout.check(m_file->path(), "the sidecar");
        if (m_file->size() < around || layout.bytes() != have)
            throw error(
                fmt::format("the shape {} needs {} bytes, but between offset {} and trailer "
                            "{} the file of {} bytes has {}",
                            layout.describe(), layout.bytes(), m_sidecar.offset, m_sidecar.trailer,
                            m_file->size(), have));
        return fitted(std::make_unique<FileArray>(m_file, m_sidecar.offset, std::move(layout)));
    }

    void fillOpenExtent(ArrayLayout& layout, std::uint64_t have) const {
        const auto open = std::ranges::find(layout.shape, -1);
        if (open == layout.shape.end()) return;
        if (std::ranges::count(layout.shape, -1) > 1)
            throw error("data.shape holds -1 more than once");
        *open = 1;
        layout.check(m_file->path(), "the sidecar");
        if (have % layout.bytes() != 0 || have == 0)
            throw error(fmt::format("{} bytes of samples are no multiple of the {} bytes that the "
                                    "known extents of data.shape take",
                                    have, layout.bytes()));
        *open = static_cast<std::int64_t>(have / layout.bytes());
    }

    /// How many consecutive names exist when `mark` counts up and the other mark stays at its first
    /// number.
    std::int64_t countNames(const std::string& pattern, const std::string& mark,
                            const std::string& other) const {
        if (pattern.find(mark) == std::string::npos) return 0;
        const std::string start = withNumber(pattern, other, m_sidecar.firstIndex);
        std::int64_t count = 0;
        while (count < kMaxParts &&
               m_container->has(withNumber(start, mark, m_sidecar.firstIndex + count)))
            ++count;
        if (count == 0)
            throw error(fmt::format("data.array expects '{}', which is not there; the file holds "
                                    "{}",
                                    withNumber(start, mark, m_sidecar.firstIndex),
                                    m_container->list()));
        return count;
    }

    /// The array names of each transmit: one, or one for I and one for Q. {frame} stays in them.
    std::vector<std::vector<std::string>> namesOfTransmits(std::int64_t transmits) const {
        if (!m_sidecar.transmitArrays.empty()) return m_sidecar.transmitArrays;
        std::vector<std::vector<std::string>> names;
        for (std::int64_t t = 0; t < std::max<std::int64_t>(transmits, 1); ++t) {
            names.emplace_back();
            for (const std::string& name : m_sidecar.arrays)
                names.back().push_back(withNumber(name, "{transmit}", m_sidecar.firstIndex + t));
        }
        return names;
    }

    std::unique_ptr<ArraySource> openStack(ArrayMapping& mapping) {
        const bool listed = !m_sidecar.transmitArrays.empty();
        const std::string& pattern =
            listed ? m_sidecar.transmitArrays.front().front() : m_sidecar.arrays.front();
        const std::int64_t frames = countNames(pattern, "{frame}", "{transmit}");
        const std::int64_t transmits = countNames(pattern, "{transmit}", "{frame}");
        const auto names = namesOfTransmits(transmits);
        std::vector<ArrayAxis> outerAxes;
        std::vector<std::int64_t> outer;
        const auto add = [&](ArrayAxis axis, std::size_t extent) {
            outerAxes.push_back(axis);
            outer.push_back(static_cast<std::int64_t>(extent));
        };
        if (frames > 0) add(ArrayAxis::Frame, static_cast<std::size_t>(frames));
        if (listed || transmits > 0) add(ArrayAxis::Transmit, names.size());
        if (names.front().size() > 1) add(ArrayAxis::Iq, 2);
        if (outer.empty()) return openNamed(pattern);

        std::vector<std::unique_ptr<ArraySource>> parts;
        for (std::int64_t f = 0; f < std::max<std::int64_t>(frames, 1); ++f)
            for (const auto& transmit : names)
                for (const std::string& name : transmit)
                    parts.push_back(
                        openNamed(withNumber(name, "{frame}", m_sidecar.firstIndex + f)));
        if (std::ranges::all_of(parts,
                                [](const auto& part) { return part->layout().columnMajor; })) {
            for (auto& part : parts) part = std::make_unique<RelaidArray>(std::move(part), 0, true);
            std::ranges::reverse(mapping.axes);
        }
        mapping.axes.insert(mapping.axes.begin(), outerAxes.begin(), outerAxes.end());
        return std::make_unique<StackedArray>(m_file->path(), outer, std::move(parts));
    }

    const std::shared_ptr<const InputFile>& m_file;
    ArrayContainer* m_container;
    const Sidecar& m_sidecar;
    const SidecarNumbers& m_numbers;
};

std::vector<std::int64_t> without(std::vector<std::int64_t> shape,
                                  const std::vector<std::size_t>& axes) {
    for (std::size_t i = axes.size(); i-- > 0;)
        shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axes[i]));
    return shape;
}

} // namespace

std::unique_ptr<ArraySource> openSidecarArray(const std::shared_ptr<const InputFile>& file,
                                              ArrayContainer* container, const Sidecar& sidecar,
                                              const SidecarNumbers& numbers,
                                              ArrayMapping& mapping) {
    return ArrayOpener(file, container, sidecar, numbers).open(mapping);
}

std::vector<std::size_t> spareAxes(const std::vector<std::int64_t>& shape, std::size_t named) {
    std::vector<std::size_t> ones;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        if (shape[axis] == 1) ones.push_back(axis);
    if (named >= shape.size() || ones.size() < shape.size() - named) return {};
    const auto over = static_cast<std::ptrdiff_t>(shape.size() - named);
    std::vector<std::size_t> first(ones.begin(), ones.begin() + over);
    const std::vector<std::size_t> last(ones.end() - over, ones.end());
    // Neighbouring axes of one entry are interchangeable.
    if (without(shape, first) != without(shape, last)) return {};
    return first;
}

void describeCodes(const SidecarNumbers& numbers, const Sidecar& sidecar, bool pairs,
                   FrameSpec& frame, ArrayMapping& mapping) {
    frame.codeOffset = sidecar.codeOffset;
    frame.codeScale = numbers.one("data.code_scale", 1.0);
    if (sidecar.has("data.converter_range")) {
        const auto range = numbers.all("data.converter_range");
        if (range.size() != 2 || !(range[0] < range[1]))
            throw numbers.error("data.converter_range must be the lowest and the highest code of "
                                "the converter, for example [-2048, 2047]");
        frame.converterRange = {range[0], range[1]};
    }
    if (frame.dtype == DType::ComplexF32) {
        std::swap(mapping.pairOffset, frame.codeOffset);
        if (auto& range = frame.converterRange)
            range = {range->lowest - mapping.pairOffset, range->highest - mapping.pairOffset};
    }
    if (!std::isfinite(frame.codeScale) || frame.codeScale == 0.0)
        throw numbers.error("data.code_scale must be a number other than 0");
    if (sidecar.conjugate && !pairs)
        throw numbers.error("data.conjugate is set, but the samples are real");
}

} // namespace echolux
