// SPDX-License-Identifier: GPL-3.0-or-later
// Brings a cube from MATLAB's order (x fastest) or C's (sample fastest) to [y][x][sample], and
// gives its channels an array that hears them aligned.
#include "app/dataset/formats/aligned_cube.hpp"

#include "app/dataset/container/container.hpp"
#include "app/dataset/container/detect.hpp"
#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/container/npz.hpp"
#include "app/dataset/formats/named_numbers.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

namespace echolux {

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
    if (x > kMostAlong || y > kMostAlong || x * y < 2)
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

/// What a number of the file may be.
struct Bounds {
    const char* name;
    double least;
    double most;
    const char* unit;
    const char* words; ///< what it is not, where it lies outside: "no frequency of echoes, ..."
};
constexpr const char* kFrequency = "no frequency of echoes, from 1 kHz to 1 GHz in Hz";
constexpr Bounds kSampling{"fs", kLeastHz, kMostHz, "Hz", kFrequency};
constexpr Bounds kCentre{"fc", kLeastHz, kMostHz, "Hz", kFrequency};
constexpr Bounds kSpeed{"c", 300.0, 10000.0, "m/s", "no speed of sound, from 300 to 10000 m/s"};
constexpr Bounds kPitch{"pitch", 1e-6, 0.1, "m", "no distance of elements, from 1 um to 0.1 m"};
constexpr Bounds kFocus{"focus", 1e-3, 2.0, "m", "no depth of a focus, from 1 mm to 2 m"};

/// An array of one number; 0 where the file does not hold it.
double numberOf(const std::filesystem::path& path, ArrayContainer& arrays, const Bounds& bounds) {
    if (!arrays.has(bounds.name)) return 0.0;
    const std::vector<double> values = readNumbers(path, *arrays.open(bounds.name), bounds.name);
    if (values.size() == 1 && values[0] >= bounds.least && values[0] <= bounds.most)
        return values[0];
    throw fileError(path,
                    fmt::format("its '{}' is {}, {}; correct or remove it", bounds.name,
                                values.size() == 1 ? fmt::format("{:g} {}", values[0], bounds.unit)
                                                   : fmt::format("{} numbers", values.size()),
                                bounds.words));
}

/// A table (x, y) as [row][column].
std::vector<double> perElement(const NamedNumbers& numbers, const char* name,
                               const AlignedCube& cube) {
    const auto columns = static_cast<std::size_t>(cube.columns);
    const auto rows = static_cast<std::size_t>(cube.rows);
    const std::vector<double> table = numbers.table(
        name, columns, rows,
        fmt::format("{} x {} numbers, one for each channel,", cube.columns, cube.rows));
    std::vector<double> turned(table.size());
    for (std::size_t x = 0; x < columns; ++x)
        for (std::size_t y = 0; y < rows; ++y) turned[y * columns + x] = table[x * rows + y];
    return turned;
}

std::shared_ptr<const AberrationTruth> truthOf(const NamedNumbers& numbers,
                                               const AlignedCube& cube) {
    if (!numbers.has("delay_s")) return nullptr;
    auto truth = std::make_shared<AberrationTruth>();
    truth->delayS = perElement(numbers, "delay_s", cube);
    if (numbers.has("amplitude")) truth->amplitude = perElement(numbers, "amplitude", cube);
    const auto elements =
        static_cast<std::size_t>(cube.rows) * static_cast<std::size_t>(cube.columns);
    if (const auto why = contradictionIn(*truth, elements))
        throw numbers.error(*why + "; correct or remove 'delay_s' and 'amplitude'");
    return truth;
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

/// The recording that a cube is: its array, its wave, its clock.
class CubeReader {
public:
    CubeReader(const std::filesystem::path& path, AlignedCube cube) : m_cube(std::move(cube)) {
        m_info.path = path;
        m_info.format = "Aligned channels u_z";
    }

    std::unique_ptr<Recording> build() {
        assumeWhatIsMissing();
        const ArrayLayout layout{{.kind = ElementType::Kind::Real, .bytes = 4},
                                 {std::int64_t{m_cube.rows} * m_cube.columns, m_cube.samples}};
        const ArrayMapping mapping{.axes = {ArrayAxis::Channel, ArrayAxis::Sample}};
        const ArrayExtents extents = extentsOf(m_info.path, layout, mapping);
        m_info.frame = frameSpecOf(layout, extents, m_cube.samplingFrequencyHz);
        m_info.frame.centreFrequencyHz = m_cube.centreFrequencyHz;
        m_info.frame.acquisition = std::make_shared<const Acquisition>(acquisition());
        m_info.frameCount = 1;
        m_info.aberration = m_cube.truth;
        m_info.notes.emplace_back(
            "Alignment", fmt::format("channels were aligned on a point {:g} mm deep; the elements "
                                     "are placed on a sphere round it",
                                     1e3 * m_cube.focusM));
        m_info.notes.emplace_back(
            "Scale", fmt::format("samples are divided by their largest, {:g}", m_cube.divisor));
        const auto values = std::as_bytes(std::span(m_cube.values));
        return makeArrayRecording(
            std::move(m_info),
            std::make_unique<MemoryArray>(std::vector(values.begin(), values.end()), layout),
            mapping);
    }

private:
    void assume(double& value, double assumed, const std::string& sentence) {
        if (value > 0.0) return;
        value = assumed;
        m_info.warnings.push_back(sentence);
    }

    void assumeWhatIsMissing() {
        AlignedCube& cube = m_cube;
        constexpr const char* kAdd = "as of Herikstad's data; add '{}' to the file.";
        const auto add = [&](const char* name) { return fmt::format(fmt::runtime(kAdd), name); };
        const double fs = std::max(herikstad::kSamplingHz, 4.0 * cube.centreFrequencyHz);
        assume(cube.samplingFrequencyHz, fs,
               fmt::format("The file does not say its sampling frequency; {:g} MHz is taken, {}",
                           1e-6 * fs, add("fs")));
        const double fc = std::min(herikstad::kCentreHz, 0.25 * cube.samplingFrequencyHz);
        assume(cube.centreFrequencyHz, fc,
               fmt::format("The file does not say its centre frequency; {:g} MHz is taken, {}",
                           1e-6 * fc, add("fc")));
        assume(cube.soundSpeedMps, kUsualSpeedMps,
               fmt::format("It gives no speed of sound 'c'; {:g} m/s is assumed.", kUsualSpeedMps));
        const double focus = std::max(herikstad::kFocusM, kLeastFocus * halfDiagonal(cube.pitchM));
        assume(
            cube.focusM, focus,
            fmt::format("The file does not say the depth of the focal point; {:g} mm is taken, {}",
                        1e3 * focus, add("focus")));
        const double pitch = std::min(0.5 * cube.soundSpeedMps / cube.centreFrequencyHz,
                                      cube.focusM / (kLeastFocus * halfDiagonal(1.0)));
        assume(
            cube.pitchM, pitch,
            fmt::format("The file does not say the distance of its elements; {:.4g} mm is taken; "
                        "add 'pitch' to the file.",
                        1e3 * pitch));
        if (halfDiagonal(cube.pitchM) >= kWidest * cube.focusM)
            throw fileError(m_info.path,
                            fmt::format("its elements, 'pitch' = {:g} mm apart, reach {:g} mm from "
                                        "the array's centre, too far for a focal point 'focus' = "
                                        "{:g} mm deep; correct one of them",
                                        1e3 * cube.pitchM, 1e3 * halfDiagonal(cube.pitchM),
                                        1e3 * cube.focusM));
    }

    double halfDiagonal(double pitchM) const {
        return 0.5 * pitchM * std::hypot(m_cube.columns - 1, m_cube.rows - 1);
    }

    /// The wave in the focus is as good as plane. The middle of the record is the echo of the focal
    /// point.
    Acquisition acquisition() const {
        const AlignedCube& cube = m_cube;
        Acquisition acquisition;
        Probe& probe = acquisition.probe;
        probe.name = fmt::format("{} x {} channels", cube.columns, cube.rows);
        probe.pitchM = cube.pitchM;
        probe.centreFrequencyHz = cube.centreFrequencyHz;
        const double focus = cube.focusM;
        for (std::int32_t row = 0; row < cube.rows; ++row) {
            for (std::int32_t column = 0; column < cube.columns; ++column) {
                const double x = (column - 0.5 * (cube.columns - 1)) * cube.pitchM;
                const double y = (row - 0.5 * (cube.rows - 1)) * cube.pitchM;
                const double aside = x * x + y * y;
                // focus - sqrt(focus^2 - aside) without cancellation
                const double z = aside / (focus + std::sqrt(focus * focus - aside));
                probe.elements.push_back({x, y, z});
            }
        }
        probe.normals.assign(probe.elements.size(), {0.0, 0.0, 1.0});
        acquisition.soundSpeedMps = cube.soundSpeedMps;
        Transmit transmit;
        transmit.firstSampleS =
            2.0 * focus / cube.soundSpeedMps -
            0.5 * static_cast<double>(cube.samples - 1) / cube.samplingFrequencyHz;
        acquisition.transmits = {transmit};
        return acquisition;
    }

    static constexpr double kUsualSpeedMps = 1540.0;
    static constexpr double kLeastFocus = 2.0; ///< assumed depth over half the array's diagonal
    static constexpr double kWidest = 0.9;     ///< half the diagonal over the depth

    AlignedCube m_cube;
    RecordingInfo m_info;
};

} // namespace

std::optional<AlignedCube> loadAlignedCube(const std::filesystem::path& path) {
    const auto file = std::make_shared<const InputFile>(path);
    const auto arrays = openContainer(file);
    if (arrays == nullptr || !arrays->has(kName)) return std::nullopt;
    const auto source = arrays->open(kName);
    const ArrayLayout& layout = source->layout();
    const bool reversed = detectKind(*file) == FileKind::Mat73;
    const CubeShape shape = shapeOf(path, layout, reversed);

    AlignedCube cube;
    const auto [columns, rows, samples] = shape.extent;
    cube.rows = static_cast<std::int32_t>(rows);
    cube.columns = static_cast<std::int32_t>(columns);
    cube.samples = samples;
    cube.samplingFrequencyHz = numberOf(path, *arrays, kSampling);
    cube.centreFrequencyHz = numberOf(path, *arrays, kCentre);
    cube.soundSpeedMps = numberOf(path, *arrays, kSpeed);
    cube.pitchM = numberOf(path, *arrays, kPitch);
    cube.focusM = numberOf(path, *arrays, kFocus);
    checkFrequencies(path, cube);
    cube.truth = truthOf({path, arrays, reversed}, cube);
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

bool isAlignedCube(const MatVariables& variables) {
    return std::ranges::any_of(variables, [](const auto& each) { return each.first == kName; });
}

bool isAlignedCube(const Hdf5File& tree) { return tree.has(kName); }

bool isAlignedCube(const std::shared_ptr<Archive>& archive) {
    try {
        return openNpz(archive)->has(kName);
    } catch (const Error&) {
        return false; // another archive, or a damaged one, which its reader reports
    }
}

std::unique_ptr<Recording> openAlignedCube(const std::filesystem::path& path) {
    auto cube = loadAlignedCube(path);
    if (!cube)
        throw fileError(path, fmt::format("it has no array '{}'; choose another file", kName));
    return CubeReader(path, std::move(*cube)).build();
}

} // namespace echolux
