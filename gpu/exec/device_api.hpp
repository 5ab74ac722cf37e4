// SPDX-License-Identifier: GPL-3.0-or-later
// The narrow waist to the CUDA runtime: everything else in gpu/ but kernels and cuFFT goes through
// here. Built without CUDA, probe() finds nothing and every other call throws Error.
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
    std::size_t sharedBytesPerBlock = 0; ///< at most, where a kernel asks for it
};

enum class Direction { HostToDevice, DeviceToHost, DeviceToDevice };

bool compiledWithCuda();
/// Usable devices; empty without CUDA, driver or card. `reason`, if given, says why it is empty.
std::vector<Info> probe(std::string* reason = nullptr);
/// What a block may share at most on every usable device; no bound where there is none. Looked up
/// once.
std::size_t sharedBytesEverywhere();

void select(int ordinal); ///< of the calling thread
Info current();           ///< the calling thread's device
std::size_t freeBytes();

void* allocate(std::size_t bytes);
void release(void* pointer) noexcept;
void* allocatePinned(std::size_t bytes);
void releasePinned(void* pointer) noexcept;

void copy(void* to, const void* from, std::size_t bytes, Direction direction, Stream stream);
/// `count` pieces of `pieceBytes`, `strideBytes` apart in device memory, packed on the host.
void gather(void* host, const void* device, std::size_t pieceBytes, std::size_t count,
            std::size_t strideBytes, Stream stream);
void fill(void* to, int byte, std::size_t bytes, Stream stream);

/// Over rows of `samples` of 1 or 2 floats in device memory, `pitchBytes` apart: read at half a
/// sample past a whole number, x along a row is linearly interpolated, and 0 beyond its ends.
Texture createLineTexture(const void* rows, int floats, std::size_t samples, std::size_t lines,
                          std::size_t pitchBytes);
enum class TextureNumbers {
    Float,
    Int16, ///< read as parts of 32767
};
/// As createLineTexture, of one number for each sample; beyond their ends the rows go on with their
/// last sample.
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

/// Enqueues `function(data)`, which a thread of the driver runs; it may not call CUDA nor throw.
void call(Stream stream, void (*function)(void* data) noexcept, void* data);

/// What the calling thread enqueues on `stream`, and on those that it makes wait for it, is kept
/// instead of run, until endCapture().
void beginCapture(Stream stream);
/// Null where something enqueued cannot be kept.
Graph endCapture(Stream stream);
void launch(Graph graph, Stream stream);
void destroyGraph(Graph graph) noexcept;
/// While capturing: the event is recorded whenever the graph reaches it.
void recordInGraph(Event event, Stream stream);

/// Throws Error naming `where` if a launch failed since the last check.
void checkLaunch(std::string_view where);

/// Names the range for profilers (NVTX); no-ops without CUDA.
void pushRange(const char* name);
void popRange();

} // namespace echolux::device
