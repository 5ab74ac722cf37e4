// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/beam_shape.hpp"

#include "gpu/beamform/beamform_grid.hpp"
#include "gpu/beamform/beamform_shadow.hpp"
#include "gpu/core/sector.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace echolux::lab {
namespace {

using Field = std::vector<std::complex<double>>; ///< one value per point

constexpr std::size_t kPoints = 1601;

double sinc(double x) {
    const double a = std::numbers::pi * x;
    return std::abs(a) < 1e-9 ? 1.0 : std::sin(a) / a;
}

/// The points at which the beam is computed, beside the pixel.
struct Section {
    bool overAngle = false;
    std::vector<double> across{};
    std::vector<PlanePoint> points{};
    double pixelAt = 0.0;
    double depthM = 0.0;
};

Section overAngles(const Sector& sector, const PlanePoint& pixel) {
    const PlanePoint apex{sector.apexXM, sector.apexZM};
    const double range = lengthOf(pixel - apex);
    Section section{.overAngle = true,
                    .pixelAt = std::atan2(pixel.x - apex.x, pixel.z - apex.z),
                    .depthM = range - sector.radiusM};
    const double first = sector.anglesRad.front();
    const double step = (sector.anglesRad.back() - first) / static_cast<double>(kPoints - 1);
    for (std::size_t i = 0; i < kPoints; ++i) {
        const double angle = first + static_cast<double>(i) * step;
        section.across.push_back(angle);
        section.points.push_back(apex + range * PlanePoint{std::sin(angle), std::cos(angle)});
    }
    return section;
}

/// Points from the first to the last column, at the pixel's depth.
Section overLateral(double firstM, double spanM, const PlanePoint& pixel) {
    Section section{.pixelAt = pixel.x, .depthM = pixel.z};
    for (std::size_t i = 0; i < kPoints; ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(kPoints - 1);
        section.across.push_back(firstM + part * spanM);
        section.points.push_back({section.across.back(), pixel.z});
    }
    return section;
}

Section overColumns(const Axis& lateral, const PlanePoint& pixel) {
    const double gaps = static_cast<double>(std::max<std::int64_t>(lateral.size - 1, 1));
    return overLateral(lateral.origin, gaps * lateral.spacing, pixel);
}

/// Points between the outer lines, for lines with starts of their own.
Section overLines(const Sector& sector, const PlanePoint& pixel) {
    const auto crossing = [&](std::size_t line) {
        const Point start = sector.startOf(line);
        return start.x + (pixel.z - start.z) * std::tan(sector.anglesRad[line]);
    };
    const double first = crossing(0);
    return overLateral(first, crossing(sector.lines() - 1) - first, pixel);
}

Section sectionAt(const BeamGeometry& geometry, const PlanePoint& pixel) {
    const FrameSpec image = das::imageSpec(geometry.input(), geometry.params());
    if (!image.sector) return overColumns(*image.find(AxisName::Lateral), pixel);
    return image.sector->hasOneApex() ? overAngles(*image.sector, pixel)
                                      : overLines(*image.sector, pixel);
}

/// The field of every element at every point, and sums of these fields.
class Patterns {
public:
    Patterns(const BeamGeometry& geometry, const PlanePoint& pixel, const Section& section)
        : m_geometry(geometry), m_constants(geometry.model().onHost()),
          m_wavelengthM(das::wavelength(geometry.input(), geometry.params().soundSpeedMps)),
          m_place(geometry.placeOf(pixel)) {
        for (int e = 0; e < m_constants.elements; ++e)
            m_element.push_back(elementField(e, section));
    }

    Field heard(const std::vector<float>& weights) const {
        Field sum(kPoints);
        for (std::size_t e = 0; e < m_element.size(); ++e) {
            if (weights[e] == 0.0F) continue;
            const double way = das::receiveIndex(m_constants, static_cast<int>(e), m_place) /
                               m_constants.indexPerMetre;
            add(sum, m_element[e], static_cast<double>(weights[e]) * turn(-way));
        }
        return sum;
    }

    /// The field of Constants::transmit[number].
    Field sent(int number) const {
        const das::TransmitConstants& k = m_constants.transmit[number];
        const Acquisition& acquisition = m_geometry.acquisition();
        const auto line = static_cast<std::size_t>(k.line);
        const Transmit& t = acquisition.transmits[line];
        const double path =
            (das::transmitIndex(k, m_constants.indexPerMetre, m_place) - k.indexOffset) /
            m_constants.indexPerMetre;
        Field sum(kPoints);
        for (const std::size_t e : das::firingElements(acquisition, line)) {
            const double weight =
                t.apodization.empty() ? 1.0 : static_cast<double>(t.apodization[e]);
            if (t.wave == Wave::Element && distance(e, t.source) > 1e-6) continue;
            add(sum, m_element[e], weight * turn(waitOf(t, e) - path));
        }
        return sum;
    }

private:
    std::complex<double> turn(double pathM) const {
        return std::polar(1.0, 2.0 * std::numbers::pi * pathM / m_wavelengthM);
    }

    static void add(Field& sum, const Field& field, std::complex<double> factor) {
        for (std::size_t i = 0; i < kPoints; ++i) {
            const auto& f = field[i]; // without operator*, whose checks for infinities are slow
            sum[i] += std::complex<double>(f.real() * factor.real() - f.imag() * factor.imag(),
                                           f.real() * factor.imag() + f.imag() * factor.real());
        }
    }

    Field elementField(int e, const Section& section) const {
        const das::Element& at = m_constants.element[e];
        const das::Face face = m_constants.face != nullptr ? m_constants.face[e] : das::Face{};
        const double width = m_geometry.acquisition().probe.elementWidthM / m_wavelengthM;
        Field field;
        for (const PlanePoint& point : section.points) {
            const double dx = (point.x - at.x) * face.countsX;
            const double dy = -at.y * face.countsY;
            const double dz = point.z - at.z;
            const double way = std::sqrt(dx * dx + dy * dy + dz * dz);
            const double ahead = dx * face.normalX + dy * face.normalY + dz * face.normalZ;
            const double aside = dx * face.normalZ - dz * face.normalX;
            const double directivity =
                ahead > 0.0 ? sinc(way > 0.0 ? width * aside / way : 0.0) : 0.0;
            field.push_back(directivity * turn(way));
        }
        return field;
    }

    double distance(std::size_t e, const Point& from) const {
        const das::Element& at = m_constants.element[e];
        return std::hypot(at.x - from.x, at.y - from.y, at.z - from.z);
    }

    /// The path of the wave until it reaches this element, in m.
    double waitOf(const Transmit& t, std::size_t e) const {
        const double range = std::hypot(t.source.x, t.source.y, t.source.z);
        switch (t.wave) {
        case Wave::Plane: {
            const Point way = direction(t, m_geometry.acquisition().steering);
            const das::Element& at = m_constants.element[e];
            return way.x * at.x + way.y * at.y + way.z * at.z;
        }
        case Wave::Diverging: return distance(e, t.source) - range;
        case Wave::Focused: return range - distance(e, t.source);
        case Wave::Element: break;
        }
        return 0.0;
    }

    const BeamGeometry& m_geometry;
    das::Constants m_constants;
    double m_wavelengthM;
    das::Place m_place;
    std::vector<Field> m_element;
};

std::vector<double> inDecibels(const std::vector<double>& magnitude) {
    const double highest = *std::ranges::max_element(magnitude);
    std::vector<double> levels;
    for (const double value : magnitude) {
        const double db =
            value > 0.0 && highest > 0.0 ? 20.0 * std::log10(value / highest) : BeamShape::kFloorDb;
        levels.push_back(std::max(db, BeamShape::kFloorDb));
    }
    return levels;
}

std::vector<double> magnitudeOf(const Field& field) {
    std::vector<double> magnitude;
    for (const auto& value : field) magnitude.push_back(std::abs(value));
    return magnitude;
}

/// The transmits that image the pixel, as indices into Constants::transmit.
std::vector<int> imagingTransmits(const BeamGeometry& geometry, const das::Place& place) {
    const das::Constants k = geometry.model().onHost();
    std::vector<int> numbers;
    for (int t = 0; t < k.transmits; ++t)
        if (das::reaches(k, t, place)) numbers.push_back(t);
    return numbers;
}

/// Sums over the transmits, coherent or incoherent.
struct Sums {
    bool incoherent = false;
    Field sent = Field(kPoints);
    Field both = Field(kPoints);

    void add(const Field& field, const Field& heard) {
        for (std::size_t i = 0; i < kPoints; ++i) {
            const std::complex<double> product = field[i] * heard[i];
            sent[i] += incoherent ? std::abs(field[i]) : field[i];
            both[i] += incoherent ? std::abs(product) : product;
        }
    }
};

/// Position where the level is crossed between sample `inside` and its neighbour `outside`.
double crossing(const std::vector<double>& levels, const std::vector<double>& across,
                std::size_t inside, std::size_t outside, double level) {
    const double part = (levels[inside] - level) / (levels[inside] - levels[outside]);
    return across[inside] + part * (across[outside] - across[inside]);
}

} // namespace

BeamPattern measured(std::vector<double> levelDb, const std::vector<double>& across) {
    constexpr double kWidthDb = -6.0;
    BeamPattern pattern;
    const auto& levels = levelDb;
    const auto top = static_cast<std::size_t>(std::ranges::max_element(levels) - levels.begin());
    pattern.peak = across[top];
    std::size_t left = top;
    std::size_t right = top;
    while (left > 0 && levels[left] >= levels[top] + kWidthDb) --left;
    while (right + 1 < levels.size() && levels[right] >= levels[top] + kWidthDb) ++right;
    const double level = levels[top] + kWidthDb;
    if (levels[left] < level && levels[right] < level) {
        pattern.width = crossing(levels, across, right - 1, right, level) -
                        crossing(levels, across, left + 1, left, level);
    }
    while (left > 0 && levels[left - 1] < levels[left]) --left;
    while (right + 1 < levels.size() && levels[right + 1] < levels[right]) ++right;
    for (std::size_t i = 1; i + 1 < levels.size(); ++i) {
        const bool isLobe =
            (i < left || i > right) && levels[i] > levels[i - 1] && levels[i] >= levels[i + 1];
        if (isLobe && levels[i] > BeamShape::kFloorDb)
            pattern.sideLobeDb = std::max(pattern.sideLobeDb.value_or(levels[i]), levels[i]);
    }
    pattern.levelDb = std::move(levelDb);
    return pattern;
}

BeamShape beamShape(const BeamGeometry& geometry, PlanePoint pixel) {
    const Section section = sectionAt(geometry, pixel);
    BeamShape shape{.overAngle = section.overAngle,
                    .across = section.across,
                    .pixelAt = section.pixelAt,
                    .depthM = section.depthM};
    std::vector<int> numbers = imagingTransmits(geometry, geometry.placeOf(pixel));
    if (numbers.empty()) return shape;
    const std::vector<std::int64_t> lines = geometry.active();
    const auto elements = std::ssize(geometry.model().elements);
    const std::int64_t nearest = geometry.nearestTransmit(pixel);
    if (std::ssize(numbers) * elements * static_cast<std::int64_t>(kPoints) >
        BeamShape::kMostTerms) {
        shape.nearestAlone = true;
        numbers = {static_cast<int>(std::ranges::find(lines, nearest) - lines.begin())};
    }
    shape.transmits = numbers.size();
    const Patterns patterns(geometry, pixel, section);
    std::vector<float> weights = geometry.receiveWeights(pixel, nearest);
    shape.elements = static_cast<std::size_t>(
        std::ranges::count_if(weights, [](float weight) { return weight > 0.0F; }));
    if (shape.elements == 0) return shape;
    Field heard = patterns.heard(weights);
    const auto measure = [&](const Field& field) {
        return measured(inDecibels(magnitudeOf(field)), shape.across);
    };
    shape.heard = measure(heard);
    Sums sums{geometry.params().compounding == Compounding::Incoherent};
    for (const int number : numbers) {
        std::vector<float> other =
            geometry.receiveWeights(pixel, lines[static_cast<std::size_t>(number)]);
        if (other != weights) {
            weights = std::move(other);
            heard = patterns.heard(weights);
        }
        sums.add(patterns.sent(number), heard);
    }
    shape.sent = measure(sums.sent);
    shape.both = measure(sums.both);
    return shape;
}

} // namespace echolux::lab
