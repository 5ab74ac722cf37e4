// SPDX-License-Identifier: GPL-3.0-or-later
// The course's interpolation kernels with its blocks of 8 x 8 x 8, and its two ways to sum.
#include "gpu/ladder/course_delay.hpp"

#include "gpu/exec/for_each.hpp"

#include <cmath>
#include <set>
#include <stdexcept>

namespace echolux::ladder {
namespace {

struct FromTable {
    Course k;
    const float* samples;
    const float* table;
    ECHOLUX_HD float operator()(int t, int e, std::int64_t p) const {
        const std::int64_t line = k.line(t, e);
        return readLinear(samples + line * k.samples, k.samples, table[line * k.points() + p]);
    }
};

struct Computed {
    Course k;
    const float* samples;
    ECHOLUX_HD float operator()(int t, int e, std::int64_t p) const {
        return readLinear(samples + k.line(t, e) * k.samples, k.samples,
                          delayedIndex(k, k.angles[t], e, p));
    }
};

struct DelayOf {
    Course k;
    ECHOLUX_HD float operator()(int t, int e, std::int64_t p) const {
        return delayedIndex(k, k.angles[t], e, p);
    }
};

/// Stores the result of `value` for every output.
template <class Value> struct Layered {
    Course k;
    Value value;
    float* out;
    ECHOLUX_HD void at(int t, int e, std::int64_t p) const {
        out[k.line(t, e) * k.points() + p] = value(t, e, p);
    }
};

/// Elements vary fastest with the index, then points.
template <class Value> struct ElementOrder {
    Layered<Value> layered;
    ECHOLUX_HD void operator()(std::int64_t i) const {
        const Course& k = layered.k;
        const std::int64_t rest = i / k.elements;
        layered.at(static_cast<int>(rest / k.points()), static_cast<int>(i % k.elements),
                   rest % k.points());
    }
};

/// Points vary fastest with the index, then elements.
template <class Value> struct PointOrder {
    Layered<Value> layered;
    ECHOLUX_HD void operator()(std::int64_t i) const {
        const Course& k = layered.k;
        const std::int64_t line = i / k.points();
        layered.at(static_cast<int>(line / k.elements), static_cast<int>(line % k.elements),
                   i % k.points());
    }
};

constexpr int kSide = 8; ///< of a block, in each direction

struct LineAt {
    const float* samples;
    int count;
    const float* points;
    float* out;
    bool nearest;
    ECHOLUX_HD void operator()(std::int64_t i) const {
        const float index = points[i];
        if (!nearest) {
            out[i] = readLinear(samples, count, index);
            return;
        }
        const float whole = std::round(index);
        const bool inside = whole >= 0.0F && whole < static_cast<float>(count);
        out[i] = inside ? samples[static_cast<int>(whole)] : 0.0F;
    }
};

#if defined(__CUDACC__)

/// The sample at a fractional index, by the texture units; 0 beyond the record.
struct ByTexture {
    Course k;
    device::Texture texture;
    __device__ float operator()(int t, int e, std::int64_t p) const {
        const float index = delayedIndex(k, k.angles[t], e, p);
        return tex2D<float>(texture, index + 0.5F, static_cast<float>(k.line(t, e)) + 0.5F);
    }
};

template <class Value> struct DeviceLayered {
    Course k;
    Value value;
    float* out;
};

__device__ inline int placeX() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }
__device__ inline int placeY() { return static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y); }
__device__ inline int placeZ() { return static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z); }

template <class Value>
__device__ void put(const DeviceLayered<Value>& layered, int t, int e, int p) {
    const Course& k = layered.k;
    if (p >= k.points() || e >= k.elements || t >= k.transmits) return;
    layered.out[k.line(t, e) * k.points() + p] = layered.value(t, e, p);
}

template <class Value> __global__ void elementFirstKernel(DeviceLayered<Value> layered) {
    put(layered, placeY(), placeX(), placeZ());
}

template <class Value> __global__ void pointFirstKernel(DeviceLayered<Value> layered) {
    put(layered, placeZ(), placeY(), placeX());
}

unsigned blocksFor(std::int64_t count) {
    return static_cast<unsigned>((count + kSide - 1) / kSide);
}

template <class Value>
void launch(const Exec& exec, bool elementFirst, const Course& k, const Value& value, float* out) {
    const dim3 block(kSide, kSide, kSide);
    const auto stream = static_cast<cudaStream_t>(exec.stream);
    const DeviceLayered<Value> layered{k, value, out};
    const unsigned elements = blocksFor(k.elements);
    const unsigned transmits = blocksFor(k.transmits);
    const unsigned points = blocksFor(k.points());
    if (elementFirst) {
        elementFirstKernel<<<dim3(elements, transmits, points), block, 0, stream>>>(layered);
    } else {
        pointFirstKernel<<<dim3(points, elements, transmits), block, 0, stream>>>(layered);
    }
    device::checkLaunch("ladder delay");
}

void delayOnDevice(const Exec& exec, DelayStep step, const Course& k, const DelayInput& input,
                   float* out) {
    const FromTable table{k, input.samples, input.table};
    switch (step) {
    case DelayStep::ElementFirst: return launch(exec, true, k, table, out);
    case DelayStep::PointFirst: return launch(exec, false, k, table, out);
    case DelayStep::OnTheFly: return launch(exec, false, k, Computed{k, input.samples}, out);
    case DelayStep::Texture: return launch(exec, false, k, ByTexture{k, input.texture}, out);
    }
}
#endif

template <class Value>
void inPointOrder(const Exec& exec, const Course& k, const Value& value, float* out) {
    forEach(exec, "ladder delay", k.delayed(), PointOrder<Value>{{k, value, out}});
}

/// Sums one point of one transmit over the elements, one after the other.
struct SumOfElements {
    Course k;
    const float* delayed;
    float* out;
    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t p = i % k.points();
        const auto t = static_cast<int>(i / k.points());
        float sum = 0.0F;
        for (int e = 0; e < k.elements; ++e) sum += delayed[k.line(t, e) * k.points() + p];
        out[i] = sum;
    }
};

#if defined(__CUDACC__)
__constant__ float constantAngles[kMostConstantAngles];
#endif

template <AngleMemory kMemory> struct DelayAndSum {
    Course k;
    const float* samples;
    float* out;
    ECHOLUX_HD float angleOf(int t) const {
#if defined(__CUDA_ARCH__)
        if (kMemory == AngleMemory::Constant) return constantAngles[t];
#endif
        return k.angles[t];
    }
    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t p = i % k.points();
        const auto t = static_cast<int>(i / k.points());
        const float angle = angleOf(t);
        out[i] = 0.0F;
        for (int e = 0; e < k.elements; ++e)
            out[i] += readLinear(samples + k.line(t, e) * k.samples, k.samples,
                                 delayedIndex(k, angle, e, p));
    }
};

} // namespace

void interpolateLine(const Exec& exec, bool nearest, const float* samples, int sampleCount,
                     const float* points, std::int64_t pointCount, float* out) {
    forEach(exec, "ladder line", pointCount, LineAt{samples, sampleCount, points, out, nearest});
}

double storedBytesPerSector(DelayStep step, const Course& course) {
    constexpr int kWarp = 32;
    constexpr std::int64_t kFloatsPerSector = 8;
    const bool elementFirst = step == DelayStep::ElementFirst;
    std::int64_t stored = 0;
    std::int64_t sectors = 0;
    for (int warp = 0; warp < kSide * kSide * kSide / kWarp; ++warp) {
        std::set<std::int64_t> touched;
        for (int lane = 0; lane < kWarp; ++lane) {
            const int thread = warp * kWarp + lane;
            const int x = thread % kSide;
            const int y = thread / kSide % kSide;
            const int z = thread / (kSide * kSide);
            const int t = elementFirst ? y : z;
            const int e = elementFirst ? x : y;
            const int p = elementFirst ? z : x;
            if (t >= course.transmits || e >= course.elements || p >= course.points()) continue;
            touched.insert((course.line(t, e) * course.points() + p) / kFloatsPerSector);
            ++stored;
        }
        sectors += static_cast<std::int64_t>(touched.size());
    }
    return sectors > 0 ? static_cast<double>(stored) * sizeof(float) / static_cast<double>(sectors)
                       : 0.0;
}

void fillDelayTable(const Exec& exec, const Course& course, float* table) {
    inPointOrder(exec, course, DelayOf{course}, table);
}

void delay(const Exec& exec, DelayStep step, const Course& course, const DelayInput& input,
           float* out) {
#if defined(__CUDACC__)
    if (exec.backend == Backend::Cuda) return delayOnDevice(exec, step, course, input, out);
#endif
    const FromTable table{course, input.samples, input.table};
    switch (step) {
    case DelayStep::ElementFirst:
        return forEach(exec, "ladder delay", course.delayed(),
                       ElementOrder<FromTable>{{course, table, out}});
    case DelayStep::PointFirst: return inPointOrder(exec, course, table, out);
    case DelayStep::OnTheFly:
        return inPointOrder(exec, course, Computed{course, input.samples}, out);
    case DelayStep::Texture: throw std::logic_error("ladder: a CPU has no texture units");
    }
}

void sumElements(const Exec& exec, const Course& course, const float* delayed, float* out) {
    forEach(exec, "ladder sum", course.points() * course.transmits,
            SumOfElements{course, delayed, out});
}

void loadConstantAngles(const Exec& exec, std::span<const float> angles) {
    if (angles.size() > kMostConstantAngles)
        throw std::logic_error("ladder: the angles are too many for constant memory");
#if defined(__CUDACC__)
    if (exec.backend == Backend::Cpu) return;
    void* place = nullptr;
    if (cudaGetSymbolAddress(&place, constantAngles) != cudaSuccess)
        device::checkLaunch("ladder delay and sum");
    device::copy(place, angles.data(), angles.size_bytes(), device::Direction::HostToDevice,
                 exec.stream);
    device::synchronize(exec.stream);
#endif
    (void)exec;
}

void delayAndSum(const Exec& exec, const Course& course, AngleMemory memory, const float* samples,
                 float* out) {
    constexpr const char* kName = "ladder delay and sum";
    const std::int64_t sums = course.points() * course.transmits;
    if (memory == AngleMemory::Constant)
        return forEach(exec, kName, sums, DelayAndSum<AngleMemory::Constant>{course, samples, out});
    forEach(exec, kName, sums, DelayAndSum<AngleMemory::Global>{course, samples, out});
}

} // namespace echolux::ladder
