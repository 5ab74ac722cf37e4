// SPDX-License-Identifier: GPL-3.0-or-later
// Helps stages to declare their work (StageType::work). Counts are made by hand from the source,
// for one element or line, and multiplied here. What compilers add to a Tier A kernel is counted
// here, too.
#pragma once

#include "gpu/stage/stage.hpp"

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace echolux {

/// What one call of a functor of forEach() does.
struct ElementWork {
    double bytesRead = 0.0;
    double bytesWritten = 0.0;
    double distinctRead = 0.0; ///< of bytesRead, those that no other element reads; 0: all
    model::Part counts = {};   ///< instructions; bytes are above
    double divisions = 0.0;    ///< of 64-bit integers by numbers that the compiler does not know
    double registers = 32.0;   ///< per thread; assumed
};

/// forEach() over `count` elements: blocks of 256 threads, one element each. Parts: fetch, compute,
/// store.
model::Kernel forEachWork(Backend backend, const char* name, std::int64_t count,
                          const ElementWork& each);

/// forEachInLines(): on CUDA each thread divides once to find its line.
model::Kernel forEachInLinesWork(Backend backend, const char* name, std::int64_t count,
                                 ElementWork each);

/// forEachByLanes(): on CUDA a warp per item. `folds` values of its lanes are joined at the end.
model::Kernel forEachByLanesWork(Backend backend, const char* name, std::int64_t count,
                                 ElementWork each, double folds = 0.0);

/// What scanLines() of gpu/exec/line_scan.hpp does besides its functor's value() and operator().
struct ScanWork {
    double bytes = 4.0;      ///< of a value
    model::Part joined = {}; ///< joined() of two of them
};
/// scanLines(): on CUDA a block per line. `each` is value() and operator() of an element.
model::Kernel scanLinesWork(Backend backend, const char* name, std::int64_t lines,
                            std::int64_t length, ElementWork each, const ScanWork& scan);

/// copyWithin() of so many bytes.
model::Kernel copyWork(const char* name, std::size_t bytes);

/// reduce() of gpu/exec/reduce.hpp over floats: on CUDA a kernel of kReducePartials blocks, and one
/// block more. `each` is what map() and combine() do.
std::vector<model::Kernel> reduceWork(Backend backend, const char* name, std::int64_t count,
                                      const ElementWork& each);

/// How asTeam() of gpu/exec/team.hpp is launched: on CUDA one block, on the CPU one thread.
model::Launch teamLaunch(Backend backend);

/// followMaximum() of running_maximum.hpp: on CUDA two kernels of a reduction and one of one
/// thread.
std::vector<model::Kernel> followMaximumWork(Backend backend, const char* name, std::int64_t count);

// Two numbers of the CPU that no source prints. Both were chosen after measurements on one
// processor (Zen 4), so predictions for it are fitted in these two respects.
/// Scalar instructions of log10f, which a loop calls for each element. They are offsets, because
/// loops with calls do not fill vectors.
constexpr double kHostLog10 = 50.0;
/// Square roots of a vector that take as long as one root in a loop that does not fill vectors.
/// Tier A loops with a root do not, because sqrtf() may set errno.
constexpr double kHostRoot = 8.0;

/// The same work in a loop of the CPU that does not fill vectors: a sum goes on from turn to turn,
/// a function is called, or branches differ. Each instruction is issued by itself, so that it
/// counts as an offset, too. An FFMA is two, because host code of .cu files is not contracted, and
/// one where the source calls fma(). On CUDA nothing changes.
model::Part oneByOne(Backend backend, model::Part part, double perFfma = 2.0);

/// The sum of all counts.
model::Part addedUp(std::initializer_list<model::Part> parts);

/// Of a window of 2 half + 1 places, those that lie inside a row of `size` places: their mean over
/// all places of the window's middle.
double meanWindow(std::int64_t size, std::int64_t half);

/// Bytes of one sample as it lies in memory; 1.5 of packed 12-bit samples.
double bytesPerSample(const FrameSpec& spec);

} // namespace echolux
