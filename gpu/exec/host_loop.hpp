// SPDX-License-Identifier: GPL-3.0-or-later
// Loops over all threads of the host. NOTE: what oneTBB declares stays in host_loop.cpp; nvcc would
// read it three times for each file of kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace echolux::host {

/// Divides 0 <= i < count into parts and calls run(body, begin, end) for each part, in no order.
/// Parts of `grain` items or fewer are not divided further.
void runParts(std::int64_t count, std::int64_t grain, const void* body,
              void (*run)(const void* body, std::int64_t begin, std::int64_t end));

/// Calls part(begin, end) for parts that together are 0 <= i < count, in no order.
template <class Part> void eachPart(std::int64_t count, std::int64_t grain, const Part& part) {
    runParts(count, grain, &part, [](const void* body, std::int64_t begin, std::int64_t end) {
        (*static_cast<const Part*>(body))(begin, end);
    });
}

/// Calls functor(i) for 0 <= i < count, in no order.
template <class F> void eachIndex(std::int64_t count, const F& functor) {
    eachPart(count, 1, [&functor](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i != end; ++i) functor(i);
    });
}

/// How foldParts() adds up values whose type it does not know.
struct Folding {
    const void* body;
    const void* identity;
    std::size_t bytes; ///< of a value, kMostFoldedBytes at most
    void (*add)(const void* body, std::int64_t begin, std::int64_t end, void* value);
    void (*join)(const void* body, void* value, const void* further);
};
constexpr std::size_t kMostFoldedBytes = 64;
void foldParts(std::int64_t count, std::int64_t grain, const Folding& folding, void* result);

/// join() of part(begin, end, identity) over parts that together are 0 <= i < count: the same parts
/// in the same order in every run.
template <class T, class Part, class Join> T foldInParts(std::int64_t count, std::int64_t grain,
                                                         const T& identity, const Part& part,
                                                         const Join& join) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= kMostFoldedBytes);
    struct Body {
        const Part& part;
        const Join& join;
    };
    const Body body{part, join};
    Folding folding{&body, &identity, sizeof(T), nullptr, nullptr};
    folding.add = [](const void* of, std::int64_t begin, std::int64_t end, void* value) {
        T& sum = *static_cast<T*>(value);
        sum = static_cast<const Body*>(of)->part(begin, end, sum);
    };
    folding.join = [](const void* of, void* value, const void* further) {
        T& sum = *static_cast<T*>(value);
        sum = static_cast<const Body*>(of)->join(sum, *static_cast<const T*>(further));
    };
    T result = identity;
    foldParts(count, grain, folding, &result);
    return result;
}

} // namespace echolux::host
