// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/formats/clarius_facts.hpp"

#include "app/dataset/container/text_array.hpp"
#include "app/dataset/recording/input_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace echolux {

namespace {

constexpr std::int64_t kMostPacket = 64;

/// The number after "key:", times 1e6 where its unit is MHz; 0 where there is none.
double numberBehind(std::string_view line, std::string_view key) {
    const std::size_t at = line.find(key);
    if (at == std::string_view::npos) return 0.0;
    const std::string_view text = trimmed(line.substr(at + key.size()));
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || !std::isfinite(value)) return 0.0;
    const auto rest = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
    return rest.starts_with("MHz") ? value * 1e6 : value;
}

} // namespace

ClariusFacts clariusFacts(const std::filesystem::path& raw) {
    constexpr std::uint64_t kMostText = std::uint64_t{16} << 20U;
    ClariusFacts facts;
    std::filesystem::path path = raw;
    path.replace_extension(".yml");
    std::error_code ignored;
    if (path == raw || !std::filesystem::is_regular_file(path, ignored)) return facts;
    const InputFile file(path);
    if (file.size() > kMostText) return facts;
    std::string text(file.size(), '\0');
    file.read(0, std::as_writable_bytes(std::span(text)));
    facts.found = true;
    double firstElement = -1.0;
    bool counting = true;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = trimmed(std::string_view(text).substr(at, end - at));
        at = end + 1;
        const auto take = [&](std::string_view key, double& value) {
            if (line.starts_with(key)) value = std::max(0.0, numberBehind(line, key));
        };
        take("frame rate:", facts.frameRateHz);
        take("transmit frequency:", facts.transmitFrequencyHz);
        take("sampling rate:", facts.samplingFrequencyHz);
        take("delay samples:", facts.delaySamples);
        if (line.find("rx element:") == std::string_view::npos) continue;
        const double element = numberBehind(line, "rx element:");
        if (facts.linesPerElement == 0) {
            firstElement = element;
            facts.steeringDeg = numberBehind(line, "angle:");
        }
        counting = counting && element == firstElement;
        if (counting) ++facts.linesPerElement;
    }
    return facts;
}

std::int64_t packetSize(std::span<const std::int16_t> samples, std::int64_t lines) {
    constexpr double kClearlyMore = 4.0;
    constexpr double kLeastChange = 1e-3;
    struct Pairing {
        std::complex<double> product;
        double first = 0.0;
        double second = 0.0;
        double change() const {
            const double power = std::sqrt(first * second);
            return power > 0.0 ? 1.0 - std::abs(product) / power : 0.0;
        }
    };
    const auto at = [&](std::size_t i) {
        return std::complex<double>(samples[2 * i], samples[2 * i + 1]);
    };
    const std::size_t count = samples.size() / 2;
    std::int64_t best = 1;
    double most = 0.0;
    for (std::int64_t size = 2; size <= std::min(kMostPacket, lines); ++size) {
        if (lines % size != 0) continue;
        std::vector<Pairing> pairs(static_cast<std::size_t>(size));
        for (std::size_t i = 0; i + 1 < count; ++i) {
            Pairing& pair = pairs[i % pairs.size()];
            const std::complex<double> a = at(i);
            const std::complex<double> b = at(i + 1);
            pair.product += std::conj(a) * b;
            pair.first += std::norm(a);
            pair.second += std::norm(b);
        }
        const double between = pairs.back().change();
        double within = 0.0;
        for (std::size_t r = 0; r + 1 < pairs.size(); ++r)
            within = std::max(within, pairs[r].change());
        if (between > kClearlyMore * within && between > std::max(most, kLeastChange)) {
            most = between;
            best = size;
        }
    }
    return best;
}

} // namespace echolux
