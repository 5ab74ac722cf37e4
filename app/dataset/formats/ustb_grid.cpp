// SPDX-License-Identifier: GPL-3.0-or-later
// Converts the axes of a scan to those of an image. USTB counts pixels down a line first. Where a
// file lists pixels one by one (x, y, z), their places decide.
#include "app/dataset/formats/ustb_grid.hpp"

#include "app/dataset/formats/ustb_objects.hpp"
#include "gpu/core/sector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <vector>

namespace echolux {

namespace {

constexpr double kSamePlace = 1e-6; ///< m; USTB keeps places in single precision
constexpr double kUneven = 0.02;    ///< of a step

class GridReader {
public:
    explicit GridReader(const Hdf5Values& scan)
        : m_scan(scan), m_type(ustbClassOf(*scan.tree(), scan.where())) {}

    UstbGrid read() {
        if (m_type == "uff.sector_scan")
            readSector();
        else if (m_type == "uff.linear_scan" || m_type == "uff.linear_scan_rotated")
            readLines("x_axis", "z_axis");
        else if (m_type == "uff.linear_3D_scan")
            readLines("radial_axis", "axial_axis");
        else if (m_type == "uff.scan")
            readPlaces();
        else
            throw m_scan.error(fmt::format("the pixels of '{}' ({}) make no image that Echolux "
                                           "knows; beamform on a linear_scan or a sector_scan",
                                           m_scan.where(),
                                           m_type.empty() ? "of no class" : m_type));
        if (m_type == "uff.linear_scan_rotated")
            m_grid.warnings.emplace_back("The image stands turned in space; it is shown upright, "
                                         "along its own axes.");
        if (m_type == "uff.linear_3D_scan")
            m_grid.warnings.emplace_back("The image is a plane in a volume; it is shown along its "
                                         "own axes.");
        return std::move(m_grid);
    }

private:
    std::vector<double> numbersOf(const char* name) const {
        const auto values = m_scan.numbers(name);
        if (!values)
            throw m_scan.error(fmt::format("'{}' is missing, so nobody knows where the pixels are; "
                                           "write the beamformed data with their scan",
                                           m_scan.at(name)));
        return *values;
    }

    /// The places of each pixel of a volume, which may be many.
    std::vector<double> placesIn(const char* name) const {
        constexpr std::int64_t kMostGridPixels = std::int64_t{1} << 23;
        if (!m_scan.isNumeric(name)) return numbersOf(name); // it throws
        const auto source = m_scan.tree()->open(m_scan.at(name));
        const ArrayLayout& layout = source->layout();
        if (layout.count() > kMostGridPixels)
            throw m_scan.error(fmt::format("'{}' lists {} pixels, more than {}; beamform fewer",
                                           m_scan.at(name), layout.count(), kMostGridPixels));
        std::vector<std::byte> bytes(layout.bytes());
        source->read(bytes);
        return toDoubles(layout.type, bytes);
    }

    Axis evenAxis(AxisName as, const char* name, const std::vector<double>& places) const {
        const auto steps = static_cast<double>(places.size() - 1);
        const double step = steps > 0.0 ? (places.back() - places.front()) / steps : 1.0;
        for (std::size_t i = 0; i < places.size(); ++i) {
            const double even = places.front() + static_cast<double>(i) * step;
            if (!(step > 0.0) || !(std::abs(places[i] - even) <= kUneven * step + kSamePlace))
                throw m_scan.error(fmt::format("'{}' does not rise in even steps, so that its "
                                               "pixels make no image; beamform on an even grid",
                                               m_scan.at(name)));
        }
        return {as, std::ssize(places), step, places.front(), "m"};
    }

    /// The different places, in rising order.
    static std::vector<double> distinct(std::vector<double> places, double apart) {
        std::ranges::sort(places);
        std::vector<double> found;
        for (const double place : places)
            if (found.empty() || place - found.back() > apart) found.push_back(place);
        return found;
    }

    /// Reads pixels that are listed one by one and stand where planes cross.
    void readPlaces() {
        constexpr std::array kNames{"x", "y", "z"};
        constexpr std::array kAxes{AxisName::Lateral, AxisName::Elevation, AxisName::Depth};
        std::array<std::vector<double>, 3> places;
        std::array<Axis, 3> axes;
        double extent = 0.0;
        for (std::size_t i = 0; i < 3; ++i) {
            places[i] = placesIn(kNames[i]);
            for (const double place : places[i]) {
                if (!std::isfinite(place))
                    throw m_scan.error(fmt::format("'{}' has a place that is no number; write the "
                                                   "beamformed data with their scan",
                                                   m_scan.at(kNames[i])));
                extent = std::max(extent, std::abs(place));
            }
        }
        // Single precision keeps seven digits.
        const double apart = std::max(1e-9, 4e-7 * extent);
        for (std::size_t i = 0; i < 3; ++i)
            axes[i] = evenAxis(kAxes[i], kNames[i], distinct(places[i], apart));
        const auto count = places[0].size();
        const bool sameCount = places[1].size() == count && places[2].size() == count;
        const double crossings = static_cast<double>(axes[0].size) *
                                 static_cast<double>(axes[1].size) *
                                 static_cast<double>(axes[2].size);
        const auto order = sameCount && crossings == static_cast<double>(count)
                               ? orderOf(places, axes, apart)
                               : std::nullopt;
        if (!order)
            throw m_scan.error(fmt::format("the {} pixels of '{}' do not stand on the crossings of "
                                           "a grid; beamform on a linear_scan or a sector_scan",
                                           count, m_scan.where()));
        m_grid.lateral = axes[0];
        m_grid.elevation = axes[1];
        m_grid.depth = axes[2];
        m_grid.lines = axes[0].size;
        m_grid.planes = axes[1].size;
        m_grid.depths = axes[2].size;
        m_grid.order = *order;
    }

    /// The order of the axes, the slowest first, without elevation where there is one plane.
    static std::optional<std::vector<AxisName>>
    orderOf(const std::array<std::vector<double>, 3>& places, const std::array<Axis, 3>& axes,
            double apart) {
        std::array<std::size_t, 3> order{0, 1, 2};
        do {
            if (!isOrder(places, axes, order, apart)) continue;
            std::vector<AxisName> names;
            for (const std::size_t i : order)
                if (axes[i].name != AxisName::Elevation || axes[i].size > 1)
                    names.push_back(axes[i].name);
            return names;
        } while (std::ranges::next_permutation(order).found);
        return std::nullopt;
    }
    static bool isOrder(const std::array<std::vector<double>, 3>& places,
                        const std::array<Axis, 3>& axes, const std::array<std::size_t, 3>& order,
                        double apart) {
        for (std::size_t pixel = 0; pixel < places[0].size(); ++pixel) {
            auto rest = static_cast<std::int64_t>(pixel);
            for (auto i = order.rbegin(); i != order.rend(); ++i) {
                const Axis& axis = axes[*i];
                const double place =
                    axis.origin + static_cast<double>(rest % axis.size) * axis.spacing;
                const double off = std::abs(places[*i][pixel] - place);
                if (!(off <= kUneven * axis.spacing + apart)) return false;
                rest /= axis.size;
            }
        }
        return true;
    }

    void readLines(const char* xName, const char* zName) {
        const std::vector<double> x = numbersOf(xName);
        const std::vector<double> z = numbersOf(zName);
        m_grid.depth = evenAxis(AxisName::Depth, zName, z);
        m_grid.lateral = evenAxis(AxisName::Lateral, xName, x);
        setCounts(z.size(), x.size());
        if (m_type != "uff.linear_scan") return;
        findOrder([&](std::size_t line, std::size_t depth) { return Point{x[line], 0, z[depth]}; });
    }

    /// Reads one origin, or one for each line. The origins of a curved array lie on an arc round
    /// one point.
    void readSector() {
        std::vector<double> angles = numbersOf("azimuth_axis");
        const std::vector<double> ranges = numbersOf("depth_axis");
        m_grid.depth = evenAxis(AxisName::Depth, "depth_axis", ranges);
        setCounts(ranges.size(), angles.size());
        const std::vector<Point> origins = readOrigins(angles.size());
        const auto place = [&](std::size_t line, std::size_t depth) {
            const Point& from = origins.size() == 1 ? origins.front() : origins[line];
            return Point{from.x + ranges[depth] * std::sin(angles[line]), 0,
                         from.z + ranges[depth] * std::cos(angles[line])};
        };
        findOrder(place);
        const bool sideBySide =
            origins.size() > 1 && std::ranges::all_of(angles, [](double a) { return a == 0.0; });
        if (sideBySide) {
            std::vector<double> x;
            for (const Point& origin : origins) x.push_back(origin.x);
            m_grid.lateral = evenAxis(AxisName::Lateral, "origin", x);
            m_grid.depth.origin += origins.front().z;
            return;
        }
        const bool rises =
            std::ranges::adjacent_find(angles, std::greater_equal<>{}) == angles.end();
        std::optional<Sector> sector = rises ? sectorThrough(origins, angles) : std::nullopt;
        if (!sector && origins.size() == 1)
            throw m_scan.error(fmt::format("'{}' does not rise from line to line; beamform with "
                                           "angles that rise",
                                           m_scan.at("azimuth_axis")));
        if (!sector) sector = Sector{.anglesRad = {}, .starts = origins};
        sector->anglesRad = std::move(angles);
        if (!sector->hasOneApex() && !linesKeepOrder(*sector, ranges.front(), ranges.back()))
            throw m_scan.error(fmt::format("the lines of '{}' meet or cross each other, or do not "
                                           "go from left to right; beamform on lines that keep "
                                           "apart",
                                           m_scan.where()));
        m_grid.lateral = lateralAxisOf(*sector);
        m_grid.sector = std::make_shared<const Sector>(*std::move(sector));
    }

    std::vector<Point> readOrigins(std::size_t lines) const {
        const char* name = m_scan.isGroup("origin") ? "origin" : "apex";
        if (!m_scan.isGroup(name)) return {Point{}};
        std::vector<Point> origins;
        for (const std::string& where : ustbMembers(*m_scan.tree(), m_scan.at(name)))
            origins.push_back(readUstbPoint(Hdf5Values(m_scan.tree(), where)).place());
        if (origins.size() != 1 && origins.size() != lines)
            throw m_scan.error(fmt::format("'{}' has {} points, but the scan {} lines; give one or "
                                           "one for each",
                                           m_scan.at(name), origins.size(), lines));
        return origins;
    }

    /// Apex A and radius R with origin_k = A + R (sin a_k, cos a_k), by least squares; empty where
    /// the lines do not start on such an arc.
    static std::optional<Sector> sectorThrough(const std::vector<Point>& origins,
                                               const std::vector<double>& angles) {
        if (origins.size() == 1) return Sector{origins.front().x, origins.front().z, 0.0, {}};
        const auto count = static_cast<double>(origins.size());
        Point mean;
        double meanSin = 0.0;
        double meanCos = 0.0;
        for (std::size_t k = 0; k < origins.size(); ++k) {
            mean = {mean.x + origins[k].x / count, 0.0, mean.z + origins[k].z / count};
            meanSin += std::sin(angles[k]) / count;
            meanCos += std::cos(angles[k]) / count;
        }
        double along = 0.0;
        double whole = 0.0;
        for (std::size_t k = 0; k < origins.size(); ++k) {
            const double dSin = std::sin(angles[k]) - meanSin;
            const double dCos = std::cos(angles[k]) - meanCos;
            along += (origins[k].x - mean.x) * dSin + (origins[k].z - mean.z) * dCos;
            whole += dSin * dSin + dCos * dCos;
        }
        const double radius = whole > 0.0 ? along / whole : 0.0;
        const Point apex{mean.x - radius * meanSin, 0.0, mean.z - radius * meanCos};
        const double tolerance = 1e-3 * std::abs(radius) + 10.0 * kSamePlace;
        for (std::size_t k = 0; k < origins.size(); ++k)
            if (!(std::hypot(apex.x + radius * std::sin(angles[k]) - origins[k].x,
                             apex.z + radius * std::cos(angles[k]) - origins[k].z) <= tolerance) ||
                radius < -kSamePlace)
                return std::nullopt;
        return Sector{apex.x, apex.z, std::max(radius, 0.0), {}};
    }

    void setCounts(std::size_t depths, std::size_t lines) {
        m_grid.depths = static_cast<std::int64_t>(depths);
        m_grid.lines = static_cast<std::int64_t>(lines);
    }

    /// Compares the listed places of pixels with `place` of line and depth, in both orders.
    template <class Place> void findOrder(Place place) {
        const auto x = m_scan.numbers("x");
        const auto z = m_scan.numbers("z");
        const auto depths = static_cast<std::size_t>(m_grid.depths);
        const auto lines = static_cast<std::size_t>(m_grid.lines);
        if (!x || !z || x->size() != depths * lines || z->size() != x->size()) return;
        const auto fits = [&](bool depthFastest) {
            for (std::size_t i = 0; i < x->size(); ++i) {
                const Point at =
                    depthFastest ? place(i / depths, i % depths) : place(i % lines, i / lines);
                const double tolerance = 1e-4 * std::hypot(at.x, at.z) + 10.0 * kSamePlace;
                if (!(std::hypot((*x)[i] - at.x, (*z)[i] - at.z) <= tolerance)) return false;
            }
            return true;
        };
        if (fits(true)) return;
        if (fits(false))
            std::ranges::reverse(m_grid.order);
        else
            m_grid.warnings.emplace_back("The listed places of the pixels are not those of the "
                                         "scan's axes; the axes are used.");
    }

    const Hdf5Values& m_scan;
    std::string m_type;
    UstbGrid m_grid;
};

} // namespace

UstbGrid readUstbGrid(const Hdf5Values& scan) { return GridReader(scan).read(); }

} // namespace echolux
