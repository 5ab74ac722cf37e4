// SPDX-License-Identifier: GPL-3.0-or-later
// S0, further improvements: the angles of the waves in constant memory.
#include "app/bench/course.hpp"
#include "app/prediction/timed_work.hpp"

#include "app/bench/documents.hpp"
#include "app/bench/runs.hpp"
#include "gpu/ladder/course_delay.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace echolux {

void benchCourseConstants(const DocumentBench& bench) {
    using ladder::AngleMemory;
    const Exec& exec = bench.exec;
    for (const int waves : {3, 75}) {
        const CourseProblem problem(bench.reduced, waves);
        const CourseData data(exec, problem);
        ladder::loadConstantAngles(exec, problem.angles);
        const Buffer sums(computeMemory(exec.backend),
                          static_cast<std::size_t>(data.course.points()) *
                              static_cast<std::size_t>(waves) * sizeof(float));
        for (const AngleMemory memory : {AngleMemory::Global, AngleMemory::Constant}) {
            const bool constant = memory == AngleMemory::Constant;
            fillBytes(exec, sums.data(), 0xFF, sums.bytes());
            const std::vector<double> runs = workMs(exec, bench.repeat, 1, [&] {
                ladder::delayAndSum(exec, data.course, memory, data.samples.as<float>(),
                                    sums.as<float>());
            });
            DocumentEntry entry{.table =
                                    "S0 further improvements: constant memory, 256 x 1024 points",
                                .entry = fmt::format("{} waves, angles in {} memory", waves,
                                                     constant ? "constant" : "global"),
                                .unit = "ms"};
            if (waves == 3 && !constant) entry.published = 8.0;
            entry.setRuns(runs);
            entry.deviation = problem.deviationOfSums(onHost(exec, sums));
            entry.allowed = kExactDelays;
            entry.gigabytesPerS =
                static_cast<double>(data.samples.bytes() + sums.bytes()) / *entry.measured / 1e6;
            if (constant && exec.backend == Backend::Cpu)
                entry.note = "a CPU has no constant memory";
            bench.take(entry);
        }
    }
}

} // namespace echolux
