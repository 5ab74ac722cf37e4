// SPDX-License-Identifier: GPL-3.0-or-later
// MAT-files of which one variable or field after the other is taken away or replaced.
#pragma once

#include "tests/dataset/altered_hdf5.hpp"
#include "tests/dataset/sample_files.hpp"

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace echolux::test {

class AlteredMat {
public:
    /// Copies the file of `whole`, in another version, to a folder "altered" beside it.
    AlteredMat(std::filesystem::path whole, mat_ft version)
        : m_whole(std::move(whole)), m_version(version) {
        m_path = m_whole.parent_path() / "altered" / m_whole.filename();
        std::filesystem::create_directories(m_path.parent_path());
    }
    /// Makes alterations of every variable and field, each by itself, in turns. How many of them
    /// opened.
    int alterEach() const {
        int opened = 0;
        const auto all = alterations();
        std::size_t turn = 0;
        for (const Place& place : places())
            for (std::size_t i = turn++ % kTurns; i < all.size(); i += kTurns) {
                SCOPED_TRACE(place.text() + ": " + all[i].first);
                write(place, all[i].second);
                opened += opensOrSaysWhy(m_path) ? 1 : 0;
            }
        return opened;
    }

private:
    static constexpr std::size_t kTurns = 4; ///< one of so many alterations of each place is made

    /// A variable, or a field of the first entry of structs below it.
    struct Place {
        std::string variable;
        std::vector<std::string> fields;

        std::string text() const {
            std::string all = variable;
            for (const std::string& field : fields) all += "." + field;
            return all;
        }
    };
    /// What stands there in its place; null: nothing.
    using Alter = std::function<matvar_t*(const char* name, const matvar_t& was)>;

    static std::vector<double> numbersOf(const matvar_t& was) {
        std::size_t count = 1;
        for (int i = 0; i < was.rank; ++i) count *= was.dims[i];
        std::vector<double> values(count, 1.0);
        if (was.data == nullptr || was.isComplex != 0) return values;
        const auto take = [&](auto zero) {
            const auto* all = static_cast<const decltype(zero)*>(was.data);
            for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<double>(all[i]);
        };
        switch (was.class_type) {
        case MAT_C_DOUBLE: take(double{}); break;
        case MAT_C_SINGLE: take(float{}); break;
        case MAT_C_INT16: take(std::int16_t{}); break;
        default: break;
        }
        return values;
    }
    static std::vector<std::size_t> dimsOf(const matvar_t& was) {
        return {was.dims, was.dims + was.rank};
    }
    static matvar_t* made(const char* name, std::vector<std::size_t> dims,
                          std::vector<double> values) {
        std::size_t count = 1;
        for (const std::size_t extent : dims) count *= extent;
        values.resize(count, 0.0);
        return MatBuilder::array<double>(name, std::move(dims), std::move(values));
    }
    static Alter reshaped(std::function<void(std::vector<std::size_t>&)> change) {
        return [change](const char* name, const matvar_t& was) {
            std::vector<std::size_t> dims = dimsOf(was);
            change(dims);
            return made(name, dims, numbersOf(was));
        };
    }
    static Alter mapped(double (*map)(double)) {
        return [map](const char* name, const matvar_t& was) {
            std::vector<double> values = numbersOf(was);
            std::ranges::transform(values, values.begin(), map);
            return made(name, dimsOf(was), values);
        };
    }
    static Alter number(double value) {
        return [value](const char* name, const matvar_t&) { return made(name, {1, 1}, {value}); };
    }
    static std::vector<std::pair<std::string, Alter>> alterations() {
        constexpr double kInfinite = std::numeric_limits<double>::infinity();
        return {
            {"taken away", [](const char*, const matvar_t&) -> matvar_t* { return nullptr; }},
            {"empty",
             [](const char* name, const matvar_t&) {
                 return made(name, {0, 0}, {});
             }},
            {"a text",
             [](const char* name, const matvar_t&) {
                 std::string text = "none";
                 std::size_t dims[2] = {1, text.size()};
                 return Mat_VarCreate(name, MAT_C_CHAR, MAT_T_UTF8, 2, dims, text.data(), 0);
             }},
            {"cells",
             [](const char* name, const matvar_t&) {
                 return MatBuilder::cells(name, {MatBuilder::number(1), MatBuilder::row({1, 2})});
             }},
            {"a struct",
             [](const char* name, const matvar_t&) {
                 return MatBuilder::structure(name, {{"field", MatBuilder::number(1)}});
             }},
            {"complex numbers",
             [](const char* name, const matvar_t& was) {
                 const std::vector<float> zeros(numbersOf(was).size());
                 return MatBuilder::complexArray(name, dimsOf(was), zeros, zeros);
             }},
            {"bytes",
             [](const char* name, const matvar_t& was) {
                 return MatBuilder::array<std::uint8_t>(
                     name, dimsOf(was), std::vector<std::uint8_t>(numbersOf(was).size(), 1));
             }},
            {"two numbers",
             [](const char* name, const matvar_t&) {
                 return made(name, {1, 2}, {1, 2});
             }},
            {"NaN", number(std::numeric_limits<double>::quiet_NaN())},
            {"infinity", number(kInfinite)},
            {"zero", number(0.0)},
            {"minus one", number(-1.0)},
            {"a half", number(0.5)},
            {"very large", number(1e30)},
            {"turned", reshaped([](auto& dims) { std::ranges::reverse(dims); })},
            {"two axes more", reshaped([](auto& dims) {
                 dims.insert(dims.end(), {2, 2});
             })},
            {"one fewer", reshaped([](auto& dims) { dims.back() -= dims.back() > 1 ? 1 : 0; })},
            {"twice as many rows", reshaped([](auto& dims) { dims.front() *= 2; })},
            {"all NaN", mapped([](double) { return std::numeric_limits<double>::quiet_NaN(); })},
            {"all infinite", mapped([](double) { return kInfinite; })},
            {"all zero", mapped([](double) { return 0.0; })},
            {"all one", mapped([](double) { return 1.0; })},
            {"negative", mapped([](double value) { return -value; })},
            {"halves between", mapped([](double value) { return value + 0.5; })},
            {"thousandfold", mapped([](double value) { return 1000.0 * value; })},
        };
    }

    static void collect(matvar_t& at, const Place& place, std::vector<Place>& all) {
        all.push_back(place);
        if (at.class_type != MAT_C_STRUCT) return;
        char* const* names = Mat_VarGetStructFieldnames(&at);
        for (unsigned i = 0; i < Mat_VarGetNumberOfFields(&at); ++i) {
            matvar_t* field = Mat_VarGetStructFieldByName(&at, names[i], 0);
            if (field == nullptr) continue;
            Place inner = place;
            inner.fields.emplace_back(names[i]);
            collect(*field, inner, all);
        }
    }
    std::vector<Place> places() const {
        std::vector<Place> all;
        mat_t* mat = Mat_Open(m_whole.c_str(), MAT_ACC_RDONLY);
        while (matvar_t* variable = Mat_VarReadNext(mat)) {
            collect(*variable, {variable->name, {}}, all);
            Mat_VarFree(variable);
        }
        Mat_Close(mat);
        return all;
    }
    void write(const Place& place, const Alter& alter) const {
        std::filesystem::remove(m_path);
        mat_t* from = Mat_Open(m_whole.c_str(), MAT_ACC_RDONLY);
        mat_t* to = Mat_CreateVer(m_path.c_str(), nullptr, m_version);
        while (matvar_t* variable = Mat_VarReadNext(from)) {
            matvar_t* written = variable;
            if (variable->name == place.variable) {
                if (place.fields.empty())
                    written = alter(variable->name, *variable);
                else
                    alterField(*variable, place, alter);
            }
            // NOTE: writing plainly makes matio forget that it still holds a stream of zlib.
            const matio_compression was = variable->compression;
            if (written != nullptr) Mat_VarWrite(to, written, MAT_COMPRESSION_NONE);
            variable->compression = was;
            if (written != variable) Mat_VarFree(written);
            Mat_VarFree(variable);
        }
        Mat_Close(to);
        Mat_Close(from);
    }
    static void alterField(matvar_t& variable, const Place& place, const Alter& alter) {
        matvar_t* at = &variable;
        for (std::size_t i = 0; i + 1 < place.fields.size(); ++i)
            at = Mat_VarGetStructFieldByName(at, place.fields[i].c_str(), 0);
        const char* name = place.fields.back().c_str();
        matvar_t* was = Mat_VarGetStructFieldByName(at, name, 0);
        matvar_t* now = alter(nullptr, *was);
        Mat_VarSetStructFieldByName(at, name, 0, now != nullptr ? now : made(nullptr, {0, 0}, {}));
        Mat_VarFree(was);
    }

    std::filesystem::path m_whole;
    std::filesystem::path m_path;
    mat_ft m_version;
};

} // namespace echolux::test
