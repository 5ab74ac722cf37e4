// SPDX-License-Identifier: GPL-3.0-or-later
// The random choices of a generated case: the same for the same seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace echolux::check {

class CaseRandom {
public:
    explicit CaseRandom(unsigned seed) : m_random(seed * 7919 + 1) {}

    double uniform(double from, double to) {
        return std::uniform_real_distribution<double>(from, to)(m_random);
    }
    std::int64_t whole(std::int64_t from, std::int64_t to) {
        return std::uniform_int_distribution<std::int64_t>(from, to)(m_random);
    }
    bool chance(double probability) { return uniform(0.0, 1.0) < probability; }
    template <class List> auto oneOf(const List& list) {
        return list[static_cast<std::size_t>(whole(0, static_cast<std::int64_t>(list.size()) - 1))];
    }

private:
    std::mt19937 m_random;
};

} // namespace echolux::check
