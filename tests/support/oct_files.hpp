// SPDX-License-Identifier: GPL-3.0-or-later
// Real OCT spectra for tests of the stages, which know no files: just enough reading for these.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace echolux::test {

inline std::filesystem::path octFile(const char* name) {
    return std::filesystem::path(ECHOLUX_SHARED_DATA) / "data/oct" / name;
}

inline std::string octBytes(const char* name) {
    std::ifstream file(octFile(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// `count` numbers of type From at `offset`, as To.
template <class From, class To>
std::vector<To> numbersAt(const std::string& bytes, std::size_t offset, std::size_t count) {
    if (offset + count * sizeof(From) > bytes.size()) throw std::runtime_error("file too short");
    std::vector<From> read(count);
    std::memcpy(read.data(), bytes.data() + offset, count * sizeof(From));
    return {read.begin(), read.end()};
}

struct OctBscan {
    std::int64_t lines = 0;
    std::vector<float> spectra;
    std::vector<float> background;
    std::vector<double> resampling;
};

/// 552 bytes of header, 25 background spectra and 1024 lines of 1024 u16, offsets, chirp (f32).
inline OctBscan readOctBscan(const char* name) {
    constexpr std::size_t kSamples = 1024;
    constexpr std::size_t kBackgrounds = 25;
    constexpr std::size_t kHeaderBytes = 552;
    const std::string bytes = octBytes(name);
    OctBscan scan;
    scan.lines = 1024;
    const auto first =
        numbersAt<std::uint16_t, float>(bytes, kHeaderBytes, kBackgrounds * kSamples);
    scan.background.assign(kSamples, 0.0F);
    for (std::size_t i = 0; i < first.size(); ++i)
        scan.background[i % kSamples] += first[i] / kBackgrounds;
    const std::size_t linesAt = kHeaderBytes + kBackgrounds * kSamples * 2;
    scan.spectra = numbersAt<std::uint16_t, float>(bytes, linesAt, 1024 * kSamples);
    const std::size_t chirpAt = linesAt + 1024 * kSamples * 2 + kSamples * sizeof(float);
    const auto chirp = numbersAt<float, double>(bytes, chirpAt, kSamples);
    for (std::size_t m = 0; m < kSamples; ++m) {
        const auto at = static_cast<double>(m);
        const auto above = std::clamp<std::ptrdiff_t>(
            std::lower_bound(chirp.begin(), chirp.end(), at) - chirp.begin(), 1, kSamples - 1);
        const auto p = static_cast<std::size_t>(above);
        scan.resampling.push_back(static_cast<double>(p) -
                                  (chirp[p] - at) / (chirp[p] - chirp[p - 1]));
    }
    return scan;
}

/// Fringes of a mirror on either side of zero delay, and their calibration.
struct OctMirror {
    std::vector<float> before;
    std::vector<float> behind;
    std::vector<double> resampling;
    std::vector<double> dispersionRad;
};

inline OctMirror readOctMirror() {
    const std::string bytes = octBytes("cscan_calibration_example_LP01.npz");
    // The archive's members are stored as they are: name, then an array with its text header.
    const auto member = [&](const std::string& name) {
        const std::size_t at = bytes.find("\x93NUMPY", bytes.find(name + ".npy"));
        if (at == std::string::npos) throw std::runtime_error("no member " + name);
        const auto header = numbersAt<std::uint16_t, std::size_t>(bytes, at + 8, 1).front();
        const bool isDouble = bytes.substr(at, header).find("<f8") != std::string::npos;
        return isDouble ? numbersAt<double, double>(bytes, at + 10 + header, 1024)
                        : numbersAt<float, double>(bytes, at + 10 + header, 1024);
    };
    OctMirror mirror;
    mirror.resampling = member("klinear");
    mirror.dispersionRad = member("dispersion");
    const auto fringe = [&](const char* name, const char* dark) {
        const auto light = member(name);
        const auto none = member("dark_not");
        const auto reference = member("dark_ref");
        const auto sample = member(dark);
        std::vector<float> values;
        for (std::size_t i = 0; i < light.size(); ++i)
            values.push_back(static_cast<float>(light[i] + none[i] - reference[i] - sample[i]));
        return values;
    };
    mirror.before = fringe("mirror1", "dark_sample1");
    mirror.behind = fringe("mirror2", "dark_sample2");
    return mirror;
}

} // namespace echolux::test
