// SPDX-License-Identifier: GPL-3.0-or-later
// Finds which lines replace which, from weights or from empty lines.
#include "app/dataset/frames/reciprocity.hpp"

#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/opening.hpp"
#include "app/dataset/transmit/transmit_clock.hpp"
#include "gpu/core/firing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

namespace echolux {

namespace {

constexpr float kBothDirections = 2.0F;

bool onlySingleElements(const Acquisition& acquisition) {
    return acquisition.transmits.size() > 1 && allAre(acquisition, Wave::Element);
}

/// A pair of elements that both transmit and both receive: two lines of a frame.
struct ElementPair {
    std::size_t there; ///< line of the element with the smaller number
    std::size_t back;
    std::size_t firstTransmit;
    std::size_t secondTransmit;
};

/// The element that fires in each transmit; nothing where it is no element of the probe.
std::vector<std::optional<std::size_t>> firingElements(const Acquisition& acquisition) {
    constexpr double kPartOfPitch = 0.01;
    const std::vector<Point>& elements = acquisition.probe.elements;
    const double near = std::max(kPartOfPitch * medianPitch(elements), 1e-9);
    std::vector<std::optional<std::size_t>> firing;
    for (const Transmit& transmit : acquisition.transmits) {
        const auto nearest = std::ranges::min_element(
            elements, {}, [&](const Point& e) { return distance(e, transmit.source); });
        if (nearest != elements.end() && distance(*nearest, transmit.source) <= near)
            firing.emplace_back(static_cast<std::size_t>(nearest - elements.begin()));
        else
            firing.emplace_back();
    }
    return firing;
}

/// Where an element fires more than once, its first transmit counts.
std::vector<ElementPair> pairsOf(const Acquisition& acquisition) {
    const auto firing = firingElements(acquisition);
    const std::size_t channels = acquisition.probe.elements.size();
    std::vector<std::optional<std::size_t>> transmitOf(channels);
    for (std::size_t t = 0; t < firing.size(); ++t)
        if (firing[t] && !transmitOf[*firing[t]]) transmitOf[*firing[t]] = t;
    const auto fired = static_cast<std::uint64_t>(
        std::ranges::count_if(transmitOf, [](const auto& each) { return each.has_value(); }));
    Opening::keep("the pairs of its elements", sizeof(ElementPair) * (fired * fired / 2));
    std::vector<ElementPair> pairs;
    for (std::size_t a = 0; a < channels; ++a) {
        for (std::size_t b = a + 1; transmitOf[a] && b < channels; ++b) {
            if (!transmitOf[b]) continue;
            pairs.push_back({*transmitOf[a] * channels + b, *transmitOf[b] * channels + a,
                             *transmitOf[a], *transmitOf[b]});
        }
    }
    return pairs;
}

/// True where all values of the line are equal or all are NaN: nothing was recorded there.
template <class Part> bool isEmpty(std::span<const std::byte> line) {
    const std::span parts(reinterpret_cast<const Part*>(line.data()), line.size() / sizeof(Part));
    const auto missing = [](Part part) { return std::isnan(static_cast<float>(part)); };
    return std::ranges::all_of(parts, [&](Part part) {
        return part == parts.front() || (missing(part) && missing(parts.front()));
    });
}

bool isEmpty(DType type, std::span<const std::byte> line) {
    switch (type) {
    case DType::U8: return isEmpty<std::uint8_t>(line);
    case DType::I16:
    case DType::ComplexI16: return isEmpty<std::int16_t>(line);
    case DType::U16: return isEmpty<std::uint16_t>(line);
    default: return isEmpty<float>(line);
    }
}

/// Weights 2 and 0 where every pair has exactly one line that is not empty; empty otherwise.
std::vector<float> weightsByContent(const RecordingInfo& info,
                                    const std::vector<ElementPair>& pairs, std::size_t lineBytes,
                                    const ReciprocalFill::ReadFrame& readFirst) {
    constexpr std::size_t kFewestPairs = 3; // with fewer, a dead channel looks the same
    if (pairs.size() < kFewestPairs) return {};
    checkLoadSize(info.path, "one frame", info.frame.bytes());
    std::vector<std::byte> frame(info.frame.bytes());
    try {
        readFirst(frame);
    } catch (const Error&) {
        return {}; // a damaged frame affects only itself
    }
    const std::span<const std::byte> lines(frame);
    const auto empty = [&](std::size_t line) {
        return isEmpty(info.frame.dtype, lines.subspan(line * lineBytes, lineBytes));
    };
    std::vector<float> weights(frame.size() / lineBytes, 1.0F);
    for (const ElementPair& pair : pairs) {
        const bool back = empty(pair.there);
        if (back == empty(pair.back)) return {};
        weights[pair.there] = back ? 0.0F : kBothDirections;
        weights[pair.back] = back ? kBothDirections : 0.0F;
    }
    return weights;
}

/// True where samples of both transmits belong to the same times, so lines can replace each other.
bool sameClock(const FrameSpec& frame, const Transmit& a, const Transmit& b) {
    constexpr double kPartOfSample = 0.01;
    const double apart = std::max(std::abs(a.firstSampleS - b.firstSampleS),
                                  std::abs(a.iqPhaseZeroS - b.iqPhaseZeroS));
    return apart * frame.samplingFrequencyHz() <= kPartOfSample;
}

} // namespace

ReciprocalFill::ReciprocalFill(RecordingInfo& info, const ReadFrame& readFirst) {
    // NOTE: lines of packed samples may share a byte.
    if (!info.frame.acquisition || info.frame.dtype == DType::Packed12 ||
        !info.frame.acquisition->receiveElements.empty() ||
        !onlySingleElements(*info.frame.acquisition))
        return;
    const std::vector<ElementPair> pairs = pairsOf(*info.frame.acquisition);
    if (pairs.empty()) return;
    auto acquisition = std::make_shared<Acquisition>(*info.frame.acquisition);
    std::vector<float>& weights = acquisition->receiveWeights;
    const std::size_t lines = acquisition->transmits.size() * acquisition->probe.elements.size();
    m_lineBytes = info.frame.bytes() / lines;
    if (weights.empty()) weights = weightsByContent(info, pairs, m_lineBytes, readFirst);
    if (weights.size() != lines) return;
    bool apart = false;
    for (const ElementPair& pair : pairs) {
        const bool there = weights[pair.there] == kBothDirections && weights[pair.back] == 0.0F;
        const bool back = weights[pair.back] == kBothDirections && weights[pair.there] == 0.0F;
        if (!there && !back) continue;
        if (!sameClock(info.frame, acquisition->transmits[pair.firstTransmit],
                       acquisition->transmits[pair.secondTransmit])) {
            apart = true;
            continue;
        }
        m_copies.push_back(there ? Copy{pair.there, pair.back} : Copy{pair.back, pair.there});
        weights[pair.there] = 1.0F;
        weights[pair.back] = 1.0F;
    }
    if (std::ranges::all_of(weights, [](float weight) { return weight == 1.0F; })) weights.clear();
    info.frame.acquisition = std::move(acquisition);
    if (!m_copies.empty())
        info.notes.emplace_back(
            "Reciprocity",
            fmt::format("{} of {} pairs were recorded in the other direction and "
                        "are filled in; a frame takes {:.1f} MB in memory",
                        m_copies.size(), lines, static_cast<double>(info.frame.bytes()) * 1e-6));
    if (apart)
        info.warnings.emplace_back(
            "Pairs recorded in one direction cannot be filled in, because their transmits begin at "
            "different times; they count twice, which is right where every element receives "
            "(f_number = 0).");
}

void ReciprocalFill::apply(std::span<std::byte> frame) const {
    for (const Copy& copy : m_copies)
        std::memcpy(frame.data() + copy.to * m_lineBytes, frame.data() + copy.from * m_lineBytes,
                    m_lineBytes);
}

} // namespace echolux
