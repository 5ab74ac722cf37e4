// SPDX-License-Identifier: GPL-3.0-or-later
// Seeded random choices for tests on random settings.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>

namespace echolux::testing_support {

class Chooser {
public:
    explicit Chooser(unsigned seed) : m_random(seed * 9973 + 5) {}
    bool chance(double p) { return std::bernoulli_distribution(p)(m_random); }
    double real(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(m_random);
    }
    std::int64_t integer(std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(m_random);
    }
    template <class T> T one(std::initializer_list<T> of) {
        return of.begin()[integer(0, static_cast<std::int64_t>(of.size()) - 1)];
    }

private:
    std::mt19937 m_random;
};

} // namespace echolux::testing_support
