// SPDX-License-Identifier: GPL-3.0-or-later
// Both naming schemes, as variables of a MAT-file and members of .npz.
#include "app/aberration/filter_file.hpp"

#include "app/dataset/container/container.hpp"
#include "app/dataset/container/detect.hpp"
#include "app/export/named_arrays.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <span>
#include <utility>

namespace echolux::aberration {

namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;
constexpr double kLongestDelayS = 1e-4;
constexpr std::size_t kMostElements = std::size_t{1} << 20U;

Error unusable(const std::filesystem::path& path, const std::string& what) {
    return fileError(path, what + "; estimate the filter again, or choose another file");
}

/// A table (x, y) of the grid. Places without an element hold `outside`.
NumberFact tableOf(std::string name, const ElementGrid& grid, std::span<const double> values,
                   double outside) {
    const auto rows = static_cast<std::size_t>(grid.rows);
    const auto columns = static_cast<std::size_t>(grid.columns);
    NumberFact table{std::move(name), {grid.columns, grid.rows}, {}};
    table.values.assign(rows * columns, outside);
    for (std::size_t e = 0; e < grid.elements(); ++e) {
        const auto place = static_cast<std::size_t>(grid.placeOf[e]);
        table.values[place % columns * rows + place / columns] = values[e];
    }
    return table;
}

std::vector<double> phasesOf(const FilterFile& file) {
    std::vector<double> phases;
    for (const double delay : file.filter.delayS) phases.push_back(-kTwoPi * file.centreHz * delay);
    return phases;
}

std::vector<NumberFact> plainArrays(const FilterFile& file) {
    std::vector<NumberFact> arrays;
    const bool isCube = file.elements.empty();
    const auto add = [&](const char* name, std::span<const double> values) {
        if (values.empty()) return;
        if (isCube) {
            arrays.push_back(tableOf(name, file.grid, values, 0.0));
            return;
        }
        arrays.push_back(
            {name, {static_cast<std::int64_t>(values.size())}, {values.begin(), values.end()}});
    };
    add("delay_s", file.filter.delayS);
    add("amplitude", file.filter.amplitude);
    add("coherence", file.filter.coherence);
    add("phase_rad", phasesOf(file));
    arrays.push_back({"centre_hz", {}, {file.centreHz}});
    if (isCube) return arrays;
    std::vector<double> x;
    std::vector<double> y;
    std::vector<double> z;
    for (const Point& place : file.elements) {
        x.push_back(place.x);
        y.push_back(place.y);
        z.push_back(place.z);
    }
    add("element_x_m", x);
    add("element_y_m", y);
    add("element_z_m", z);
    return arrays;
}

std::vector<NumberFact> herikstadArrays(const FilterFile& file,
                                        const std::vector<Complex>& values) {
    std::vector<double> real;
    std::vector<double> imaginary;
    const std::vector<double> phases = phasesOf(file);
    for (std::size_t e = 0; e < file.grid.elements(); ++e) {
        std::complex<double> s = std::polar(file.filter.amplitude[e], phases[e]);
        if (!values.empty()) {
            const Complex kept = values[static_cast<std::size_t>(file.grid.placeOf[e])];
            s = {kept.re, kept.im};
        }
        real.push_back(s.real());
        imaginary.push_back(s.imag());
    }
    return {tableOf("amplitude", file.grid, real, 0.0),
            tableOf("phase", file.grid, imaginary, 0.0),
            {"centre_hz", {}, {file.centreHz}}};
}

/// An array as a table (x, y), in the order of the grid's places.
struct Table {
    std::int64_t columns = 0; ///< along x
    std::int64_t rows = 1;
    std::vector<double> values; ///< [row][column]
};

class FilterReader {
public:
    explicit FilterReader(const std::filesystem::path& path)
        : m_path(path), m_file(std::make_shared<const InputFile>(path)),
          m_arrays(openContainer(m_file)),
          m_reversed(m_arrays != nullptr && detectKind(*m_file) == FileKind::Mat73) {
        if (m_arrays == nullptr)
            throw unusable(path, "it is no filter: neither a MAT-file nor .npz");
    }
    bool has(const char* name) const { return m_arrays->has(name); }
    std::string list() const { return m_arrays->list(); }
    Table table(const char* name) const {
        const auto source = m_arrays->open(name);
        const ArrayLayout& layout = source->layout();
        std::vector<std::int64_t> shape = layout.shape;
        if (layout.type.components != 1 || shape.size() > 2 || layout.count() < 1 ||
            static_cast<std::uint64_t>(layout.count()) > kMostElements)
            throw unusable(m_path, fmt::format("its '{}' is {}, no list or table of up to {} "
                                               "numbers",
                                               name, layout.describe(), kMostElements));
        const std::vector<double> numbers = readNumbers(m_path, *source, name);
        for (const double value : numbers)
            if (!std::isfinite(value))
                throw unusable(m_path,
                               fmt::format("its '{}' holds what is no finite number", name));
        Table table{layout.count(), 1, numbers};
        if (shape.size() < 2 || shape[0] == 1 || shape[1] == 1) return table;
        // readNumbers() gives C's order of indices. Arrays of MATLAB 7.3 are (y, x) in HDF5.
        table.columns = m_reversed ? shape[1] : shape[0];
        table.rows = m_reversed ? shape[0] : shape[1];
        if (m_reversed) return table;
        for (std::int64_t x = 0; x < table.columns; ++x)
            for (std::int64_t y = 0; y < table.rows; ++y)
                table.values[static_cast<std::size_t>(y * table.columns + x)] =
                    numbers[static_cast<std::size_t>(x * table.rows + y)];
        return table;
    }
    /// A list of `count` numbers.
    std::vector<double> list(const char* name, std::size_t count) const {
        if (!has(name)) return {};
        Table found = table(name);
        if (found.values.size() != count)
            throw unusable(m_path, fmt::format("its '{}' has {} values and its delays {}", name,
                                               found.values.size(), count));
        return std::move(found.values);
    }
    double one(const char* name) const {
        const std::vector<double> values = list(name, 1);
        return values.empty() ? 0.0 : values.front();
    }

private:
    std::filesystem::path m_path;
    std::shared_ptr<const InputFile> m_file;
    std::shared_ptr<ArrayContainer> m_arrays;
    bool m_reversed;
};

/// Unwraps phases from neighbour to neighbour: along the first row, then down each column.
void unwrap(std::vector<double>& phases, std::size_t rows, std::size_t columns) {
    const auto near = [](double value, double before) {
        return value - kTwoPi * std::round((value - before) / kTwoPi);
    };
    for (std::size_t x = 1; x < columns; ++x) phases[x] = near(phases[x], phases[x - 1]);
    for (std::size_t y = 1; y < rows; ++y)
        for (std::size_t x = 0; x < columns; ++x)
            phases[y * columns + x] = near(phases[y * columns + x], phases[(y - 1) * columns + x]);
}

FilterFile fromPlain(const std::filesystem::path& path, const FilterReader& reader) {
    FilterFile file;
    Table delays = reader.table("delay_s");
    const std::size_t count = delays.values.size();
    file.grid = denseGrid(static_cast<std::int32_t>(delays.rows),
                          static_cast<std::int32_t>(delays.columns));
    file.filter.delayS = std::move(delays.values);
    file.filter.amplitude = reader.list("amplitude", count);
    file.filter.coherence = reader.list("coherence", count);
    file.centreHz = reader.one("centre_hz");
    const std::vector<double> x = reader.list("element_x_m", count);
    const std::vector<double> y = reader.list("element_y_m", count);
    const std::vector<double> z = reader.list("element_z_m", count);
    if (x.empty() != y.empty() || x.empty() != z.empty())
        throw unusable(path, "it holds only a part of 'element_x_m', 'element_y_m' and "
                             "'element_z_m'");
    for (std::size_t e = 0; e < x.size(); ++e) file.elements.push_back({x[e], y[e], z[e]});
    if (file.filter.amplitude.empty()) file.filter.amplitude.assign(count, 1.0);
    if (file.filter.coherence.empty()) file.filter.coherence.assign(count, 1.0);
    return file;
}

FilterFile fromHerikstad(const std::filesystem::path& path, const FilterReader& reader,
                         double centreHz) {
    FilterFile file;
    const Table real = reader.table("amplitude");
    const std::size_t count = real.values.size();
    const std::vector<double> imaginary = reader.list("phase", count);
    const double said = reader.one("centre_hz");
    file.centreHz = said > 0.0 ? said : centreHz;
    if (!(file.centreHz > 0.0))
        throw fileError(path, "its 'amplitude' and 'phase' are real and imaginary part at a "
                              "frequency that it does not name; give the centre frequency, or "
                              "save it as 'centre_hz'");
    file.grid =
        denseGrid(static_cast<std::int32_t>(real.rows), static_cast<std::int32_t>(real.columns));
    std::vector<double> phases;
    double sum = 0.0;
    std::size_t heard = 0;
    for (std::size_t e = 0; e < count; ++e) {
        const double magnitude = std::hypot(real.values[e], imaginary[e]);
        file.filter.amplitude.push_back(magnitude);
        phases.push_back(std::atan2(imaginary[e], real.values[e]));
        sum += magnitude;
        if (magnitude > 0.0) ++heard;
    }
    unwrap(phases, static_cast<std::size_t>(real.rows), static_cast<std::size_t>(real.columns));
    if (heard == 0) throw unusable(path, "its filter is 0 everywhere");
    for (std::size_t e = 0; e < count; ++e) {
        file.filter.amplitude[e] *= static_cast<double>(heard) / sum;
        file.filter.delayS.push_back(-phases[e] / (kTwoPi * file.centreHz));
    }
    file.filter.coherence.assign(count, 1.0);
    return file;
}

void check(const std::filesystem::path& path, const FilterFile& file) {
    const auto outside = [](const std::vector<double>& values, double least, double most) {
        return std::ranges::any_of(values, [&](double v) { return !(v >= least && v <= most); });
    };
    if (!(file.centreHz >= 0.0)) throw unusable(path, "its 'centre_hz' is no frequency");
    if (outside(file.filter.delayS, -kLongestDelayS, kLongestDelayS))
        throw unusable(
            path, fmt::format("its delays exceed {:g} s: seconds are expected", kLongestDelayS));
    if (outside(file.filter.amplitude, 0.0, 1e6))
        throw unusable(path, "its 'amplitude' is no magnitude against the mean");
    if (outside(file.filter.coherence, 0.0, 1.0 + 1e-6))
        throw unusable(path, "its 'coherence' is not between 0 and 1");
}

} // namespace

void checkFilterName(const std::filesystem::path& path) {
    if (path.extension() == ".mat" || path.extension() == ".npz") return;
    throw Error(
        fmt::format("'{}' names no kind of filter file; end it in .mat or .npz.", path.string()));
}

void saveFilter(const OutputFiles& files, const FilterFile& filter, FilterNaming naming,
                const std::string& program, const std::vector<Complex>& values) {
    checkFilterName(files.target());
    const bool plain = naming == FilterNaming::Plain;
    const std::vector<NumberFact> numbers =
        plain ? plainArrays(filter) : herikstadArrays(filter, values);
    const std::vector<TextFact> texts{
        {"description",
         plain ? "Filter of an aberrating screen: delay_s is how much later the echoes of an "
                 "element come; phase_rad = -2 pi centre_hz delay_s."
               : "Filter of an aberrating screen: amplitude and phase hold the real and the "
                 "imaginary part, as Herikstad 2009 names them."}};
    writeNamedArrays(files, numbers, texts, program);
}

FilterFile loadFilter(const std::filesystem::path& path, double centreHz) {
    const FilterReader reader(path);
    FilterFile file;
    if (reader.has("delay_s"))
        file = fromPlain(path, reader);
    else if (reader.has("amplitude") && reader.has("phase"))
        file = fromHerikstad(path, reader, centreHz);
    else
        throw unusable(path, fmt::format("it holds neither 'delay_s' nor 'amplitude' and 'phase', "
                                         "but {}",
                                         reader.list()));
    check(path, file);
    return file;
}

void checkFilterFits(const std::filesystem::path& path, const FilterFile& filter,
                     const Probe& probe) {
    const std::size_t count = filter.filter.delayS.size();
    if (count != probe.elements.size())
        throw fileError(path, fmt::format("it is a filter of {} elements and this array has {}; "
                                          "choose one that was estimated with this array",
                                          count, probe.elements.size()));
    if (filter.elements.empty()) return;
    const double most = probe.pitchM > 0.0 ? 0.1 * probe.pitchM : 2e-5;
    for (std::size_t e = 0; e < count; ++e) {
        const Point& a = filter.elements[e];
        const Point& b = probe.elements[e];
        const double apart = std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
        if (apart <= most) continue;
        throw fileError(path, fmt::format("its element {} lies {:.3g} mm from that of this array; "
                                          "choose a filter that was estimated with this array",
                                          e + 1, 1e3 * apart));
    }
}

} // namespace echolux::aberration
