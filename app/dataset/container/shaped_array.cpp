// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/container/shaped_array.hpp"

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

} // namespace

std::unique_ptr<ArraySource> reshaped(std::unique_ptr<ArraySource> source,
                                      std::vector<std::int64_t> shape,
                                      std::optional<KeptAxis> kept) {
    return std::make_unique<ShapedArray>(std::move(source), std::move(shape), kept);
}

} // namespace echolux
