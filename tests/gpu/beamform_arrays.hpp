// SPDX-License-Identifier: GPL-3.0-or-later
// The recordings of make_array_vectors.py and how they are imaged: arrays of every shape.
#pragma once

#include "tests/gpu/beamform_run.hpp"
#include "tests/support/vectors.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace echolux::test {

inline ParamValue word(const char* text) { return std::string(text); }

struct ArrayCase {
    std::string name;
    Settings settings;
    bool iq = false;
    double pitchM = 0.3e-3;
    Steering steering = Steering::Tilts;
    bool overRange = false; ///< with a table of receive weights over range
    bool blends = false;    ///< lines take from several beams, and have no table of delays
};

inline void PrintTo(const ArrayCase& c, std::ostream* out) { *out << c.name; }

/// A recording of make_array_vectors.py.
class Recorded {
public:
    explicit Recorded(const ArrayCase& c) : m_case(c) {}

    HostFrame frame() const {
        const auto& data = vector("data");
        const std::int64_t transmits = std::ssize(vector("waves"));
        const std::int64_t samples = 140;
        const std::int64_t channels =
            std::ssize(data) / (transmits * samples * (m_case.iq ? 2 : 1));
        FrameSpec spec;
        spec.dtype = m_case.iq ? DType::ComplexF32 : DType::F32;
        spec.axes = {{AxisName::Transmit, transmits, 1.0, 0.0, ""},
                     {AxisName::Channel, channels, 1.0, 0.0, ""},
                     {AxisName::Sample, samples, 1.0 / 20e6, 0.0, "s"}};
        spec.centreFrequencyHz = 4.5e6;
        spec.demodulationFrequencyHz = m_case.iq ? 4.5e6 : 0.0;
        spec.acquisition = std::make_shared<Acquisition>(acquisition());
        HostFrame frame(spec);
        std::ranges::copy(data, frame.as<float>().begin());
        return frame;
    }

    const std::vector<float>& image() const {
        return vector(m_case.overRange ? "over_range.image" : "image");
    }

    const std::vector<float>& vector(const std::string& name) const {
        static const Vectors kVectors("gpu/vectors/arrays.txt");
        return kVectors[m_case.name + "." + name];
    }

private:
    std::vector<Point> points(const std::string& name) const {
        const auto& values = vector(name);
        std::vector<Point> points;
        for (std::size_t i = 0; i + 2 < values.size(); i += 3)
            points.push_back({values[i], values[i + 1], values[i + 2]});
        return points;
    }

    Acquisition acquisition() const {
        Acquisition acquisition;
        acquisition.steering = m_case.steering;
        Probe& probe = acquisition.probe;
        probe.elements = points("elements");
        probe.normals = points("normals");
        probe.pitchM = m_case.pitchM;
        bool anyLong = false;
        for (const float axis : vector("long")) {
            probe.longAxes.push_back(static_cast<LongAxis>(static_cast<int>(axis)));
            anyLong = anyLong || axis != 0.0F;
        }
        if (!anyLong) probe.longAxes.clear();
        for (const float e : vector("heard"))
            acquisition.receiveElements.push_back(static_cast<std::int32_t>(e));
        if (m_case.overRange)
            acquisition.rangeWeights = {vector("over_range.table"), 1.3e-3, 0.83e-3};
        const std::vector<Point> sources = points("sources");
        const std::vector<Point> origins = points("origins");
        const std::size_t elements = probe.elements.size();
        for (std::size_t i = 0; i < sources.size(); ++i) {
            const auto weights =
                vector("weights").begin() + static_cast<std::ptrdiff_t>(i * elements);
            acquisition.transmits.push_back(
                {.wave = static_cast<Wave>(static_cast<int>(vector("waves")[i])),
                 .angleRad = vector("angles")[2 * i],
                 .elevationRad = vector("angles")[2 * i + 1],
                 .source = sources[i],
                 .origin = origins[i],
                 .apodization = {weights, weights + static_cast<std::ptrdiff_t>(elements)},
                 .firstSampleS = 1e-6 * vector("first_us")[i]});
        }
        return acquisition;
    }

    ArrayCase m_case;
};

inline Settings ranges() {
    return {{"depth_min", 0.9e-3}, {"depth_max", 0.9e-3 + 12 * 0.29e-3}, {"pixel_depth", 0.29e-3}};
}

inline Settings ownLines(std::int64_t perTransmit) {
    return with(ranges(), {{"grid", word("beams")},
                           {"transmit_aperture", word("lines")},
                           {"lines_per_transmit", perTransmit}});
}

inline Settings volume(double fNumber, const char* window) {
    return {{"grid", word("volume")},
            {"transmit_aperture", word("everywhere")},
            {"elevation_min", -0.7e-3},
            {"elevation_max", -0.7e-3 + 4 * 0.36e-3},
            {"pixel_elevation", 0.36e-3},
            {"lateral_min", -0.8e-3},
            {"lateral_max", -0.8e-3 + 6 * 0.27e-3},
            {"pixel_lateral", 0.27e-3},
            {"depth_min", 1.03e-3},
            {"depth_max", 1.03e-3 + 7 * 0.41e-3},
            {"pixel_depth", 0.41e-3},
            {"f_number", fNumber},
            {"tukey_alpha", 0.4},
            {"window", word(window)}};
}

/// Pixels from a first one on, at equal distances.
inline Settings image(double x, double dx, int columns, double z, double dz, int rows) {
    return {{"grid", word("image")},
            {"transmit_aperture", word("everywhere")},
            {"lateral_min", x},
            {"lateral_max", x + (columns - 1) * dx},
            {"pixel_lateral", dx},
            {"depth_min", z},
            {"depth_max", z + (rows - 1) * dz},
            {"pixel_depth", dz}};
}

inline std::vector<ArrayCase> arrayCases() {
    const Settings fan = with(ranges(), {{"grid", word("beams")},
                                         {"transmit_aperture", word("everywhere")},
                                         {"angle_min", -0.12},
                                         {"angle_max", 0.15},
                                         {"lines", std::int64_t{8}},
                                         {"f_number", 1.093}});
    const Settings inside = image(-2.113e-3, 0.41e-3, 11, 0.93e-3, 0.39e-3, 12);
    return {
        ArrayCase{"curved_fan", fan, false, 0.5e-3},
        ArrayCase{"one_way_linear",
                  with(image(-1.053e-3, 0.37e-3, 7, 0.86e-3, 0.31e-3, 14), {{"f_number", 0.871}})},
        ArrayCase{"one_way_curved_fan", fan, true, 0.5e-3},
        ArrayCase{"one_way_ring", with(inside, {{"f_number", 0.0}}), true, 1.17e-3},
        ArrayCase{"one_way_ring_faces", with(inside, {{"f_number", 0.531}}), false, 1.17e-3},
        ArrayCase{"curved_lines", with(ownLines(3), {{"f_number", 0.0}, {"window", word("hann")}}),
                  false, 0.5e-3},
        ArrayCase{"phased_lines", with(ownLines(2), {{"f_number", 0.0}}), true, 0.17e-3},
        ArrayCase{"linear_lines", with(ownLines(1), {{"f_number", 0.871}})},
        ArrayCase{"shadow",
                  {{"grid", word("image")},
                   {"transmit_aperture", word("shadow")},
                   {"normalize", true},
                   {"lateral_min", -2.053e-3},
                   {"lateral_max", -2.053e-3 + 11 * 0.37e-3},
                   {"pixel_lateral", 0.37e-3},
                   {"depth_min", 0.86e-3},
                   {"depth_max", 0.86e-3 + 13 * 0.31e-3},
                   {"pixel_depth", 0.31e-3},
                   {"f_number", 0.871}}},
        ArrayCase{"matrix_tilts", volume(0.877, "tukey"), true},
        ArrayCase{"matrix_projections", volume(0.0, "hann"), false, 0.3e-3, Steering::Projections},
        ArrayCase{"row_column", volume(0.877, "rectangular")},
        ArrayCase{"anywhere", volume(0.613, "hann")},
        ArrayCase{"phased_fan",
                  with(ranges(), {{"grid", word("beams")},
                                  {"transmit_aperture", word("everywhere")},
                                  {"angle_min", -0.6},
                                  {"angle_max", 0.55},
                                  {"lines", std::int64_t{8}},
                                  {"window", word("hann")},
                                  {"f_number", 1.37}}),
                  true, 0.17e-3},
        ArrayCase{"expanding_lines", with(ownLines(2), {{"f_number", 1.37}}), false, 0.17e-3},
        ArrayCase{.name = "blended_phased_lines",
                  .settings = with(ownLines(2), {{"blend_beams", true}, {"f_number", 1.37}}),
                  .iq = true,
                  .pitchM = 0.17e-3,
                  .blends = true},
        ArrayCase{.name = "blended_curved_lines",
                  .settings =
                      with(ownLines(3),
                           {{"blend_beams", true}, {"f_number", 0.0}, {"window", word("hann")}}),
                  .pitchM = 0.5e-3,
                  .blends = true}};
}

/// Those with a table of receive weights over range.
inline std::vector<ArrayCase> casesOverRange() {
    std::vector<ArrayCase> cases = arrayCases();
    std::erase_if(cases, [](const ArrayCase& c) {
        return c.blends || c.name.starts_with("one_way") || c.name == "curved_lines" ||
               c.name == "matrix_projections" || c.name == "anywhere";
    });
    for (ArrayCase& c : cases) c.overRange = true;
    return cases;
}

} // namespace echolux::test
