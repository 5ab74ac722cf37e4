// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 files of which one array or attribute after the other is taken away or replaced.
#pragma once

#include "app/dataset/carried/carried_facts.hpp"
#include "app/dataset/frames/fact_check.hpp"
#include "app/dataset/guarded/open_here.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace echolux::test {

/// What is at `path` opens with facts that agree and frames that can be read, or a sentence that
/// names the file says why not. True where it opens.
inline bool opensOrSaysWhy(const std::filesystem::path& path) {
    try {
        const auto recording = openHere(path, {});
        RecordingInfo info = recording->info();
        info.path = path;
        checkFacts(info);
        std::vector<std::byte> frame(info.frame.bytes());
        recording->readFrame(0, frame);
        recording->readFrame(info.frameCount - 1, frame);
        stampsOf(*recording, 0, info.frameCount);
        carriedFactsHere(info);
        return true;
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(path.filename().string()), std::string::npos)
            << error.what();
    } catch (const std::exception& error) {
        ADD_FAILURE() << "no sentence for users: " << error.what();
    }
    return false;
}

/// An array or an attribute: where it lies, and what holds its numbers.
struct Hdf5Place {
    std::string where;
    std::string attribute; ///< empty: the array itself

    std::string name() const { return attribute.empty() ? where : where + "@" + attribute; }
};

/// The values and the shape of one; no values where it holds no numbers.
struct Hdf5Numbers {
    std::vector<hsize_t> shape;
    std::vector<double> values;
};

class AlteredHdf5 {
public:
    /// Copies the file of `whole` to a folder "altered" beside it.
    explicit AlteredHdf5(std::filesystem::path whole) : m_whole(std::move(whole)) {
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
        m_path = m_whole.parent_path() / "altered" / m_whole.filename();
        std::filesystem::create_directories(m_path.parent_path());
    }
    /// Makes alterations of every place, each by itself: of one place the first, the `turns`th
    /// after it and so on, of the next place those behind these. How many of them opened.
    int alterEach(std::size_t turns = 6) const {
        int opened = 0;
        const auto all = alterations();
        std::size_t turn = 0;
        for (const Hdf5Place& place : places())
            for (std::size_t i = turn++ % turns; i < all.size(); i += turns)
                opened += alter(place, all[i].first, all[i].second) ? 1 : 0;
        return opened;
    }

private:
    using Alter = std::function<void(hid_t file, const Hdf5Place&)>;
    using Change = std::function<void(Hdf5Numbers&)>;

    bool alter(const Hdf5Place& place, const std::string& name, const Alter& alter) const {
        SCOPED_TRACE(place.name() + ": " + name);
        std::filesystem::copy_file(m_whole, m_path,
                                   std::filesystem::copy_options::overwrite_existing);
        const hid_t file = H5Fopen(m_path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        alter(file, place);
        H5Fclose(file);
        return opensOrSaysWhy(m_path);
    }

    /// One of each name: numbered groups hold the same again.
    std::vector<Hdf5Place> places() const {
        std::vector<Hdf5Place> all;
        const hid_t file = H5Fopen(m_whole.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
        H5Ovisit2( // the newest that HDF5 1.10 and 1.14 have alike
            file, H5_INDEX_NAME, H5_ITER_INC,
            [](hid_t at, const char* name, const auto* info, void* out) {
                auto& list = *static_cast<std::vector<Hdf5Place>*>(out);
                if (info->type == H5O_TYPE_DATASET) list.push_back({name, {}});
                const hid_t object = H5Oopen(at, name, H5P_DEFAULT);
                for (int i = 0; i < H5Aget_num_attrs(object); ++i) {
                    std::string text(100, '\0');
                    H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC,
                                       static_cast<hsize_t>(i), text.data(), text.size(),
                                       H5P_DEFAULT);
                    list.push_back({name, text.c_str()});
                }
                H5Oclose(object);
                return herr_t{0};
            },
            &all, H5O_INFO_BASIC);
        H5Fclose(file);
        std::set<std::string> seen;
        std::erase_if(all, [&](const Hdf5Place& place) {
            std::string name = place.name();
            std::ranges::replace_if(
                name, [](unsigned char c) { return std::isdigit(c) != 0; }, '0');
            return !seen.insert(name).second;
        });
        return all;
    }

    static void remove(hid_t file, const Hdf5Place& place) {
        if (place.attribute.empty())
            H5Ldelete(file, place.where.c_str(), H5P_DEFAULT);
        else
            H5Adelete_by_name(file, place.where.c_str(), place.attribute.c_str(), H5P_DEFAULT);
    }
    /// In its place values of a type; `space` is closed.
    static void replace(hid_t file, const Hdf5Place& place, hid_t type, hid_t space,
                        const void* values, hid_t given) {
        remove(file, place);
        if (place.attribute.empty()) {
            const hid_t made = H5Dcreate2(file, place.where.c_str(), type, space, H5P_DEFAULT,
                                          H5P_DEFAULT, H5P_DEFAULT);
            if (values != nullptr) H5Dwrite(made, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
            H5Dclose(made);
        } else {
            const hid_t made =
                H5Acreate_by_name(file, place.where.c_str(), place.attribute.c_str(), type, space,
                                  H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
            if (values != nullptr) H5Awrite(made, given, values);
            H5Aclose(made);
        }
        H5Sclose(space);
    }
    static hid_t spaceOf(const std::vector<hsize_t>& shape) {
        return shape.empty()
                   ? H5Screate(H5S_SCALAR)
                   : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    }
    static Hdf5Numbers read(hid_t file, const Hdf5Place& place) {
        const bool array = place.attribute.empty();
        const hid_t at = array ? H5Dopen2(file, place.where.c_str(), H5P_DEFAULT)
                               : H5Aopen_by_name(file, place.where.c_str(), place.attribute.c_str(),
                                                 H5P_DEFAULT, H5P_DEFAULT);
        const hid_t type = array ? H5Dget_type(at) : H5Aget_type(at);
        const hid_t space = array ? H5Dget_space(at) : H5Aget_space(at);
        Hdf5Numbers numbers;
        numbers.shape.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
        H5Sget_simple_extent_dims(space, numbers.shape.data(), nullptr);
        const H5T_class_t kind = H5Tget_class(type);
        if (kind == H5T_INTEGER || kind == H5T_FLOAT) {
            numbers.values.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
            if (array)
                H5Dread(at, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                        numbers.values.data());
            else
                H5Aread(at, H5T_NATIVE_DOUBLE, numbers.values.data());
        }
        H5Sclose(space);
        H5Tclose(type);
        array ? H5Dclose(at) : H5Aclose(at);
        return numbers;
    }
    /// The numbers of a place after a change; nothing is changed where it holds none.
    static Alter changed(const Change& change) {
        return [change](hid_t file, const Hdf5Place& place) {
            Hdf5Numbers numbers = read(file, place);
            if (numbers.values.empty()) return;
            change(numbers);
            std::size_t count = 1;
            for (const hsize_t extent : numbers.shape) count *= extent;
            numbers.values.resize(count, 0.0);
            replace(file, place, H5T_IEEE_F32LE, spaceOf(numbers.shape), numbers.values.data(),
                    H5T_NATIVE_DOUBLE);
        };
    }
    static Alter filled(double value) {
        return changed([value](Hdf5Numbers& numbers) { std::ranges::fill(numbers.values, value); });
    }
    static Alter mapped(double (*map)(double value, std::size_t i)) {
        return changed([map](Hdf5Numbers& numbers) {
            for (std::size_t i = 0; i < numbers.values.size(); ++i)
                numbers.values[i] = map(numbers.values[i], i);
        });
    }
    static void asText(hid_t file, const Hdf5Place& place) {
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, 4);
        replace(file, place, type, H5Screate(H5S_SCALAR), "none", type);
        H5Tclose(type);
    }
    static void asTexts(hid_t file, const Hdf5Place& place) {
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, H5T_VARIABLE);
        const std::vector<const char*> texts{"a", "b"};
        replace(file, place, type, spaceOf({2}), texts.data(), type);
        H5Tclose(type);
    }
    static void asPairs(hid_t file, const Hdf5Place& place) {
        const hid_t type = H5Tcreate(H5T_COMPOUND, 16);
        H5Tinsert(type, "r", 0, H5T_IEEE_F64LE);
        H5Tinsert(type, "i", 8, H5T_IEEE_F64LE);
        replace(file, place, type, spaceOf(read(file, place).shape), nullptr, type);
        H5Tclose(type);
    }
    static void asGroup(hid_t file, const Hdf5Place& place) {
        remove(file, place);
        if (place.attribute.empty())
            H5Gclose(H5Gcreate2(file, place.where.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }

    static std::vector<std::pair<std::string, Alter>> alterations() {
        constexpr double kInfinite = std::numeric_limits<double>::infinity();
        return {
            {"taken away", remove},
            {"a group", asGroup},
            {"a text", asText},
            {"two texts", asTexts},
            {"complex numbers", asPairs},
            {"no value",
             [](hid_t file, const Hdf5Place& place) {
                 replace(file, place, H5T_IEEE_F64LE, H5Screate(H5S_NULL), nullptr, 0);
             }},
            {"no numbers", changed([](Hdf5Numbers& numbers) { numbers.shape = {0}; })},
            {"one number", changed([](Hdf5Numbers& numbers) { numbers.shape = {}; })},
            {"one number fewer", changed([](Hdf5Numbers& numbers) {
                 if (!numbers.shape.empty()) numbers.shape.back() -= 1;
             })},
            {"two numbers", changed([](Hdf5Numbers& numbers) { numbers.shape = {2}; })},
            {"twice as many rows", changed([](Hdf5Numbers& numbers) {
                 if (!numbers.shape.empty()) numbers.shape.front() *= 2;
             })},
            {"four axes more", changed([](Hdf5Numbers& numbers) {
                 numbers.shape.insert(numbers.shape.begin(), 4, 1);
             })},
            {"flat",
             changed([](Hdf5Numbers& numbers) { numbers.shape = {numbers.values.size()}; })},
            {"turned", changed([](Hdf5Numbers& numbers) { std::ranges::reverse(numbers.shape); })},
            {"not a number", filled(std::numeric_limits<double>::quiet_NaN())},
            {"infinite", filled(kInfinite)},
            {"zero", filled(0.0)},
            {"one", filled(1.0)},
            {"minus one", filled(-1.0)},
            {"very large", filled(1e30)},
            {"halves between", mapped([](double value, std::size_t) { return value + 0.5; })},
            {"backwards",
             changed([](Hdf5Numbers& numbers) { std::ranges::reverse(numbers.values); })},
            {"negative", mapped([](double value, std::size_t) { return -value; })},
            {"last not finite",
             changed([](Hdf5Numbers& numbers) { numbers.values.back() = kInfinite; })},
            {"uneven",
             mapped([](double value, std::size_t i) { return i % 2 == 0 ? value : 1.7 * value; })},
        };
    }

    std::filesystem::path m_whole;
    std::filesystem::path m_path;
};

} // namespace echolux::test
