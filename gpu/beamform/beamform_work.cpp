// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of the kernels of delay and sum. A term is one element and transmit at one pixel.
#include "gpu/beamform/beamform_work.hpp"

#include <algorithm>
#include <cmath>

namespace echolux::das {
namespace {

using model::Kernel;
using model::Part;

constexpr double kWarp = 32.0;
constexpr int kSpread = 12; ///< pixels along each axis at which terms are counted

double up(double value) { return std::ceil(value); }

/// Bytes of the records, and of the image.
struct Sizes {
    double sample;
    double records;
    double image;

    Sizes(const Model& model, const TermCount& terms, const SumTask& task)
        : sample(task.complex ? 8.0 : 4.0),
          records(sample * model.constants.samples * model.constants.channels *
                  model.constants.transmits),
          image(sample * terms.pixels) {}
};

/// Instructions of one element at one pixel: distance (FFMA, root, product), its aperture (a
/// difference, two offsets), and with complex samples the phasor of the way (two special functions,
/// three products, a rounding).
Part perElement(bool complex, bool windowed) {
    Part part{.ffma = 2.0, .fmul = 1.0, .fadd = 1.0, .special = 1.0, .offsets = 3.0};
    if (windowed) { // fastWindow: a cosine, a division, limits
        part.ffma += 2.0;
        part.fmul += 2.0;
        part.special += 2.0;
        part.offsets += 3.0;
    }
    if (complex) {
        part.ffma += 4.0;
        part.fmul += 3.0;
        part.fadd += 1.0;
        part.special += 2.0;
    }
    return part;
}

/// Instructions of one term of the kernels that gather lines: index, rounding, address; then the
/// value, FFMA by FFMA. Complex values are turned by four FFMA.
Part perTerm(bool complex) {
    if (complex) return {.sharedBytes = 16.0, .ffma = 6.0, .fadd = 2.0, .offsets = 1.0};
    return {.sharedBytes = 8.0, .ffma = 1.0, .fadd = 3.0, .offsets = 1.0};
}

Part sumOf(const Part& a, const Part& b) { return Kernel{"", {}, {a, b}}.total(); }

Part named(const char* name, Part part) {
    part.name = name;
    return part;
}

/// Elements that a warp of 8 x 4 pixels goes through beside those of one pixel.
double extraElements(const Model& model, const TermCount& terms) {
    const Constants& k = model.constants;
    if (k.apertureSlope == 0.0F || model.elements.size() < 2) return 0.0;
    const double spacing =
        std::abs(static_cast<double>(model.elements.back().x) - model.elements.front().x) /
        static_cast<double>(model.elements.size() - 1);
    const double width = 7.0 * std::abs(k.grid.dx) + 6.0 * std::abs(k.grid.dz) * k.apertureSlope;
    const double extra = spacing > 0.0 ? width / spacing : 0.0;
    return std::clamp(extra, 0.0, static_cast<double>(model.elements.size()) - terms.elements);
}

/// sumWindows and sumInSpace: blocks load windows into shared memory and gather from there.
struct Windows {
    double blocks;
    double parts = 1.0; ///< blocks that share the elements of a pixel
    double threads = 256.0;
    double chunk; ///< elements whose windows are in shared memory together
    double tile;
    double pitch;
    double active;      ///< blocks of a multiprocessor that the launch bounds ask for
    double moreOffsets; ///< per element and pixel
};

Kernel windowsKernel(const Model& model, const TermCount& terms, const SumTask& task,
                     const Windows& w) {
    const Constants& k = model.constants;
    const Sizes sizes(model, terms, task);
    const double line = 2.0 * sizes.sample; // intercept and slope
    const double elements = terms.elements + extraElements(model, terms);
    const double tiles = up(terms.transmits / w.tile);
    // Each window is loaded once by each block that reads it: two loads and one line per sample.
    const double loaded = w.blocks / w.parts * elements * tiles * w.tile * w.pitch;
    const double reals = sizes.sample / 4.0;
    const double visits = terms.pixels * elements;
    Part gather = sumOf(
        perElement(task.complex, k.window != ApodizationWindow::Rectangular).times(visits * tiles),
        perTerm(task.complex).times(visits * tiles * w.tile));
    gather.offsets += w.moreOffsets * visits * tiles;
    gather.ffma += visits * tiles; // weight times sum
    const double chunks = up(elements / w.parts / std::max(w.chunk, 1.0)) * tiles;
    gather.barriers = chunks;
    Kernel kernel{"beamform", {w.blocks, w.threads, 0.0, 0.0}};
    kernel.launch.registers = std::floor(65536.0 / (w.active * w.threads) / 8.0) * 8.0;
    kernel.launch.sharedBytes =
        w.chunk * w.tile * w.pitch * line + 12.0 * static_cast<double>(k.elements);
    kernel.parts = {Part{.name = "fetch",
                         .globalBytes = 2.0 * sizes.sample * loaded,
                         .distinctBytes = sizes.records,
                         .sharedBytes = line * loaded,
                         .ffma = reals * loaded,
                         .fadd = reals * loaded,
                         .offsets = 3.0 * loaded,
                         .barriers = chunks,
                         .storesPerLoad = 1.0},
                    named("sum", gather), Part{.name = "store", .globalBytes = 2.0 * sizes.image}};
    return kernel;
}

/// tunedPack() and sumTiles: pairs lie side by side in device memory. They are read through the
/// first cache, which is as fast as shared memory; blocks of 32 columns fetch what they share.
std::vector<Kernel> pairKernels(const Model& model, const TermCount& terms, const SumTask& task,
                                const TunedLayout& layout) {
    const Constants& k = model.constants;
    const Sizes sizes(model, terms, task);
    const double packed = static_cast<double>(layout.bytes(k));
    const double values = packed / (2.0 * sizes.sample);
    const double rows = values / layout.pitch;
    const double reals = sizes.sample / 4.0;
    const Kernel pack{
        "beamform pack",
        {rows, 256.0, 32.0, 0.0},
        {Part{.name = "fetch", .globalBytes = 2.0 * sizes.records, .distinctBytes = sizes.records},
         Part{.name = "compute",
              .fmul = 2.0 * reals * values,
              .fadd = reals * values,
              .offsets = 10.0 * values},
         Part{.name = "store", .globalBytes = packed}}};
    const double split = layout.variant.split;
    const double blockRows = layout.variant.warps / split;
    const double blocks = up(k.grid.lateral / kWarp) * up(k.grid.depth / blockRows);
    const double visits = terms.pixels * (terms.elements + extraElements(model, terms));
    const double tiles = layout.tiles;
    // Of a row, the block's pixels read as many pairs as the way changes over its width and height.
    const double width = kWarp * std::abs(k.grid.dx) + 2.0 * blockRows * std::abs(k.grid.dz);
    const double span = std::min(width * k.indexPerMetre + 4.0, static_cast<double>(layout.pitch));
    const double read = blocks * terms.elements * tiles * layout.tile * span * 2.0 * sizes.sample;
    Part gather = sumOf(
        perElement(task.complex, k.window != ApodizationWindow::Rectangular).times(visits * tiles),
        perTerm(task.complex).times(visits * tiles * layout.tile));
    if (layout.variant.exact) gather.fadd += 2.0 * visits * tiles * layout.tile;
    gather.offsets += visits * tiles * layout.tile; // the select of index 0 outside the aperture
    gather.globalBytes = read;
    gather.distinctBytes = std::min(packed, read);
    return {pack,
            Kernel{"beamform",
                   {blocks, kWarp * layout.variant.warps, 64.0, 4.0 * k.elements},
                   {named("sum", gather), Part{.name = "store", .globalBytes = sizes.image}}}};
}

/// beamformReference: a thread owns a pixel; every term is computed and gathered by itself.
Kernel referenceKernel(const Model& model, const TermCount& terms, const SumTask& task) {
    const Constants& k = model.constants;
    const Sizes sizes(model, terms, task);
    const double tested = terms.pixels * static_cast<double>(k.elements); // apertures
    const double taps = k.interpolation == DelayInterpolation::Linear ? 2.0 : 8.0;
    Part compute = perElement(task.complex, true).times(tested);
    compute.ffma += 3.0 * taps * terms.sums;
    compute.fadd += 4.0 * terms.sums;
    compute.offsets += (12.0 + 4.0 * taps) * terms.sums;
    if (task.tables) compute.special = 0.0;
    const double tables = task.tables ? 4.0 * (tested + terms.pixels * terms.transmits) : 0.0;
    const double read = taps * sizes.sample * terms.sums + tables;
    return {"beamform",
            {up(terms.pixels / 256.0), 256.0, 64.0, 0.0},
            {Part{.name = "fetch",
                  .globalBytes = read,
                  .distinctBytes = std::min(read, sizes.records + tables)},
             named("sum", compute), Part{.name = "store", .globalBytes = sizes.image}}};
}

/// beamformOnHost: tiles of 16 x 8 pixels. Per element and pixel: weight, way and their ranges; per
/// term: index, whole and fraction (two conversions), two gathered samples, weight, sum.
Kernel hostKernel(const Model& model, const TermCount& terms, const SumTask& task) {
    constexpr double kGroup = 8.0; // transmits that share receive delays
    const Sizes sizes(model, terms, task);
    const double visits = terms.pixels * terms.elements * up(terms.transmits / kGroup);
    const double taps = model.constants.interpolation == DelayInterpolation::Linear ? 2.0 : 8.0;
    Part element{.sharedBytes = 24.0, .ffma = 2.0, .fmul = 3.0, .fadd = 9.0, .special = 1.0};
    Part term{.sharedBytes = 28.0 + 4.0 * taps,
              .ffma = taps,
              .fmul = 1.0,
              .fadd = 3.0,
              .offsets = 2.0 + taps};
    if (task.complex) {
        element.ffma += 12.0; // the phasor, a polynomial
        element.sharedBytes += 8.0;
        term.ffma += 5.0;
        term.fmul += 1.0;
        term.sharedBytes += 16.0 + 4.0 * taps;
        term.offsets += taps;
    }
    return {"beamform",
            {up(terms.pixels / 128.0), 1.0, 0.0, 0.0},
            {Part{.name = "fetch", .globalBytes = sizes.records},
             named("sum", sumOf(element.times(visits), term.times(terms.sums))),
             Part{.name = "store", .globalBytes = sizes.image}}};
}

std::vector<Kernel> frameKernels(const Model& model, const TermCount& terms, const SumTask& task) {
    if (task.backend == Backend::Cpu) return {hostKernel(model, terms, task)};
    const Grid& grid = model.constants.grid;
    if (task.chosen.tuned && task.chosen.tuned->chunk > 0) {
        constexpr double kParts = 2.0; // as in beamform_window_spans.cuh
        const TunedLayout& layout = *task.chosen.tuned;
        const double blocks = kParts * up(grid.lateral / 32.0) * up(grid.depth / 16.0);
        return {
            windowsKernel(model, terms, task,
                          {.blocks = blocks,
                           .parts = kParts,
                           .chunk = static_cast<double>(layout.chunk),
                           .tile = static_cast<double>(layout.tile),
                           .pitch = static_cast<double>(layout.pitch),
                           .active = static_cast<double>(windowBlocks(layout.complex, layout.tile)),
                           .moreOffsets = 0.0})};
    }
    if (task.chosen.tuned) return pairKernels(model, terms, task, *task.chosen.tuned);
    if (task.chosen.space) {
        const SpaceLayout& layout = *task.chosen.space;
        const double pixels = static_cast<double>(layout.across) * layout.slices * layout.rows;
        return {
            windowsKernel(model, terms, task,
                          {.blocks = up(terms.pixels / pixels),
                           .threads = static_cast<double>(spaceThreads(layout.tile, layout.taps)),
                           .chunk = static_cast<double>(layout.chunk),
                           .tile = static_cast<double>(layout.tile),
                           .pitch = static_cast<double>(layout.pitch),
                           .active = kSpaceBlocks,
                           .moreOffsets = layout.weights == Weights::Faces ? 14.0 : 4.0})};
    }
    return {referenceKernel(model, terms, task)};
}

} // namespace

TermCount termsOf(const Model& model) {
    const Constants k = model.onHost();
    const Grid& grid = k.grid;
    TermCount terms;
    terms.pixels = static_cast<double>(grid.pixels());
    double places = 0.0;
    const auto along = [](int size, int i, int of) { return (2 * i + 1) * size / (2 * of); };
    const int slices = std::min(grid.elevation, kSpread);
    const int rows = std::min(grid.depth, kSpread);
    const int columns = std::min(grid.lateral, kSpread);
    for (int s = 0; s < slices; ++s) {
        for (int r = 0; r < rows; ++r) {
            for (int c = 0; c < columns; ++c) {
                const Place place =
                    grid.at(along(grid.lateral, c, columns), along(grid.depth, r, rows),
                            along(grid.elevation, s, slices));
                double elements = 0.0;
                double transmits = 0.0;
                for (int e = 0; e < k.elements; ++e)
                    elements += apodization(k, e, place) > 0.0F ? 1.0 : 0.0;
                for (int t = 0; t < k.transmits; ++t) transmits += reaches(k, t, place) ? 1.0 : 0.0;
                terms.elements += elements;
                terms.transmits += transmits;
                terms.sums += elements * transmits;
                places += 1.0;
            }
        }
    }
    if (places == 0.0) return terms;
    terms.elements /= places;
    terms.transmits /= places;
    terms.sums *= terms.pixels / places;
    return terms;
}

std::vector<Kernel> sumWork(const Model& model, const SumTask& task) {
    const TermCount terms = termsOf(model);
    if (terms.sums == 0.0) return {};
    std::vector<Kernel> all;
    for (int frame = 0; frame < task.frames; ++frame) {
        const std::vector<Kernel> one = frameKernels(model, terms, task);
        all.insert(all.end(), one.begin(), one.end());
    }
    return all;
}

} // namespace echolux::das
