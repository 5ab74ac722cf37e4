// SPDX-License-Identifier: GPL-3.0-or-later
// FFTs of the CPU backend: FFTW plans of a few transforms each, executed in parallel over the
// batch.
#include "gpu/fft/fft_backends.hpp"

#include "gpu/core/complex.hpp"
#include "gpu/core/error.hpp"
#include "gpu/memory/buffer.hpp"

#include <fftw3.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <type_traits>

namespace echolux {
namespace {

/// Transforms per plan. FFTW's execution on other arrays requires the same alignment. A multiple of
/// 16 keeps every chunk as aligned as the whole, because 16 floats are 64 bytes whatever the
/// distance.
constexpr std::int64_t kChunk = 16;
constexpr std::size_t kAlignment = 64;

/// FFTW's planner has global state, so only one thread may use it at a time.
std::mutex& plannerMutex() {
    static std::mutex mutex;
    return mutex;
}

struct DestroyPlan {
    void operator()(fftwf_plan plan) const {
        const std::lock_guard lock(plannerMutex());
        fftwf_destroy_plan(plan);
    }
};
using PlanHandle = std::unique_ptr<std::remove_pointer_t<fftwf_plan>, DestroyPlan>;

std::size_t elementsOf(const FftLayout& layout, std::int64_t length, std::int64_t batch) {
    return static_cast<std::size_t>((length - 1) * layout.stride + (batch - 1) * layout.distance +
                                    1);
}

/// FFTW_ESTIMATE gives the same plan and so the same rounding every time, and leaves the arrays
/// untouched.
PlanHandle makePlan(const FftShape& shape, std::int64_t batch) {
    const int n = static_cast<int>(shape.length);
    const int howMany = static_cast<int>(batch);
    const int inStride = static_cast<int>(shape.in.stride);
    const int inDistance = static_cast<int>(shape.in.distance);
    const int outStride = static_cast<int>(shape.out.stride);
    const int outDistance = static_cast<int>(shape.out.distance);
    const Buffer in(MemoryKind::Host,
                    elementsOf(shape.in, shape.length, batch) * sizeof(fftwf_complex));
    const Buffer out(MemoryKind::Host,
                     elementsOf(shape.out, shape.length, batch) * sizeof(fftwf_complex));
    const std::lock_guard lock(plannerMutex());
    fftwf_plan plan = nullptr;
    switch (shape.kind) {
    case FftKind::ComplexForward:
    case FftKind::ComplexInverse:
        plan = fftwf_plan_many_dft(
            1, &n, howMany, in.as<fftwf_complex>(), nullptr, inStride, inDistance,
            out.as<fftwf_complex>(), nullptr, outStride, outDistance,
            shape.kind == FftKind::ComplexForward ? FFTW_FORWARD : FFTW_BACKWARD,
            FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
        break;
    case FftKind::RealToComplex:
        plan = fftwf_plan_many_dft_r2c(1, &n, howMany, in.as<float>(), nullptr, inStride,
                                       inDistance, out.as<fftwf_complex>(), nullptr, outStride,
                                       outDistance, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
        break;
    case FftKind::ComplexToReal:
        plan = fftwf_plan_many_dft_c2r(1, &n, howMany, in.as<fftwf_complex>(), nullptr, inStride,
                                       inDistance, out.as<float>(), nullptr, outStride, outDistance,
                                       FFTW_ESTIMATE);
        break;
    }
    if (plan == nullptr) {
        throw Error("FFTW cannot plan transforms of this length; choose another number of samples "
                    "per line.");
    }
    return PlanHandle(plan);
}

class FftwFft final : public Fft {
public:
    explicit FftwFft(const FftShape& shape)
        : m_shape(shape), m_chunkPlan(makePlan(shape, std::min(kChunk, shape.batch))) {
        const std::int64_t rest = shape.batch % kChunk;
        if (shape.batch > kChunk && rest != 0) m_restPlan = makePlan(shape, rest);
    }

    void run(const Exec&, void* in, void* out, void*) const override {
        if (reinterpret_cast<std::uintptr_t>(in) % kAlignment != 0 ||
            reinterpret_cast<std::uintptr_t>(out) % kAlignment != 0) {
            throw std::logic_error("Fft::run: in and out must be 64-byte aligned");
        }
        const std::int64_t chunks = (m_shape.batch + kChunk - 1) / kChunk;
        oneapi::tbb::parallel_for(std::int64_t{0}, chunks, [this, in, out](std::int64_t chunk) {
            const std::int64_t first = chunk * kChunk;
            const bool whole = first + kChunk <= m_shape.batch || m_restPlan == nullptr;
            execute((whole ? m_chunkPlan : m_restPlan).get(), in, first * m_shape.in.distance, out,
                    first * m_shape.out.distance);
        });
    }

private:
    void execute(fftwf_plan plan, void* in, std::int64_t inOffset, void* out,
                 std::int64_t outOffset) const {
        switch (m_shape.kind) {
        case FftKind::ComplexForward:
        case FftKind::ComplexInverse:
            fftwf_execute_dft(plan, static_cast<fftwf_complex*>(in) + inOffset,
                              static_cast<fftwf_complex*>(out) + outOffset);
            return;
        case FftKind::RealToComplex:
            fftwf_execute_dft_r2c(plan, static_cast<float*>(in) + inOffset,
                                  static_cast<fftwf_complex*>(out) + outOffset);
            return;
        case FftKind::ComplexToReal:
            fftwf_execute_dft_c2r(plan, static_cast<fftwf_complex*>(in) + inOffset,
                                  static_cast<float*>(out) + outOffset);
            return;
        }
    }

    FftShape m_shape;
    PlanHandle m_chunkPlan;
    PlanHandle m_restPlan;
};

} // namespace

std::unique_ptr<Fft> makeFftw(const FftShape& shape) { return std::make_unique<FftwFft>(shape); }

} // namespace echolux
