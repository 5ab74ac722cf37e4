// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/decoding/pseudo_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <span>

namespace echolux::decoding {
namespace {

constexpr double kRound = 1e-15;

/// Columns as rows, so that each lies in one piece.
class Columns {
public:
    explicit Columns(const CodeMatrix& of) : m_length(of.rows), m_values(of.values.size()) {
        for (std::size_t row = 0; row < of.rows; ++row)
            for (std::size_t column = 0; column < of.columns; ++column)
                m_values[column * m_length + row] = of.at(row, column);
    }
    static Columns identity(std::size_t size) {
        CodeMatrix one{size, size, std::vector<double>(size * size)};
        for (std::size_t i = 0; i < size; ++i) one.at(i, i) = 1.0;
        return Columns(one);
    }
    std::span<double> operator[](std::size_t column) {
        return {m_values.data() + column * m_length, m_length};
    }

private:
    std::size_t m_length;
    std::vector<double> m_values;
};

double product(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void rotate(std::span<double> a, std::span<double> b, double cosine, double sine) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double first = a[i];
        a[i] = cosine * first - sine * b[i];
        b[i] = sine * first + cosine * b[i];
    }
}

/// Makes two columns of `turned` orthogonal; `by` is turned with them. False: they were.
bool orthogonalise(Columns& turned, Columns& by, std::size_t p, std::size_t q) {
    const double a = product(turned[p], turned[p]);
    const double b = product(turned[q], turned[q]);
    const double c = product(turned[p], turned[q]);
    if (std::abs(c) <= kRound * std::sqrt(a * b)) return false;
    const double zeta = (b - a) / (2.0 * c);
    const double tangent =
        std::copysign(1.0, zeta) / (std::abs(zeta) + std::sqrt(1.0 + zeta * zeta));
    const double cosine = 1.0 / std::sqrt(1.0 + tangent * tangent);
    rotate(turned[p], turned[q], cosine, cosine * tangent);
    rotate(by[p], by[q], cosine, cosine * tangent);
    return true;
}

PseudoInverse rotated(const CodeMatrix& of) {
    constexpr int kMostSweeps = 30;
    if (of.columns == 0) return {};
    Columns turned(of);                         // becomes U S
    Columns by = Columns::identity(of.columns); // becomes V
    bool turns = true;
    for (int sweep = 0; turns && sweep < kMostSweeps; ++sweep) {
        turns = false;
        for (std::size_t p = 0; p + 1 < of.columns; ++p)
            for (std::size_t q = p + 1; q < of.columns; ++q)
                turns = orthogonalise(turned, by, p, q) || turns;
    }
    std::vector<double> squares;
    for (std::size_t i = 0; i < of.columns; ++i) squares.push_back(product(turned[i], turned[i]));
    const auto [least, most] = std::ranges::minmax(squares);
    const double relative = most > 0.0 ? std::sqrt(least / most) : 0.0;
    if (!(relative > kRound * static_cast<double>(of.columns)))
        return {{}, std::numeric_limits<double>::infinity()};
    PseudoInverse made{{of.columns, of.rows, std::vector<double>(of.values.size())},
                       1.0 / relative};
    for (std::size_t i = 0; i < of.columns; ++i) {
        for (double& value : turned[i]) value /= squares[i];
        for (std::size_t row = 0; row < of.columns; ++row)
            for (std::size_t column = 0; column < of.rows; ++column)
                made.matrix.at(row, column) += by[i][row] * turned[i][column];
    }
    return made;
}

} // namespace

PseudoInverse pseudoInverse(const CodeMatrix& of) {
    static std::mutex mutex;
    static CodeMatrix last;
    static PseudoInverse found;
    const std::lock_guard lock(mutex);
    if (last != of) {
        found = rotated(of);
        last = of;
    }
    return found;
}

} // namespace echolux::decoding
