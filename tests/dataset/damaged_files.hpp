// SPDX-License-Identifier: GPL-3.0-or-later
// Small whole files, and what damage makes of them.
#pragma once

#include "tests/dataset/sample_files.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace echolux::test {

inline std::vector<std::string> cuts(const std::string& whole) {
    std::vector<std::string> variants;
    for (std::size_t length = 0; length < std::min<std::size_t>(whole.size(), 200); length += 7)
        variants.push_back(whole.substr(0, length));
    for (int i = 1; i < 40; ++i)
        variants.push_back(whole.substr(0, whole.size() * static_cast<std::size_t>(i) / 40));
    for (std::size_t less = 1; less < std::min<std::size_t>(whole.size(), 40); less += 3)
        variants.push_back(whole.substr(0, whole.size() - less));
    return variants;
}

inline std::vector<std::string> flips(const std::string& whole, int count, unsigned seed) {
    std::vector<std::string> variants;
    std::mt19937 random(seed);
    for (int i = 0; i < count; ++i) {
        std::string changed = whole;
        // Most damage that matters sits in headers at either end.
        const std::size_t reach =
            i % 3 == 0 ? whole.size() : std::min<std::size_t>(whole.size(), 600);
        for (unsigned n = 0; n <= random() % 4; ++n) {
            std::size_t at = random() % reach;
            if (i % 3 == 2) at = whole.size() - 1 - at;
            changed[at] = static_cast<char>(i % 2 == 0 ? random() : 0xFF);
        }
        variants.push_back(std::move(changed));
    }
    return variants;
}

/// A raw B-scan behind a header of 552 bytes: 2 background spectra, 4 A-scans of 16 samples.
inline std::string sdRawBytes() {
    constexpr int kSamples = 16;
    std::string bytes = "SD01RAW23400000";
    bytes.resize(552, '\0');
    const auto put = [&](std::size_t at, const auto value) {
        std::memcpy(bytes.data() + at, &value, sizeof value);
    };
    put(20, std::int32_t{4});
    put(36, std::int32_t{kSamples});
    bytes.replace(44, 19, "2024-01-02,03:04:05");
    put(64, 930.0F);
    put(84, std::uint16_t{2});
    put(104, 3.347e-3F);
    bytes += bytesOfValues(countedUp<std::uint16_t>(6 * kSamples));
    std::vector<float> vectors(kSamples, 1.0F);
    for (int p = 0; p < kSamples; ++p)
        vectors.push_back(static_cast<float>(p) * (1.0F + 0.02F * static_cast<float>(15 - p)));
    return bytes + bytesOfValues(vectors);
}

} // namespace echolux::test
