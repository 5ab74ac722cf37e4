// SPDX-License-Identifier: GPL-3.0-or-later
// The two cards of van Bavel 2013, table 5.6, and his tiled matrix product.
#pragma once

#include "gpu/model/device.hpp"
#include "gpu/model/part.hpp"

namespace echolux::model {

/// Table 5.6. The chip is inferred: these numbers per clock give the table's rates.
inline Device gtx470() {
    Device device;
    device.chip = {14, 1.215e9, 64, 4, 32, 32, 16, 64, 3};
    device.theory = {.ffma = 1089e9,
                     .fmul = 544.5e9,
                     .fadd = 544.5e9,
                     .special = 68e9,
                     .offsetHigh = 544e9,
                     .offsetLow = 272e9,
                     .global = 134e9,
                     .shared = 1089e9};
    device.limits = {1.28e9, 640e3, 1536, 8, 32768, 49152, 0};
    return device;
}

inline Device gtx660Ti() {
    Device device;
    device.chip = {7, 1.137e9, 384, 32, 256, 160, 32, 128, 3};
    device.theory = {.ffma = 3056e9,
                     .fmul = 1528e9,
                     .fadd = 1528e9,
                     .special = 255e9,
                     .offsetHigh = 1273e9,
                     .offsetLow = 255e9,
                     .global = 144e9,
                     .shared = 1019e9};
    device.limits = {2e9, 384e3, 2048, 16, 65536, 49152, 0};
    return device;
}

/// Product of two n x n matrices in tiles of 32 x 32. INFERRED: the document prints no counts.
/// Fetch: 2 n^3 / 32 floats. Compute: two loads of 4 bytes from shared memory per FFMA. Store: n^2
/// floats. Offsets: n^2 (13 n / 32 + 35). `withStores` counts the shared stores of the fetch, too.
inline Kernel tiledProduct(double n, bool withStores = false) {
    const double fetched = 2.0 * n * n * n / 32.0 * 4.0;
    return {"tiled product",
            {n * n / 1024.0, 1024, 20, 8192},
            {Part{.name = "fetch",
                  .globalBytes = fetched,
                  .distinctBytes = 8.0 * n * n,
                  .sharedBytes = withStores ? fetched : 0.0},
             Part{.name = "compute", .sharedBytes = 8.0 * n * n * n, .ffma = n * n * n},
             Part{.name = "store",
                  .globalBytes = 4.0 * n * n,
                  .offsets = n * n * (13.0 * n / 32.0 + 35.0)}}};
}

} // namespace echolux::model
