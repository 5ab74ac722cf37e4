// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/container/shaped_array.hpp"

#include <algorithm>
#include <utility>

namespace echolux {

namespace {

class ShapedArray : public ArraySource {
public:
    ShapedArray(std::unique_ptr<ArraySource> source, std::vector<std::int64_t> shape,
                std::optional<KeptAxis> kept)
        : m_source(std::move(source)), m_kept(kept) {
        m_layout = m_source->layout();
        m_layout.shape = std::move(shape);
    }
    bool canSlice(std::size_t axis) const override {
        return m_kept && m_kept->after == axis && m_source->canSlice(m_kept->before);
    }
    void read(std::span<std::byte> out) override { m_source->read(out); }
    void readSlice(std::size_t, std::int64_t index, std::span<std::byte> out) override {
        m_source->readSlice(m_kept->before, index, out);
    }

private:
    std::unique_ptr<ArraySource> m_source;
    std::optional<KeptAxis> m_kept;
};

class LastOf : public ArraySource {
public:
    LastOf(std::unique_ptr<ArraySource> source, std::size_t index)
        : m_source(std::move(source)), m_index(index) {
        m_layout = m_source->layout();
        m_each = static_cast<std::size_t>(m_layout.shape.back());
        m_layout.shape.pop_back();
    }
    bool canSlice(std::size_t axis) const override { return m_source->canSlice(axis); }
    void read(std::span<std::byte> out) override {
        std::vector<std::byte> all(out.size() * m_each);
        m_source->read(all);
        pick(all, out);
    }
    void readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) override {
        std::vector<std::byte> all(out.size() * m_each);
        m_source->readSlice(axis, index, all);
        pick(all, out);
    }

private:
    void pick(const std::vector<std::byte>& all, std::span<std::byte> out) const {
        const std::size_t bytes = m_layout.type.size();
        for (std::size_t at = 0; at + bytes <= out.size(); at += bytes)
            std::copy_n(all.data() + at * m_each + m_index * bytes, bytes, out.data() + at);
    }

    std::unique_ptr<ArraySource> m_source;
    std::size_t m_index;
    std::size_t m_each = 1; ///< entries of the last axis
};

} // namespace

std::unique_ptr<ArraySource> atLast(std::unique_ptr<ArraySource> source, std::size_t index) {
    return std::make_unique<LastOf>(std::move(source), index);
}

std::unique_ptr<ArraySource> reshaped(std::unique_ptr<ArraySource> source,
                                      std::vector<std::int64_t> shape,
                                      std::optional<KeptAxis> kept) {
    return std::make_unique<ShapedArray>(std::move(source), std::move(shape), kept);
}

} // namespace echolux
