// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 files that HDF5 itself writes and whose parts claim what is not there: trees, MATLAB's
// references, and the Echolux recording.
#pragma once

#include "app/dataset/container/hdf5_handle.hpp"
#include "tests/dataset/crafted_files.hpp"

namespace echolux::test {

namespace hdf5_crafts {

using Shape = std::vector<hsize_t>;

/// A dataset; chunks of `chunk` (empty: contiguous), of which the first is stored as given.
inline void dataset(hid_t at, const std::string& name, hid_t type, const Shape& shape,
                    const Shape& chunk = {}, const std::string& stored = {}, bool deflate = true) {
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    if (!chunk.empty()) {
        H5Pset_chunk(plist, static_cast<int>(chunk.size()), chunk.data());
        if (deflate) H5Pset_deflate(plist, 1);
    }
    const Shape unlimited(shape.size(), H5S_UNLIMITED); // a chunk may be larger than the extent
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(),
                                         chunk.empty() ? nullptr : unlimited.data());
    const hid_t data = H5Dcreate2(at, name.c_str(), type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    const Shape first(shape.size(), 0);
    if (!stored.empty())
        H5Dwrite_chunk(data, H5P_DEFAULT, 0, first.data(), stored.size(), stored.data());
    H5Dclose(data);
    H5Sclose(space);
    H5Pclose(plist);
}

inline void classOf(hid_t file, const std::string& where, const std::string& name) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, name.size());
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate_by_name(file, where.c_str(), "MATLAB_class", type, space,
                                              H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, name.c_str());
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

/// References to `targets`, which exist once this does: a cell array, unless it stays without a
/// class.
inline void references(hid_t file, const std::string& where,
                       const std::vector<std::string>& targets) {
    const hsize_t count = targets.size();
    const hid_t space = H5Screate_simple(1, &count, nullptr);
    const hid_t data = H5Dcreate2(file, where.c_str(), H5T_STD_REF_OBJ, space, H5P_DEFAULT,
                                  H5P_DEFAULT, H5P_DEFAULT);
    std::vector<hobj_ref_t> places(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i)
        H5Rcreate(&places[i], file, targets[i].c_str(), H5R_OBJECT, -1);
    H5Dwrite(data, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, places.data());
    H5Dclose(data);
    H5Sclose(space);
}
inline void cells(hid_t file, const std::string& where, const std::vector<std::string>& targets) {
    references(file, where, targets);
    classOf(file, where, "cell");
}

/// Groups in each other below `at`.
inline void nestedGroups(hid_t at, int levels) {
    hid_t group = H5Gcreate2(at, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    for (int i = 0; i < levels; ++i) {
        const hid_t inner = H5Gcreate2(group, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Gclose(group);
        group = inner;
    }
    H5Gclose(group);
}

inline void number(hid_t file, const std::string& name, double value) {
    dataset(file, name, H5T_IEEE_F64LE, {1, 1});
    const hid_t data = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
    H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value);
    H5Dclose(data);
}

using Make = std::function<void(hid_t file)>;

/// A new file.
inline Crafted tree(std::string name, std::string says, Make make) {
    return {std::move(name), std::move(says),
            [make = std::move(make)](const std::filesystem::path& path) {
                quietHdf5();
                std::filesystem::remove(path);
                const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
                make(file);
                H5Fclose(file);
            }};
}
/// A file of MATLAB variables: a first one tells that it is.
inline Crafted matlab(std::string name, std::string says, Make make) {
    return {std::move(name), std::move(says),
            [make = std::move(make)](const std::filesystem::path& path) {
                quietHdf5();
                std::filesystem::remove(path);
                const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
                number(file, "a", 1);
                classOf(file, "a", "double");
                make(file);
                H5Fclose(file);
            }};
}
/// A whole Echolux recording of 3 frames [2][3][100], then changed.
inline Crafted recording(std::string name, std::string says, Make make) {
    return {std::move(name), std::move(says),
            [make = std::move(make)](const std::filesystem::path& path) {
                quietHdf5();
                std::filesystem::remove(path);
                writeSample(path, sampleSpec(DType::I16, 2, 3, 100), 3);
                const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
                make(file);
                H5Fclose(file);
            }};
}
/// With another table in place of one of its own.
inline Crafted retabled(std::string name, std::string says, std::string table, const Shape& shape,
                        const Shape& chunk, std::string stored) {
    return recording(std::move(name), std::move(says), [=](hid_t file) {
        H5Ldelete(file, table.c_str(), H5P_DEFAULT);
        dataset(file, table, H5T_IEEE_F64LE, shape, chunk, stored);
    });
}
/// With other bytes for a chunk of its first frame.
inline Crafted rechunked(std::string name, std::function<std::string()> stored) {
    return recording(std::move(name), "", [=](hid_t file) {
        const hid_t frames = H5Dopen2(file, "frames", H5P_DEFAULT);
        const hsize_t first[4]{};
        const std::string bytes = stored();
        H5Dwrite_chunk(frames, H5P_DEFAULT, 0, first, bytes.size(), bytes.data());
        H5Dclose(frames);
    });
}

inline void stretch(hid_t file, hsize_t frames) {
    const hid_t data = H5Dopen2(file, "frames", H5P_DEFAULT);
    const hsize_t extent[4]{frames, 2, 3, 100};
    H5Dset_extent(data, extent);
    H5Dclose(data);
}

inline herr_t copyAttribute(hid_t from, const char* name, const H5A_info_t*, void* to) {
    const hid_t attribute = H5Aopen(from, name, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute);
    const hid_t space = H5Aget_space(attribute);
    std::vector<std::byte> value(H5Aget_storage_size(attribute));
    H5Aread(attribute, type, value.data());
    const hid_t copy =
        H5Acreate2(*static_cast<hid_t*>(to), name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (std::string(name) == "axis_size") {
        const std::vector<std::int64_t> sizes{2, 3, kTooMuch / 12};
        H5Awrite(copy, H5T_NATIVE_INT64, sizes.data());
    } else {
        H5Awrite(copy, type, value.data());
    }
    H5Aclose(copy);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return 0;
}

/// Frames of kTooMuch bytes of zeros in place of those of 1200 bytes.
inline void enlarge(hid_t file) {
    const hid_t frames = H5Dopen2(file, "frames", H5P_DEFAULT);
    const hsize_t samples = kTooMuch / 12;
    dataset(file, "large", H5T_STD_I16LE, {1, 2, 3, samples}, {1, 1, 3, samples},
            deflatedZeros("", kTooMuch / 2));
    hid_t large = H5Dopen2(file, "large", H5P_DEFAULT);
    H5Aiterate2(frames, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, copyAttribute, &large);
    H5Dclose(large);
    H5Dclose(frames);
    H5Ldelete(file, "frames", H5P_DEFAULT);
    H5Lmove(file, "large", file, "frames", H5P_DEFAULT, H5P_DEFAULT);
}

/// Claims `samples` zeros of 2 bytes, in one chunk of a few bytes.
inline void zeros(hid_t file, const std::string& name, hsize_t samples) {
    dataset(file, name, H5T_STD_I16LE, {1, 1, samples}, {1, 1, samples},
            deflatedZeros("", 2 * samples));
}

} // namespace hdf5_crafts

inline std::vector<Crafted> craftedHdf5() {
    using namespace hdf5_crafts;
    const std::string kDeep = "more than 64 deep";
    const std::string kMemory = "of memory";
    constexpr hsize_t kAbsurd = 100'000'000;
    const std::string shortChunk = deflated("12345678");
    const auto positions = [=](std::string name, const Shape& shape, const Shape& chunk,
                               std::string stored) {
        return retabled(std::move(name), "element_position_m", "probe/element_position_m", shape,
                        chunk, std::move(stored));
    };
    return {
        tree("groups_deep", kDeep, [](hid_t file) { nestedGroups(file, 3000); }),
        tree("groups_70_deep", kDeep, [](hid_t file) { nestedGroups(file, 70); }),
        tree("group_in_itself", "no dataset at all",
             [](hid_t file) {
                 nestedGroups(file, 2);
                 H5Lcreate_hard(file, "g", file, "g/g/again", H5P_DEFAULT, H5P_DEFAULT);
             }),
        tree("groups_share_groups", "no dataset at all", // 2^30 paths
             [](hid_t file) {
                 nestedGroups(file, 31);
                 std::string where = "g";
                 for (int i = 0; i < 30; ++i, where += "/g")
                     H5Lcreate_hard(file, (where + "/g").c_str(), file, (where + "/h").c_str(),
                                    H5P_DEFAULT, H5P_DEFAULT);
             }),
        matlab("cell_in_itself", "within itself",
               [](hid_t file) {
                   cells(file, "c", {"c", "c", "a"});
               }),
        matlab("cells_in_a_circle", "within itself",
               [](hid_t file) {
                   cells(file, "c", {"a"});
                   cells(file, "d", {"c"});
                   hobj_ref_t back = 0;
                   H5Rcreate(&back, file, "d", H5R_OBJECT, -1);
                   const hid_t data = H5Dopen2(file, "c", H5P_DEFAULT);
                   H5Dwrite(data, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, &back);
                   H5Dclose(data);
               }),
        matlab("struct_in_itself", "within itself",
               [](hid_t file) {
                   nestedGroups(file, 1);
                   H5Lcreate_hard(file, "g", file, "g/g/again", H5P_DEFAULT, H5P_DEFAULT);
               }),
        matlab("structs_deep", kDeep, [](hid_t file) { nestedGroups(file, 80); }),
        matlab("cells_share_cells", "no recording needs that", // 2^30 values
               [](hid_t file) {
                   std::string before = "a";
                   for (int i = 0; i < 30; ++i) {
                       const std::string name = "c" + std::to_string(i);
                       cells(file, name, {before, before});
                       before = name;
                   }
               }),
        matlab("cells_share_numbers", "",
               [](hid_t file) {
                   zeros(file, "b", 1'000'000);
                   classOf(file, "b", "int16");
                   cells(file, "c", std::vector<std::string>(120, "b"));
               }),
        matlab("structs_of_long_names", kMemory,
               [](hid_t file) {
                   H5Gclose(H5Gcreate2(file, "s", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
                   references(file, "s/" + std::string(50'000, 'n'),
                              std::vector<std::string>(5000, "a"));
               }),
        matlab("fewer_references", "",
               [=](hid_t file) {
                   dataset(file, "c", H5T_STD_REF_OBJ, {1'000'000, 1}, {1'000'000, 1}, shortChunk);
                   classOf(file, "c", "cell");
               }),
        matlab("references_of_no_byte", "",
               [](hid_t file) {
                   dataset(file, "c", H5T_STD_REF_OBJ, {1'000'000, 1});
                   classOf(file, "c", "cell");
               }),
        matlab("numbers_of_few_bytes", kMemory,
               [](hid_t file) {
                   zeros(file, "RF", kTooMuch / 2);
                   classOf(file, "RF", "int16");
               }),
        matlab("one_number_in_a_giant_chunk", kMemory,
               [](hid_t file) {
                   dataset(file, "RF", H5T_STD_I16LE, {1, 1}, {1, kTooMuch / 2},
                           deflatedZeros("", kTooMuch));
                   classOf(file, "RF", "int16");
               }),
        matlab("chunks_without_number", "",
               [=](hid_t file) {
                   dataset(file, "RF", H5T_STD_I8LE, {300, 300}, {1, 1}, deflated("1"));
                   classOf(file, "RF", "int8");
               }),
        positions("elements_of_no_byte", {kAbsurd, 3}, {}, ""),
        positions("elements_in_no_chunk", {kAbsurd, 3}, {kAbsurd / 100, 3}, ""),
        positions("elements_in_a_short_chunk", {3, 3}, {3, 3}, shortChunk),
        recording("more_elements_than_bytes", "element_position_m",
                  [=](hid_t file) {
                      H5Ldelete(file, "probe/element_position_m", H5P_DEFAULT);
                      dataset(file, "probe/element_position_m", H5T_IEEE_F64LE, {90'000, 3},
                              {90'000, 3}, deflatedZeros("", 2'150'000));
                      dataset(file, "transmits/receive_element", H5T_IEEE_F64LE, {2, 3});
                  }),
        retabled("angles_of_no_byte", "angle_rad", "transmits/angle_rad", {kAbsurd}, {}, ""),
        recording("axes_of_no_byte", "long_axis",
                  [](hid_t file) {
                      const hid_t text = H5Tcopy(H5T_C_S1);
                      H5Tset_size(text, 60);
                      dataset(file, "probe/long_axis", text, {3}, {3}, deflated("none"));
                      H5Tclose(text);
                  }),
        recording("frames_of_few_bytes", "one frame would take", enlarge),
        recording("frames_that_are_not_there", "", [](hid_t file) { stretch(file, 100'000); }),
        recording("frames_without_number", "", [](hid_t file) { stretch(file, kAbsurd * 1000); }),
        rechunked("frame_of_a_short_chunk", [=] { return shortChunk; }),
        rechunked("frame_of_a_long_chunk", [] { return deflatedZeros("", kTooMuch); }),
        rechunked("frame_of_nonsense", [] { return std::string(300, 'x'); }),
        rechunked("frame_of_one_byte", [] { return std::string(1, 'x'); }),
    };
}

} // namespace echolux::test
