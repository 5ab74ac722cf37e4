// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/transmit/beam_origins.hpp"

#include "app/dataset/transmit/array_kind.hpp"
#include "app/dataset/transmit/transmit_clock.hpp"
#include "gpu/core/firing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace echolux {

namespace {

/// The elements that one focused transmit fires, by their order along x.
struct FiringRow {
    Transmit* transmit = nullptr;
    std::vector<std::size_t> places = {}; ///< in rising order
    Point middle;
    bool cutOff = false; ///< an end of the array cuts it off

    bool endsAt(std::size_t place) const {
        return places.front() == place || places.back() == place;
    }
};

class BeamPlacer {
public:
    BeamPlacer(const Probe& probe, double soundSpeedMps, std::vector<Transmit>& transmits)
        : m_probe(probe), m_line(ArrayLine::of(probe, soundSpeedMps)),
          m_order(probe.elements.size()) {
        std::iota(m_order.begin(), m_order.end(), std::size_t{0});
        std::ranges::stable_sort(m_order, {}, [&](std::size_t e) { return m_probe.elements[e].x; });
        for (Transmit& transmit : transmits)
            if (transmit.wave == Wave::Focused) add(transmit);
    }

    std::size_t place() {
        const auto unsaid = [](const FiringRow& row) { return row.transmit->origin == Point{}; };
        if (m_rows.empty() || !std::ranges::all_of(m_rows, unsaid)) return 0;
        for (FiringRow& row : m_rows) row.transmit->origin = row.middle;
        if (!m_line || !walks()) return 0;
        findCutOff();
        if (const auto angle = commonAngle()) {
            for (FiringRow& row : m_rows)
                row.transmit->origin =
                    m_line->originOf(row.transmit->source, *angle).value_or(row.middle);
        } else {
            completeApertures();
        }
        return static_cast<std::size_t>(std::ranges::count_if(m_rows, &FiringRow::cutOff));
    }

private:
    void add(Transmit& transmit) {
        FiringRow row{.transmit = &transmit,
                      .middle = middleOfFiring(transmit.apodization, m_probe.elements)};
        for (std::size_t place = 0; place < m_order.size(); ++place)
            if (transmit.apodization.empty() || transmit.apodization[m_order[place]] != 0.0F)
                row.places.push_back(place);
        if (!row.places.empty()) m_rows.push_back(std::move(row));
    }

    double pitch() const {
        return m_probe.pitchM > 0.0 ? m_probe.pitchM : medianPitch(m_probe.elements);
    }

    bool walks() const {
        return std::ranges::any_of(m_rows, [&](const FiringRow& row) {
            return distance(row.middle, m_rows.front().middle) > pitch();
        });
    }

    void findCutOff() {
        for (const FiringRow& row : m_rows) m_widest = std::max(m_widest, row.places.size());
        for (FiringRow& row : m_rows)
            row.cutOff =
                row.places.size() < m_widest && (row.endsAt(0) || row.endsAt(m_order.size() - 1));
    }

    /// The angle at which all beams with whole apertures leave the array; nothing where they fan
    /// out.
    std::optional<double> commonAngle() const {
        double sum = 0.0;
        double count = 0.0;
        for (const FiringRow& row : m_rows) {
            if (row.cutOff) continue;
            sum += m_line->angleTo(row.transmit->source, row.middle);
            count += 1.0;
        }
        const double mean = sum / count;
        bool unsteered = true;
        for (const FiringRow& row : m_rows) {
            if (row.cutOff) continue;
            const double ofPitch = pitch() / distance(row.transmit->source, row.middle);
            const double angle = m_line->angleTo(row.transmit->source, row.middle);
            if (!(std::abs(angle - mean) <= ofPitch)) return std::nullopt;
            unsteered = unsteered && std::abs(mean) <= ofPitch;
        }
        return unsteered ? 0.0 : mean;
    }

    /// Where beams fan out and all whole apertures are alike: a beam whose aperture is cut off
    /// begins in the middle of the aperture that it would have without the cut.
    void completeApertures() {
        const bool alike = std::ranges::all_of(m_rows, [&](const FiringRow& row) {
            return row.cutOff || row.places.size() + 1 >= m_widest;
        });
        if (!alike) return;
        const double half = 0.5 * static_cast<double>(m_widest - 1);
        for (FiringRow& row : m_rows) {
            if (!row.cutOff) continue;
            const double at = row.places.front() == 0
                                  ? static_cast<double>(row.places.back()) - half
                                  : static_cast<double>(row.places.front()) + half;
            row.transmit->origin = between(at);
        }
    }

    /// A position between elements.
    Point between(double place) const {
        const double last = static_cast<double>(m_order.size() - 1);
        const double at = std::clamp(place, 0.0, last);
        const auto low = static_cast<std::size_t>(at);
        const Point& a = m_probe.elements[m_order[low]];
        const Point& b = m_probe.elements[m_order[std::min(low + 1, m_order.size() - 1)]];
        const double part = at - static_cast<double>(low);
        return {std::lerp(a.x, b.x, part), std::lerp(a.y, b.y, part), std::lerp(a.z, b.z, part)};
    }

    const Probe& m_probe;
    std::optional<ArrayLine> m_line;
    std::vector<std::size_t> m_order; ///< elements from left to right
    std::vector<FiringRow> m_rows;
    std::size_t m_widest = 0; ///< number of elements
};

} // namespace

std::optional<ArrayLine> ArrayLine::of(const Probe& probe, double soundSpeedMps) {
    const ArrayKind kind = arrayKindOf(probe, soundSpeedMps);
    const bool straight = kind.shape == ArrayShape::Linear || kind.shape == ArrayShape::Phased;
    if (!straight && kind.shape != ArrayShape::Curved) return std::nullopt;
    const auto& elements = probe.elements;
    const auto [left, right] = std::ranges::minmax(elements, {}, &Point::x);
    const double deepest = std::ranges::max(elements, {}, &Point::z).z;
    ArrayLine line;
    line.m_centre = {0.5 * (left.x + right.x), left.y, deepest};
    if (straight) return line;
    // The ends of a convex array lie behind its middle.
    if (std::max(left.z, right.z) >= deepest) return std::nullopt;
    line.m_radius = kind.radiusM;
    line.m_centre.z = deepest - kind.radiusM;
    return line;
}

double ArrayLine::angleTo(const Point& target, const Point& origin) const {
    const double normal =
        isCurved() ? std::atan2(origin.x - m_centre.x, origin.z - m_centre.z) : 0.0;
    return std::atan2(target.x - origin.x, target.z - origin.z) - normal;
}

std::optional<Point> ArrayLine::originOf(const Point& target, double angleRad) const {
    const double x = target.x - m_centre.x;
    const double z = target.z - m_centre.z;
    if (!isCurved()) {
        if (!(z > 0.0)) return std::nullopt;
        return Point{target.x - z * std::tan(angleRad), m_centre.y, m_centre.z};
    }
    // The line at the polar angle psi, steered by a, passes the centre at the distance R sin a = D
    // sin(psi + a - phi).
    const double range = std::hypot(x, z);
    if (!(range > m_radius)) return std::nullopt;
    const double psi =
        std::atan2(x, z) - angleRad + std::asin(m_radius * std::sin(angleRad) / range);
    return Point{m_centre.x + m_radius * std::sin(psi), m_centre.y,
                 m_centre.z + m_radius * std::cos(psi)};
}

Point middleOfFiring(std::span<const float> apodization, std::span<const Point> elements) {
    std::vector<std::size_t> firing;
    for (std::size_t e = 0; e < elements.size(); ++e)
        if (apodization.empty() || apodization[e] != 0.0F) firing.push_back(e);
    if (firing.empty()) return {};
    const bool row = std::ranges::all_of(
        firing, [&](std::size_t e) { return elements[e].y == elements[firing.front()].y; });
    if (row) firing = {firing[(firing.size() - 1) / 2], firing[firing.size() / 2]};
    Point sum;
    for (const std::size_t e : firing)
        sum = {sum.x + elements[e].x, sum.y + elements[e].y, sum.z + elements[e].z};
    const auto count = static_cast<double>(firing.size());
    return {sum.x / count, sum.y / count, sum.z / count};
}

std::size_t placeBeams(const Probe& probe, double soundSpeedMps, std::vector<Transmit>& transmits) {
    return BeamPlacer(probe, soundSpeedMps, transmits).place();
}

std::string cutOffNote(std::size_t apertures) {
    return fmt::format("{} aperture{} cut off by the end of the array; the direction of the others "
                       "is taken",
                       apertures, apertures == 1 ? " is" : "s are");
}

} // namespace echolux
