// SPDX-License-Identifier: GPL-3.0-or-later
// Loops over all threads of the host, by oneTBB.
#include "gpu/exec/host_loop.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <cstddef>
#include <cstring>

#ifdef __AVX__
#include <immintrin.h>
#endif

namespace echolux::host {
namespace {

using Range = oneapi::tbb::blocked_range<std::int64_t>;

/// Before each part. NOTE: threads of oneTBB come with upper halves of registers in use. Intel's
/// processors then take ten times as long for log10f() and others that libm has without AVX.
void clearUpperHalves() {
#ifdef __AVX__
    _mm256_zeroupper();
#endif
}

/// The sum of some parts: the body of oneTBB's parallel_deterministic_reduce().
class FoldedParts {
public:
    explicit FoldedParts(const Folding& folding) : m_folding(folding) {
        std::memcpy(m_value, folding.identity, folding.bytes);
    }
    FoldedParts(FoldedParts& other, oneapi::tbb::split) : FoldedParts(other.m_folding) {}
    void operator()(const Range& range) {
        clearUpperHalves();
        m_folding.add(m_folding.body, range.begin(), range.end(), m_value);
    }
    void join(const FoldedParts& further) {
        m_folding.join(m_folding.body, m_value, further.m_value);
    }
    const void* value() const { return m_value; }

private:
    const Folding& m_folding;
    alignas(std::max_align_t) std::byte m_value[kMostFoldedBytes];
};

} // namespace

void runParts(std::int64_t count, std::int64_t grain, const void* body,
              void (*run)(const void* body, std::int64_t begin, std::int64_t end)) {
    oneapi::tbb::parallel_for(Range(0, count, static_cast<std::size_t>(grain)),
                              [body, run](const Range& range) {
                                  clearUpperHalves();
                                  run(body, range.begin(), range.end());
                              });
}

void foldParts(std::int64_t count, std::int64_t grain, const Folding& folding, void* result) {
    FoldedParts parts(folding);
    oneapi::tbb::parallel_deterministic_reduce(Range(0, count, static_cast<std::size_t>(grain)),
                                               parts);
    std::memcpy(result, parts.value(), folding.bytes);
}

} // namespace echolux::host
