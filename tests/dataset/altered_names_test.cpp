// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays whose names describe a recording, in a NumPy archive and as MATLAB variables: whatever one
// of them is replaced by, the file opens with facts that agree or a sentence names it.
#include "tests/dataset/altered_mat.hpp"

#include <cmath>
#include <map>

namespace echolux::test {
namespace {

struct NamedArray {
    std::vector<std::size_t> shape; ///< in C order
    std::vector<double> values;
};
using NamedArrays = std::map<std::string, NamedArray>;

NamedArray listed(std::vector<double> values) { return {{values.size()}, std::move(values)}; }
NamedArray singleNumber(double value) { return {{}, {value}}; }
NamedArray countedArray(std::vector<std::size_t> shape) {
    std::size_t count = 1;
    for (const std::size_t extent : shape) count *= extent;
    return {std::move(shape), countedUp<double>(count)};
}

std::string npyOf(const std::string& descr, const std::vector<std::size_t>& shape,
                  const std::string& data) {
    std::string text = "(";
    for (const std::size_t extent : shape) text += std::to_string(extent) + ",";
    return npyBytes(npyDictionary(descr, text + ")"), data);
}
std::string npyOf(const NamedArray& array) {
    std::size_t count = 1;
    for (const std::size_t extent : array.shape) count *= extent;
    std::vector<double> values = array.values;
    values.resize(count, 1.0);
    return npyOf("<f8", array.shape, bytesOfValues(values));
}

/// What stands there in place of an array.
std::vector<std::string> alteredForms(const NamedArray& array) {
    const auto filled = [&](double value) {
        return npyOf({array.shape, std::vector<double>(array.values.size(), value)});
    };
    NamedArray reversed = array;
    std::ranges::reverse(reversed.values);
    NamedArray uneven = array;
    uneven.values.back() = 2.0 * uneven.values.back() + 0.5;
    NamedArray longer = array;
    longer.shape.empty() ? longer.shape.push_back(2) : void(longer.shape.back() += 1);
    NamedArray deeper = array;
    deeper.shape.insert(deeper.shape.begin(), 4, 1);
    NamedArray turned = array;
    std::ranges::reverse(turned.shape);
    NamedArray flat = array;
    flat.shape = {array.values.size()};
    return {filled(std::nan("")),
            filled(INFINITY),
            filled(0.0),
            filled(-1.0),
            filled(1.5),
            filled(1e30),
            npyOf(reversed),
            npyOf(uneven),
            npyOf(longer),
            npyOf(deeper),
            npyOf(turned),
            npyOf(flat),
            npyOf({{0}, {}}),
            npyOf("<c16", array.shape, std::string(16 * array.values.size(), '\0')),
            npyOf("<U4", {}, std::string(16, '\0')),
            npyOf("|b1", {3}, std::string(3, '\1'))};
}

void expectAnswersFromNpz(const NamedArrays& arrays, const std::string& samples) {
    const TemporaryFolder folder;
    const auto path = folder / "named.npz";
    const auto write = [&](const std::string& name, const std::string& bytes) {
        std::vector<std::pair<std::string, std::string>> members;
        for (const auto& [each, array] : arrays)
            if (each != name || !bytes.empty())
                members.emplace_back(each + ".npy", each == name ? bytes : npyOf(array));
        writeZip(path, members, false);
    };
    write(samples, npyOf(arrays.at(samples)));
    EXPECT_TRUE(opensOrSaysWhy(path)) << "unaltered";
    for (const auto& [name, array] : arrays) {
        write(name, "");
        opensOrSaysWhy(path);
        int form = 0;
        for (const std::string& bytes : alteredForms(array)) {
            SCOPED_TRACE(name + " in form " + std::to_string(form++));
            write(name, bytes);
            opensOrSaysWhy(path);
        }
    }
}

/// MATLAB lists axes from first to last, HDF5 the other way round.
void expectAnswersFromMatlab(const NamedArrays& arrays) {
    const TemporaryFolder folder;
    const auto path = folder / "named.mat";
    {
        MatBuilder mat(path, MAT_FT_MAT73, MAT_COMPRESSION_NONE);
        for (const auto& [name, array] : arrays) {
            std::vector<std::size_t> dims(array.shape.rbegin(), array.shape.rend());
            if (dims.size() < 2) dims.insert(dims.begin(), 2 - dims.size(), 1);
            mat.add(MatBuilder::array<double>(name.c_str(), dims, array.values));
        }
    }
    EXPECT_TRUE(opensOrSaysWhy(path)) << "unaltered";
    AlteredMat(path, MAT_FT_MAT73).alterEach();
}

TEST(AlteredNames, OfImages) {
    const NamedArray depth = listed({0, 1e-3, 2e-3, 3e-3});
    const NamedArray lateral = listed({-1e-3, 0, 1e-3});
    const NamedArrays levels{{"data", countedArray({2, 4, 3})},
                             {"form", singleNumber(3)},
                             {"depth", depth},
                             {"lateral", lateral},
                             {"range_min", singleNumber(-60)},
                             {"range_max", singleNumber(0)},
                             {"frame_rate", singleNumber(50)},
                             {"fc", singleNumber(5e6)}};
    const NamedArray angles = listed({-0.1, 0.0, 0.1});
    const NamedArrays sector{{"data", countedArray({4, 3})},
                             {"form", singleNumber(2)},
                             {"depth", depth},
                             {"lateral", lateral},
                             {"line_angles", angles},
                             {"apex_x", singleNumber(0)},
                             {"apex_z", singleNumber(1e-3)},
                             {"apex_radius", singleNumber(10e-3)}};
    const NamedArrays walking{
        {"data", countedArray({4, 3})}, {"form", singleNumber(2)}, {"depth", depth},
        {"lateral", lateral},           {"line_angles", angles},   {"line_x", lateral},
        {"line_z", listed({0, 0, 0})}};
    const NamedArrays planes{{"data", countedArray({3, 4, 2})},
                             {"form", singleNumber(1)},
                             {"depth", depth},
                             {"lateral", lateral},
                             {"axis_order", listed({6, 5, 4})},
                             {"elevation", listed({-1e-3, 1e-3})}};
    for (const NamedArrays& arrays : {levels, sector, walking, planes})
        expectAnswersFromNpz(arrays, "data");
    NamedArrays turned = levels;
    turned["data"] = countedArray({2, 3, 4});
    expectAnswersFromMatlab(turned);
    turned = walking;
    turned["data"] = countedArray({3, 4});
    expectAnswersFromMatlab(turned);
}

TEST(AlteredNames, OfEchoes) {
    const NamedArray three = listed({-1e-3, 0, 1e-3});
    const NamedArray none = listed({0, 0, 0});
    const NamedArrays places{{"rf", countedArray({2, 2, 3, 4})},
                             {"fs", singleNumber(20e6)},
                             {"fc", singleNumber(5e6)},
                             {"c", singleNumber(1500)},
                             {"x", three},
                             {"y", none},
                             {"z", none},
                             {"pitch", singleNumber(1e-3)},
                             {"wave", listed({0, 0})},
                             {"angles", listed({-0.1, 0.1})},
                             {"elevation_angles", listed({0, 0})},
                             {"t0", listed({0, 1e-6})},
                             {"long_axes", listed({1, 1, 1})},
                             {"receive_weights", countedArray({2, 3})},
                             {"frame_rate", singleNumber(50)}};
    const NamedArrays pairs{{"iq", countedArray({2, 3, 4, 2})},
                            {"fs", singleNumber(20e6)},
                            {"fd", singleNumber(5e6)},
                            {"c", singleNumber(1500)},
                            {"elements", {{3, 3}, {-1e-3, 0, 0, 0, 0, 0, 1e-3, 0, 0}}},
                            {"wave", listed({1, 2})},
                            {"source", {{2, 3}, {0, 0, -5e-3, 0, 0, 20e-3}}},
                            {"apodization", {{2, 3}, {1, 1, 1, 0, 1, 1}}},
                            {"receive_elements", {{2, 3}, {0, 1, 2, 2, 1, 0}}},
                            {"iq_phase_zero", listed({0, 0})},
                            {"transmits", singleNumber(2)}};
    expectAnswersFromNpz(places, "rf");
    expectAnswersFromNpz(pairs, "iq");
    expectAnswersFromMatlab(places);
}

} // namespace
} // namespace echolux::test
