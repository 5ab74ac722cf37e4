// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/beam_field.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace echolux::lab {

BeamField::BeamField(const BeamGeometry& geometry, const PlanePoint& pixel,
                     std::span<const PlanePoint> points)
    : m_geometry(geometry), m_constants(geometry.model().onHost()), m_ways(geometry),
      m_place(geometry.placeOf(pixel)), m_points(points.size()) {
    for (std::size_t e = 0; e < m_ways.size(); ++e) {
        Field& field = m_element.emplace_back();
        for (const PlanePoint& point : points) {
            const ElementWay way = m_ways.to(e, point);
            field.push_back(way.directivity * turn(way.lengthM));
        }
    }
}

Field BeamField::heard(const std::vector<float>& weights) const {
    Field sum(m_points);
    for (std::size_t e = 0; e < m_element.size(); ++e) {
        if (weights[e] == 0.0F) continue;
        const double way = das::receiveIndex(m_constants, static_cast<int>(e), m_place) *
                           m_geometry.metresPerSample();
        add(sum, e, static_cast<double>(weights[e]) * turn(-way));
    }
    return sum;
}

Field BeamField::sent(int number) const {
    const das::TransmitConstants& k = m_constants.transmit[number];
    const auto line = static_cast<std::size_t>(k.line);
    if (m_geometry.acquisition().transmits[line].wave == Wave::None)
        return Field(m_points, 1.0); // all points sound at once
    const double path =
        (das::transmitIndex(k, m_constants.indexPerMetre, m_place) - k.indexOffset) *
        m_geometry.metresPerSample();
    Field sum(m_points);
    for (const Sender& sender : m_ways.senders(k.line))
        add(sum, sender.element, sender.weight * turn(sender.pathM - path));
    return sum;
}

Field BeamField::focused(const std::vector<double>& weights, const PlanePoint& focus) const {
    Field sum(m_points);
    for (std::size_t e = 0; e < m_element.size(); ++e) {
        if (weights[e] != 0.0) add(sum, e, weights[e] * turn(-m_ways.to(e, focus).lengthM));
    }
    return sum;
}

std::complex<double> BeamField::turn(double pathM) const {
    return std::polar(1.0, 2.0 * std::numbers::pi * pathM / m_ways.wavelengthM());
}

void BeamField::add(Field& sum, std::size_t element, std::complex<double> factor) const {
    const Field& field = m_element[element];
    for (std::size_t i = 0; i < sum.size(); ++i) {
        const auto& f = field[i]; // without operator*, whose checks for infinities are slow
        sum[i] += std::complex<double>(f.real() * factor.real() - f.imag() * factor.imag(),
                                       f.real() * factor.imag() + f.imag() * factor.real());
    }
}

namespace {

/// Adds the fields of one transmit, coherently or not.
void addTransmit(PixelFields& sum, const Field& sent, const Field& heard, bool incoherent) {
    for (std::size_t i = 0; i < sent.size(); ++i) {
        const std::complex<double> product = sent[i] * heard[i];
        sum.sent[i] += incoherent ? std::abs(sent[i]) : sent[i];
        sum.both[i] += incoherent ? std::abs(product) : product;
    }
}

} // namespace

std::vector<int> imagingTransmits(const BeamGeometry& geometry, const das::Place& place) {
    const das::Constants k = geometry.model().onHost();
    std::vector<int> numbers;
    for (int t = 0; t < k.transmits; ++t)
        if (das::reaches(k, t, place)) numbers.push_back(t);
    return numbers;
}

PixelFields fieldsAt(const BeamGeometry& geometry, const PlanePoint& pixel,
                     std::span<const PlanePoint> points, std::int64_t mostTerms) {
    PixelFields fields;
    std::vector<int> numbers = imagingTransmits(geometry, geometry.placeOf(pixel));
    if (numbers.empty()) return fields;
    const std::vector<std::int64_t> lines = geometry.active();
    const auto elements = std::ssize(geometry.model().elements);
    const std::int64_t nearest = geometry.nearestTransmit(pixel);
    if (std::ssize(numbers) * elements * std::ssize(points) > mostTerms) {
        fields.nearestAlone = true;
        numbers = {static_cast<int>(std::ranges::find(lines, nearest) - lines.begin())};
    }
    fields.transmits = numbers.size();
    std::vector<float> weights = geometry.receiveWeights(pixel, nearest);
    fields.elements = static_cast<std::size_t>(
        std::ranges::count_if(weights, [](float weight) { return weight > 0.0F; }));
    if (fields.elements == 0) return fields;
    const BeamField beam(geometry, pixel, points);
    fields.heard = beam.heard(weights);
    fields.sent.resize(points.size());
    fields.both.resize(points.size());
    const bool incoherent = geometry.params().compounding == Compounding::Incoherent;
    Field heard = fields.heard;
    for (const int number : numbers) {
        std::vector<float> other =
            geometry.receiveWeights(pixel, lines[static_cast<std::size_t>(number)]);
        if (other != weights) {
            weights = std::move(other);
            heard = beam.heard(weights);
        }
        addTransmit(fields, beam.sent(number), heard, incoherent);
    }
    return fields;
}

std::vector<double> magnitudeOf(const Field& field) {
    std::vector<double> magnitude;
    for (const auto& value : field) magnitude.push_back(std::abs(value));
    return magnitude;
}

std::vector<double> inDecibels(const std::vector<double>& magnitude, double floorDb,
                               double reference) {
    const double full = reference > 0.0 ? reference : *std::ranges::max_element(magnitude);
    std::vector<double> levels;
    for (const double value : magnitude) {
        const double db = value > 0.0 && full > 0.0 ? 20.0 * std::log10(value / full) : floorDb;
        levels.push_back(std::max(db, floorDb));
    }
    return levels;
}

} // namespace echolux::lab
