// SPDX-License-Identifier: GPL-3.0-or-later
// S0: interpolation step by step, delay and sum by two kernels and by one, and `beamform`.
#include "app/bench/course.hpp"

#include "app/bench/documents.hpp"
#include "app/bench/runs.hpp"
#include "app/prediction/timed_work.hpp"
#include "gpu/beamform/beamform_grid.hpp"
#include "gpu/ladder/course_delay.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <tuple>

namespace echolux {
namespace {

constexpr double kTextureDelays = 2e-2; ///< the same for textures, which round indices to 1/256
constexpr std::int64_t kComparedPoints = 150;

/// Collects compared values and gives their deviation.
class Compared {
public:
    void take(double expected, float got) {
        m_greatest = std::max(m_greatest, std::abs(expected));
        const double off = std::abs(expected - double{got});
        m_worst =
            std::isnan(off) ? std::numeric_limits<double>::infinity() : std::max(m_worst, off);
    }
    double deviation() const {
        return m_greatest > 0.0 ? std::min(m_worst / m_greatest, 1e9) : 1.0;
    }

private:
    double m_greatest = 0.0;
    double m_worst = 0.0;
};

struct DelayRow {
    ladder::DelayStep step;
    const char* entry;
    double publishedMs;
};

constexpr DelayRow kDelayRows[] = {
    {ladder::DelayStep::ElementFirst, "delays from a table, element first", 147.0},
    {ladder::DelayStep::PointFirst, "delays from a table, point first (coalesced)", 51.0},
    {ladder::DelayStep::OnTheFly, "delays computed", 28.0},
    {ladder::DelayStep::Texture, "delays computed, texture", 23.0},
};

constexpr const char* kLineTable = "S0 first kernels, one line of 2^15 samples";
constexpr std::int64_t kLinePoints = 1 << 15;
constexpr const char* kDelayTable = "S0 interpolation, 3 x 128 x (256 x 1024) points";
constexpr const char* kDasTable = "S0 delay and sum, 3 waves x 128 x 8192 to 256 x 1024";

bool readsTable(ladder::DelayStep step) {
    return step == ladder::DelayStep::ElementFirst || step == ladder::DelayStep::PointFirst;
}

double gigabytesPerS(std::size_t bytes, double ms) { return static_cast<double>(bytes) / ms / 1e6; }

/// Measures the course's first kernels: 2^15 points of a line of as many samples.
void measureLine(const DocumentBench& bench) {
    const Exec& exec = bench.exec;
    const std::vector<float> samples = randomNumbers(static_cast<std::size_t>(kLinePoints));
    std::vector<float> points;
    for (std::int64_t i = 0; i < kLinePoints; ++i)
        points.push_back(0.37F * static_cast<float>(i) + 0.25F);
    const Buffer in(inComputeMemory(exec, samples));
    const Buffer at(inComputeMemory(exec, points));
    const Buffer out(computeMemory(exec.backend), samples.size() * sizeof(float));
    for (const bool nearest : {true, false}) {
        DocumentEntry entry{
            .table = kLineTable, .entry = nearest ? "nearest sample" : "linear", .unit = "ms"};
        if (!nearest) {
            entry.published = 0.018467;
            entry.note = "published: median 0.018464, min 0.018336, max 0.018624, sd 0.000109";
        }
        entry.setRuns(workMs(exec, bench.repeat, 1, [&] {
            ladder::interpolateLine(exec, nearest, in.as<float>(), static_cast<int>(kLinePoints),
                                    at.as<float>(), kLinePoints, out.as<float>());
        }));
        const std::vector<float> got = onHost(exec, out);
        Compared compared;
        for (std::size_t i = 0; i < got.size(); ++i) {
            const double index = points[i];
            const double expected =
                nearest ? double{samples[static_cast<std::size_t>(std::lround(index))]}
                        : ladder::readLinear(samples.data(), static_cast<int>(kLinePoints), index);
            compared.take(expected, got[i]);
        }
        entry.deviation = compared.deviation();
        entry.allowed = kExactDelays;
        entry.gigabytesPerS = gigabytesPerS(3 * out.bytes(), *entry.measured);
        bench.take(entry);
    }
}

void reportStores(const DocumentBench& bench, const ladder::Course& course) {
    for (const auto& [step, entry, published] :
         {std::tuple{ladder::DelayStep::ElementFirst, "element first", 4.0},
          std::tuple{ladder::DelayStep::PointFirst, "point first", 32.0}}) {
        bench.take({.table = "S0 efficiency of stores, by Nsight Compute",
                    .entry = entry,
                    .unit = "byte/sector",
                    .published = published,
                    .measured = ladder::storedBytesPerSector(step, course),
                    .note = "here counted from the addresses of a block"});
    }
}

/// Measures all steps. The last one that computes delays leaves its result in `delayed`. Returns
/// its time.
double measureDelays(const DocumentBench& bench, const CourseProblem& problem,
                     const CourseData& data, const Buffer& delayed) {
    const Exec& exec = bench.exec;
    const ladder::Course& k = data.course;
    const bool cuda = exec.backend == Backend::Cuda;
    Buffer table(computeMemory(exec.backend), delayed.bytes());
    ladder::fillDelayTable(exec, k, table.as<float>());
    ladder::DelayInput input{data.samples.as<float>(), table.as<float>(), 0};
    double computedMs = 0.0;
    for (const DelayRow& row : kDelayRows) {
        DocumentEntry entry{.table = kDelayTable, .entry = row.entry, .unit = "ms"};
        entry.published = row.publishedMs;
        const bool texture = row.step == ladder::DelayStep::Texture;
        if (texture && !cuda) {
            entry.note = "not run: a CPU has no texture units";
            bench.take(entry);
            continue;
        }
        if (texture) {
            input.texture = device::createLineTexture(
                input.samples, 1, static_cast<std::size_t>(k.samples),
                static_cast<std::size_t>(k.transmits) * static_cast<std::size_t>(k.elements),
                static_cast<std::size_t>(k.samples) * sizeof(float));
        }
        fillBytes(exec, delayed.data(), 0xFF, delayed.bytes());
        entry.setRuns(workMs(exec, bench.repeat, 1, [&] {
            ladder::delay(exec, row.step, k, input, delayed.as<float>());
        }));
        entry.deviation = problem.deviationOfDelayed(onHost(exec, delayed));
        if (texture) device::destroyTexture(input.texture);
        entry.allowed = texture ? kTextureDelays : kExactDelays;
        entry.gigabytesPerS =
            gigabytesPerS(data.samples.bytes() + delayed.bytes() +
                              (readsTable(row.step) ? table.bytes() : std::size_t{0}),
                          *entry.measured);
        if (row.step == ladder::DelayStep::OnTheFly) computedMs = *entry.measured;
        bench.take(entry);
    }
    return computedMs;
}

void measureSums(const DocumentBench& bench, const CourseProblem& problem, const CourseData& data,
                 const Buffer& delayed, double delayMs) {
    const Exec& exec = bench.exec;
    const ladder::Course& k = data.course;
    const Buffer sums(computeMemory(exec.backend), static_cast<std::size_t>(k.points()) *
                                                       static_cast<std::size_t>(k.transmits) *
                                                       sizeof(float));
    const auto report = [&](DocumentEntry entry, double published, std::size_t bytes) {
        entry.table = kDasTable;
        entry.unit = "ms";
        entry.published = published;
        entry.deviation = problem.deviationOfSums(onHost(exec, sums));
        entry.allowed = kExactDelays;
        entry.gigabytesPerS = gigabytesPerS(bytes, *entry.measured);
        bench.take(entry);
    };
    const ladder::DelayInput input{data.samples.as<float>(), nullptr, 0};
    ladder::delay(exec, ladder::DelayStep::OnTheFly, k, input, delayed.as<float>());
    fillBytes(exec, sums.data(), 0xFF, sums.bytes());
    DocumentEntry sum{.entry = "two kernels: sum"};
    sum.setRuns(workMs(exec, bench.repeat, 1, [&] {
        ladder::sumElements(exec, k, delayed.as<float>(), sums.as<float>());
    }));
    DocumentEntry delays{.table = kDasTable, .entry = "two kernels: interpolation", .unit = "ms"};
    delays.published = 27.0;
    delays.measured = delayMs;
    delays.note = "delays computed, as above";
    bench.take(delays);
    report(sum, 25.0, delayed.bytes() + sums.bytes());
    report({.entry = "two kernels: both", .measured = delayMs + *sum.measured}, 52.0,
           data.samples.bytes() + 2 * delayed.bytes() + sums.bytes());
    fillBytes(exec, sums.data(), 0xFF, sums.bytes());
    DocumentEntry one{.entry = "single kernel"};
    one.setRuns(workMs(exec, bench.repeat, 1, [&] {
        ladder::delayAndSum(exec, k, ladder::AngleMemory::Global, input.samples, sums.as<float>());
    }));
    report(one, 8.0, data.samples.bytes() + sums.bytes());
}

void measureOwn(const DocumentBench& bench, const CourseProblem& problem) {
    const DasResult result = DasBench(bench.exec, bench.repeat).run(problem.das, false).front();
    DocumentEntry entry{.table = kDasTable, .entry = "Echolux beamform (D3)", .unit = "ms"};
    entry.published = 8.0;
    entry.measured = result.sumMs + result.packMs;
    entry.deviation = result.deviation;
    entry.allowed = kExactDelays;
    const std::size_t image = das::imageSpec(problem.das.input, problem.das.params).bytes();
    entry.gigabytesPerS = gigabytesPerS(problem.das.input.bytes() + image, *entry.measured);
    entry.note = "compounds the waves to one image; the course leaves them apart";
    bench.take(entry);
}

} // namespace

CourseData::CourseData(const Exec& exec, const CourseProblem& problem)
    : angles(inComputeMemory(exec, problem.angles)),
      samples(inComputeMemory(exec, problem.samples)), course(problem.course) {
    course.angles = angles.as<float>();
}

CourseProblem::CourseProblem(bool reduced, int waves) {
    const std::vector<DasProblem> problems = dasProblems(false);
    das = *std::ranges::find(problems, "D3", &DasProblem::id);
    BeamformParams& params = das.params;
    if (reduced) {
        params.pixelLateralM = (params.lateralMaxM - params.lateralMinM) / 23;
        params.pixelDepthM = (params.depthMaxM - params.depthMinM) / 95;
    }
    const FrameSpec image = das::imageSpec(das.input, params);
    const Acquisition& acquisition = *das.input.acquisition;
    const double first = acquisition.transmits.front().angleRad;
    const double span = acquisition.transmits.back().angleRad - first;
    for (int t = 0; t < waves; ++t)
        angles.push_back(static_cast<float>(first + span * t / (waves - 1)));
    const auto& elements = acquisition.probe.elements;
    course.transmits = static_cast<int>(angles.size());
    course.elements = static_cast<int>(elements.size());
    course.samples = static_cast<int>(das.input.sizeOf(AxisName::Sample));
    course.columns = static_cast<int>(image.sizeOf(AxisName::Lateral));
    course.rows = static_cast<int>(image.sizeOf(AxisName::Depth));
    course.firstElementM = static_cast<float>(elements.front().x);
    course.pitchM = static_cast<float>(elements[1].x - elements[0].x);
    course.firstColumnM = static_cast<float>(params.lateralMinM);
    course.columnStepM = static_cast<float>(params.pixelLateralM);
    course.firstRowM = static_cast<float>(params.depthMinM);
    course.rowStepM = static_cast<float>(params.pixelDepthM);
    course.soundSpeedMps = static_cast<float>(params.soundSpeedMps);
    course.samplingHz = static_cast<float>(das.input.samplingFrequencyHz());
    course.angles = angles.data();
    samples = randomNumbers(static_cast<std::size_t>(course.line(course.transmits, 0)) *
                            static_cast<std::size_t>(course.samples));
}

std::optional<double> CourseProblem::exact(int transmit, int element, std::int64_t p) const {
    const double angle = angles[static_cast<std::size_t>(transmit)];
    const double index = ladder::delayedIndex(course, angle, element, p);
    if (std::abs(index - course.samples) < 3.0) return std::nullopt;
    return ladder::readLinear(samples.data() + course.line(transmit, element) * course.samples,
                              course.samples, index);
}

std::optional<double> CourseProblem::exactSum(int transmit, std::int64_t p) const {
    double sum = 0.0;
    for (int e = 0; e < course.elements; ++e) {
        const std::optional<double> value = exact(transmit, e, p);
        if (!value) return std::nullopt;
        sum += *value;
    }
    return sum;
}

double CourseProblem::deviationOfDelayed(const std::vector<float>& delayed) const {
    Compared compared;
    const std::int64_t stride = course.points() / kComparedPoints | 1;
    for (int t = 0; t < course.transmits; ++t) {
        for (int e = 0; e < course.elements; ++e) {
            const float* line = delayed.data() + course.line(t, e) * course.points();
            for (std::int64_t p = 0; p < course.points(); p += stride)
                if (const auto value = exact(t, e, p)) compared.take(*value, line[p]);
        }
    }
    return compared.deviation();
}

double CourseProblem::deviationOfSums(const std::vector<float>& sums) const {
    Compared compared;
    const std::int64_t stride = course.points() / kComparedPoints | 1;
    for (int t = 0; t < course.transmits; ++t) {
        const float* image = sums.data() + t * course.points();
        for (std::int64_t p = 0; p < course.points(); p += stride)
            if (const auto value = exactSum(t, p)) compared.take(*value, image[p]);
    }
    return compared.deviation();
}

void benchCourseDelays(const DocumentBench& bench) {
    const CourseProblem problem(bench.reduced);
    const CourseData data(bench.exec, problem);
    const Buffer delayed(computeMemory(bench.exec.backend),
                         static_cast<std::size_t>(data.course.delayed()) * sizeof(float));
    measureLine(bench);
    reportStores(bench, data.course);
    const double delayMs = measureDelays(bench, problem, data, delayed);
    measureSums(bench, problem, data, delayed, delayMs);
    measureOwn(bench, problem);
}

} // namespace echolux
