// SPDX-License-Identifier: GPL-3.0-or-later
// Work of many small steps, where each step needs the complete result of the one before. A team of
// threads does the steps together. On CUDA it is one block, or as many blocks as run at once; on
// the host it is one thread, or all. Include it only from .cu files, which also compile as plain
// C++.
#pragma once

#include "gpu/core/portable.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/exec/host_loop.hpp"

#include <array>
#include <cstddef>
#include <stdexcept>

namespace echolux {

inline constexpr int kMostAtOnce = 5;

/// Several numbers that are summed at once.
template <int kCount> struct Several {
    static_assert(kCount <= kMostAtOnce, "teams have room for no more");
    float of[kCount] = {};
};

/// Floats of compute memory that a wide team needs for its sums, up to kMostAtOnce sums at once.
inline constexpr int kMostTeamBlocks = 128;
inline constexpr int kTeamPartials = 2 * kMostTeamBlocks * kMostAtOnce;

/// The team of one thread. Every team has
///   each(count, functor)         calls functor(i) for 0 <= i < count; returns when all are done,
///   eachByLanes<n>(count, ...)   the same with functor(i, lanes); at most n lanes share an item,
///   sum(count, value)            returns the sum of value(i) to all members; value(i) may write
///                                data of item i alone,
///   sums<n>(count, value)        the same, where value(i) is Several<n>.
/// All members make the same calls in the same order.
struct OneThread {
    template <class F> ECHOLUX_HD void each(int count, const F& functor) const {
        for (int i = 0; i < count; ++i) functor(i);
    }
    template <int kLanes, class F> ECHOLUX_HD void eachByLanes(int count, const F& functor) const {
        for (int i = 0; i < count; ++i) functor(i, Lanes<1>{0});
    }
    template <class F> ECHOLUX_HD float sum(int count, const F& value) const {
        return sums<1>(count, [&](int i) { return Several<1>{{value(i)}}; }).of[0];
    }
    template <int kCount, class F>
    ECHOLUX_HD Several<kCount> sums(int count, const F& value) const {
        double all[kCount] = {};
        for (int i = 0; i < count; ++i) {
            const Several<kCount> one = value(i);
            for (int n = 0; n < kCount; ++n) all[n] += static_cast<double>(one.of[n]);
        }
        Several<kCount> result;
        for (int n = 0; n < kCount; ++n) result.of[n] = static_cast<float>(all[n]);
        return result;
    }
};

/// The team of all threads of the host.
struct HostThreads {
    template <class F> ECHOLUX_HD void each(int count, const F& functor) const {
        eachByLanes<1>(count, [&](int i, Lanes<1>) { functor(i); });
    }
    template <int kLanes, class F> ECHOLUX_HD void eachByLanes(int count, const F& functor) const {
#if !defined(__CUDA_ARCH__)
        host::eachPart(count, kGrain, [&functor](std::int64_t begin, std::int64_t end) {
            for (auto i = static_cast<int>(begin); i != static_cast<int>(end); ++i)
                functor(i, Lanes<1>{0});
        });
#endif
    }
    template <class F> ECHOLUX_HD float sum(int count, const F& value) const {
        return sums<1>(count, [&](int i) { return Several<1>{{value(i)}}; }).of[0];
    }
    /// The result is the same in every run.
    template <int kCount, class F>
    ECHOLUX_HD Several<kCount> sums(int count, const F& value) const {
        Several<kCount> result;
#if !defined(__CUDA_ARCH__)
        using Sums = std::array<double, kCount>;
        const Sums all = host::foldInParts(
            count, kGrain, Sums{},
            [&value](std::int64_t begin, std::int64_t end, Sums sums) {
                for (auto i = static_cast<int>(begin); i != static_cast<int>(end); ++i) {
                    const Several<kCount> one = value(i);
                    for (int n = 0; n < kCount; ++n)
                        sums[static_cast<std::size_t>(n)] += static_cast<double>(one.of[n]);
                }
                return sums;
            },
            [](Sums a, const Sums& b) {
                for (std::size_t n = 0; n < a.size(); ++n) a[n] += b[n];
                return a;
            });
        for (int n = 0; n < kCount; ++n)
            result.of[n] = static_cast<float>(all[static_cast<std::size_t>(n)]);
#endif
        return result;
    }

private:
    static constexpr int kGrain = 256;
};

} // namespace echolux

#if defined(__CUDACC__)
#include "gpu/exec/team.cuh"
#endif

namespace echolux {

/// Calls functor(team) once per team member. For steps of up to some thousand items.
template <class F> void asTeam(const Exec& exec, const char* name, const F& functor) {
    if (exec.backend == Backend::Cuda) {
#if defined(__CUDACC__)
        teamKernel<<<1, Block::kThreads, 0, static_cast<cudaStream_t>(exec.stream)>>>(functor);
        device::checkLaunch(name);
        return;
#else
        throw std::logic_error("asTeam: CUDA backend in a file compiled without nvcc");
#endif
    }
    functor(OneThread{});
    (void)name;
}

/// Calls functor(team, i) for 0 <= i < count once per member of team i. The teams run at once and
/// do not wait for each other. On CUDA each has kThreads threads, a multiple of 32; on the host
/// one.
template <int kThreads, class F>
void asTeams(const Exec& exec, const char* name, std::int64_t count, const F& functor) {
    if (count <= 0) return;
    if (exec.backend == Backend::Cuda) {
#if defined(__CUDACC__)
        teamsKernel<kThreads>
            <<<static_cast<unsigned>(count), kThreads, 0, static_cast<cudaStream_t>(exec.stream)>>>(
                functor);
        device::checkLaunch(name);
        return;
#else
        throw std::logic_error("asTeams: CUDA backend in a file compiled without nvcc");
#endif
    }
    host::eachIndex(count, [&functor](std::int64_t i) { functor(OneThread{}, i); });
    (void)name;
}

/// The same as asTeam(), with a wide team where a step has enough items to be faster so. `partials`
/// are kTeamPartials floats of compute memory that nothing else uses meanwhile.
template <class F> void asWideTeam(const Exec& exec, const char* name, std::int64_t items,
                                   float* partials, const F& functor) {
#if defined(__CUDACC__)
    if (exec.backend == Backend::Cuda && items > Block::kThreads) {
        launchWideTeam(exec, name, items, partials, functor);
        return;
    }
#endif
    (void)partials;
    constexpr std::int64_t kWorthThreads = 2048;
    if (exec.backend == Backend::Cpu && items > kWorthThreads) return functor(HostThreads{});
    asTeam(exec, name, functor);
}

} // namespace echolux
