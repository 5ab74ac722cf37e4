// SPDX-License-Identifier: GPL-3.0-or-later
// Host side of the kernel for pixels anywhere: how far apart the pixels of a block lie, and how
// long its windows must be.
#include "gpu/beamform/beamform_space.hpp"

#include "gpu/exec/device_api.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace echolux::das {
namespace {

constexpr int kSpaceGuard = 4;          ///< samples of a window beyond the indices
constexpr int kFewestElements = 8;      ///< fewer are not worth loading together: one per warp
constexpr int kMostElements = 2048;     ///< their places take shared memory from the windows
constexpr int kTile = 4;                ///< transmits, where there are several
constexpr double kMostSpaceIndex = 4e6; ///< beyond it a float is not exact
constexpr std::size_t kMostShared = 227 * 1024;
constexpr std::size_t kSpaceTaken =
    2 * 1024; ///< of a block's shared memory, by the system and reductions

struct Extent {
    double least = std::numeric_limits<double>::max();
    double most = std::numeric_limits<double>::lowest();
    void include(double value) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    double width() const { return most - least; }
};

struct Widths {
    double x = 0.0;
    double y = 0.0;
    double z = 0.0;
    double diagonal() const { return std::hypot(x, y, z); }
};

int last(int first, int count, int size) { return std::min(first + count, size) - 1; }

/// Widths of the block that begins with the given pixel, found from its first and last rows.
Widths widthsAt(const Grid& grid, const SpaceLayout& layout, int column, int row, int slice) {
    Extent x;
    Extent y;
    Extent z;
    const int lastColumn = last(column, layout.across, grid.lateral);
    for (int c = column; c <= lastColumn; ++c) {
        for (const int r : {row, last(row, layout.rows, grid.depth)}) {
            for (const int s : {slice, last(slice, layout.slices, grid.elevation)}) {
                const Place p = grid.at(c, r, s);
                x.include(p.x);
                y.include(p.y);
                z.include(p.z);
            }
        }
    }
    return {x.width(), y.width(), z.width()};
}

/// The widest block. All blocks are alike, except those of beams, which are widest at the greatest
/// range.
Widths widestBlock(const Model& model, const SpaceLayout& layout) {
    Grid grid = model.constants.grid;
    if (model.beams.empty()) return widthsAt(grid, layout, 0, 0, 0);
    grid.beam = model.beams.data();
    Widths widest;
    const int row = std::max(0, grid.depth - layout.rows);
    for (int column = 0; column < grid.lateral; column += layout.across) {
        const Widths w = widthsAt(grid, layout, column, row, 0);
        widest = {std::max(widest.x, w.x), widest.y, std::max(widest.z, w.z)};
    }
    return widest;
}

/// Samples between the first and the last that the pixels of one block read of a record, at most.
double spanOf(const Model& model, const SpaceLayout& layout) {
    const Widths block = widestBlock(model, layout);
    double transmit = 0.0;
    for (const TransmitConstants& t : model.transmits) {
        const double plane = block.x * std::abs(t.directionX) + block.y * std::abs(t.directionY) +
                             block.z * std::abs(t.directionZ);
        transmit = std::max(transmit, t.plane ? plane : block.diagonal());
    }
    return (transmit + block.diagonal()) * model.constants.indexPerMetre;
}

/// The greatest index of the image; it occurs at a corner.
double farthestIndex(const Model& model) {
    const Constants k = model.onHost();
    double most = 0.0;
    for (const int column : {0, k.grid.lateral - 1}) {
        for (const int row : {0, k.grid.depth - 1}) {
            for (const int slice : {0, k.grid.elevation - 1}) {
                const Place p = k.grid.at(column, row, slice);
                for (int t = 0; t < k.transmits; ++t) {
                    most = std::max<double>(
                        most, std::abs(transmitIndex(k.transmit[t], k.indexPerMetre, p)));
                }
                for (int e = 0; e < k.elements; ++e)
                    most = std::max<double>(most, receiveIndex(k, e, p));
            }
        }
    }
    return 2.0 * most;
}

bool suits(const Model& model) {
    const Constants& k = model.constants;
    const bool focused = std::ranges::any_of(model.transmits, &TransmitConstants::focused);
    const bool ownLines = !model.beams.empty() && model.beams.front().transmit >= 0;
    return k.transmits > 0 && !focused && !ownLines && k.elements <= kMostElements &&
           k.interpolation != DelayInterpolation::Texture && farthestIndex(model) < kMostSpaceIndex;
}

std::size_t lineBytes(const SpaceLayout& layout) {
    return (layout.complex ? 2U : 1U) * (layout.reading == Reading::Linear ? 2U : 1U) *
           sizeof(float);
}

/// Bytes of one block besides its windows: place, reach and order of each element.
std::size_t tableBytes(const Model& model) {
    return static_cast<std::size_t>(model.constants.elements) *
           (4 * sizeof(float) + sizeof(float) + sizeof(std::uint16_t));
}

/// Bytes of one element whose windows are loaded, besides these windows.
std::size_t slotBytes(const SpaceLayout& layout) {
    return (layout.weights == Weights::Faces ? 3U : 1U) * 4 * sizeof(float);
}

/// How many elements' windows lie in shared memory together; `shared` bytes are left for them.
std::size_t chunkOf(const SpaceLayout& layout, std::size_t shared) {
    const std::size_t window = lineBytes(layout) * static_cast<std::size_t>(layout.pitch);
    if (layout.tile == 1) return shared / (window + slotBytes(layout));
    const auto rows = static_cast<std::size_t>(layout.tile * kSpaceRowBytes);
    return shared < rows ? 0
                         : std::min(kSpaceRowBytes / window, (shared - rows) / slotBytes(layout));
}

bool isPlain(const SpaceLayout& layout) {
    return !layout.weighed && layout.reading == Reading::Linear;
}

int pixelsOf(const SpaceLayout& layout) {
    const bool ensemble = layout.frames > 1;
    return spaceThreads(ensemble, layout.reading) *
           spacePixels(layout.complex, layout.tile, ensemble, isPlain(layout));
}

/// The block of pixels that reads the shortest windows; returns their span.
double chooseShape(const Model& model, SpaceLayout& layout) {
    struct Shape {
        int across;
        int slices;
    };
    static constexpr std::array<Shape, 3> kImages{{{32, 1}, {16, 1}, {8, 1}}};
    static constexpr std::array<Shape, 4> kVolumes{{{8, 8}, {16, 8}, {8, 4}, {16, 4}}};
    const bool volume = model.constants.grid.elevation > 1;
    const std::span<const Shape> shapes =
        volume ? std::span<const Shape>(kVolumes) : std::span<const Shape>(kImages);
    double least = std::numeric_limits<double>::max();
    for (const Shape& shape : shapes) {
        SpaceLayout tried = layout;
        tried.across = shape.across;
        tried.slices = shape.slices;
        tried.rows = pixelsOf(layout) / (shape.across * shape.slices);
        const double span = spanOf(model, tried);
        if (span >= least) continue;
        least = span;
        layout = tried;
    }
    return least;
}

/// Numbers of the elements that a channel of the frame hears.
std::vector<int> heardElements(const Model& model) {
    const auto elements = std::ssize(model.elements);
    std::vector<bool> heard(model.elements.size(), model.channelOf.empty());
    for (std::size_t i = 0; i < model.channelOf.size(); ++i) {
        if (model.channelOf[i] >= 0) heard[i % model.elements.size()] = true;
    }
    std::vector<int> numbers;
    for (int e = 0; e < elements; ++e) {
        if (heard[static_cast<std::size_t>(e)]) numbers.push_back(e);
    }
    return numbers;
}

void chooseWeights(const Model& model, const std::vector<int>& heard, SpaceLayout& layout) {
    const Constants& k = model.constants;
    if (heard.empty()) return;
    layout.firstHeard = heard.front();
    const auto elementOf = [&](int e) { return model.elements[static_cast<std::size_t>(e)]; };
    const auto faceOf = [&](int e) {
        return model.faces.empty() ? Face{} : model.faces[static_cast<std::size_t>(e)];
    };
    const Face first = faceOf(heard.front());
    const bool alike = std::ranges::all_of(heard, [&](int e) {
        const Face face = faceOf(e);
        return face.normalZ == 1.0F && face.countsX == first.countsX &&
               face.countsY == first.countsY && elementOf(e).z == elementOf(heard.front()).z;
    });
    layout.countsX = first.countsX;
    layout.countsY = first.countsY;
    layout.weights = Weights::Faces;
    if (alike && k.apertureSlope > 0.0F) layout.weights = Weights::Flat;
    if (alike && k.apertureSlope == 0.0F && k.window == ApodizationWindow::Rectangular)
        layout.weights = Weights::None;
}

/// Finds out whether one coordinate of the elements decides how far they are from a pixel.
void chooseAxis(const Model& model, const std::vector<int>& heard, SpaceLayout& layout) {
    if (layout.weights == Weights::Faces) return;
    const bool onX = std::ranges::all_of(
        heard, [&](int e) { return model.elements[static_cast<std::size_t>(e)].y == 0.0F; });
    // The weights of an array without height are those of its x.
    layout.alongY = layout.countsX == 0.0F &&
                    (layout.weights == Weights::None || model.constants.arrayHalfHeight != 0.0F);
    layout.oneAxis = layout.alongY || layout.countsY == 0.0F || onX;
}

Reading readingOf(const Constants& k) {
    switch (k.interpolation) {
    case DelayInterpolation::Linear: return Reading::Linear;
    case DelayInterpolation::Lagrange:
        return k.lagrangeOrder == kUsualOrder ? Reading::UsualLagrange : Reading::Any;
    case DelayInterpolation::Sinc:
        return k.sincTaps == kUsualTaps ? Reading::UsualSinc : Reading::Any;
    default: return Reading::Any;
    }
}

} // namespace

bool recordsWeighAlike(const Model& model) {
    return std::ranges::all_of(model.receiveWeights, [](float weight) { return weight == 1.0F; });
}

std::optional<SpaceLayout> spaceLayout(const Model& model, bool complex, int frames) {
    if (!model.rangeWeights.empty() || !suits(model)) return {};
    const Constants& k = model.constants;
    SpaceLayout layout{.complex = complex};
    const std::vector<int> heard = heardElements(model);
    chooseWeights(model, heard, layout);
    layout.weighed = k.coherenceFactor || k.normalized;
    if (layout.weighed && !recordsWeighAlike(model)) return {};
    layout.reading = readingOf(k);
    if (layout.weighed && layout.reading != Reading::Linear) layout.reading = Reading::Any;
    const bool plain = isPlain(layout);
    if (plain) chooseAxis(model, heard, layout);
    const bool together = frames > 1 && k.transmits == 1;
    for (const int tile : {plain && (together || k.transmits > 1) ? kTile : 1, 1}) {
        layout.tile = tile;
        layout.frames = together && tile > 1 ? frames : 1;
        const double span = chooseShape(model, layout);
        const std::size_t shared = std::min(kMostShared, device::sharedBytesEverywhere()) /
                                       static_cast<std::size_t>(kSpaceBlocks) -
                                   kSpaceTaken;
        if (!(span < pixelsOf(layout)) || tableBytes(model) >= shared) continue;
        const int pitch = static_cast<int>(span) + kSpaceGuard +
                          (layout.reading == Reading::Linear ? 0 : 2 * kMaxTaps);
        layout.pitch = (pitch + 31) / 32 * 32; // loaded whole warps at a time
        layout.chunk = static_cast<int>(std::min<std::size_t>(
            chunkOf(layout, shared - tableBytes(model)), static_cast<std::size_t>(k.elements)));
        if (layout.chunk >= std::min(kFewestElements, k.elements)) return layout;
    }
    return {};
}

} // namespace echolux::das
