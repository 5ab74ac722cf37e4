// SPDX-License-Identifier: GPL-3.0-or-later
// Phases of fringes, and the curves that follow from them.
#include "app/calibration/mirror.hpp"

#include "app/calibration/chebyshev_fit.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/core/error.hpp"
#include "gpu/fft/fft.hpp"
#include "gpu/memory/buffer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace echolux {

namespace {

constexpr double kPi = std::numbers::pi;
using Line = std::vector<std::complex<double>>;

/// Transforms one complex line by FFTW, without scaling.
Line transformed(const Line& line, FftKind kind) {
    const auto length = static_cast<std::int64_t>(line.size());
    const FftShape shape{kind, length, 1, {1, length}, {1, length}};
    const auto fft = makeFft(Backend::Cpu, shape);
    const Buffer in(MemoryKind::Host, line.size() * sizeof(Complex));
    const Buffer out(MemoryKind::Host, line.size() * sizeof(Complex));
    const Buffer work(MemoryKind::Host, std::max<std::size_t>(fftWorkspaceBytes(shape), 1));
    std::ranges::transform(line, in.as<Complex>(), [](std::complex<double> v) {
        return Complex{static_cast<float>(v.real()), static_cast<float>(v.imag())};
    });
    fft->run({Backend::Cpu, nullptr}, in.data(), out.data(), work.data());
    Line result(line.size());
    std::transform(out.as<Complex>(), out.as<Complex>() + line.size(), result.begin(),
                   [](Complex v) { return std::complex<double>(v.re, v.im); });
    return result;
}

/// The places 0 .. n - 1 mapped to -1 .. 1.
std::vector<double> symmetricPlaces(std::size_t n) {
    std::vector<double> places;
    for (std::size_t i = 0; i < n; ++i)
        places.push_back(2.0 * static_cast<double>(i) / static_cast<double>(n - 1) - 1.0);
    return places;
}

Line withoutMean(std::span<const float> spectrum) {
    double mean = 0.0;
    for (const float value : spectrum) mean += value;
    mean /= static_cast<double>(spectrum.size());
    Line line;
    for (const float value : spectrum) line.emplace_back(value - mean, 0.0);
    return line;
}

/// Power round each positive frequency, summed over neighbours because a chirped fringe is spread
/// over many frequencies.
std::vector<double> smoothPower(const Line& spectrum) {
    constexpr std::ptrdiff_t kAside = 4;
    const auto half = static_cast<std::ptrdiff_t>(spectrum.size() / 2);
    std::vector<double> power;
    for (std::ptrdiff_t bin = 0; bin < half; ++bin) {
        double sum = 0.0;
        for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(bin - kAside, 0);
             i <= std::min(bin + kAside, half - 1); ++i)
            sum += std::norm(spectrum[static_cast<std::size_t>(i)]);
        power.push_back(sum);
    }
    return power;
}

/// The frequency of the strongest fringe. It lies above the light's own spectrum, which falls from
/// zero frequency on.
double findFringe(const std::vector<Line>& spectra) {
    std::vector<double> power(spectra.front().size() / 2, 0.0);
    for (const Line& spectrum : spectra) {
        const std::vector<double> one = smoothPower(spectrum);
        for (std::size_t i = 0; i < power.size(); ++i) power[i] += one[i];
    }
    constexpr std::size_t kLightBins = 8;
    constexpr double kClear = 30.0; // times the median power
    const std::size_t first = std::max(kLightBins, power.size() / 64);
    const auto peak =
        std::max_element(power.begin() + static_cast<std::ptrdiff_t>(first), power.end());
    std::vector<double> sorted(power.begin() + static_cast<std::ptrdiff_t>(first), power.end());
    std::ranges::nth_element(sorted,
                             sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2));
    const double median = sorted[sorted.size() / 2];
    const auto bin = static_cast<std::size_t>(peak - power.begin());
    if (!(*peak > 0.0) || *peak < kClear * median || bin == first)
        throw Error("The mirror's spectra show no clear fringe; record a mirror that stands well "
                    "away from zero delay, with the background taken off.");
    return static_cast<double>(bin);
}

/// The part of `spectrum` from 0.4 to 1.6 of the fringe's frequency, transformed back to an
/// analytic line.
Line analytic(const Line& spectrum, double bin) {
    const auto n = static_cast<double>(spectrum.size());
    const double low = 0.4 * bin;
    const double high = std::min(1.6 * bin, n / 2.0);
    Line band(spectrum.size());
    for (std::size_t k = 0; k < spectrum.size(); ++k) {
        const double place = (static_cast<double>(k) - low) / (high - low);
        if (place <= 0.0 || place >= 1.0) continue;
        band[k] = 2.0 / n * std::sqrt(std::sin(kPi * place)) * spectrum[k];
    }
    return transformed(band, FftKind::ComplexInverse);
}

double powerOf(const Line& line) {
    double sum = 0.0;
    for (const std::complex<double>& value : line) sum += std::norm(value);
    return sum;
}

/// Average of the lines. Each is turned by the constant phase that fits it to the strongest line;
/// for a line without light this phase would be random.
Line averaged(const std::vector<Line>& lines) {
    const Line& strongest = *std::ranges::max_element(lines, {}, powerOf);
    Line sum(strongest.size());
    for (const Line& line : lines) {
        std::complex<double> likeness = 0.0;
        for (std::size_t p = 0; p < line.size(); ++p) likeness += std::conj(line[p]) * strongest[p];
        const double size = std::abs(likeness);
        const std::complex<double> turn = size > 0.0 ? likeness / size : 1.0;
        for (std::size_t p = 0; p < line.size(); ++p) sum[p] += turn * line[p];
    }
    return sum;
}

std::vector<double> unwrapped(const Line& line) {
    std::vector<double> phase;
    for (const std::complex<double>& value : line) {
        const double angle = std::arg(value);
        if (phase.empty()) {
            phase.push_back(angle);
            continue;
        }
        const double step = angle - phase.back();
        phase.push_back(phase.back() + step - 2.0 * kPi * std::round(step / (2.0 * kPi)));
    }
    return phase;
}

/// Fringe amplitude relative to its maximum. It falls to 0 over the outer 3 %, because the
/// band-pass treats the line as periodic and mixes both ends there.
std::vector<double> weightsOf(const Line& line) {
    double most = 0.0;
    for (const std::complex<double>& value : line) most = std::max(most, std::abs(value));
    std::vector<double> weights;
    const auto last = static_cast<double>(line.size() - 1);
    for (std::size_t p = 0; p < line.size(); ++p) {
        const double edge = std::min(static_cast<double>(p), last - static_cast<double>(p));
        weights.push_back(std::abs(line[p]) / most * std::min(1.0, edge / (0.03 * last)));
    }
    return weights;
}

std::vector<double> curve(std::span<const double> coefficients, std::span<const double> places) {
    std::vector<double> values;
    for (const double place : places) values.push_back(chebyshev(coefficients, place));
    return values;
}

double weightedRms(std::span<const double> a, std::span<const double> b,
                   std::span<const double> weights) {
    double sum = 0.0;
    double all = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double square = weights[i] * weights[i];
        sum += square * (a[i] - b[i]) * (a[i] - b[i]);
        all += square;
    }
    return std::sqrt(sum / all);
}

/// Without the phase `guess` the fringe has only low frequencies. So a narrow low-pass filters it,
/// and its phase is measured again. Noise and errors of unwrapping at the weak ends hardly pass the
/// low-pass.
std::vector<double> refined(const Line& line, std::span<const double> guess,
                            std::span<const double> places, std::span<const double> weights,
                            int order) {
    constexpr std::size_t kKept = 12;
    Line still;
    for (std::size_t p = 0; p < line.size(); ++p)
        still.push_back(line[p] * std::polar(1.0, -guess[p]));
    Line spectrum = transformed(still, FftKind::ComplexForward);
    for (std::size_t k = kKept + 1; k + kKept < spectrum.size(); ++k) spectrum[k] = 0.0;
    const std::vector<double> rest = unwrapped(transformed(spectrum, FftKind::ComplexInverse));
    const std::vector<double> correction =
        curve(fitChebyshev(places, rest, weights, order), places);
    std::vector<double> sum(guess.begin(), guess.end());
    for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += correction[p];
    return sum;
}

void checkLines(std::span<const float> lines, std::int64_t samples, const MirrorOptions& options) {
    constexpr std::int64_t kFewest = 64;
    if (options.order < 2 || options.order > 15)
        throw Error(fmt::format("The order of the phase's polynomial is {}, but 2 to 15 make "
                                "sense; 5 suits most devices.",
                                options.order));
    if (samples < kFewest)
        throw Error(fmt::format("The mirror's lines have {} samples, too few for a fringe's phase; "
                                "at least {} are needed.",
                                samples, kFewest));
    if (lines.empty() || lines.size() % static_cast<std::size_t>(samples) != 0)
        throw Error(fmt::format("The mirror's {} values are no whole number of lines of {} "
                                "samples; check the shape of the recording.",
                                lines.size(), samples));
    const auto bad = std::ranges::find_if_not(lines, [](float v) { return std::isfinite(v); });
    if (bad != lines.end())
        throw Error(fmt::format("Value {} of the mirror's spectra is not a number; record the "
                                "mirror again.",
                                bad - lines.begin()));
    const auto [least, most] = std::ranges::minmax(lines);
    if (least == most)
        throw Error("The mirror's spectra are constant; record them with the light on and the "
                    "mirror in place.");
}

/// The curve (n - 1) (theta(p) - theta(0)) / (theta(n - 1) - theta(0)), inverted at whole numbers.
std::vector<double> inverted(std::span<const double> theta) {
    const auto last = static_cast<double>(theta.size() - 1);
    const double span = theta.back() - theta.front();
    for (std::size_t p = 1; p < theta.size(); ++p)
        if (!((theta[p] - theta[p - 1]) * span > 0.0))
            throw Error(fmt::format("The phase of the mirror's fringe turns back at sample {}, so "
                                    "that no wavenumbers follow from it; take a lower order, or "
                                    "record the mirror with more light.",
                                    p));
    std::vector<double> at;
    std::size_t left = 0;
    for (std::size_t m = 0; m < theta.size(); ++m) {
        const double wanted = theta.front() + span * static_cast<double>(m) / last;
        const auto passed = [&](double value) {
            return span > 0.0 ? value <= wanted : value >= wanted;
        };
        while (left + 2 < theta.size() && passed(theta[left + 1])) ++left;
        const double t = (wanted - theta[left]) / (theta[left + 1] - theta[left]);
        at.push_back(std::clamp(static_cast<double>(left) + t, 0.0, last));
    }
    return at;
}

MirrorEstimate estimateOf(std::span<const double> theta, double residualRad) {
    MirrorEstimate estimate;
    estimate.resampling = inverted(theta);
    estimate.residualRad = residualRad;
    for (std::size_t m = 0; m < theta.size(); ++m)
        estimate.largestDeviation = std::max(
            estimate.largestDeviation, std::abs(estimate.resampling[m] - static_cast<double>(m)));
    return estimate;
}

/// Two mirrors must differ in phase. With one period between them the phases differ by 2 pi over
/// the line.
void checkApart(const FringePhase& mirror, const FringePhase& other) {
    constexpr double kSameRad = 0.5;
    const std::vector<double> places = symmetricPlaces(mirror.phase.size());
    std::vector<double> difference;
    std::vector<double> weights;
    for (std::size_t p = 0; p < places.size(); ++p) {
        difference.push_back(mirror.phase[p] - other.phase[p]);
        weights.push_back(std::min(mirror.weight[p], other.weight[p]));
    }
    const std::vector<double> turn = curve(fitChebyshev(places, difference, weights, 0), places);
    if (weightedRms(difference, turn, weights) >= kSameRad) return;
    throw Error(fmt::format("The two mirrors' fringes of {:.0f} periods are the same, so that "
                            "sampling and dispersion cannot be told apart; record the second "
                            "mirror on the other side of zero delay, at another distance from it.",
                            mirror.bin));
}

double valueAt(std::span<const double> values, double place) {
    const auto left = std::min(static_cast<std::size_t>(place), values.size() - 2);
    return std::lerp(values[left], values[left + 1], place - static_cast<double>(left));
}

} // namespace

FringePhase fringePhase(std::span<const float> lines, std::int64_t samples,
                        const MirrorOptions& options) {
    checkLines(lines, samples, options);
    const auto length = static_cast<std::size_t>(samples);
    std::vector<Line> spectra;
    for (std::size_t at = 0; at < lines.size(); at += length)
        spectra.push_back(
            transformed(withoutMean(lines.subspan(at, length)), FftKind::ComplexForward));
    FringePhase fringe;
    fringe.bin = findFringe(spectra);
    for (Line& spectrum : spectra) spectrum = analytic(spectrum, fringe.bin);
    const Line line = averaged(spectra);
    fringe.weight = weightsOf(line);
    const std::vector<double> places = symmetricPlaces(length);
    const std::vector<double> measured = unwrapped(line);
    fringe.phase = curve(fitChebyshev(places, measured, fringe.weight, options.order), places);
    fringe.phase = refined(line, fringe.phase, places, fringe.weight, options.order);
    // Where the light is weak, unwrapping may lose whole turns. These are no error of the curve.
    std::vector<double> near = measured;
    for (std::size_t p = 0; p < length; ++p)
        near[p] -= 2.0 * kPi * std::round((near[p] - fringe.phase[p]) / (2.0 * kPi));
    fringe.residualRad = weightedRms(near, fringe.phase, fringe.weight);
    return fringe;
}

MirrorEstimate estimateResampling(const FringePhase& mirror) {
    return estimateOf(mirror.phase, mirror.residualRad);
}

MirrorEstimate estimateResampling(const FringePhase& mirror, const FringePhase& other) {
    if (mirror.phase.size() != other.phase.size())
        throw Error(fmt::format("The two mirrors' lines have {} and {} samples; record both with "
                                "the same device and settings.",
                                mirror.phase.size(), other.phase.size()));
    checkApart(mirror, other);
    const std::size_t n = mirror.phase.size();
    std::vector<double> sum;
    for (std::size_t p = 0; p < n; ++p) sum.push_back(mirror.phase[p] + other.phase[p]);
    MirrorEstimate estimate = estimateOf(sum, std::max(mirror.residualRad, other.residualRad));
    const std::vector<double> places = symmetricPlaces(n);
    std::vector<double> phase;
    std::vector<double> weights;
    for (const double at : estimate.resampling) {
        phase.push_back((valueAt(mirror.phase, at) - valueAt(other.phase, at)) / 2.0);
        weights.push_back(std::min(valueAt(mirror.weight, at), valueAt(other.weight, at)));
    }
    const std::vector<double> line = curve(fitChebyshev(places, phase, weights, 1), places);
    for (std::size_t m = 0; m < n; ++m) phase[m] -= line[m];
    estimate.dispersion = dispersionTerms(phase, weights);
    estimate.dispersionRad = std::move(phase);
    return estimate;
}

// With v = 2 m / (n - 1) - 1 and x = -(1 + v) / 4, a polynomial of order four in v becomes one in x
// by comparing coefficients from the highest down.
std::array<double, 3> dispersionTerms(std::span<const double> phase,
                                      std::span<const double> weights) {
    constexpr int kOrder = 4;
    const std::vector<double> places = symmetricPlaces(phase.size());
    const std::vector<double> c = fitChebyshev(places, phase, weights, kOrder);
    // T2 = 2 v^2 - 1, T3 = 4 v^3 - 3 v, T4 = 8 v^4 - 8 v^2 + 1.
    const double v4 = 8.0 * c[4];
    const double v3 = 4.0 * c[3];
    const double v2 = 2.0 * c[2] - 8.0 * c[4];
    // v = -(4 x + 1).
    const double x4 = 256.0 * v4;
    const double x3 = 256.0 * v4 - 64.0 * v3;
    const double x2 = 96.0 * v4 - 48.0 * v3 + 16.0 * v2;
    return {x2, x3, x4};
}

} // namespace echolux
