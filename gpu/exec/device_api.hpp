// SPDX-License-Identifier: GPL-3.0-or-later
// The only interface to the CUDA runtime: all of gpu/ uses it, except kernels and cuFFT. Built
// without CUDA, probe() finds nothing and every other call throws Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace echolux::device {

using Stream = void*;          ///< cudaStream_t
using Event = void*;           ///< cudaEvent_t
using Graph = void*;           ///< cudaGraphExec_t
using Texture = std::uint64_t; ///< cudaTextureObject_t

struct Info {
    int ordinal = 0;
    std::string name;
    int computeMajor = 0;
    int computeMinor = 0;
    int multiprocessors = 0;
    std::size_t totalBytes = 0;
    std::size_t sharedBytesPerBlock = 0; ///< the most that a kernel can request
};

/// Limits and clocks of a device, for predictions.
struct Limits {
    std::size_t cacheBytes = 0; ///< last cache
    int threads = 0;            ///< per multiprocessor, like the next four
    int blocks = 0;
    int registers = 0;
    std::size_t sharedBytes = 0;
    std::size_t sharedReserve = 0;     ///< bytes of shared memory that the system takes per block
    double clockHz = 0.0;              ///< the highest
    double memoryBytesPerSecond = 0.0; ///< of theory: clock, bus, double data rate
};

enum class Direction { HostToDevice, DeviceToHost, DeviceToDevice };

bool compiledWithCuda();
/// Usable devices; empty without CUDA, driver or card. `reason`, if given, says why it is empty.
std::vector<Info> probe(std::string* reason = nullptr);
/// Most shared memory of a block that every usable device offers. Without a device there is no
/// bound. Looked up once.
std::size_t sharedBytesEverywhere();

void select(int ordinal); ///< makes this device the calling thread's
Info current();           ///< the calling thread's device
std::size_t freeBytes();
Limits limits(); ///< of the calling thread's device

void* allocate(std::size_t bytes);
void release(void* pointer) noexcept;
void* allocatePinned(std::size_t bytes);
void releasePinned(void* pointer) noexcept;

void copy(void* to, const void* from, std::size_t bytes, Direction direction, Stream stream);
/// Copies `count` pieces of `pieceBytes`, which are `strideBytes` apart in device memory, and packs
/// them on the host.
void gather(void* host, const void* device, std::size_t pieceBytes, std::size_t count,
            std::size_t strideBytes, Stream stream);
void fill(void* to, int byte, std::size_t bytes, Stream stream);

/// A texture over rows in device memory, `pitchBytes` apart, with `samples` samples of 1 or 2
/// floats. Coordinate n + 1/2 along a row reads sample n; between samples it interpolates linearly.
/// Beyond the ends of a row it reads 0.
Texture createLineTexture(const void* rows, int floats, std::size_t samples, std::size_t lines,
                          std::size_t pitchBytes);
enum class TextureNumbers {
    Float,
    Int16, ///< read as value / 32767
};
/// Like createLineTexture, with one number per sample. Beyond its ends a row repeats its last
/// sample.
Texture createClampedTexture(const void* rows, TextureNumbers numbers, std::size_t samples,
                             std::size_t lines, std::size_t pitchBytes);
void destroyTexture(Texture texture) noexcept;

Stream createStream(const char* name);
void destroyStream(Stream stream) noexcept;
void synchronize(Stream stream);

Event createEvent(bool timed);
void destroyEvent(Event event) noexcept;
void record(Event event, Stream stream);
void wait(Stream stream, Event event); ///< work enqueued later on `stream` runs after `event`
void synchronizeEvent(Event event);
bool finished(Event event);
double elapsedMs(Event from, Event to);

/// Enqueues a call of `function(data)`, which runs on a thread of the driver. It must not call CUDA
/// and must not throw.
void call(Stream stream, void (*function)(void* data) noexcept, void* data);

/// Until endCapture(), work that the calling thread enqueues on `stream` is recorded and does not
/// run. The same holds for streams that it makes wait for `stream`.
void beginCapture(Stream stream);
/// Null where some of the work cannot be captured. `former` is destroyed, or becomes the result:
/// where it holds the same work in the same order, it takes over the new arguments, which is
/// faster.
Graph endCapture(Stream stream, Graph former = nullptr);
void launch(Graph graph, Stream stream);
void destroyGraph(Graph graph) noexcept;
/// While capturing: records the event each time the graph reaches this point.
void recordInGraph(Event event, Stream stream);

/// Throws Error naming `where` if a launch failed since the last check.
void checkLaunch(std::string_view where);

/// Names the range for profilers (NVTX); no-ops without CUDA.
void pushRange(const char* name);
void popRange();

} // namespace echolux::device
