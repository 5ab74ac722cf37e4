// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the waves that a zea scan states with the delays of their firings.
#include "app/dataset/formats/zea_waves.hpp"

#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/transmit/transmit_clock.hpp"
#include "app/dataset/transmit/transmit_fit.hpp"
#include "app/dataset/transmit/wave_name.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace echolux {

namespace {

constexpr double kZeaSilent = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostListed = 8;

/// "transmit 3", "transmits 1, 2, 3, ...", counted from 1.
std::string namesOf(const std::vector<std::size_t>& transmits) {
    std::vector<std::string> numbers;
    for (const std::size_t i : transmits)
        numbers.push_back(numbers.size() < kMostListed ? fmt::format("{}", i + 1) : "...");
    numbers.resize(std::min(numbers.size(), kMostListed + 1));
    return fmt::format("transmit{} {}", transmits.size() == 1 ? "" : "s", fmt::join(numbers, ", "));
}

class Waves {
public:
    Waves(const std::filesystem::path& path, const ZeaShots& shots, std::span<const Point> elements)
        : m_path(path), m_shots(shots), m_elements(elements) {}

    ZeaWaves make() {
        for (std::size_t i = 0; i < m_shots.count; ++i) m_waves.transmits.push_back(transmit(i));
        report();
        return std::move(m_waves);
    }

private:
    struct Timed {
        Transmit wave;
        double leadS = 0.0;   ///< from the first firing until the wave crosses the origin
        double spreadS = 0.0; ///< of the delays about those of the wave
    };

    Transmit transmit(std::size_t i) {
        const std::vector<double> delays = firing(i);
        const Timed timed = wave(i, delays);
        Transmit result = timed.wave;
        result.firstSampleS = m_shots.initialTimesS[i] - timed.leadS;
        result.iqPhaseZeroS = result.firstSampleS;
        if (m_shots.weights.empty()) return result;
        const auto row =
            std::span(m_shots.weights).subspan(i * m_elements.size(), m_elements.size());
        if (std::ranges::any_of(row, [](double weight) { return weight != 1.0; }))
            result.apodization.assign(row.begin(), row.end());
        return result;
    }

    /// Delays of the elements that fire, NaN for the others. 0 for all where the file gives none.
    std::vector<double> firing(std::size_t i) {
        std::vector<double> delays(m_elements.size(), 0.0);
        bool up = false;
        bool down = false;
        for (std::size_t k = 0; k < delays.size(); ++k) {
            const std::size_t at = i * delays.size() + k;
            if (!m_shots.delaysS.empty()) delays[k] = m_shots.delaysS[at];
            const double weight = m_shots.weights.empty() ? 1.0 : m_shots.weights[at];
            if (!std::isfinite(weight))
                throw fileError(m_path,
                                fmt::format("tx_apodizations of transmit {} holds {} for element "
                                            "{}; give 0 for an element that stays silent",
                                            i + 1, weight, k + 1));
            if (weight == 0.0 || !std::isfinite(delays[k])) delays[k] = kZeaSilent;
            if (std::isnan(delays[k])) continue;
            (weight > 0.0 ? up : down) = true;
        }
        if (!up && !down)
            throw fileError(m_path, fmt::format("no element fires in transmit {} (t0_delays, "
                                                "tx_apodizations); correct them",
                                                i + 1));
        if (up && down)
            throw fileError(m_path,
                            fmt::format("in transmit {} elements fire with opposite signs "
                                        "(tx_apodizations), as in coded excitation, which Echolux "
                                        "cannot image; decode the signals first",
                                        i + 1));
        if (down) m_inverted.push_back(i);
        return delays;
    }

    Timed wave(std::size_t i, const std::vector<double>& delays) {
        const auto fires = [](double delay) { return !std::isnan(delay); };
        const auto count = std::ranges::count_if(delays, fires);
        if (count == 1) {
            const auto k =
                static_cast<std::size_t>(std::ranges::find_if(delays, fires) - delays.begin());
            Timed single;
            single.wave.wave = Wave::Element;
            single.wave.source = single.wave.origin = m_elements[k];
            single.leadS = delays[k];
            return single;
        }
        Timed stated = rated(statedWave(i, delays), delays);
        if (m_shots.delaysS.empty()) return stated;
        const bool part = count < std::ssize(delays);
        const double allowed = 0.25 * m_shots.periodS;
        const bool agrees = stated.spreadS <= allowed;
        if (agrees && !(part && stated.wave.wave == Wave::Plane)) return stated;
        const double depth =
            0.5 * m_shots.soundSpeedMps * (m_shots.initialTimesS[i] + m_shots.halfLengthS);
        auto fitted = fitWave(m_elements, delays, m_shots.soundSpeedMps, m_shots.periodS, depth);
        if (agrees && (!fitted || fitted->transmit.wave != Wave::Element)) return stated;
        if (fitted) {
            if (!agrees) m_fitted.push_back(i);
            fitted->transmit.origin = centreOf(delays);
            return {fitted->transmit, fitted->leadS, fitted->spreadS};
        }
        if (stated.spreadS > 4.0 * allowed)
            throw fileError(m_path,
                            fmt::format("the delays of transmit {} (t0_delays) are those of no "
                                        "plane, diverging, focused or single-element wave, and "
                                        "Echolux cannot image others; check them (s)",
                                        i + 1));
        m_rough.push_back(i);
        return stated;
    }

    Transmit statedWave(std::size_t i, const std::vector<double>& delays) const {
        const double polar = m_shots.polarRad[i];
        const double azimuth = m_shots.azimuthRad[i];
        const Point u{std::sin(polar) * std::cos(azimuth), std::sin(polar) * std::sin(azimuth),
                      std::cos(polar)};
        const double focus = m_shots.focusM[i];
        const Point& origin = m_shots.origins[i];
        Transmit wave;
        wave.origin = origin == Point{} ? centreOf(delays) : origin;
        if (!std::isfinite(focus) || focus == 0.0) {
            wave.elevationRad = std::asin(std::clamp(u.y, -1.0, 1.0));
            wave.angleRad = std::atan2(u.x, u.z);
            return wave;
        }
        wave.wave = focus > 0.0 ? Wave::Focused : Wave::Diverging;
        wave.source = {origin.x + focus * u.x, origin.y + focus * u.y, origin.z + focus * u.z};
        return wave;
    }

    Timed rated(const Transmit& wave, const std::vector<double>& delays) const {
        Timed timed{.wave = wave};
        std::vector<double> leads;
        double first = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < delays.size(); ++k) {
            if (std::isnan(delays[k])) continue;
            const double ideal = idealDelay(wave, m_elements[k], m_shots.soundSpeedMps);
            first = std::min(first, ideal);
            leads.push_back(delays[k] - ideal);
        }
        timed.leadS = m_shots.delaysS.empty() ? -first : median(leads);
        for (const double lead : leads)
            timed.spreadS = std::max(timed.spreadS, std::abs(lead - timed.leadS));
        return timed;
    }

    Point centreOf(const std::vector<double>& delays) const {
        Point sum;
        double count = 0.0;
        for (std::size_t k = 0; k < delays.size(); ++k) {
            if (std::isnan(delays[k])) continue;
            sum = {sum.x + m_elements[k].x, sum.y + m_elements[k].y, sum.z + m_elements[k].z};
            count += 1.0;
        }
        if (count == static_cast<double>(m_elements.size())) return {};
        return {sum.x / count, sum.y / count, sum.z / count};
    }

    void report() {
        const auto warn = [&](std::string text) { m_waves.warnings.push_back(std::move(text)); };
        if (!m_fitted.empty()) {
            const Transmit& first = m_waves.transmits[m_fitted.front()];
            warn(fmt::format("The delays of {} (t0_delays) deviate by more than a quarter period "
                             "from the wave that angles and focus distance describe; the wave that "
                             "the delays send out is used ({}).",
                             namesOf(m_fitted), nameOf(first.wave)));
        }
        if (!m_rough.empty())
            warn(fmt::format("The delays of {} (t0_delays) deviate by up to a period from the wave "
                             "that angles and focus distance describe; expect a blurred image.",
                             namesOf(m_rough)));
        if (!m_inverted.empty() && m_inverted.size() < m_shots.count)
            warn(fmt::format("The pulses of {} are inverted (tx_apodizations below 0), the others "
                             "not; their echoes are summed as they were recorded.",
                             namesOf(m_inverted)));
    }

    const std::filesystem::path& m_path;
    const ZeaShots& m_shots;
    std::span<const Point> m_elements;
    ZeaWaves m_waves;
    std::vector<std::size_t> m_fitted;   ///< transmits whose wave is one that fits the delays
    std::vector<std::size_t> m_rough;    ///< transmits whose delays fit no wave
    std::vector<std::size_t> m_inverted; ///< transmits whose elements all fire with a negative sign
};

} // namespace

ZeaWaves zeaWaves(const std::filesystem::path& path, const ZeaShots& shots,
                  std::span<const Point> elements) {
    return Waves(path, shots, elements).make();
}

} // namespace echolux
