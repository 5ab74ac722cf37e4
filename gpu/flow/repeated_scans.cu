// SPDX-License-Identifier: GPL-3.0-or-later
// Bulk motion and noise of repeated B-scans. Sums have the same order on both backends.
#include "gpu/flow/repeated_scans.hpp"

#include "gpu/exec/for_each.hpp"

#include <cfloat>
#include <cmath>

namespace echolux::flow {
namespace {

constexpr std::int64_t kQuietShare = 5; ///< a fifth of the depths

/// cos(d)^8 for a product whose phase, turned back by the phasor, is d; 0 beyond a quarter turn.
ECHOLUX_HD float bulkWeight(Complex product, Complex phasor) {
    const float length = sqrtf(norm(product));
    const float turned = product.re * phasor.re - product.im * phasor.im;
    if (!(turned > 0.0F) || !(length > 0.0F)) return 0.0F;
    const float square = (turned / length) * (turned / length);
    return square * square * square * square;
}

/// Part i % kBulkParts of a line: every kBulkParts-th depth.
struct SumBulkPart {
    const Complex* samples;
    const Complex* phasors; ///< of the pass before; null: all depths count alike
    Complex* parts;
    std::int64_t rows; ///< lines of a frame, in all bands
    std::int64_t depths;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t row = i / kBulkParts; // of [pair][band][lateral]
        const Complex* now = samples + row * depths;
        const Complex* next = now + rows * depths;
        Complex sum;
        for (std::int64_t z = i % kBulkParts; z < depths; z += kBulkParts) {
            const Complex product = conj(now[z]) * next[z];
            const float weight = phasors == nullptr ? 1.0F : bulkWeight(product, phasors[row]);
            sum = sum + weight * product;
        }
        parts[i] = sum;
    }
};

struct BulkPhasor {
    const Complex* parts;
    Complex* phasors;

    ECHOLUX_HD void operator()(std::int64_t row) const {
        Complex sum;
        for (std::int64_t part = 0; part < kBulkParts; ++part)
            sum = sum + parts[row * kBulkParts + part];
        const float length = hypotf(sum.re, sum.im);
        phasors[row] =
            length > 0.0F ? Complex{sum.re / length, -sum.im / length} : Complex{1.0F, 0.0F};
    }
};

struct DepthPower {
    PowerScans scans;
    float* means;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t bscan = i / scans.depths;
        const std::int64_t z = i % scans.depths;
        const float* power = scans.power + bscan * scans.lines * scans.depths;
        float sum = 0.0F;
        for (std::int64_t x = 0; x < scans.lines; ++x) sum += power[x * scans.depths + z];
        const float mean = sum / static_cast<float>(scans.lines);
        means[i] = mean < FLT_MAX ? mean : FLT_MAX; // NaN, too, so that depths have an order
    }
};

/// One depth has the wanted rank, so one thread writes.
struct QuietDepth {
    const float* means;
    float* noise;
    std::int64_t depths;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t bscan = i / depths;
        const std::int64_t z = i % depths;
        const float* all = means + bscan * depths;
        const float own = all[z];
        std::int64_t rank = 0;
        for (std::int64_t other = 0; other < depths; ++other)
            if (all[other] < own || (all[other] == own && other < z)) ++rank;
        if (rank == depths / kQuietShare) noise[bscan] = own;
    }
};

/// Aligned as all memory is.
std::size_t phasorBytes(std::int64_t rows) {
    constexpr std::size_t kAlignment = 256;
    const auto bytes = static_cast<std::size_t>(rows) * sizeof(Complex);
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

} // namespace

std::size_t bulkMotionBytes(const RepeatedScans& scans) {
    const std::int64_t rows = scans.pairs() * scans.lines;
    return phasorBytes(rows) + static_cast<std::size_t>(rows * kBulkParts) * sizeof(Complex);
}

const Complex* bulkMotion(const Exec& exec, const char* name, const RepeatedScans& scans,
                          void* scratch) {
    const std::int64_t rows = scans.pairs() * scans.lines;
    auto* phasors = static_cast<Complex*>(scratch);
    auto* parts = reinterpret_cast<Complex*>(static_cast<std::byte*>(scratch) + phasorBytes(rows));
    for (int pass = 0; pass < kBulkPasses; ++pass) {
        forEach(exec, name, rows * kBulkParts,
                SumBulkPart{scans.samples, pass == 0 ? nullptr : phasors, parts,
                            scans.bands * scans.lines, scans.depths});
        forEach(exec, name, rows, BulkPhasor{parts, phasors});
    }
    return phasors;
}

std::size_t noiseBytes(std::int64_t depths, std::int64_t bscans) {
    return static_cast<std::size_t>(bscans * (depths + 1)) * sizeof(float);
}

void depthMeans(const Exec& exec, const char* name, const PowerScans& scans, float* means) {
    forEach(exec, name, scans.bscans * scans.depths, DepthPower{scans, means});
}

NoiseLevel noiseLevel(const Exec& exec, const char* name, const ScanFlowParams& params,
                      const PowerScans& scans, void* scratch) {
    if (params.noiseFrom == NoiseFrom::Level)
        return {nullptr, static_cast<float>(std::pow(10.0, params.noiseDb / 10.0))};
    const QuietParts parts(scratch, scans.bscans);
    depthMeans(exec, name, scans, parts.means);
    forEach(exec, name, scans.bscans * scans.depths,
            QuietDepth{parts.means, parts.noise, scans.depths});
    return {parts.noise, 0.0F};
}

} // namespace echolux::flow
