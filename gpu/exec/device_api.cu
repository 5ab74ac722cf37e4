// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA runtime behind device_api.hpp, or its absence.
#include "gpu/exec/device_api.hpp"

#include "gpu/core/error.hpp"
#include "gpu/exec/point_texture.hpp"

#include <string>

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#endif

namespace echolux::device {

#if defined(__CUDACC__)

namespace {

void check(cudaError_t code, const char* call) {
    if (code == cudaSuccess) return;
    cudaGetLastError(); // clears the error, so that no later check reports it again
    const std::string sentence = std::string("The GPU failed in ") + call + ": " +
                                 cudaGetErrorString(code) +
                                 "; close other programs that use it, or use the CPU backend.";
    if (code == cudaErrorMemoryAllocation) throw OutOfMemory(sentence);
    throw Error(sentence);
}

cudaStream_t raw(Stream stream) { return static_cast<cudaStream_t>(stream); }
cudaEvent_t rawEvent(Event event) { return static_cast<cudaEvent_t>(event); }

Info infoOf(int ordinal, const cudaDeviceProp& properties) {
    return {ordinal,
            properties.name,
            properties.major,
            properties.minor,
            properties.multiProcessorCount,
            properties.totalGlobalMem,
            properties.sharedMemPerBlockOptin};
}

struct TextureRows {
    const void* rows;
    std::size_t samples;
    std::size_t lines;
    std::size_t pitchBytes;
};

/// Interpolates linearly.
Texture createTexture(const TextureRows& of, const cudaChannelFormatDesc& numbers,
                      cudaTextureDesc reading) {
    cudaResourceDesc memory{};
    memory.resType = cudaResourceTypePitch2D;
    memory.res.pitch2D.devPtr = const_cast<void*>(of.rows);
    memory.res.pitch2D.desc = numbers;
    memory.res.pitch2D.width = of.samples;
    memory.res.pitch2D.height = of.lines;
    memory.res.pitch2D.pitchInBytes = of.pitchBytes;
    reading.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t texture = 0;
    check(cudaCreateTextureObject(&texture, &memory, &reading, nullptr), "cudaCreateTextureObject");
    return texture;
}

} // namespace

bool compiledWithCuda() { return true; }

std::vector<Info> probe(std::string* reason) {
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess || count == 0) {
        cudaGetLastError();
        if (reason != nullptr) {
            *reason = code != cudaSuccess ? cudaGetErrorString(code) : "no NVIDIA device was found";
        }
        return {};
    }
    std::vector<Info> found;
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        cudaDeviceProp properties{};
        if (cudaGetDeviceProperties(&properties, ordinal) != cudaSuccess) continue;
        found.push_back(infoOf(ordinal, properties));
    }
    return found;
}

void select(int ordinal) { check(cudaSetDevice(ordinal), "cudaSetDevice"); }

Info current() {
    int ordinal = 0;
    check(cudaGetDevice(&ordinal), "cudaGetDevice");
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties");
    return infoOf(ordinal, properties);
}

Limits limits() {
    int ordinal = 0;
    check(cudaGetDevice(&ordinal), "cudaGetDevice");
    const auto of = [ordinal](cudaDeviceAttr attribute) {
        int value = 0;
        check(cudaDeviceGetAttribute(&value, attribute, ordinal), "cudaDeviceGetAttribute");
        return value;
    };
    Limits found;
    found.cacheBytes = static_cast<std::size_t>(of(cudaDevAttrL2CacheSize));
    found.threads = of(cudaDevAttrMaxThreadsPerMultiProcessor);
    found.blocks = of(cudaDevAttrMaxBlocksPerMultiprocessor);
    found.registers = of(cudaDevAttrMaxRegistersPerMultiprocessor);
    found.sharedBytes = static_cast<std::size_t>(of(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
    found.sharedReserve = static_cast<std::size_t>(of(cudaDevAttrReservedSharedMemoryPerBlock));
    found.clockHz = 1e3 * of(cudaDevAttrClockRate);
    found.memoryBytesPerSecond =
        2.0 * 1e3 * of(cudaDevAttrMemoryClockRate) * of(cudaDevAttrGlobalMemoryBusWidth) / 8.0;
    return found;
}

std::size_t freeBytes() {
    std::size_t available = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&available, &total), "cudaMemGetInfo");
    return available;
}

void* allocate(std::size_t bytes) {
    void* pointer = nullptr;
    check(cudaMalloc(&pointer, bytes), "cudaMalloc");
    return pointer;
}

void release(void* pointer) noexcept { cudaFree(pointer); }

void* allocatePinned(std::size_t bytes) {
    void* pointer = nullptr;
    check(cudaHostAlloc(&pointer, bytes, cudaHostAllocPortable), "cudaHostAlloc");
    return pointer;
}

void releasePinned(void* pointer) noexcept { cudaFreeHost(pointer); }

void copy(void* to, const void* from, std::size_t bytes, Direction direction, Stream stream) {
    const cudaMemcpyKind kind = direction == Direction::HostToDevice   ? cudaMemcpyHostToDevice
                                : direction == Direction::DeviceToHost ? cudaMemcpyDeviceToHost
                                                                       : cudaMemcpyDeviceToDevice;
    check(cudaMemcpyAsync(to, from, bytes, kind, raw(stream)), "cudaMemcpyAsync");
}

void gather(void* host, const void* device, std::size_t pieceBytes, std::size_t count,
            std::size_t strideBytes, Stream stream) {
    check(cudaMemcpy2DAsync(host, pieceBytes, device, strideBytes, pieceBytes, count,
                            cudaMemcpyDeviceToHost, raw(stream)),
          "cudaMemcpy2DAsync");
}

void fill(void* to, int byte, std::size_t bytes, Stream stream) {
    check(cudaMemsetAsync(to, byte, bytes, raw(stream)), "cudaMemsetAsync");
}

Texture createLineTexture(const void* rows, int floats, std::size_t samples, std::size_t lines,
                          std::size_t pitchBytes) {
    cudaTextureDesc reading{};
    reading.addressMode[0] = reading.addressMode[1] = cudaAddressModeBorder;
    reading.readMode = cudaReadModeElementType;
    return createTexture(
        {rows, samples, lines, pitchBytes},
        floats == 2 ? cudaCreateChannelDesc<float2>() : cudaCreateChannelDesc<float>(), reading);
}

Texture createClampedTexture(const void* rows, TextureNumbers numbers, std::size_t samples,
                             std::size_t lines, std::size_t pitchBytes) {
    const bool codes = numbers == TextureNumbers::Int16;
    cudaTextureDesc reading{};
    reading.addressMode[0] = reading.addressMode[1] = cudaAddressModeClamp;
    reading.readMode = codes ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    return createTexture({rows, samples, lines, pitchBytes},
                         codes ? cudaCreateChannelDesc<short>() : cudaCreateChannelDesc<float>(),
                         reading);
}

Texture createPointTexture(const void* values, int floats, std::size_t count) {
    cudaResourceDesc memory{};
    memory.resType = cudaResourceTypeLinear;
    memory.res.linear.devPtr = const_cast<void*>(values);
    memory.res.linear.desc = floats == 4   ? cudaCreateChannelDesc<float4>()
                             : floats == 2 ? cudaCreateChannelDesc<float2>()
                                           : cudaCreateChannelDesc<float>();
    memory.res.linear.sizeInBytes = count * static_cast<std::size_t>(floats) * sizeof(float);
    cudaTextureDesc reading{};
    reading.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    check(cudaCreateTextureObject(&texture, &memory, &reading, nullptr), "cudaCreateTextureObject");
    return texture;
}

void destroyTexture(Texture texture) noexcept { cudaDestroyTextureObject(texture); }

Stream createStream(const char* name) {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    (void)name;
    return stream;
}

void destroyStream(Stream stream) noexcept { cudaStreamDestroy(raw(stream)); }
void synchronize(Stream stream) {
    check(cudaStreamSynchronize(raw(stream)), "cudaStreamSynchronize");
}

Event createEvent(bool timed) {
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, timed ? cudaEventDefault
                                                 : cudaEventDisableTiming | cudaEventBlockingSync),
          "cudaEventCreate");
    return event;
}

void destroyEvent(Event event) noexcept { cudaEventDestroy(rawEvent(event)); }
void record(Event event, Stream stream) {
    check(cudaEventRecord(rawEvent(event), raw(stream)), "cudaEventRecord");
}
void wait(Stream stream, Event event) {
    check(cudaStreamWaitEvent(raw(stream), rawEvent(event), 0), "cudaStreamWaitEvent");
}
void synchronizeEvent(Event event) {
    check(cudaEventSynchronize(rawEvent(event)), "cudaEventSynchronize");
}

bool finished(Event event) {
    const cudaError_t code = cudaEventQuery(rawEvent(event));
    if (code == cudaErrorNotReady) {
        cudaGetLastError();
        return false;
    }
    check(code, "cudaEventQuery");
    return true;
}

double elapsedMs(Event from, Event to) {
    float ms = 0.0F;
    check(cudaEventElapsedTime(&ms, rawEvent(from), rawEvent(to)), "cudaEventElapsedTime");
    return ms;
}

void call(Stream stream, void (*function)(void* data) noexcept, void* data) {
    check(cudaLaunchHostFunc(raw(stream), function, data), "cudaLaunchHostFunc");
}

void beginCapture(Stream stream) {
    check(cudaStreamBeginCapture(raw(stream), cudaStreamCaptureModeThreadLocal),
          "cudaStreamBeginCapture");
}

Graph endCapture(Stream stream, Graph former) {
    cudaGraph_t graph = nullptr;
    auto* runnable = static_cast<cudaGraphExec_t>(former);
    const bool captured = cudaStreamEndCapture(raw(stream), &graph) == cudaSuccess;
    cudaGraphExecUpdateResultInfo result{};
    const bool takenOver = captured && runnable != nullptr &&
                           cudaGraphExecUpdate(runnable, graph, &result) == cudaSuccess;
    if (!takenOver) {
        if (runnable != nullptr) cudaGraphExecDestroy(runnable);
        runnable = nullptr;
        if (captured && cudaGraphInstantiate(&runnable, graph, 0) != cudaSuccess)
            runnable = nullptr;
    }
    cudaGetLastError();
    if (graph != nullptr) cudaGraphDestroy(graph);
    return runnable;
}

void launch(Graph graph, Stream stream) {
    check(cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph), raw(stream)), "cudaGraphLaunch");
}

void destroyGraph(Graph graph) noexcept {
    cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(graph));
}

void recordInGraph(Event event, Stream stream) {
    check(cudaEventRecordWithFlags(rawEvent(event), raw(stream), cudaEventRecordExternal),
          "cudaEventRecordWithFlags");
}

void checkLaunch(std::string_view where) {
    const cudaError_t code = cudaGetLastError();
    if (code != cudaSuccess) {
        throw Error("The GPU failed to start '" + std::string(where) +
                    "': " + cudaGetErrorString(code) +
                    "; use the CPU backend or report this with the recording.");
    }
}

void pushRange(const char* name) { nvtxRangePushA(name); }
void popRange() { nvtxRangePop(); }

#else

namespace {
[[noreturn]] void refuse() {
    throw Error("This Echolux was built without CUDA; build it with ECHOLUX_CUDA=ON or use the CPU "
                "backend.");
}
} // namespace

bool compiledWithCuda() { return false; }
std::vector<Info> probe(std::string* reason) {
    if (reason != nullptr) *reason = "this Echolux was built without CUDA";
    return {};
}
void select(int) { refuse(); }
Info current() { refuse(); }
std::size_t freeBytes() { refuse(); }
Limits limits() { refuse(); }
void* allocate(std::size_t) { refuse(); }
void release(void*) noexcept {}
void* allocatePinned(std::size_t) { refuse(); }
void releasePinned(void*) noexcept {}
void copy(void*, const void*, std::size_t, Direction, Stream) { refuse(); }
void gather(void*, const void*, std::size_t, std::size_t, std::size_t, Stream) { refuse(); }
void fill(void*, int, std::size_t, Stream) { refuse(); }
Texture createLineTexture(const void*, int, std::size_t, std::size_t, std::size_t) { refuse(); }
Texture createClampedTexture(const void*, TextureNumbers, std::size_t, std::size_t, std::size_t) {
    refuse();
}
Texture createPointTexture(const void*, int, std::size_t) { refuse(); }
void destroyTexture(Texture) noexcept {}
Stream createStream(const char*) { refuse(); }
void destroyStream(Stream) noexcept {}
void synchronize(Stream) { refuse(); }
Event createEvent(bool) { refuse(); }
void destroyEvent(Event) noexcept {}
void record(Event, Stream) { refuse(); }
void wait(Stream, Event) { refuse(); }
void synchronizeEvent(Event) { refuse(); }
bool finished(Event) { refuse(); }
double elapsedMs(Event, Event) { refuse(); }
void call(Stream, void (*)(void*) noexcept, void*) { refuse(); }
void beginCapture(Stream) { refuse(); }
Graph endCapture(Stream, Graph) { refuse(); }
void launch(Graph, Stream) { refuse(); }
void destroyGraph(Graph) noexcept {}
void recordInGraph(Event, Stream) { refuse(); }
void checkLaunch(std::string_view) {}
void pushRange(const char*) {}
void popRange() {}

#endif

} // namespace echolux::device
