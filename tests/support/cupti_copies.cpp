// SPDX-License-Identifier: GPL-3.0-or-later
// CUPTI activity records of memory copies.
#include "tests/support/cupti_copies.hpp"

#include <cuda_runtime.h>
#include <cupti.h>

#include <mutex>
#include <new>
#include <stdexcept>
#include <string>

namespace echolux::testing_support {
namespace {

constexpr std::size_t kBufferBytes = 1U << 20U;
constexpr std::size_t kAlignment = 8;

std::mutex s_mutex;
CopyCounts s_counts;

/// What all versions of CUPTI's memcpy record begin with.
struct MemcpyRecord {
    CUpti_ActivityKind kind;
    std::uint8_t copyKind;
};

void check(CUptiResult code, const char* call) {
    if (code == CUPTI_SUCCESS) return;
    const char* text = nullptr;
    cuptiGetResultString(code, &text);
    throw std::runtime_error(std::string(call) + ": " + (text != nullptr ? text : "failed"));
}

void CUPTIAPI giveBuffer(std::uint8_t** buffer, std::size_t* bytes, std::size_t* maxRecords) {
    *buffer = static_cast<std::uint8_t*>(
        ::operator new(kBufferBytes, std::align_val_t(kAlignment), std::nothrow));
    *bytes = *buffer != nullptr ? kBufferBytes : 0;
    *maxRecords = 0; // as many as fit
}

void count(const MemcpyRecord& record) {
    switch (record.copyKind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH: ++s_counts.toHost; break;
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA: ++s_counts.fromHost; break;
    default: ++s_counts.onDevice; break;
    }
}

void CUPTIAPI takeBuffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                         std::size_t validBytes) {
    const std::scoped_lock lock(s_mutex);
    CUpti_Activity* record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, validBytes, &record) == CUPTI_SUCCESS) {
        if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
            count(*reinterpret_cast<const MemcpyRecord*>(record));
        }
    }
    ::operator delete(buffer, std::align_val_t(kAlignment));
}

void flush() {
    cudaDeviceSynchronize();
    check(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "cuptiActivityFlushAll");
}

} // namespace

void startCountingCopies() {
    static const bool kRegistered = [] {
        check(cuptiActivityRegisterCallbacks(giveBuffer, takeBuffer),
              "cuptiActivityRegisterCallbacks");
        return true;
    }();
    (void)kRegistered;
    check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY), "cuptiActivityEnable");
    flush();
    const std::scoped_lock lock(s_mutex);
    s_counts = {};
}

CopyCounts stopCountingCopies() {
    flush();
    check(cuptiActivityDisable(CUPTI_ACTIVITY_KIND_MEMCPY), "cuptiActivityDisable");
    const std::scoped_lock lock(s_mutex);
    return s_counts;
}

} // namespace echolux::testing_support
