// SPDX-License-Identifier: GPL-3.0-or-later
// The transmitted fields at scatterers, and what elements receive of them. Each step is one
// functor.
#include "gpu/echoes/echo_sum.hpp"

#include "gpu/echoes/echo_fields.hpp"
#include "gpu/exec/for_each.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

using echoes::Arrivals;
using echoes::BuildField;
using echoes::ElementFace;
using echoes::ElementShape;
using echoes::Extent;
using echoes::Fields;
using echoes::FindExtent;
using echoes::FindPath;
using echoes::kMargin;
using echoes::Paths;
using echoes::Screen;
using echoes::Screens;
using echoes::SquareField;

/// Sums what a channel receives from the fields of a group.
struct Hear {
    Paths paths;
    Fields fields;
    const std::int64_t* firstSamples; ///< [transmit] number of the record's first sample
    const std::int32_t* heard;        ///< [transmit][channel]
    double* sum;                      ///< [transmit][channel][sample]
    std::int64_t channels;
    std::int64_t samples;

    template <class Lanes> ECHOLUX_HD void operator()(std::int64_t line, const Lanes& lanes) const {
        const std::int64_t transmit = line / channels;
        const std::int64_t element = heard[line];
        double* const trace = sum + line * samples;
        for (std::int64_t point = 0; point < paths.points; ++point) {
            const std::int64_t field = transmit * paths.points + point;
            if (fields.extents[field].length == 0) continue;
            for (std::int64_t part = 0; part < paths.parts; ++part) {
                const std::int64_t at = paths.at(element, part, point);
                if (paths.gains[at] != 0.0)
                    add(lanes, trace, firstSamples[transmit], field, paths.samples[at],
                        paths.gains[at]);
            }
        }
    }

    /// trace[i] += gain u(firstSample + i - delay), by a cubic (Lagrange) through four points of
    /// the field's grid.
    template <class Lanes> ECHOLUX_HD void add(const Lanes& lanes, double* trace,
                                               std::int64_t firstSample, std::int64_t field,
                                               double delay, double gain) const {
        const double fine = delay * static_cast<double>(fields.fineness);
        const double whole = std::ceil(fine);
        const double f = whole - fine;
        const double weights[4] = {gain * (-f * (f - 1.0) * (f - 2.0) / 6.0),
                                   gain * ((f + 1.0) * (f - 1.0) * (f - 2.0) / 2.0),
                                   gain * (-(f + 1.0) * f * (f - 2.0) / 2.0),
                                   gain * ((f + 1.0) * f * (f - 1.0) / 6.0)};
        // trace[i] reads rows[k][i] for the four points k of the cubic. rows[k][i] is sample
        // base + shift + i of the field's row `phase`. All rows of the field begin at the sample
        // extent.first of the common clock.
        const Extent extent = fields.extents[field];
        const std::int64_t base = firstSample - extent.first;
        const std::int64_t point = -1 - static_cast<std::int64_t>(whole);
        std::int64_t shift = floorOf(point, fields.fineness);
        std::int64_t phase = point - shift * fields.fineness;
        const double* rows[4];
        std::int64_t from = 0;
        std::int64_t to = samples;
        for (int k = 0; k < 4; ++k) {
            rows[k] = fields.row(field, phase) + (base + shift);
            if (k == 0 && -(base + shift) > from) from = -(base + shift);
            if (k == 3 && extent.length - (base + shift) < to) to = extent.length - (base + shift);
            if (++phase == fields.fineness) {
                phase = 0;
                ++shift;
            }
        }
        const double* const a = rows[0];
        const double* const b = rows[1];
        const double* const c = rows[2];
        const double* const d = rows[3];
        for (std::int64_t i = lanes.startAt(from); i < to; i += Lanes::step)
            trace[i] +=
                weights[0] * a[i] + weights[1] * b[i] + weights[2] * c[i] + weights[3] * d[i];
    }

    ECHOLUX_HD static std::int64_t floorOf(std::int64_t a, std::int64_t b) {
        return a >= 0 ? a / b : -((-a + b - 1) / b);
    }
};

/// An upper bound for the difference between the delays of all screens for two sent pulses.
/// [samples]
double greatestScreenSpread(const EchoArray& array) {
    constexpr double kOvershoot = 1.5625; // by this factor cubics along both axes may overshoot
    if (!array.screensOnTransmit) return 0.0;
    double seconds = 0.0;
    for (const Screen& screen : array.screens.list) {
        const std::span<const double> delays(
            array.screens.values.data() + screen.values,
            static_cast<std::size_t>(screen.rows * screen.columns));
        double greatest = 0.0;
        for (const double delay : delays) greatest = std::max(greatest, std::fabs(delay));
        seconds += 2.0 * kOvershoot * greatest;
    }
    return seconds * array.samplingHz;
}

/// An upper bound for the time between the arrivals of one transmit at any point, by the triangle
/// inequality. It includes parts, lens and screens. [samples]
double greatestSpread(const EchoArray& array) {
    Point low = array.faces.front().centre;
    Point high = low;
    for (const ElementFace& face : array.faces) {
        low = {std::min(low.x, face.centre.x), std::min(low.y, face.centre.y),
               std::min(low.z, face.centre.z)};
        high = {std::max(high.x, face.centre.x), std::max(high.y, face.centre.y),
                std::max(high.z, face.centre.z)};
    }
    const double acrossM = std::hypot(high.x - low.x, high.y - low.y, high.z - low.z);
    const double reachM = acrossM + 2.0 * array.shape.heightM;
    double greatest = 0.0;
    for (const std::vector<Firing>& firings : array.firings) {
        if (firings.empty()) continue;
        const auto [first, last] = std::ranges::minmax(firings, {}, &Firing::sample);
        greatest = std::max(greatest, last.sample - first.sample);
    }
    return greatest + reachM * array.samplesPerMetre + greatestScreenSpread(array);
}

template <class T> void fill(const Exec& exec, ComputeTable<T>& table, std::vector<T> values) {
    table.allocate(exec, values.size());
    if (!values.empty()) table.set(exec, std::move(values));
}

} // namespace

EchoRoom EchoRoom::of(Backend backend) {
    constexpr std::int64_t kMiB = std::int64_t{1} << 20;
    if (backend == Backend::Cpu) return {128, 16 * kMiB};
    const auto free = static_cast<std::int64_t>(device::freeBytes());
    return {8192, std::min(512 * kMiB, free / 8)};
}

EchoSum::EchoSum(Backend backend, const EchoArray& array, const EchoPulses& pulses,
                 const EchoRoom& room)
    : m_stream(backend, "echoes"), m_exec{backend, m_stream.get()}, m_shape(array.shape),
      m_elements(std::ssize(array.faces)), m_transmits(std::ssize(array.firings)),
      m_channels(array.channels), m_samples(array.samples), m_fineness(array.fineness),
      m_samplesPerMetre(array.samplesPerMetre), m_samplingHz(array.samplingHz),
      m_screenShape(array.screens.shape), m_screenCount(std::ssize(array.screens.list)),
      m_sentScreenCount(array.screensOnTransmit ? m_screenCount : 0), m_echoed(array.echoed),
      m_sentPathsDiffer(squares() || m_sentScreenCount != m_screenCount), m_pulses(pulses) {
    fill(m_exec, m_table, std::vector<double>(pulses.table.begin(), pulses.table.end()));
    if (squares())
        fill(m_exec, m_turnedTable,
             std::vector<double>(pulses.turned.begin(), pulses.turned.end()));
    fill(m_exec, m_faces, array.faces);
    std::vector<Firing> firings;
    std::vector<std::int64_t> starts{0};
    for (const std::vector<Firing>& each : array.firings) {
        firings.insert(firings.end(), each.begin(), each.end());
        starts.push_back(std::ssize(firings));
    }
    fill(m_exec, m_firings, std::move(firings));
    fill(m_exec, m_firingStart, std::move(starts));
    fill(m_exec, m_firstSamples, array.firstSamples);
    fill(m_exec, m_heard, array.heard);
    fill(m_exec, m_screens, array.screens.list);
    fill(m_exec, m_screenValues, array.screens.values);

    constexpr std::int64_t kValue = sizeof(double);
    const auto spread = static_cast<std::int64_t>(std::ceil(greatestSpread(array)));
    m_fieldRoom = m_fineness * (spread + m_pulses.taps + 2 * kMargin + 2);
    const std::int64_t pathCount = m_elements * m_shape.parts;
    const std::int64_t pathValues = (m_sentPathsDiffer ? 4 : 2) * pathCount;
    m_run = std::clamp(room.bytes / (kValue * std::max(m_fieldRoom, pathValues)), std::int64_t{1},
                       room.points);
    const std::int64_t fields = squares() ? 2 : 1; // with their quadratures
    m_transmitsAtOnce = std::clamp(room.bytes / (fields * kValue * m_fieldRoom * m_run),
                                   std::int64_t{1}, std::max(m_transmits, std::int64_t{1}));
    const MemoryKind memory = computeMemory(backend);
    const auto bytes = [](std::int64_t count, std::size_t each) {
        return static_cast<std::size_t>(count) * each;
    };
    m_points = Buffer(memory, bytes(m_run, sizeof(EchoPoint)));
    m_pathSamples = Buffer(memory, bytes(pathCount * m_run, sizeof(double)));
    m_pathGains = Buffer(memory, bytes(pathCount * m_run, sizeof(double)));
    if (m_sentPathsDiffer) {
        m_sentSamples = Buffer(memory, bytes(pathCount * m_run, sizeof(double)));
        m_sentGains = Buffer(memory, bytes(pathCount * m_run, sizeof(double)));
    }
    m_extents = Buffer(memory, bytes(m_transmitsAtOnce * m_run, sizeof(Extent)));
    m_fields = Buffer(memory, bytes(m_transmitsAtOnce * m_run * m_fieldRoom, sizeof(double)));
    if (squares()) m_turned = Buffer(memory, m_fields.bytes());
    if (backend == Backend::Cuda)
        m_sum = Buffer(memory, bytes(m_transmits * m_channels * m_samples, sizeof(double)));
    m_stream.synchronize();
}

void EchoSum::add(std::span<const EchoPoint> points, std::span<double> sum) {
    if (points.empty()) return;
    const bool inPlace = m_exec.backend == Backend::Cpu;
    double* const target = inPlace ? sum.data() : m_sum.as<double>();
    if (!inPlace) upload(m_exec, target, sum.data(), sum.size_bytes());
    const auto most = static_cast<std::size_t>(m_run);
    for (std::size_t first = 0; first < points.size(); first += most)
        addRun(points.subspan(first, std::min(most, points.size() - first)), target);
    if (!inPlace) download(m_exec, sum.data(), target, sum.size_bytes());
    m_stream.synchronize();
}

void EchoSum::addRun(std::span<const EchoPoint> run, double* sum) {
    const std::int64_t points = std::ssize(run);
    upload(m_exec, m_points.data(), run.data(), run.size_bytes());
    const auto* const at = m_points.as<EchoPoint>();
    const Paths paths{m_pathSamples.as<double>(), m_pathGains.as<double>(), m_shape.parts, points};
    const auto findPaths = [&](const Paths& of, std::int64_t screenCount, double harmonic) {
        const Screens screens{m_screens.data(), screenCount, m_screenValues.data(), m_screenShape};
        ElementShape shape = m_shape;
        shape.wavelengthM /= harmonic;
        forEachInLines(m_exec, "paths of echoes", m_elements * m_shape.parts, points,
                       FindPath{of, shape, m_faces.data(), at, m_samplesPerMetre, screens,
                                m_samplingHz, harmonic});
    };
    findPaths(paths, m_screenCount, squares() ? 2.0 : 1.0);
    Paths sent = paths;
    if (m_sentPathsDiffer) {
        sent.samples = m_sentSamples.as<double>();
        sent.gains = m_sentGains.as<double>();
        findPaths(sent, m_sentScreenCount, 1.0);
    }
    const Fields fields{m_extents.as<Extent>(), m_fields.as<double>(), m_fieldRoom, m_fineness};
    for (std::int64_t first = 0; first < m_transmits; first += m_transmitsAtOnce) {
        const std::int64_t transmits = std::min(m_transmitsAtOnce, m_transmits - first);
        const Arrivals arrivals{sent, at, m_firings.data(), m_firingStart.data() + first};
        forEach(m_exec, "extents of fields", transmits * points,
                FindExtent{arrivals, m_extents.as<Extent>(), m_pulses.taps, m_pulses.lead});
        const auto build = [&](double* values, const double* table) {
            forEachByLanes(m_exec, "fields", transmits * points,
                           BuildField{arrivals,
                                      {fields.extents, values, m_fieldRoom, m_fineness},
                                      table,
                                      static_cast<double>(m_pulses.phases),
                                      m_pulses.taps,
                                      m_pulses.lead});
        };
        build(fields.values, m_table.data());
        if (squares()) {
            auto* const turned = m_turned.as<double>();
            build(turned, m_turnedTable.data());
            forEachByLanes(
                m_exec, "squares of fields", transmits * points,
                SquareField{at, points, fields, turned, m_echoed == Echoed::TurnedSquare});
        }
        const std::int64_t line = first * m_channels;
        forEachByLanes(m_exec, "echoes", transmits * m_channels,
                       Hear{paths, fields, m_firstSamples.data() + first, m_heard.data() + line,
                            sum + line * m_samples, m_channels, m_samples});
    }
}

} // namespace echolux
