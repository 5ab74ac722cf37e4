// SPDX-License-Identifier: GPL-3.0-or-later
// Sums the fringes of many reflectors of one line, at unequally spaced wavenumbers.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

namespace echolux {

/// One reflector of a line: depth in bins of an n-point transform, and complex amplitude.
struct Reflector {
    double bin = 0.0;
    std::complex<double> amplitude;
};

/// E(p) = sum over reflectors of A exp(2 pi j u_p d / n) for bins 0 <= d <= n / 2 and wavenumber
/// indices 0 <= u_p <= n - 1, by a non-uniform Fourier transform of type 3 (Lee and Greengard, J.
/// Comput. Phys. 206, 2005): a Kaiser-Bessel kernel spreads the reflectors on half bins; the result
/// is transformed, divided by the kernel's transform, and interpolated at u_p. The error is below
/// 1e-4 of the sum of |A|. Immutable: all threads may use one object.
class FringeSum {
public:
    FringeSum(std::int64_t samples, std::span<const double> wavenumberIndex);

    /// Buffers for one thread.
    struct Scratch {
        std::vector<std::complex<double>> grid;
    };
    /// Writes n values to `out`. Reflectors beyond the bins are left out.
    void sum(std::span<const Reflector> reflectors, std::span<std::complex<double>> out,
             Scratch& scratch) const;

private:
    void spread(std::span<const Reflector> reflectors,
                std::vector<std::complex<double>>& grid) const;
    void transform(std::vector<std::complex<double>>& grid) const;
    void makeSpreading();
    void makeInterpolation(std::span<const double> wavenumberIndex);

    std::int64_t m_samples;
    std::int64_t m_size;                         ///< of the transform, a power of two
    std::vector<double> m_kernel;                ///< [fraction of a grid step][tap]
    std::vector<std::complex<double>> m_turns;   ///< exp(2 pi j l / size), l < size / 2
    std::vector<std::int64_t> m_starts;          ///< first grid value of each output
    std::vector<std::complex<double>> m_weights; ///< [output][tap]: all factors in one
};

} // namespace echolux
