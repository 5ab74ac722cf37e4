// SPDX-License-Identifier: GPL-3.0-or-later
// Small Thorlabs archives, their spectra from a closed form: line x of B-scan b is
// level (1 + 0.2 cos(2 pi 12 k / N) + 0.2 cos(2 pi (20 + x + b) k / N)), k the chirp.
#pragma once

#include "tests/dataset/sample_files.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace echolux::test {

struct OctFile {
    static constexpr int kPixels = 128;
    static constexpr int kLines = 6;
    static constexpr int kApodization = 4;

    int bscans = 1;
    bool oneApodization = false; ///< in Spectral0, for all
    bool isSigned = false;
    int bytes = 2;
    bool processed = false;
    bool deflate = true;
    std::string image = "<SizePixel><SizeZ>64</SizeZ><SizeX>6</SizeX></SizePixel>"
                        "<SizeReal><SizeZ>0.448</SizeZ><SizeX>0.3</SizeX></SizeReal>";
    std::string acquisition = "<RefractiveIndex>1.0</RefractiveIndex>";
    std::string instrument = "<CentralWavelength>1300</CentralWavelength>"
                             "<BinaryToElectronCountScaling>2.5</BinaryToElectronCountScaling>";
    std::string prolog; ///< before the root
    std::vector<std::pair<std::string, std::string>> further = {};
    std::string furtherFiles; ///< DataFile elements

    static double chirp(int p) { return p * (1.0 + 0.25 * (1.0 - p / (kPixels - 1.0))); }
    static double level(int p) { return 60.0 + 40.0 * std::sin(p * 0.02); }

    std::string spectra(int first, int count, int bscan) const {
        std::string data;
        for (int x = first; x < first + count; ++x)
            for (int p = 0; p < kPixels; ++p) {
                const double phase = 2.0 * std::numbers::pi * chirp(p) / kPixels;
                const double fringe =
                    x < 0 ? 0.0
                          : 0.2 * std::cos(12 * phase) + 0.2 * std::cos((20 + x + bscan) * phase);
                const auto code = static_cast<std::uint32_t>(
                    std::lround(level(p) * (1.0 + fringe) * (bytes == 1 ? 1 : 100)));
                for (int b = 0; b < bytes; ++b) data += static_cast<char>(code >> (8 * b) & 0xFFU);
            }
        return data;
    }
    static std::string entry(const std::string& name, int lines, const std::string& regions) {
        return "<DataFile Type=\"Raw\" SizeZ=\"128\" SizeX=\"" + std::to_string(lines) + "\" " +
               regions + ">data\\" + name + "</DataFile>";
    }
    std::vector<std::pair<std::string, std::string>> members() const {
        std::vector<std::pair<std::string, std::string>> data;
        std::string files;
        if (oneApodization) {
            data.emplace_back("data\\Spectral0.data", spectra(-kApodization, kApodization, 0));
            files +=
                entry("Spectral0.data", kApodization, "ApoRegionStart0=\"0\" ApoRegionEnd0=\"4\"");
        }
        for (int b = 0; b < bscans; ++b) {
            const std::string name =
                "Spectral" + std::to_string(b + (oneApodization ? 1 : 0)) + ".data";
            const int apodization = oneApodization ? 0 : kApodization;
            data.emplace_back("data\\" + name, spectra(-apodization, apodization + kLines, b));
            files += entry(name, apodization + kLines,
                           oneApodization ? "ScanRegionStart0=\"0\" ScanRegionEnd0=\"6\""
                                          : "ApoRegionStart0=\"0\" ApoRegionEnd0=\"4\" "
                                            "ScanRegionStart0=\"4\" ScanRegionEnd0=\"10\"");
        }
        std::vector<float> curve;
        for (int p = 0; p < kPixels; ++p) curve.push_back(static_cast<float>(chirp(p)));
        data.emplace_back("data\\Chirp.data", bytesOfValues(curve));
        if (processed) {
            std::vector<float> levels;
            for (int i = 0; i < 64 * 6 * bscans; ++i) levels.push_back(static_cast<float>(i % 97));
            data.emplace_back("data\\Intensity.data", bytesOfValues(levels));
            files += "<DataFile Type=\"Real\" SizeZ=\"64\" SizeX=\"6\" SizeY=\"" +
                     std::to_string(bscans) +
                     "\" RangeZ=\"0.448\" RangeX=\"0.3\">data\\Intensity.data</DataFile>";
        }
        data.insert(data.end(), further.begin(), further.end());
        const std::string header =
            prolog +
            "<Ocity version=\"1.0\"><MetaInfo><Comment>two reflectors</Comment></MetaInfo>"
            "<Image>" +
            image + "</Image><Acquisition>" + acquisition +
            "</Acquisition>"
            "<Instrument><BytesPerPixel>" +
            std::to_string(bytes) +
            "</BytesPerPixel>"
            "<RawDataIsSigned>" +
            (isSigned ? "True" : "False") + "</RawDataIsSigned>" + instrument +
            "</Instrument><DataFiles>" + files + furtherFiles + "</DataFiles></Ocity>";
        data.insert(data.begin(), {"Header.xml", header});
        return data;
    }
    void write(const std::filesystem::path& path) const { writeZip(path, members(), deflate); }
};

/// Bins of the two strongest reflectors of each line of a B-scan, from its samples less the
/// background, at the places of the resampling curve, by a plain sum; in rising order.
inline std::vector<std::pair<double, double>> reflectorsOf(Recording& recording,
                                                           std::int64_t frame = 0) {
    const FrameSpec& spec = recording.info().frame;
    const std::vector<double> values = frameOf(recording, frame);
    const auto n = static_cast<std::size_t>(spec.sizeOf(AxisName::Sample));
    const Spectrometer& facts = *spec.spectrometer;
    std::vector<std::pair<double, double>> found;
    for (std::size_t line = 0; line < values.size() / n; ++line) {
        const auto fringe = [&](std::size_t i) {
            return values[line * n + i] - (facts.background.empty() ? 0.0 : facts.background[i]);
        };
        std::vector<double> even(n);
        for (std::size_t m = 0; m < n; ++m) {
            const double at =
                facts.resampling.empty() ? static_cast<double>(m) : facts.resampling[m];
            const std::size_t left = std::min(static_cast<std::size_t>(at), n - 2);
            const double part = at - static_cast<double>(left);
            const double hann =
                0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(m) / (n - 1.0));
            even[m] = hann * ((1 - part) * fringe(left) + part * fringe(left + 1));
        }
        std::vector<double> power(n / 2);
        for (std::size_t bin = 4; bin < n / 2; ++bin) {
            double re = 0;
            double im = 0;
            for (std::size_t m = 0; m < n; ++m) {
                const double phase =
                    2 * std::numbers::pi * static_cast<double>(bin * m) / static_cast<double>(n);
                re += even[m] * std::cos(phase);
                im += even[m] * std::sin(phase);
            }
            power[bin] = re * re + im * im;
        }
        const auto first =
            static_cast<std::size_t>(std::max_element(power.begin(), power.end()) - power.begin());
        for (std::size_t near = first - std::min<std::size_t>(first, 3);
             near < std::min(first + 4, power.size()); ++near)
            power[near] = 0;
        const auto second =
            static_cast<double>(std::max_element(power.begin(), power.end()) - power.begin());
        found.emplace_back(std::min(static_cast<double>(first), second),
                           std::max(static_cast<double>(first), second));
    }
    return found;
}

} // namespace echolux::test
