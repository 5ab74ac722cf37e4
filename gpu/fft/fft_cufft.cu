// SPDX-License-Identifier: GPL-3.0-or-later
// FFTs of the CUDA backend: cuFFT plans that allocate no memory.
#include "gpu/fft/fft_backends.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#if defined(__CUDACC__)

#include <cufft.h>

#include <algorithm>

namespace echolux {
namespace {

void check(cufftResult code, const char* call) {
    if (code == CUFFT_SUCCESS) return;
    throw Error(fmt::format("The GPU failed in {} (cuFFT status {}); choose another number of "
                            "samples per line, or use the CPU backend.",
                            call, static_cast<int>(code)));
}

cufftType typeOf(FftKind kind) {
    switch (kind) {
    case FftKind::RealToComplex: return CUFFT_R2C;
    case FftKind::ComplexToReal: return CUFFT_C2R;
    default: return CUFFT_C2C;
    }
}

/// One plan for `batch` transforms. Its work area is set before each execution.
class Plan {
public:
    Plan(const FftShape& shape, std::int64_t batch) {
        check(cufftCreate(&m_handle), "cufftCreate");
        m_created = true;
        check(cufftSetAutoAllocation(m_handle, 0), "cufftSetAutoAllocation");
        long long length = shape.length;
        // NOTE: with null embed pointers cuFFT ignores strides. In one dimension the values of the
        // embeds do not matter.
        long long embed = shape.length;
        check(cufftMakePlanMany64(m_handle, 1, &length, &embed, shape.in.stride, shape.in.distance,
                                  &embed, shape.out.stride, shape.out.distance, typeOf(shape.kind),
                                  batch, &m_workBytes),
              "cufftMakePlanMany64");
    }
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
    ~Plan() {
        if (m_created) cufftDestroy(m_handle);
    }
    std::size_t workBytes() const { return m_workBytes; }
    cufftHandle handle() const { return m_handle; }

private:
    cufftHandle m_handle = 0;
    bool m_created = false;
    std::size_t m_workBytes = 0;
};

/// Half of a chunk, made even so that every chunk of reals starts where a complex number may start.
std::int64_t halved(std::int64_t chunk) {
    return chunk <= 2 ? 1 : std::min(chunk - 1, (chunk / 2 + 1) / 2 * 2);
}

/// Transforms the batch in equal chunks and a rest. Each fits into the work area that plan()
/// promised.
class CufftFft final : public Fft {
public:
    explicit CufftFft(const FftShape& shape) : m_shape(shape), m_chunk(shape.batch) {
        const std::size_t allowed = fftWorkspaceBytes(shape);
        m_chunkPlan = std::make_unique<Plan>(shape, m_chunk);
        while (m_chunkPlan->workBytes() > allowed && m_chunk > 1) {
            m_chunk = halved(m_chunk);
            m_chunkPlan = std::make_unique<Plan>(shape, m_chunk);
        }
        const std::int64_t rest = shape.batch % m_chunk;
        if (rest != 0) m_restPlan = std::make_unique<Plan>(shape, rest);
        const std::size_t needed =
            std::max(m_chunkPlan->workBytes(), m_restPlan ? m_restPlan->workBytes() : 0);
        if (needed > allowed) {
            throw Error(fmt::format("The GPU needs {} bytes to transform one line of {} samples, "
                                    "more than planned; choose another number of samples.",
                                    needed, shape.length));
        }
    }

    void run(const Exec& exec, void* in, void* out, void* work) const override {
        for (std::int64_t first = 0; first < m_shape.batch; first += m_chunk) {
            const bool whole = first + m_chunk <= m_shape.batch;
            execute(exec, (whole ? m_chunkPlan : m_restPlan)->handle(), in,
                    first * m_shape.in.distance, out, first * m_shape.out.distance, work);
        }
    }

private:
    void execute(const Exec& exec, cufftHandle plan, void* in, std::int64_t inOffset, void* out,
                 std::int64_t outOffset, void* work) const {
        check(cufftSetStream(plan, static_cast<cudaStream_t>(exec.stream)), "cufftSetStream");
        check(cufftSetWorkArea(plan, work), "cufftSetWorkArea");
        switch (m_shape.kind) {
        case FftKind::ComplexForward:
        case FftKind::ComplexInverse:
            check(cufftExecC2C(plan, static_cast<cufftComplex*>(in) + inOffset,
                               static_cast<cufftComplex*>(out) + outOffset,
                               m_shape.kind == FftKind::ComplexForward ? CUFFT_FORWARD
                                                                       : CUFFT_INVERSE),
                  "cufftExecC2C");
            return;
        case FftKind::RealToComplex:
            check(cufftExecR2C(plan, static_cast<cufftReal*>(in) + inOffset,
                               static_cast<cufftComplex*>(out) + outOffset),
                  "cufftExecR2C");
            return;
        case FftKind::ComplexToReal:
            check(cufftExecC2R(plan, static_cast<cufftComplex*>(in) + inOffset,
                               static_cast<cufftReal*>(out) + outOffset),
                  "cufftExecC2R");
            return;
        }
    }

    FftShape m_shape;
    std::int64_t m_chunk;
    std::unique_ptr<Plan> m_chunkPlan;
    std::unique_ptr<Plan> m_restPlan;
};

} // namespace

std::unique_ptr<Fft> makeCufft(const FftShape& shape) { return std::make_unique<CufftFft>(shape); }

} // namespace echolux

#else

namespace echolux {

std::unique_ptr<Fft> makeCufft(const FftShape& shape) {
    throw Error(
        fmt::format("This Echolux was built without CUDA and cannot transform {} samples on "
                    "the GPU; use the CPU backend.",
                    shape.length));
}

} // namespace echolux

#endif
