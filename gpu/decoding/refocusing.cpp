// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/decoding/refocusing.hpp"

#include "gpu/exec/host_loop.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace echolux::decoding {
namespace {

constexpr std::size_t kBins = 4; ///< handled together, so that they fill a vector

/// One complex number for each of kBins frequencies.
struct Number {
    double re[kBins] = {};
    double im[kBins] = {};
};

/// to += conj(a) b, or -= with `sign` -1.
void addConjugate(Number& to, const Number& a, const Number& b, double sign) {
    for (std::size_t k = 0; k < kBins; ++k) {
        to.re[k] += sign * (a.re[k] * b.re[k] + a.im[k] * b.im[k]);
        to.im[k] += sign * (a.re[k] * b.im[k] - a.im[k] * b.re[k]);
    }
}
/// to -= a b
void subtract(Number& to, const Number& a, const Number& b) {
    for (std::size_t k = 0; k < kBins; ++k) {
        to.re[k] -= a.re[k] * b.re[k] - a.im[k] * b.im[k];
        to.im[k] -= a.re[k] * b.im[k] + a.im[k] * b.re[k];
    }
}
void divide(Number& number, const Number& real) {
    for (std::size_t k = 0; k < kBins; ++k) {
        number.re[k] /= real.re[k];
        number.im[k] /= real.re[k];
    }
}

/// The matrix of the fewer side: of senders where there are at most as many as transmits, else of
/// transmits. With `few` vectors V_i of `many` numbers, V_i[k] = H_ki, or conj H_ik:
///   G_ij = sum_k conj(V_i[k]) V_j[k], G x_k = conj V[k],
/// and M_ik = x_k[i], or M_ki = conj x_k[i].
class FewerSide {
public:
    FewerSide(std::size_t senders, std::size_t transmits)
        : m_senders(senders), m_few(std::min(senders, transmits)),
          m_many(std::max(senders, transmits)), m_vectors(senders * transmits),
          m_gram(m_few * m_few), m_solution(m_few) {}

    Number& at(std::size_t i, std::size_t k) { return m_vectors[i * m_many + k]; }
    const std::vector<Number>& solution() const { return m_solution; }

    /// Makes R of G + damping T I = R^H R, upper triangle.
    void factorise(double damping) {
        for (std::size_t i = 0; i < m_few; ++i)
            for (std::size_t j = i; j < m_few; ++j) {
                Number sum;
                for (std::size_t k = 0; k < m_many; ++k) addConjugate(sum, at(i, k), at(j, k), 1.0);
                gram(i, j) = sum;
            }
        load(damping);
        for (std::size_t i = 0; i < m_few; ++i) {
            for (std::size_t k = 0; k < i; ++k)
                for (std::size_t j = i; j < m_few; ++j)
                    addConjugate(gram(i, j), gram(k, i), gram(k, j), -1.0);
            Number& pivot = gram(i, i);
            for (std::size_t k = 0; k < kBins; ++k) {
                pivot.re[k] = std::sqrt(std::max(pivot.re[k], m_least.re[k]));
                pivot.im[k] = 0.0;
            }
            for (std::size_t j = i + 1; j < m_few; ++j) divide(gram(i, j), pivot);
        }
    }
    /// Makes x_k.
    void solve(std::size_t k) {
        conjugateOf(k);
        for (std::size_t i = 0; i < m_few; ++i) {
            for (std::size_t j = 0; j < i; ++j)
                addConjugate(m_solution[i], gram(j, i), m_solution[j], -1.0);
            divide(m_solution[i], gram(i, i));
        }
        for (std::size_t i = m_few; i-- > 0;) {
            for (std::size_t j = i + 1; j < m_few; ++j)
                subtract(m_solution[i], gram(i, j), m_solution[j]);
            divide(m_solution[i], gram(i, i));
        }
    }
    /// Makes conj V[k] / power.
    void conjugate(std::size_t k, double power) {
        conjugateOf(k);
        Number by;
        std::ranges::fill(by.re, power);
        for (Number& number : m_solution) divide(number, by);
    }

private:
    Number& gram(std::size_t i, std::size_t j) { return m_gram[i * m_few + j]; }

    void load(double damping) {
        constexpr double kLeast = 1e-14; // of the mean diagonal; rounding may take as much away
        Number mean;
        for (std::size_t i = 0; i < m_few; ++i)
            for (std::size_t k = 0; k < kBins; ++k)
                mean.re[k] += gram(i, i).re[k] / static_cast<double>(m_senders);
        for (std::size_t k = 0; k < kBins; ++k) {
            for (std::size_t i = 0; i < m_few; ++i) gram(i, i).re[k] += damping * mean.re[k];
            m_least.re[k] = std::max(kLeast * mean.re[k], std::numeric_limits<double>::min());
        }
    }
    void conjugateOf(std::size_t k) {
        for (std::size_t i = 0; i < m_few; ++i) {
            m_solution[i] = at(i, k);
            for (double& im : m_solution[i].im) im = -im;
        }
    }

    std::size_t m_senders;
    std::size_t m_few;
    std::size_t m_many;
    std::vector<Number> m_vectors;
    std::vector<Number> m_gram;
    std::vector<Number> m_solution;
    Number m_least;
};

/// The matrices of kBins frequencies from bin `from` on.
class Together {
public:
    Together(const Refocusing& of, const Bins& bins, std::int64_t from)
        : m_of(of), m_bins(bins), m_from(from), m_senders(of.firings.senders()),
          m_transmits(of.firings.transmits), m_fewSenders(m_senders <= m_transmits),
          m_side(m_senders, m_transmits) {
        for (std::size_t t = 0; t < m_transmits; ++t)
            for (std::size_t s = 0; s < m_senders; ++s)
                m_fewSenders ? place(m_side.at(s, t), t, s, 1.0)
                             : place(m_side.at(t, s), t, s, -1.0);
    }

    void write(RefocusMethod method, double damping, std::vector<Complex>& out) {
        if (method == RefocusMethod::Inverse) m_side.factorise(damping);
        const double power = powerPerSender();
        for (std::size_t k = 0; k < std::max(m_senders, m_transmits); ++k) {
            method == RefocusMethod::Inverse ? m_side.solve(k) : m_side.conjugate(k, power);
            for (std::size_t i = 0; i < m_side.solution().size(); ++i)
                m_fewSenders ? store(out, i, k, m_side.solution()[i], 1.0)
                             : store(out, k, i, m_side.solution()[i], -1.0);
        }
    }

private:
    double powerPerSender() const {
        double sum = 0.0;
        for (const double a : m_of.firings.weight) sum += a * a;
        return sum / static_cast<double>(m_senders);
    }

    /// H_ts, conjugated with `sign` -1.
    void place(Number& to, std::size_t t, std::size_t s, double sign) const {
        const std::size_t at = m_of.firings.at(t, s);
        const Begin& begin = m_of.begins[t];
        const double laterS = begin.firstSampleS - m_of.to.firstSampleS - m_of.firings.timeS[at];
        const double mixedS = m_of.firings.timeS[at] + m_of.to.iqPhaseZeroS - begin.iqPhaseZeroS;
        const double stepHz = m_of.samplingHz / static_cast<double>(m_bins.length);
        for (std::size_t k = 0; k < kBins; ++k) {
            const double binHz =
                stepHz * static_cast<double>(m_bins.first + m_from + static_cast<std::int64_t>(k));
            const double angle =
                2.0 * std::numbers::pi * (binHz * laterS - m_of.demodulationHz * mixedS);
            to.re[k] = m_of.firings.weight[at] * std::cos(angle);
            to.im[k] = sign * m_of.firings.weight[at] * std::sin(angle);
        }
    }
    void store(std::vector<Complex>& out, std::size_t sender, std::size_t transmit,
               const Number& value, double sign) const {
        const auto count = static_cast<std::size_t>(m_bins.count);
        const auto from = static_cast<std::size_t>(m_from);
        Complex* to = out.data() + (sender * m_transmits + transmit) * count;
        for (std::size_t k = 0; k < kBins && from + k < count; ++k)
            to[from + k] = {static_cast<float>(value.re[k]),
                            static_cast<float>(sign * value.im[k])};
    }

    const Refocusing& m_of;
    const Bins& m_bins;
    std::int64_t m_from;
    std::size_t m_senders;
    std::size_t m_transmits;
    bool m_fewSenders;
    FewerSide m_side;
};

} // namespace

Refocusing::Refocusing(const FrameSpec& input, Firings sent)
    : firings(std::move(sent)), samplingHz(input.samplingFrequencyHz()),
      demodulationHz(input.demodulationFrequencyHz) {
    double earliest = std::numeric_limits<double>::max();
    double latest = std::numeric_limits<double>::lowest();
    for (std::size_t t = 0; t < firings.transmits; ++t) {
        const Transmit& transmit = input.acquisition->transmits[t];
        begins.push_back({transmit.firstSampleS, transmit.iqPhaseZeroS});
        for (std::size_t s = 0; s < firings.senders(); ++s) {
            if (firings.weight[firings.at(t, s)] == 0.0) continue;
            const double begin = transmit.firstSampleS - firings.timeS[firings.at(t, s)];
            earliest = std::min(earliest, begin);
            latest = std::max(latest, begin);
        }
    }
    if (firings.senders() == 0) earliest = latest = 0.0;
    to = {earliest, earliest};
    constexpr double kMostSamples = 1e9;
    const double samples = std::ceil((latest - earliest) * samplingHz);
    const bool isThere = samples >= 0.0 && samples < kMostSamples;
    longer = static_cast<std::int64_t>(isThere ? samples : kMostSamples);
}

std::vector<Complex> Refocusing::matrices(const Bins& bins, RefocusMethod method,
                                          double damping) const {
    std::vector<Complex> made(firings.senders() * firings.transmits *
                              static_cast<std::size_t>(bins.count));
    const auto step = static_cast<std::int64_t>(kBins);
    host::eachIndex((bins.count + step - 1) / step, [&](std::int64_t part) {
        Together(*this, bins, part * step).write(method, damping, made);
    });
    return made;
}

} // namespace echolux::decoding
