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

Part named(const char* name, Part part) {
    part.name = name;
    return part;
}

/// sumWindows and sumInSpace: blocks load windows into shared memory and gather from there.
struct Windows {
    double blocks;
    double parts = 1.0; ///< blocks that share the elements of a pixel
    double threads = 256.0;
    double chunk; ///< elements whose windows are in shared memory together
    double tile;
    double pitch;
    double active; ///< blocks of a multiprocessor that the launch bounds ask for
    Weights weights = Weights::None;
    Part more = {};      ///< per element, beside its weight
    double frames = 1.0; ///< of an ensemble; then a tile holds frames
    double heard = 1.0;  ///< share of the elements that receive a transmit
    // Pixels that go through the same elements.
    double columns = 8.0;
    double rows = 4.0;
    bool weighed = false;
    bool taps = false;
    bool branches = false; ///< the kind of interpolation is looked up for each term
};

Kernel windowsKernel(const Model& model, const TermCount& terms, const SumTask& task,
                     const Windows& w) {
    const Constants& k = model.constants;
    const Sizes sizes(model, terms, task);
    const double line = 2.0 * sizes.sample; // intercept and slope
    const double elements =
        w.heard * (terms.elements + extraElements(model, terms, w.columns, w.rows));
    const double tiles = up(terms.transmits * w.frames / w.tile);
    // Each window is loaded once by each block that reads it. The second of the two samples of a
    // line is in the first cache.
    const double loaded = w.blocks / w.parts * elements * tiles * w.tile * w.pitch;
    const double reals = sizes.sample / 4.0;
    const double visits = terms.pixels * elements;
    Part term = perTerm(task.complex, w.frames > 1.0 ? w.tile : 1.0);
    if (w.taps) {
        term.sharedBytes = 0.0;
        term = sumOf(term, perTaps(model, task.complex));
    }
    if (w.weighed) term = sumOf(term, weighing(task.complex));
    Part gather =
        sumOf(perElement(task.complex, w.weights, isWindowed(model)).times(visits * tiles),
              term.times(visits * tiles * w.tile));
    // Two pixels or elements at a time; taps of any kind branch, which keeps terms apart.
    gather.independent = w.branches ? 1.0 : 2.0 * w.tile;
    gather.ffma += visits * tiles; // weight times sum
    const double chunks = up(elements / w.parts / std::max(w.chunk, 1.0)) * tiles;
    gather.barriers = chunks;
    Kernel kernel{"beamform", {.blocks = w.blocks, .threads = w.threads}};
    kernel.launch.heaviest = heaviestOf(terms);
    kernel.launch.registers = std::floor(65536.0 / (w.active * w.threads) / 8.0) * 8.0;
    kernel.launch.sharedBytes =
        w.chunk * w.tile * w.pitch * line + 12.0 * static_cast<double>(k.elements);
    kernel.parts = {Part{.name = "fetch",
                         .globalBytes = sizes.sample * loaded,
                         .distinctBytes = w.frames * sizes.records,
                         .sharedBytes = (w.taps ? sizes.sample : line) * loaded,
                         .ffma = reals * loaded,
                         .fadd = reals * loaded,
                         .offsets = 5.7 * loaded,
                         .barriers = chunks,
                         .storesPerLoad = 1.0},
                    named("sum", gather),
                    Part{.name = "store", .globalBytes = 2.0 * w.frames * sizes.image}};
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
              .offsets = 36.0 * values},
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
    Part gather =
        sumOf(perElement(task.complex, Weights::Flat, isWindowed(model)).times(visits * tiles),
              perTerm(task.complex).times(visits * tiles * layout.tile));
    if (layout.variant.exact) gather.fadd += 2.0 * visits * tiles * layout.tile;
    // An address of 64 bits, and a selection of index 0 outside the aperture.
    gather.offsets += visits * tiles * (9.0 * layout.tile - 1.0);
    gather.globalBytes = read;
    gather.distinctBytes = std::min(packed, read);
    return {pack,
            Kernel{"beamform",
                   {blocks, kWarp * layout.variant.warps, layout.tile > 1 ? 64.0 : 40.0,
                    4.0 * k.elements, heaviestOf(terms)},
                   {named("sum", gather), Part{.name = "store", .globalBytes = sizes.image}}}};
}

/// interleave and sumFrames: the lanes of a warp hold 32 frames of a few pixels, which share delays
/// and weights. Samples are read through the first cache, 16 bytes by each lane.
std::vector<Kernel> ensembleKernels(const Model& model, const TermCount& terms, const SumTask& task,
                                    const TunedLayout& layout) {
    constexpr double kColumns = 8.0; // a block has 8 x 8 pixels
    constexpr double kLaneBytes = 16.0;
    const Constants& k = model.constants;
    const Sizes sizes(model, terms, task);
    const double groups = up(layout.frames / double{kEnsembleFrames});
    const auto packed = static_cast<double>(layout.bytes(k));
    const double values = packed / sizes.sample;
    const Kernel pack{"beamform pack",
                      {values / 1024.0, 256.0, 32.0, 4224.0 * sizes.sample / 4.0},
                      {Part{.name = "fetch", .globalBytes = layout.frames * sizes.records},
                       Part{.name = "compute",
                            .sharedBytes = 2.0 * packed,
                            .fmul = values * sizes.sample / 4.0,
                            .offsets = 60.0 * values,
                            .barriers = 1.0},
                       Part{.name = "store", .globalBytes = packed}}};
    const double visits = groups * terms.pixels *
                          (terms.elements + extraElements(model, terms, kColumns, 1.0)) *
                          terms.transmits;
    const double lanes = visits * kEnsembleFrames * sizes.sample / kLaneBytes;
    const double blocks = groups * up(k.grid.lateral / kColumns) * up(k.grid.depth / 8.0);
    const double width =
        0.5 * kColumns * std::abs(k.grid.dx) + 2.0 * kColumns * std::abs(k.grid.dz);
    const double span = std::min(width * k.indexPerMetre + 2.0, static_cast<double>(layout.pitch));
    const double read =
        blocks * terms.elements * terms.transmits * span * kEnsembleFrames * sizes.sample;
    Part gather = sumOf(
        sumOf(perElement(task.complex, Weights::None, isWindowed(model)), kOnALine).times(visits),
        Part{.globalBytes = 0.0,
             .sharedBytes = 2.0 * kLaneBytes + 16.0,
             .ffma = task.complex ? 12.0 : 8.0,
             .fmul = task.complex ? 0.0 : 1.0,
             .fadd = task.complex ? 4.0 : 1.0,
             .offsets = task.complex ? 16.0 : 22.0}
            .times(lanes));
    gather.globalBytes = read;
    gather.distinctBytes = std::min(packed, read);
    return {pack, Kernel{"beamform",
                         {blocks, 256.0, 64.0, 16384.0, heaviestOf(terms)},
                         {named("sum", gather),
                          Part{.name = "store", .globalBytes = layout.frames * sizes.image}}}};
}

/// sumOwnLines: a pixel belongs to one transmit. With `rows`, windows of straight lines are filled
/// by each block and gathered from; without, a thread reads the records through the first cache.
Kernel ownLinesKernel(const Model& model, const TermCount& terms, const SumTask& task,
                      const OwnLinesLayout& layout) {
    const Constants& k = model.constants;
    const Sizes sizes(model, terms, task);
    const double groups = double{kOwnLinesThreads} / layout.across;
    const double blockRows = groups * std::max(layout.rows, 1);
    const double blocks = up(k.grid.depth / blockRows) * up(k.grid.lateral / double(layout.across));
    const double elements = terms.sums / terms.pixels;
    const double window = 2.0 * std::abs(k.grid.dz) * k.indexPerMetre * (blockRows - 1.0) + 10.0;
    const double loaded = blocks * elements * window;
    const bool oneWeight = layout.plain || layout.rows > 0; // for all pixels, or by one comparison
    const bool expands = layout.rows > 0 && k.beamAperture;
    Part term = perElement(task.complex, oneWeight ? Weights::None : Weights::Faces,
                           isWindowed(model) && (expands || !oneWeight));
    term = sumOf(term, perTerm(task.complex));
    if (layout.taps) term = sumOf(term, perTaps(model, task.complex));
    if (layout.weighed) term = sumOf(term, weighing(task.complex));
    term.sharedBytes += 5.0; // the way to the element, and the element, for many threads at once
    term.offsets = oneWeight ? 3.0 : term.offsets + 6.0;
    if (expands) { // comparison, selection, product with the weight
        term.fmul += 1.0;
        term.offsets += 2.0;
    }
    Part gather = named("sum", term.times(terms.sums));
    gather.independent = 8.0;
    Part fetch{.name = "fetch",
               .globalBytes = sizes.sample * loaded,
               .distinctBytes = std::min(sizes.records, sizes.sample * loaded)};
    if (layout.rows > 0) {
        fetch.sharedBytes = 2.0 * sizes.sample * loaded;
        fetch.fadd = 2.0 * loaded * sizes.sample / 4.0;
        fetch.offsets = 8.0 * loaded + blocks * kOwnLinesThreads * 12.0 * elements; // and the list
        fetch.barriers = elements / kOwnLinesChunk;
    }
    return {"beamform",
            {blocks, double{kOwnLinesThreads}, 64.0, 36.0 * k.elements},
            {fetch, gather, Part{.name = "store", .globalBytes = sizes.image}}};
}

/// Bytes of the tables of delays.
double delayBytes(const Model& model, const TermCount& terms, DelaySource delays) {
    const auto elements = static_cast<double>(model.constants.elements);
    const auto transmits = static_cast<double>(model.constants.transmits);
    switch (delays) {
    case DelaySource::Kernel: break;
    case DelaySource::Table: return 4.0 * terms.pixels * (elements + transmits);
    case DelaySource::Full: return 4.0 * terms.pixels * elements * transmits;
    }
    return 0.0;
}

/// beamformReference: a thread owns a pixel; every term is computed and gathered by itself, one
/// after the other. Instructions were counted in its PTX; a division or a product of 64-bit
/// integers counts as several.
Kernel referenceKernel(const Model& model, const TermCount& terms, const SumTask& task) {
    const Constants& k = model.constants;
    const Sizes sizes(model, terms, task);
    const double tested = terms.pixels * static_cast<double>(k.elements) * terms.transmits;
    const double taps = tapsOf(k);
    // Of an element: its place, the aperture by a division, the window's kind.
    Part test{.fmul = 1.0, .fadd = 2.0, .special = 1.0, .offsets = 52.0};
    if (isWindowed(model)) test = sumOf(test, {.ffma = 5.0, .fmul = 3.0, .offsets = 40.0});
    // Of a term: record, limits of the index, bounds of each sample, sums of values and weights.
    Part term = perTaps(model, task.complex);
    term.sharedBytes = 0.0;
    term.ffma += task.complex ? 4.0 : 2.0;
    term.fadd += 2.0;
    term.offsets += 55.0 + 5.0 * taps;
    if (task.complex) term = sumOf(term, {.ffma = 12.0, .fmul = 4.0, .offsets = 8.0}); // phasor
    if (task.delays == DelaySource::Kernel)
        term =
            sumOf(term, {.ffma = 2.0, .fmul = 1.0, .fadd = 3.0, .special = 1.0, .offsets = 16.0});
    else // where the entry lies; in tables of elements from the element's steps
        term.offsets += task.delays == DelaySource::Table ? 20.0 : 12.0;
    Part sum = named("sum", sumOf(test.times(tested), term.times(terms.sums)));
    sum.independent = 1.0; // the loop over elements is not unrolled
    const double delays = task.delays == DelaySource::Kernel ? 0.0 : 4.0 * terms.sums;
    const double read = taps * sizes.sample * terms.sums + delays;
    return {"beamform",
            {up(terms.pixels / 256.0), 256.0, 72.0, 0.0},
            {Part{.name = "fetch",
                  .globalBytes = read,
                  .distinctBytes =
                      std::min(read, sizes.records + delayBytes(model, terms, task.delays)),
                  .independent = taps}, // a sample waits for its delay
             sum, Part{.name = "store", .globalBytes = sizes.image}}};
}

/// beamformOnHost: tiles of 16 x 8 pixels. Per element and pixel: weight, way and their ranges; per
/// term: index, whole and fraction (two conversions), two gathered samples, weight, sum.
Kernel hostKernel(const Model& model, const TermCount& terms, const SumTask& task) {
    constexpr double kGroup = 8.0; // transmits that share receive delays
    const Sizes sizes(model, terms, task);
    const double visits = terms.pixels * terms.elements * up(terms.transmits / kGroup);
    const double taps = tapsOf(model.constants);
    Part element{.sharedBytes = 24.0, .ffma = 2.0, .fmul = 3.0, .fadd = 9.0, .special = 1.0};
    Part term{.sharedBytes = 28.0 + 4.0 * taps,
              .ffma = taps,
              .fmul = 1.0,
              .fadd = 3.0,
              .offsets = 2.0 + taps};
    if (model.constants.interpolation != DelayInterpolation::Linear) // no vectors: addTaps()
        term.offsets += 8.0 + term.ffma + term.fmul + term.fadd;
    if (task.complex) {
        element.ffma += 12.0; // the phasor, a polynomial
        element.sharedBytes += 8.0;
        term.ffma += 5.0;
        term.fmul += 1.0;
        term.sharedBytes += 16.0 + 4.0 * taps;
        term.offsets += taps;
    }
    if (task.delays != DelaySource::Kernel) element.special = 0.0;
    return {"beamform",
            {up(terms.pixels / 128.0), 1.0, 0.0, 0.0},
            {Part{.name = "fetch",
                  .globalBytes = sizes.records + delayBytes(model, terms, task.delays)},
             named("sum", sumOf(element.times(visits), term.times(terms.sums))),
             Part{.name = "store", .globalBytes = sizes.image}}};
}

std::vector<Kernel> frameKernels(const Model& model, const TermCount& terms, const SumTask& task) {
    if (task.backend == Backend::Cpu) return {hostKernel(model, terms, task)};
    const Grid& grid = model.constants.grid;
    if (task.chosen.tuned && task.chosen.tuned->frames > 1)
        return ensembleKernels(model, terms, task, *task.chosen.tuned);
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
                           .more = kOnALine})};
    }
    if (task.chosen.tuned) return pairKernels(model, terms, task, *task.chosen.tuned);
    if (task.chosen.ownLines) {
        TermCount each = terms; // of the passes, one for each of the beams that are blended
        const int passes = std::max(model.constants.blendedBeams, 1);
        each.sums /= passes;
        each.transmits /= passes;
        const Kernel pass = ownLinesKernel(model, each, task, *task.chosen.ownLines);
        return std::vector<Kernel>(static_cast<std::size_t>(passes), pass);
    }
    if (task.chosen.space) {
        const SpaceLayout& layout = *task.chosen.space;
        const double pixels = static_cast<double>(layout.across) * layout.slices * layout.rows;
        return {windowsKernel(
            model, terms, task,
            {.blocks = up(terms.pixels / pixels),
             .threads = static_cast<double>(spaceThreads(layout.frames > 1, layout.reading)),
             .chunk = static_cast<double>(layout.chunk),
             .tile = static_cast<double>(layout.tile),
             .pitch = static_cast<double>(layout.pitch),
             .active = kSpaceBlocks,
             .weights = layout.weights,
             .frames = static_cast<double>(layout.frames),
             .heard = heardShare(model),
             .columns = static_cast<double>(layout.across),
             .rows = static_cast<double>(layout.rows),
             .weighed = layout.weighed,
             .taps = layout.reading != Reading::Linear,
             .branches = layout.reading == Reading::Any})};
    }
    return {referenceKernel(model, terms, task)};
}

} // namespace

std::vector<Kernel> sumWork(const Model& model, const SumTask& task) {
    const TermCount terms = termsOf(model);
    if (terms.sums == 0.0) return {};
    std::vector<Kernel> all;
    const int together = task.backend == Backend::Cuda ? task.chosen.frames() : 1;
    for (int frame = 0; frame < task.frames; frame += together) {
        const std::vector<Kernel> one = frameKernels(model, terms, task);
        all.insert(all.end(), one.begin(), one.end());
    }
    return all;
}

namespace {

/// The terms of one of the transmits.
TermCount ofOneTransmit(const Model& model, TermCount terms) {
    terms.sums /= static_cast<double>(model.transmits.size());
    terms.transmits = std::min(terms.transmits, 1.0);
    return terms;
}

/// delayedChannels(), on both backends.
Kernel delayedKernel(const Model& model, const TermCount& terms, const SumTask& task) {
    const Sizes sizes(model, terms, task);
    Kernel kernel = referenceKernel(model, terms, task);
    const auto elements = static_cast<double>(model.constants.elements);
    kernel.name = "delayed channels";
    kernel.launch.blocks *= elements;
    kernel.parts.back().globalBytes = elements * sizes.image;
    return kernel;
}

} // namespace

std::vector<Kernel> eachTransmitWork(const Model& model, const SumTask& task) {
    const TermCount terms = ofOneTransmit(model, termsOf(model));
    if (!(terms.sums > 0.0)) return {}; // or no transmits
    const Kernel one = task.backend == Backend::Cpu ? hostKernel(model, terms, task)
                                                    : referenceKernel(model, terms, task);
    return std::vector<Kernel>(model.transmits.size(), one);
}

std::vector<Kernel> delayedWork(const Model& model, const SumTask& task) {
    const TermCount terms = termsOf(model);
    if (terms.sums == 0.0) return {};
    return {delayedKernel(model, terms, task)};
}

std::vector<Kernel> pairsWork(const Model& model, const SumTask& task) {
    const TermCount terms = ofOneTransmit(model, termsOf(model));
    if (!(terms.sums > 0.0)) return {};
    return std::vector<Kernel>(model.transmits.size(), delayedKernel(model, terms, task));
}

} // namespace echolux::das
