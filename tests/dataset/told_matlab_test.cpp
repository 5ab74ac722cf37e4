// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of MATLAB files of MUST, of Bristol's exp_data and of cubes of aligned channels
// whose variables are of other kinds, shapes and types.
#include "tests/dataset/told_of_files.hpp"

#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using M = MatBuilder;
using MakeVariable = std::function<matvar_t*()>;
constexpr double kMatNaN = std::numeric_limits<double>::quiet_NaN();

MakeVariable rowOf(std::vector<double> values) {
    return [=] { return M::row(values); };
}
MakeVariable arrayOf(std::vector<std::size_t> dims) {
    return [=] {
        std::size_t count = 1;
        for (const std::size_t extent : dims) count *= extent;
        return M::array<double>(nullptr, dims, countedUp<double>(count));
    };
}
MakeVariable complexOf(std::vector<std::size_t> dims) {
    return [=] {
        std::size_t count = 1;
        for (const std::size_t extent : dims) count *= extent;
        return M::complexArray(nullptr, dims, std::vector<float>(count, 1.0F),
                               std::vector<float>(count, 2.0F));
    };
}
matvar_t* textOf(std::string letters) {
    std::size_t dims[2] = {1, letters.size()};
    return Mat_VarCreate(nullptr, MAT_C_CHAR, MAT_T_UTF8, 2, dims, letters.data(), 0);
}

/// Variables, among them one struct.
class MatFile {
public:
    std::map<std::string, MakeVariable> fields;
    std::map<std::string, MakeVariable> variables;
    std::string name; ///< of the struct

    std::string told(mat_ft version = MAT_FT_MAT5) const {
        const TemporaryFolder folder;
        const auto path = folder / "told.mat";
        {
            M file(path, version, MAT_COMPRESSION_NONE);
            M::Fields all;
            for (const auto& [field, make] : fields) all.emplace_back(field, make());
            if (!all.empty()) file.add(M::structure(name.c_str(), all));
            for (const auto& [variable, make] : variables) file.add(renamed(make(), variable));
        }
        return toldOf(path);
    }

private:
    static matvar_t* renamed(matvar_t* made, const std::string& variable) {
        std::free(made->name); // as matio allocates it
        made->name = strdup(variable.c_str());
        return made;
    }
};
using ToldMat = Told<std::function<void(MatFile&)>>;

void expectToldOfMat(const MatFile& whole, const std::vector<ToldMat>& all) {
    for (const ToldMat& each : all) {
        SCOPED_TRACE(each.name);
        MatFile file = whole;
        each.change(file);
        EXPECT_THAT(file.told(), each.says);
    }
}
std::function<void(MatFile&)> withField(std::string name, MakeVariable make) {
    return [=](MatFile& file) { file.fields[name] = make; };
}
std::function<void(MatFile&)> withVariable(std::string name, MakeVariable make) {
    return [=](MatFile& file) { file.variables[name] = make; };
}

/// Nine elements, a transmit and a frame.
MatFile mustFile() {
    MatFile file;
    file.name = "param";
    file.fields = {{"fs", rowOf({20e6})},
                   {"fc", rowOf({5e6})},
                   {"pitch", rowOf({3e-4})},
                   {"c", rowOf({1500})}};
    file.variables = {{"RF", arrayOf({20, 9})}};
    return file;
}
MatFile mustFileWithout(const char* variable) {
    MatFile file = mustFile();
    file.variables.erase(variable);
    return file;
}

TEST(ToldMust, SignalsByTheirSize) {
    expectToldOfMat(
        mustFileWithout("RF"),
        {{"the largest",
          [](MatFile& file) {
              file.variables = {{"a", arrayOf({100, 11})},
                                {"b", arrayOf({300, 9})},
                                {"c", arrayOf({200, 9})},
                                {"d", arrayOf({2, 2})}};
          },
          HasSubstr("[channel 9][sample 300]")},
         {"none is large enough", withVariable("a", arrayOf({20, 9})),
          HasSubstr("no array of signals")},
         {"cells of volumes",
          withVariable("RF",
                       [] {
                           return M::cells(nullptr, {arrayOf({20, 9, 2})()});
                       }),
          HasSubstr("no array of signals")},
         {"an empty cell",
          withVariable("RF",
                       [] {
                           return M::cells(nullptr, {arrayOf({20, 9})(), arrayOf({0, 9})()});
                       }),
          HasSubstr("no array of signals")}});
    expectToldOfMat(
        mustFile(),
        {{"another struct behind it",
          withVariable("odd",
                       [] {
                           return M::structure(nullptr, {{"fs", M::number(1e6)}});
                       }),
          HasSubstr("sample 20 from 0 by 5e-08 s")},
         {"five axes", withVariable("RF", arrayOf({20, 9, 1, 1, 2})), HasSubstr("at most 4")},
         {"one axis of one entry more", withVariable("RF", arrayOf({20, 9, 1, 2, 1})),
          HasSubstr("2 x f32 [transmit 1]")},
         {"frames of two transmits with one row of delays",
          withVariable("RF", arrayOf({20, 9, 2, 2})),
          HasSubstr("describes 1 transmits, but the third axis of the signals has 2 entries")},
         {"codes of 16 bits",
          withVariable("RF",
                       [] {
                           std::vector<std::uint16_t> codes(180, 32768);
                           codes[0] = 32768 + 180;
                           std::size_t dims[2] = {20, 9};
                           return Mat_VarCreate(nullptr, MAT_C_UINT16, MAT_T_UINT16, 2, dims,
                                                codes.data(), 0);
                       }),
          HasSubstr("Zero of the codes: 32769.00")},
         {"matrices of other types",
          withVariable("RF",
                       [] {
                           return M::cells(nullptr, {arrayOf({20, 9})(),
                                                     M::array<float>(nullptr, {20, 9},
                                                                     std::vector<float>(180))});
                       }),
          HasSubstr("are to be of one type")},
         {"matrices in rows and columns",
          [](MatFile& file) {
              file.variables["RF"] = [] {
                  std::size_t dims[2] = {2, 2};
                  matvar_t* all =
                      Mat_VarCreate(nullptr, MAT_C_CELL, MAT_T_CELL, 2, dims, nullptr, 0);
                  for (int i = 0; i < 4; ++i) Mat_VarSetCell(all, i, arrayOf({20, 9})());
                  return all;
              };
              file.fields["TXangle"] = rowOf({0, 0.1});
          },
          HasSubstr("2 x f32 [transmit 2][channel 9][sample 20]")},
         {"matrices in a volume",
          [](MatFile& file) {
              file.variables["RF"] = [] {
                  std::size_t dims[3] = {1, 2, 2};
                  matvar_t* all =
                      Mat_VarCreate(nullptr, MAT_C_CELL, MAT_T_CELL, 3, dims, nullptr, 0);
                  for (int i = 0; i < 4; ++i) Mat_VarSetCell(all, i, arrayOf({20, 9})());
                  return all;
              };
          },
          HasSubstr("at most 4")}});
}

TEST(ToldMust, SignalsInARowOfHdf5) {
    const TemporaryFolder folder;
    const auto path = folder / "told.mat";
    {
        M file(path, MAT_FT_MAT73, MAT_COMPRESSION_NONE);
        file.add(M::structure("param", {{"fs", M::number(20e6)}}));
        file.add(M::array<double>("x", {1, 1}, {1}));
    }
    Hdf5Editor(path).zeros("RF", {180}, H5T_STD_I16LE);
    EXPECT_THAT(toldOf(path), HasSubstr("no array of signals"));
}

TEST(ToldMust, Elements) {
    const auto elements = [](std::vector<std::size_t> dims, std::vector<double> values) {
        return withField("elements", [=] { return M::array<double>(nullptr, dims, values); });
    };
    std::vector<double> falling;
    std::vector<double> dense;
    std::vector<double> arc;
    std::vector<double> zigzag;
    for (int k = 0; k < 9; ++k) {
        const double angle = 0.05 * (k - 4);
        falling.insert(falling.end(), {-3e-4 * (k - 4), 0.0});
        arc.insert(arc.end(), {20e-3 * std::sin(angle), 20e-3 * std::cos(angle) - 20e-3});
        dense.insert(dense.end(), {1e-4 * (k - 4), 0.0}); // a third of a wavelength apart
        zigzag.insert(zigzag.end(), {3e-4 * (k - 4), k % 2 == 0 ? 0.0 : 1e-3});
    }
    const auto wrong = HasSubstr("must be rows of x, y (and z)");
    expectToldOfMat(mustFile(),
                    {{"a phased array", elements({2, 9}, dense), HasSubstr("of 9, pitch 0.0003")},
                     {"falling", elements({2, 9}, falling), HasSubstr("of 9, pitch 0.0003")},
                     {"an arc", elements({2, 9}, arc), HasSubstr("of 9, pitch 0.0003")},
                     {"a zigzag", elements({2, 9}, zigzag), HasSubstr("of 9, pitch 0.0003")},
                     {"four rows", elements({4, 9}, std::vector(36, 0.0)), wrong},
                     {"none", elements({0, 9}, {}), wrong},
                     {"complex places", withField("elements", complexOf({2, 9})), wrong},
                     {"a small radius", withField("radius", rowOf({1e-4})),
                      HasSubstr("is smaller than half the pitch")}});
}

TEST(ToldMust, Transmits) {
    const auto three = [](const char* field, MakeVariable make) {
        return [=](MatFile& file) {
            file.variables["RF"] = arrayOf({20, 9, 3});
            file.fields["TXdelay"] = [] {
                return M::array<double>(nullptr, {3, 9}, std::vector(27, 0.0));
            };
            file.fields[field] = make;
        };
    };
    const auto weights = [](std::vector<double> ofTransmits) {
        return [=] {
            std::vector<double> all;
            for (int k = 0; k < 9; ++k)
                for (const double weight : ofTransmits) all.push_back(weight);
            return M::array<double>(nullptr, {3, 9}, all);
        };
    };
    std::vector<double> one(9, kMatNaN);
    one[4] = 0.0;
    expectToldOfMat(
        mustFile(),
        {{"all upside down", three("TXapodization", weights({-1, -1, -1})),
          Not(HasSubstr("inverted"))},
         {"one upside down", three("TXapodization", weights({1, -1, 1})),
          HasSubstr("Transmit 2 fires inverted")},
         {"two upside down", three("TXapodization", weights({-1, 1, -1})),
          HasSubstr("Transmits 1, 3 fire inverted")},
         {"empty weights", three("TXapodization", arrayOf({0, 0})), HasSubstr("[transmit 3]")},
         {"angles in cells",
          withField("TXangle", [] { return M::cells(nullptr, {M::number(0.1)}); }),
          HasSubstr("plane turned 0.1 0")},
         {"angles of fewer transmits", three("TXangle", rowOf({0, 0.1})),
          HasSubstr("describes 2 transmits, but its TXdelay 3; TXdelay is used")},
         {"one element and an angle",
          [=](MatFile& file) {
              file.fields["TXdelay"] = rowOf(one);
              file.fields["TXangle"] = rowOf({0.1});
          },
          AllOf(HasSubstr("element turned"), Not(HasSubstr("TXangle says")))}});
}

/// Two elements and all four pairs.
MatFile bristolFile() {
    MatFile file;
    file.name = "exp_data";
    file.fields = {{"time_data", arrayOf({10, 4})},
                   {"time", rowOf({0, 1e-7, 2e-7, 3e-7, 4e-7, 5e-7, 6e-7, 7e-7, 8e-7, 9e-7})},
                   {"tx", rowOf({1, 1, 2, 2})},
                   {"rx", rowOf({1, 2, 1, 2})},
                   {"ph_velocity", rowOf({6000})},
                   {"array", [] {
                        return M::structure(
                            nullptr, {{"el_xc", M::row({-1e-3, 1e-3})}, {"el_yc", M::row({0, 0})}});
                    }}};
    return file;
}

TEST(ToldBristol, Fields) {
    const auto misfit = HasSubstr("but time has 10 entries and tx 4");
    expectToldOfMat(
        bristolFile(),
        {{"as written", [](MatFile&) {}, HasSubstr("full matrix, 2 x 2")},
         {"an array that is no struct", withField("array", rowOf({1})),
          HasSubstr("lacks the struct 'array'")},
         {"an array that is missing", [](MatFile& file) { file.fields.erase("array"); },
          HasSubstr("lacks the struct 'array'")},
         {"depths of other elements",
          withField("array",
                    [] {
                        return M::structure(nullptr, {{"el_xc", M::row({-1e-3, 1e-3})},
                                                      {"el_zc", M::row({0, 0, 0})}});
                    }),
          HasSubstr("exp_data.array.el_zc has 3 entries, but el_xc 2")},
         {"a transmitter 0", withField("tx", rowOf({0, 1, 2, 2})),
          HasSubstr("exp_data.tx of trace 1 is 0, but the array has elements 1 to 2")},
         {"half a receiver", withField("rx", rowOf({1, 1.5, 1, 2})),
          HasSubstr("exp_data.rx of trace 2 is 1.5")},
         {"fewer receivers", withField("rx", rowOf({1, 2, 1})),
          HasSubstr("exp_data.tx has 4 entries, but rx 3")},
         {"traces that are a text", withField("time_data", [] { return textOf("none"); }),
          HasSubstr("lacks 'time_data'")},
         {"no traces", [](MatFile& file) { file.fields.erase("time_data"); },
          HasSubstr("lacks 'time_data'")},
         {"three axes", withField("time_data", arrayOf({10, 4, 2})), misfit},
         {"other traces", withField("time_data", arrayOf({10, 5})), misfit},
         {"other samples", withField("time_data", arrayOf({4, 11})), misfit},
         {"lying", withField("time_data", arrayOf({4, 10})), HasSubstr("[sample 10]")},
         {"complex", withField("time_data", complexOf({10, 4})),
          HasSubstr("time_data is complex")}});
    MatFile number = bristolFile();
    number.fields.clear();
    number.variables["exp_data"] = rowOf({1});
    EXPECT_THAT(number.told(), Not(HasSubstr("exp_data lacks")));
}

TEST(ToldCube, ShapesAndNumbers) {
    MatFile whole;
    whole.variables["u_z"] = arrayOf({3, 2, 8});
    const auto cube = [](std::vector<std::size_t> dims) {
        return withVariable("u_z", arrayOf(std::move(dims)));
    };
    const auto none = HasSubstr("it has no array 'u_z'; choose another file");
    const auto channels = HasSubstr("2 to 4096 in x and up to as many in y can be compared");
    expectToldOfMat(
        whole,
        {{"complex", withVariable("u_z", complexOf({3, 2, 8})), HasSubstr("'u_z' is complex")},
         {"no x", cube({0, 2, 8}), none},
         {"no y", cube({2, 0, 8}), none},
         {"far too many y", cube({1, 4097, 4}), channels},
         {"far too many x", cube({4097, 1, 4}), channels},
         {"one channel", cube({1, 1, 8}), channels},
         {"far too long",
          withVariable("u_z",
                       [] {
                           return M::array<std::uint8_t>(nullptr, {2, 1, (1U << 20U) + 1},
                                                         std::vector<std::uint8_t>(2097154));
                       }),
          HasSubstr("has 1048577 samples per channel; 4 to 1048576 can be compared")},
         {"two frequencies", withVariable("fs", rowOf({20e6, 30e6})),
          HasSubstr("its 'fs' is 2 numbers, no frequency of echoes")},
         {"amplitudes",
          [](MatFile& file) {
              file.variables["delay_s"] = [] {
                  return M::array<double>(nullptr, {3, 2}, std::vector(6, 1e-9));
              };
              file.variables["amplitude"] = [] {
                  return M::array<double>(nullptr, {3, 2}, std::vector(6, 0.5));
              };
          },
          HasSubstr("[transmit 1][channel 6][sample 8]")}});
}

} // namespace
} // namespace echolux::test
