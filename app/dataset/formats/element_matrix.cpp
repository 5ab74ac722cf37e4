// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/formats/element_matrix.hpp"

#include "app/dataset/recording/input_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace echolux {

ElementMatrix::ElementMatrix(const std::filesystem::path& path, std::vector<Pair> pairs,
                             std::size_t elements)
    : m_pairs(std::move(pairs)), m_elements(elements) {
    m_fires.assign(elements, coversEveryPairOnce());
    for (const Pair& pair : m_pairs) m_fires[pair.tx] = true;
    m_row.assign(elements, 0);
    for (std::size_t k = 0; k < elements; ++k) {
        if (!m_fires[k]) continue;
        m_row[k] = m_fired.size();
        m_fired.push_back(k);
    }
    // NOTE: traces that are not stored take memory too, so the array must not be much larger than
    // the file.
    constexpr std::uint64_t kMostPerTrace = 64;
    if (lines() > kMostPerTrace * m_pairs.size())
        throw fileError(path, fmt::format("it stores {} traces for {} transmits and {} elements, "
                                          "too few to make an image of",
                                          m_pairs.size(), m_fired.size(), elements));
    m_stored.assign(lines(), false);
    for (std::size_t i = 0; i < m_pairs.size(); ++i) {
        if (m_stored[lineOf(i)])
            throw fileError(path, fmt::format("the pair of transmitter {} and receiver {} is "
                                              "stored twice; keep one of the two traces",
                                              m_pairs[i].tx + 1, m_pairs[i].rx + 1));
        m_stored[lineOf(i)] = true;
    }
}

/// True where for every two elements (a, b) or (b, a) is stored.
bool ElementMatrix::coversEveryPairOnce() const {
    const std::size_t wanted = m_elements * (m_elements - 1) / 2;
    if (static_cast<std::size_t>(std::ranges::count_if(
            m_pairs, [](const Pair& pair) { return pair.tx != pair.rx; })) != wanted)
        return false;
    std::vector<bool> covered(m_elements * m_elements, false);
    for (const Pair& pair : m_pairs)
        covered[std::min(pair.tx, pair.rx) * m_elements + std::max(pair.tx, pair.rx)] = true;
    std::size_t found = 0;
    for (std::size_t a = 0; a < m_elements; ++a)
        for (std::size_t b = a + 1; b < m_elements; ++b)
            found += covered[a * m_elements + b] ? 1U : 0U;
    return found == wanted;
}

bool ElementMatrix::isAlone(const Pair& pair) const {
    return pair.tx != pair.rx && m_fires[pair.rx] &&
           !m_stored[m_row[pair.rx] * m_elements + pair.tx];
}

std::vector<float> ElementMatrix::weights() const {
    if (isFull()) return {};
    std::vector<float> weights(lines(), 0.0F);
    for (std::size_t i = 0; i < m_pairs.size(); ++i)
        weights[lineOf(i)] = isAlone(m_pairs[i]) ? 2.0F : 1.0F;
    return weights;
}

std::string ElementMatrix::description() const {
    if (isFull()) return fmt::format("full matrix, {} x {}", m_fired.size(), m_elements);
    const bool half =
        m_fired.size() == m_elements && std::ranges::all_of(m_pairs, [&](const Pair& pair) {
            return isAlone(pair) || pair.tx == pair.rx;
        });
    return fmt::format("{} matrix, {} of {} x {} pairs stored", half ? "half" : "partial",
                       m_pairs.size(), m_fired.size(), m_elements);
}

std::vector<Transmit> ElementMatrix::transmits(const std::vector<Point>& elements,
                                               double firstSampleS) const {
    std::vector<Transmit> transmits(m_fired.size());
    for (std::size_t i = 0; i < transmits.size(); ++i) {
        transmits[i].wave = Wave::Element;
        transmits[i].source = elements[m_fired[i]];
        transmits[i].firstSampleS = firstSampleS;
    }
    return transmits;
}

} // namespace echolux
