// SPDX-License-Identifier: GPL-3.0-or-later
// One iteration of Herikstad's filter as his kernel does it (2009, section 4.3.5, appendix F.2).
// It compares each element with its 5 x 5 neighbours again in every iteration:
//   R_kn = mean_b Y_k(b) conj(Y_n(b)),  M_kn = |R_kn| / (sqrt(R_kk R_nn) + 1e-5) R_kn,
//   S_k <- ((1 - mu) S_k + mu sum_n M_kn conj(S_n) / (|S_n|^2 + 1e-5)) / 25.
// Neighbours outside the array count as 0.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <cstdint>

namespace echolux::ladder {

inline constexpr int kApronRadius = 2; ///< neighbours on each side

struct ApronProblem {
    std::int32_t rows = 0;
    std::int32_t columns = 0;
    std::int32_t bins = 0;
    float mu = 0.1F;

    std::int64_t places() const { return std::int64_t{rows} * columns; }
};

/// Where a thread finds the spectra of its neighbours.
enum class NeighbourMemory {
    Global,
    Shared,  ///< a block fetches a tile; the threads of its apron compute nothing. CUDA only
    Texture, ///< by texture units, as section 6.2 proposes. CUDA only
};

/// Memory of the spectra, all in compute memory.
struct ApronSpectra {
    const Complex* values = nullptr; ///< [row][column][bin]; for Global and Shared
    device::Texture planes = 0;      ///< createPlaneTexture(); for Texture
};

/// Planes [bin][row][column] of the spectra for a texture; rows are padded. Their number of floats,
/// two per value.
std::int64_t planeFloats(const ApronProblem& problem);
void fillPlanes(const Exec& exec, const ApronProblem& problem, const Complex* spectra,
                float* planes);
device::Texture createPlaneTexture(const ApronProblem& problem, const float* planes);

/// Enqueues one iteration `from` -> `to`, both [row][column]. `side` is that of a block of threads.
/// A tile of Shared has (side - 4)^2 outputs. Throws std::logic_error where a tile does not fit
/// shared memory of 48 KiB, and where this backend has no such memory.
void apronIteration(const Exec& exec, NeighbourMemory memory, const ApronProblem& problem, int side,
                    const ApronSpectra& spectra, const Complex* from, Complex* to);

/// Bytes of a tile of `side` x `side` threads: their spectra and their filter.
constexpr std::size_t apronTileBytes(int side, std::int32_t bins) {
    return static_cast<std::size_t>(side) * static_cast<std::size_t>(side) *
           (static_cast<std::size_t>(bins) + 1) * sizeof(Complex);
}

/// Warps of blocks of Shared that a multiprocessor of the current card holds at once; 0 without
/// CUDA.
int apronWarpsAtOnce(const ApronProblem& problem, int side);

} // namespace echolux::ladder
