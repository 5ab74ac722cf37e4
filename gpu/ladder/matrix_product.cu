// SPDX-License-Identifier: GPL-3.0-or-later
// A tile of the product per block on CUDA; a row per thread on the CPU.
#include "gpu/ladder/matrix_product.hpp"

#include "gpu/exec/for_each.hpp"

#include <stdexcept>

namespace echolux::ladder {
namespace {

struct ProductRow {
    std::int64_t n;
    const float* a;
    const float* b;
    float* c;
    ECHOLUX_HD void operator()(std::int64_t row) const {
        float* out = c + row * n;
        for (std::int64_t column = 0; column < n; ++column) out[column] = 0.0F;
        for (std::int64_t k = 0; k < n; ++k) {
            const float factor = a[row * n + k];
            for (std::int64_t column = 0; column < n; ++column)
                out[column] += factor * b[k * n + column];
        }
    }
};

#if defined(__CUDACC__)
/// Fetches a tile of each matrix, multiplies them, and so on along the row; stores at the end.
__global__ void tileKernel(std::int64_t n, const float* a, const float* b, float* c) {
    constexpr auto kTile = static_cast<int>(kMatrixTile);
    __shared__ float tileA[kTile][kTile];
    __shared__ float tileB[kTile][kTile];
    const auto x = static_cast<int>(threadIdx.x);
    const auto y = static_cast<int>(threadIdx.y);
    const std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * kTile + y;
    const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * kTile + x;
    float sum = 0.0F;
    for (std::int64_t first = 0; first < n; first += kTile) {
        tileA[y][x] = a[row * n + first + x];
        tileB[y][x] = b[(first + y) * n + column];
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += tileA[y][k] * tileB[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
#endif

} // namespace

void multiplyMatrices(const Exec& exec, std::int64_t n, const float* a, const float* b, float* c) {
    if (n % kMatrixTile != 0)
        throw std::logic_error("ladder: the matrix is no whole number of tiles");
#if defined(__CUDACC__)
    if (exec.backend == Backend::Cuda) {
        constexpr auto kTile = static_cast<unsigned>(kMatrixTile);
        const auto tiles = static_cast<unsigned>(n / kMatrixTile);
        tileKernel<<<dim3(tiles, tiles), dim3(kTile, kTile), 0,
                     static_cast<cudaStream_t>(exec.stream)>>>(n, a, b, c);
        device::checkLaunch("ladder matrix product");
        return;
    }
#endif
    forEach(exec, "ladder matrix product", n, ProductRow{n, a, b, c});
}

} // namespace echolux::ladder
