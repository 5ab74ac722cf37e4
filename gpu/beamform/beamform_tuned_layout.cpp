// SPDX-License-Identifier: GPL-3.0-or-later
// Host side of the tuned kernels: which sample indices occur, how far to pad, how many transmits to
// take at once.
#include "gpu/beamform/beamform_tuned.hpp"

#include "gpu/exec/device_api.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace echolux::das {
namespace {

constexpr int kGuard = 4;      ///< samples beyond the computed range, for rounding
constexpr int kAlignment = 16; ///< samples
constexpr int kMaxElements = 1024;
constexpr int kMaxSamples = 150'000; ///< a tile's rows, padded, must fit into 2^23 samples

constexpr int kMostForIndex = 4096; ///< samples of a record
constexpr int kWindowGuard = 8;     ///< samples of a window beyond the indices
constexpr int kWindowRows = 16;     ///< of a block
constexpr int kBlockColumns = 32;
constexpr double kMostExactIndex = 4e6; ///< beyond it a float resolves no useful fractions
constexpr int kFewTransmits = 8;
constexpr int kComplexTile = 5;           ///< of the windows of complex samples
constexpr int kFewestComplexElements = 8; ///< that are worth loading together: one for each warp

/// The kernel for ensembles computes kEnsembleFrames frames at once. Fewer than these frames take
/// no longer one by one, by `echolux bench das` (D1 and D4).
constexpr int kFewestForEnsemble = 8;
constexpr std::size_t kMostEnsembleBytes = std::size_t{2} << 30;

/// Samples. Beyond it single precision resolves a delay to a 500th of a sample at best, and the
/// error of the fast square root is as large again.
constexpr double kMaxDelay = 16'384.0;

struct PathRange {
    double min = std::numeric_limits<double>::max();
    double max = std::numeric_limits<double>::lowest();

    void include(double value) {
        min = std::min(min, value);
        max = std::max(max, value);
    }
};

struct Rectangle {
    double x0, x1, z0, z1;
};

Rectangle rectangleOf(const Grid& grid) {
    return {grid.x0, grid.x(grid.lateral - 1), grid.z0, grid.z(grid.depth - 1)};
}

double nearestDistance(const Rectangle& r, double x, double z) {
    return std::hypot(x - std::clamp(x, r.x0, r.x1), z - std::clamp(z, r.z0, r.z1));
}

/// A distance is convex, so it is greatest in a corner.
double farthestDistance(const Rectangle& r, double x, double z) {
    double most = 0.0;
    for (const double cornerX : {r.x0, r.x1}) {
        for (const double cornerZ : {r.z0, r.z1}) {
            most = std::max(most, std::hypot(x - cornerX, z - cornerZ));
        }
    }
    return most;
}

PathRange transmitPaths(const TransmitConstants& t, const Rectangle& r) {
    PathRange range;
    if (t.plane) {
        for (const double x : {r.x0, r.x1}) {
            for (const double z : {r.z0, r.z1}) range.include(x * t.directionX + z * t.directionZ);
        }
        return range;
    }
    const double farthest = farthestDistance(r, t.sourceX, t.sourceZ);
    range.include(t.pathOffset +
                  (t.focused ? -farthest : nearestDistance(r, t.sourceX, t.sourceZ)));
    range.include(t.pathOffset + farthest);
    return range;
}

PathRange receivePaths(const Model& model, const Rectangle& r) {
    PathRange range;
    const Constants& k = model.constants;
    for (const Element& e : model.elements) {
        range.include(nearestDistance(r, e.x, e.z));
        const double depth = std::max(std::abs(r.z1 - e.z), std::abs(r.z0 - e.z));
        double reach = std::max(std::abs(r.x0 - e.x), std::abs(r.x1 - e.x));
        if (k.apertureSlope > 0.0F) reach = std::min(reach, depth * k.apertureSlope);
        range.include(std::hypot(reach, depth));
    }
    return range;
}

/// Range of the sample indices that active elements and transmits read.
PathRange indexRange(const Model& model) {
    const Rectangle r = rectangleOf(model.constants.grid);
    const PathRange receive = receivePaths(model, r);
    const double perMetre = model.constants.indexPerMetre;
    PathRange range;
    for (const TransmitConstants& t : model.transmits) {
        const PathRange transmit = transmitPaths(t, r);
        range.include((transmit.min + receive.min) * perMetre + t.indexOffset);
        range.include((transmit.max + receive.max) * perMetre + t.indexOffset);
    }
    return range;
}

int roundedUp(double value) {
    return (static_cast<int>(std::ceil(value)) + kAlignment - 1) / kAlignment * kAlignment;
}

struct Padding {
    double front;
    double total;
};

Padding paddingFor(const Model& model) {
    const double samples = model.constants.samples;
    if (model.transmits.empty()) return {kGuard, samples + 2.0 * kGuard};
    const PathRange range = indexRange(model);
    const double front = kGuard + std::max(0.0, std::ceil(-range.min));
    const double back = kGuard + std::max(0.0, std::ceil(range.max) - samples + 1.0);
    return {front, front + samples + back};
}

/// The tile for which windows need the fewest operations: 7 per transmit of a tile, used or not,
/// and 8 per tile.
int tileFor(int transmits) {
    const auto cost = [&](int tile) { return (transmits + tile - 1) / tile * (7 * tile + 8); };
    return std::ranges::min(std::vector{5, 3, 1}, {}, cost);
}

/// True where windows were faster on one H200. A single transmit is as fast without them. With
/// complex samples they save a tenth, unless many places of their tiles stay empty.
bool wantsWindows(int transmits, bool complex) {
    if (!complex) return transmits > 1;
    const int places = (transmits + kComplexTile - 1) / kComplexTile * kComplexTile;
    return transmits > kFewTransmits && 10 * places <= 11 * transmits;
}

/// The variant that was fastest on one H200.
TunedVariant chosenVariant(const Model& model, bool complex, bool windows) {
    const Constants& k = model.constants;
    const bool exact = k.samples > kMostForIndex || (complex && k.transmits > 1);
    if (windows) {
        return {.tile = complex ? kComplexTile : tileFor(k.transmits), .windows = true};
    }
    if (k.transmits <= 1) return {1, 8, 8, 1, exact};
    return {3, 8, 8, 2, exact};
}

/// Samples between the first and the last that the pixels of one block read of a record, at most.
double windowSpan(const Model& model, int rows) {
    const Constants& k = model.constants;
    const double width = (std::min(kBlockColumns, k.grid.lateral) - 1) * std::abs(k.grid.dx);
    const double height = (std::min(rows, k.grid.depth) - 1) * std::abs(k.grid.dz);
    const double diagonal = std::hypot(width, height);
    double transmit = 0.0;
    for (const TransmitConstants& t : model.transmits) {
        const double plane = width * std::abs(t.directionX) + height * std::abs(t.directionZ);
        transmit = std::max(transmit, t.plane ? plane : diagonal);
    }
    return (transmit + diagonal) * k.indexPerMetre;
}

/// Bytes of shared memory for a block, few enough that several blocks run on one multiprocessor. A
/// multiprocessor has about as much as one block may have, and the system takes a little for each
/// block.
int windowBytes(bool complex, int tile) {
    constexpr std::size_t kMost = 227 * 1024;
    constexpr int kTaken = 2 * 1024;
    const int blocks = windowBlocks(complex, tile);
    return static_cast<int>(std::min(kMost, device::sharedBytesEverywhere())) / blocks - kTaken;
}

/// Sets the size of the windows. False where they do not fit or would hold more samples than are
/// read. The delay of a focused wave jumps at its focus, so its indices fill no window. Beyond
/// kMostExactIndex a float is not exact.
bool setWindows(const Model& model, TunedLayout& layout) {
    const Constants& k = model.constants;
    const PathRange indices = indexRange(model);
    const bool focused = std::ranges::any_of(model.transmits, &TransmitConstants::focused);
    if (focused || indices.min < -kMostExactIndex || indices.max > kMostExactIndex) return false;
    const double span = windowSpan(model, kWindowRows);
    if (span > kBlockColumns * kWindowRows) return false;
    const int pitch = static_cast<int>(span) + kWindowGuard;
    const int tile = layout.variant.tile;
    const int places = (k.transmits + tile - 1) / tile * tile;
    const int bytes = windowBytes(layout.complex, tile) - 12 * (k.elements + 1 + places);
    const int lineBytes = layout.complex ? 16 : 8;
    const int chunk = bytes / (lineBytes * tile * pitch);
    if (chunk < (layout.complex ? kFewestComplexElements : 1)) return false;
    layout.pitch = pitch;
    layout.chunk = std::min(chunk, k.elements);
    return true;
}

} // namespace

std::size_t TunedLayout::bytes(const Constants& k) const {
    if (chunk > 0) return 0;
    const std::size_t sample = (complex ? 2 : 1) * sizeof(float);
    const std::size_t record = static_cast<std::size_t>(pitch) * sample;
    const auto elements = static_cast<std::size_t>(k.elements);
    if (frames > 1) {
        const int groups = (frames + kEnsembleFrames - 1) / kEnsembleFrames;
        return static_cast<std::size_t>(groups * kEnsembleFrames) *
               static_cast<std::size_t>(k.transmits) * elements * record;
    }
    return static_cast<std::size_t>(tiles) * static_cast<std::size_t>(tile) * elements * 2 * record;
}

int tunedPitch(const Model& model) {
    const double samples = model.constants.samples;
    const Padding padding = paddingFor(model);
    const double roomy = padding.total + 0.25 * samples + 64.0;
    return roundedUp(std::min(roomy, 3.0 * samples + 256.0));
}

std::size_t mostPackedBytes(const Model& model, bool complex) {
    if (!tunedSuitsGeometry(model)) return 0;
    const std::size_t pair = (complex ? 4 : 2) * sizeof(float);
    const auto transmits = static_cast<std::size_t>(model.constants.transmits) + kMaxTile - 1;
    return transmits * static_cast<std::size_t>(model.constants.elements) *
           static_cast<std::size_t>(tunedPitch(model)) * pair;
}

bool tunedSuitsGeometry(const Model& model) {
    const Constants& k = model.constants;
    const bool points = model.faces.empty() && k.arrayHalfHeight == 0.0F;
    const bool image = model.beams.empty() && k.grid.elevation == 1 && k.grid.y0 == 0.0F;
    return points && image && model.shadows.empty() && model.channelOf.empty() &&
           model.rangeWeights.empty();
}

std::size_t ensembleBytes(const Model& model, bool complex, int frames) {
    if (frames < kFewestForEnsemble || !tunedSuitsGeometry(model)) return 0;
    const int pitch = tunedPitch(model);
    if (tunedLayout(model, complex, 1, pitch).chunk > 0) return 0;
    const std::size_t bytes = tunedLayout(model, complex, frames, pitch).bytes(model.constants);
    return bytes <= kMostEnsembleBytes ? bytes : 0;
}

bool tunedSuits(const Model& model) {
    const Constants& k = model.constants;
    if (!tunedSuitsGeometry(model)) return false;
    const bool flat = std::ranges::all_of(
        model.elements, [&](const Element& e) { return e.z == model.elements.front().z; });
    const bool rising = std::ranges::is_sorted(model.elements, {}, &Element::x);
    const double farthest = receivePaths(model, rectangleOf(k.grid)).max * k.indexPerMetre;
    return flat && rising && farthest <= kMaxDelay && k.samples <= kMaxSamples &&
           k.elements <= kMaxElements && k.interpolation == DelayInterpolation::Linear &&
           !k.incoherent && !k.coherenceFactor && !k.normalized;
}

TunedLayout tunedLayout(const Model& model, bool complex, int frames, int pitch,
                        const TunedVariant& variant) {
    const Padding padding = paddingFor(model);
    const int transmits = std::max(1, model.constants.transmits);
    const bool wanted = variant.tile > 0 ? variant.windows : wantsWindows(transmits, complex);
    const bool windows = wanted && frames == 1;
    TunedLayout layout;
    layout.complex = complex;
    layout.frames = frames;
    layout.variant = variant.tile > 0 ? variant : chosenVariant(model, complex, windows);
    if (!windows || !setWindows(model, layout)) {
        if (layout.variant.windows) layout.variant = chosenVariant(model, complex, false);
        layout.pitch = pitch;
        layout.clamp = padding.total > pitch;
        layout.front = layout.clamp ? kGuard : static_cast<int>(padding.front);
    }
    layout.tile = layout.variant.tile;
    layout.tiles = (transmits + layout.tile - 1) / layout.tile;
    return layout;
}

} // namespace echolux::das
