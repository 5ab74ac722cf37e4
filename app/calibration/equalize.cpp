// SPDX-License-Identifier: GPL-3.0-or-later
// Mean powers along the lines, and a transform across the lines.
#include "app/calibration/equalize.hpp"

#include "gpu/fft/fft.hpp"
#include "gpu/memory/buffer.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace echolux {
namespace {

constexpr double kLeastAlong = 0.003;
constexpr double kLeastAcross = 0.03;
constexpr std::int64_t kFewestLines = 8;

Complex complexOf(float value) { return {value, 0.0F}; }
Complex complexOf(Complex value) { return value; }
void store(Complex value, float& to) { to = value.re; }
void store(Complex value, Complex& to) { to = value; }

/// Applies a mean of 2 `aside` + 1 values twice. On a circle the values beyond one end are those of
/// the other end; otherwise the last value repeats.
std::vector<double> smooth(std::vector<double> values, std::int64_t aside, bool circle) {
    const auto n = static_cast<std::int64_t>(values.size());
    for (int pass = 0; pass < 2; ++pass) {
        std::vector<double> means;
        for (std::int64_t i = 0; i < n; ++i) {
            double sum = 0.0;
            for (std::int64_t j = i - aside; j <= i + aside; ++j)
                sum += values[static_cast<std::size_t>(
                    circle ? (j + n) % n : std::clamp<std::int64_t>(j, 0, n - 1))];
            means.push_back(sum / static_cast<double>(2 * aside + 1));
        }
        values = std::move(means);
    }
    return values;
}

std::vector<float> gains(const std::vector<double>& power, double least) {
    const double most = *std::ranges::max_element(power);
    std::vector<float> result;
    for (const double each : power)
        result.push_back(most > 0.0 ? static_cast<float>(1.0 / std::sqrt(each / most + least))
                                    : 1.0F);
    return result;
}

/// Transforms all values [line][sample] across the lines.
class Across {
public:
    Across(std::int64_t lines, std::int64_t samples, FftKind kind)
        : m_shape{kind, lines, samples, {samples, 1}, {samples, 1}},
          m_fft(makeFft(Backend::Cpu, m_shape)),
          m_work(MemoryKind::Host, std::max<std::size_t>(fftWorkspaceBytes(m_shape), 1)) {}
    void run(Buffer& from, Buffer& to) const {
        m_fft->run({Backend::Cpu, nullptr}, from.data(), to.data(), m_work.data());
    }

private:
    FftShape m_shape;
    std::unique_ptr<Fft> m_fft;
    mutable Buffer m_work;
};

template <class T> void equalizeAlong(std::span<T> spectra, std::size_t samples) {
    std::vector<double> power(samples, 0.0);
    for (std::size_t i = 0; i < spectra.size(); ++i)
        power[i % samples] += norm(complexOf(spectra[i]));
    const auto aside = std::max<std::int64_t>(1, static_cast<std::int64_t>(samples) / 50);
    const std::vector<float> gain = gains(smooth(power, aside, false), kLeastAlong);
    for (std::size_t i = 0; i < spectra.size(); ++i) spectra[i] = gain[i % samples] * spectra[i];
}

template <class T> void equalizeAcross(std::span<T> spectra, std::size_t samples) {
    const std::size_t lines = spectra.size() / samples;
    if (static_cast<std::int64_t>(lines) < kFewestLines) return;
    const auto count = static_cast<std::int64_t>(lines);
    const auto length = static_cast<std::int64_t>(samples);
    Buffer image(MemoryKind::Host, spectra.size() * sizeof(Complex));
    Buffer transform(MemoryKind::Host, spectra.size() * sizeof(Complex));
    std::ranges::transform(spectra, image.as<Complex>(), [](T value) { return complexOf(value); });
    Across(count, length, FftKind::ComplexForward).run(image, transform);
    auto* values = transform.as<Complex>();
    std::vector<double> power(lines, 0.0);
    // Both signs of a frequency get the same gain, so that real values stay real.
    for (std::size_t i = 0; i < spectra.size(); ++i) {
        power[i / samples] += norm(values[i]);
        power[(lines - i / samples) % lines] += norm(values[i]);
    }
    const std::vector<float> gain =
        gains(smooth(power, std::max<std::int64_t>(1, count / 32), true), kLeastAcross);
    for (std::size_t i = 0; i < spectra.size(); ++i)
        values[i] = gain[i / samples] / static_cast<float>(lines) * values[i];
    Across(count, length, FftKind::ComplexInverse).run(transform, image);
    for (std::size_t i = 0; i < spectra.size(); ++i) store(image.as<Complex>()[i], spectra[i]);
}

template <class T> void equalizeBoth(std::span<T> spectra, std::int64_t samples) {
    equalizeAlong(spectra, static_cast<std::size_t>(samples));
    equalizeAcross(spectra, static_cast<std::size_t>(samples));
}

} // namespace

void equalize(std::span<float> spectra, std::int64_t samples) { equalizeBoth(spectra, samples); }
void equalize(std::span<Complex> spectra, std::int64_t samples) { equalizeBoth(spectra, samples); }

} // namespace echolux
