// SPDX-License-Identifier: GPL-3.0-or-later
// Brings a cube from MATLAB's order (x fastest) or C's (sample fastest) to [y][x][sample].
#include "app/aberration/cube_file.hpp"

#include "app/dataset/container/container.hpp"
#include "app/dataset/container/detect.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>

namespace echolux::aberration {

namespace {

constexpr const char* kName = "u_z";
constexpr std::int64_t kMostAlong = 4096; ///< elements in x or in y
constexpr std::int64_t kMostSamples = 1 << 20;
constexpr std::int64_t kLeastSamples = 4;
constexpr double kLeastHz = 1e3; ///< limit for a cube's frequencies
constexpr double kMostHz = 1e9;

struct CubeShape {
    std::array<std::int64_t, 3> extent{}; ///< x, y, sample
    std::array<std::int64_t, 3> stride{}; ///< in elements of the file

    std::int64_t count() const { return extent[0] * extent[1] * extent[2]; }
};

CubeShape shapeOf(const std::filesystem::path& path, const ArrayLayout& layout, bool reversed) {
    if (layout.shape.size() != 3)
        throw fileError(path, fmt::format("its array '{}' is {}, but a cube of aligned channels "
                                          "has the three axes x, y and sample; save it as such",
                                          kName, layout.describe()));
    if (layout.type.components != 1)
        throw fileError(path, fmt::format("its array '{}' is complex, but aligned channels are "
                                          "real; save their real part",
                                          kName));
    CubeShape shape;
    const std::vector<std::int64_t> strides = layout.strides();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t from = reversed ? 2 - axis : axis;
        shape.extent[axis] = layout.shape[from];
        shape.stride[axis] = strides[from];
    }
    const auto [x, y, samples] = shape.extent;
    if (x < 1 || y < 1 || x > kMostAlong || y > kMostAlong || x * y < 2)
        throw fileError(path, fmt::format("its array '{}' has {} x {} channels; 2 to {} in x and "
                                          "up to as many in y can be compared",
                                          kName, x, y, kMostAlong));
    if (samples < kLeastSamples || samples > kMostSamples)
        throw fileError(path, fmt::format("its array '{}' has {} samples per channel; {} to {} can "
                                          "be compared; the samples are its third axis",
                                          kName, samples, kLeastSamples, kMostSamples));
    const auto bytes = static_cast<std::uint64_t>(shape.count());
    checkLoadSize(path, fmt::format("'{}'", kName), bytes * (layout.type.size() + sizeof(float)));
    return shape;
}

/// One line of [y][x][sample], from any of the file's types.
std::vector<double> lineOf(const std::vector<std::byte>& bytes, const ElementType& type,
                           const CubeShape& shape, std::int64_t x, std::int64_t y) {
    std::vector<double> line(static_cast<std::size_t>(shape.extent[2]));
    const std::int64_t first = x * shape.stride[0] + y * shape.stride[1];
    visitComponent(type, [&](auto one) {
        using Value = decltype(one);
        for (std::int64_t n = 0; n < shape.extent[2]; ++n) {
            Value value{};
            const auto at = static_cast<std::size_t>(first + n * shape.stride[2]) * type.size();
            std::memcpy(&value, bytes.data() + at, type.size());
            line[static_cast<std::size_t>(n)] = static_cast<double>(value);
        }
    });
    return line;
}

/// A frequency from an array of one number; 0 where the file does not hold it.
double frequencyOf(const std::filesystem::path& path, ArrayContainer& arrays, const char* name) {
    if (!arrays.has(name)) return 0.0;
    const std::vector<double> values = readNumbers(path, *arrays.open(name), name);
    if (values.size() == 1 && values[0] >= kLeastHz && values[0] <= kMostHz) return values[0];
    throw fileError(
        path, fmt::format("its '{}' is {}, no frequency of echoes, from 1 kHz to 1 GHz in Hz; "
                          "correct or remove it",
                          name,
                          values.size() == 1 ? fmt::format("{:g} Hz", values[0])
                                             : fmt::format("{} numbers", values.size())));
}

void checkFrequencies(const std::filesystem::path& path, const AlignedCube& cube) {
    const double fs = cube.samplingFrequencyHz;
    const double fc = cube.centreFrequencyHz;
    if (fs > 0.0 && fs < 2.0 * fc)
        throw fileError(path, fmt::format("its sampling frequency 'fs' of {:g} Hz is below twice "
                                          "its centre frequency 'fc' of {:g} Hz; correct or "
                                          "remove them",
                                          fs, fc));
}

} // namespace

std::optional<AlignedCube> loadAlignedCube(const std::filesystem::path& path) {
    const auto file = std::make_shared<const InputFile>(path);
    const auto arrays = openContainer(file);
    if (arrays == nullptr || !arrays->has(kName)) return std::nullopt;
    const auto source = arrays->open(kName);
    const ArrayLayout& layout = source->layout();
    const CubeShape shape = shapeOf(path, layout, detectKind(*file) == FileKind::Mat73);

    AlignedCube cube;
    const auto [columns, rows, samples] = shape.extent;
    cube.grid = denseGrid(static_cast<std::int32_t>(rows), static_cast<std::int32_t>(columns));
    cube.samples = static_cast<std::size_t>(samples);
    cube.samplingFrequencyHz = frequencyOf(path, *arrays, "fs");
    cube.centreFrequencyHz = frequencyOf(path, *arrays, "fc");
    checkFrequencies(path, cube);
    std::vector<std::byte> bytes(layout.bytes());
    source->read(bytes);
    cube.values.reserve(static_cast<std::size_t>(shape.count()));
    double largest = 0.0;
    for (std::int64_t y = 0; y < rows; ++y) {
        for (std::int64_t x = 0; x < columns; ++x) {
            for (const double value : lineOf(bytes, layout.type, shape, x, y)) {
                if (!std::isfinite(value))
                    throw fileError(path, fmt::format("its array '{}' holds a value that is no "
                                                      "finite number, at x {}, y {}; correct it",
                                                      kName, x + 1, y + 1));
                largest = std::max(largest, value);
                cube.values.push_back(static_cast<float>(value));
            }
        }
    }
    if (!(largest > 0.0))
        throw fileError(path, fmt::format("its array '{}' holds nothing above 0, so there is no "
                                          "echo in it; choose another file",
                                          kName));
    cube.divisor = largest;
    for (float& value : cube.values)
        value = static_cast<float>(static_cast<double>(value) / largest);
    return cube;
}

} // namespace echolux::aberration
