// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged files: one sentence each, never a crash, never a huge allocation. Small files of every
// format are cut at many lengths and changed at random places.
#include "tests/dataset/damage_attempts.hpp"
#include "tests/dataset/damaged_files.hpp"
#include "tests/dataset/sample_files.hpp"
#include "tests/dataset/thorlabs_files.hpp"
#include "tests/dataset/uff_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#if defined(ECHOLUX_ADDRESS_SANITIZER) || defined(__SANITIZE_THREAD__)
// HDF5 asks for what a damaged file claims and copes with being refused.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
// HDF5 1.10 reads a few bytes beyond damaged attribute messages, which only a newer HDF5 can
// change.
extern "C" const char* __asan_default_suppressions() {
    return "interceptor_via_fun:H5A__exists_by_name\n"
           "interceptor_via_fun:H5O__attr_exists\n";
}
#endif

namespace echolux::test {
namespace {

const std::string kAxes = "axes = [\"transmit\", \"channel\", \"sample\"]\n";
const std::string kRest = "[probe]\npitch = 0.3e-3\n[signal]\nsampling_frequency = 20e6\n"
                          "[transmit]\nangles_deg = [-1, 1]\n";

/// Writes one small file of a format, with its sidecar, and gives its path.
using Writer = std::filesystem::path (*)(const TemporaryFolder&);

std::filesystem::path npy(const TemporaryFolder& folder) {
    writeFile(folder / "data.npy", npyBytes(npyDictionary("<i2", "(2, 3, 4)"),
                                            bytesOfValues(countedUp<std::int16_t>(24))));
    writeFile(folder / "data.npy.toml", "[data]\n" + kAxes + kRest);
    return folder / "data.npy";
}
std::filesystem::path npz(const TemporaryFolder& folder, bool deflate) {
    writeZip(folder / "data.npz",
             {{"rf.npy", npyBytes(npyDictionary("<i2", "(2, 3, 40)"),
                                  bytesOfValues(countedUp<std::int16_t>(240)))}},
             deflate);
    writeFile(folder / "data.npz.toml", "[data]\narray = \"rf\"\n" + kAxes + kRest);
    return folder / "data.npz";
}
std::filesystem::path describedNpz(const TemporaryFolder& folder) {
    const auto number = [](double value) {
        return npyBytes(npyDictionary("<f8", "()"), bytesOfValues(std::vector{value}));
    };
    writeZip(folder / "self.npz",
             {{"rf.npy", npyBytes(npyDictionary("<i2", "(3, 40)"),
                                  bytesOfValues(countedUp<std::int16_t>(120)))},
              {"fs.npy", number(20e6)},
              {"f0.npy", number(5e6)},
              {"pitch.npy", number(0.3e-3)}},
             true);
    return folder / "self.npz";
}
std::filesystem::path hdf5(const TemporaryFolder& folder) {
    {
        Hdf5Builder file(folder / "data.h5");
        file.add<std::int16_t>("rf", {2, 3, 40}, countedUp<std::int16_t>(240), true);
        file.add<float>("plain", {2, 3, 4}, countedUp<float>(24));
    }
    writeFile(folder / "data.h5.toml", "[data]\narray = \"rf\"\n" + kAxes + kRest);
    return folder / "data.h5";
}
std::filesystem::path mat(const TemporaryFolder& folder, mat_ft version,
                          matio_compression compression) {
    {
        MatBuilder file(folder / "data.mat", version, compression);
        file.add(MatBuilder::array("RF", {20, 8, 2}, countedUp<std::int16_t>(320)));
        file.add(MatBuilder::structure("param", {{"fs", MatBuilder::number(20e6)},
                                                 {"fc", MatBuilder::number(5e6)},
                                                 {"pitch", MatBuilder::number(0.3e-3)},
                                                 {"TXangle", MatBuilder::row({-0.1, 0.1})}}));
    }
    return folder / "data.mat";
}
/// Signals in a cell array, transmits by apodization.
std::filesystem::path matCells(const TemporaryFolder& folder, mat_ft version) {
    {
        MatBuilder file(folder / "cells.mat", version, MAT_COMPRESSION_NONE);
        const auto matrix = [](std::size_t samples) {
            return MatBuilder::array(nullptr, {samples, 4}, countedUp<std::int16_t>(4 * samples));
        };
        const std::vector<double> weights{1, 0, 0, 0, 0, 1, 0, 0}; // columns of 2 transmits
        file.add(MatBuilder::cells("RF", {matrix(20), matrix(18)}));
        file.add(MatBuilder::structure(
            "param", {{"fs", MatBuilder::number(20e6)},
                      {"pitch", MatBuilder::number(0.3e-3)},
                      {"TXdelay", MatBuilder::row({0, 0, 0, 0})},
                      {"TXapodization", MatBuilder::array(nullptr, {2, 4}, weights)}}));
    }
    return folder / "cells.mat";
}
std::filesystem::path capture(const TemporaryFolder& folder) {
    {
        MatBuilder file(folder / "capture.mat", MAT_FT_MAT5, MAT_COMPRESSION_NONE);
        file.add(MatBuilder::structure(
            "exp_data",
            {{"time_data", MatBuilder::array<double>(nullptr, {5, 4}, countedUp<double>(20))},
             {"time", MatBuilder::row({0, 1e-8, 2e-8, 3e-8, 4e-8})},
             {"tx", MatBuilder::row({1, 1, 2, 2})},
             {"rx", MatBuilder::row({1, 2, 1, 2})},
             {"array", MatBuilder::structure(nullptr, {{"el_xc", MatBuilder::row({-1, 1})}})}}));
    }
    return folder / "capture.mat";
}

std::filesystem::path verasonics(const TemporaryFolder& folder, const char* name) {
    std::filesystem::copy_file(
        std::filesystem::path(ECHOLUX_SOURCE_DIR) / "tests/dataset/vectors" / name, folder / name);
    return folder / name;
}

std::filesystem::path sdRaw(const TemporaryFolder& folder) {
    writeFile(folder / "scan.raw", sdRawBytes());
    return folder / "scan.raw";
}
std::filesystem::path spectra(const TemporaryFolder& folder) {
    writeSample(folder / "spectra.h5", spectraSpec(DType::Packed12, 6, 34), 3);
    return folder / "spectra.h5";
}
std::filesystem::path spectraNpz(const TemporaryFolder& folder) {
    const std::vector<double> curve = countedUp<double>(8);
    writeZip(folder / "oct.npz",
             {{"raw.npy", npyBytes(npyDictionary("<u2", "(2, 3, 4, 8)"),
                                   bytesOfValues(countedUp<std::uint16_t>(192)))},
              {"k.npy", npyBytes(npyDictionary("<f8", "(8,)"), bytesOfValues(curve))}},
             true);
    writeFile(folder / "oct.npz.toml",
              "[data]\narray = \"raw\"\naxes = [\"volume\", \"bscan\", \"lateral\", "
              "\"sample\"]\n[spectrometer]\nresampling = \"k\"\n");
    return folder / "oct.npz";
}

std::filesystem::path uffImages(const TemporaryFolder& folder) {
    const auto path = uffCopy(folder, "uff_sector_and_lines.uff");
    Hdf5Editor(path).remove("channel_data");
    return path;
}
std::filesystem::path taskForceUff(const TemporaryFolder& folder) {
    addTaskForce(Hdf5Editor(folder / "task_force.uff"));
    return folder / "task_force.uff";
}
std::filesystem::path picmus(const TemporaryFolder& folder) {
    // NOTE: HDF5 1.10 itself reads far outside where a damaged attribute is an enumeration.
    addPicmus(Hdf5Editor(folder / "picmus.hdf5"), true, picmusAngles(), "US/US_DATASET0000", false);
    return folder / "picmus.hdf5";
}
std::filesystem::path cubdl(const TemporaryFolder& folder) {
    const auto path = folder / "OSL007.hdf5";
    const Hdf5Editor file(path);
    file.numbers("channel_data", {2, 4, 20}, countedUp<double>(160));
    file.numbers("transmit_direction", {2, 2}, {-0.1, 0.1, 0.0, 0.0});
    file.numbers("start_time", {1, 2}, {1e-6, 1e-6});
    file.numbers("element_positions", {3, 4}, {0, 1e-3, 2e-3, 3e-3, 0, 0, 0, 0, 0, 0, 0, 0});
    file.numbers("modulation_frequency", {1}, {5e6});
    file.numbers("sampling_frequency", {1}, {20e6});
    return path;
}
std::filesystem::path ipasc(const TemporaryFolder& folder) {
    const auto path = folder / "light.hdf5";
    const Hdf5Editor file(path);
    file.numbers("binary_time_series_data", {4, 20, 2, 1}, countedUp<double>(160));
    file.numbers("meta_data/ad_sampling_rate", {1}, {40e6});
    file.numbers("meta_data/speed_of_sound", {1}, {1500.0});
    file.numbers("meta_data/acquisition_wavelengths", {2}, {7e-7, 8e-7});
    for (const int k : {0, 1, 2, 3}) {
        const std::string at = "meta_data_device/detectors/" + std::to_string(k) + "/";
        file.numbers(at + "detector_position", {3}, {1e-3 * k, 0.0, 0.0});
        file.numbers(at + "detector_orientation", {3}, {0.0, 0.0, 1.0});
    }
    return path;
}
std::filesystem::path thorlabs(const TemporaryFolder& folder) {
    OctFile file;
    file.processed = true;
    file.bscans = 2;
    file.write(folder / "scan.oct");
    return folder / "scan.oct";
}

std::filesystem::path clarius(const TemporaryFolder& folder) {
    const std::vector<std::uint32_t> header{0, 2, 2, 2, 4};
    const std::string frame(2 * 2 * 4 + 8, '\3');
    writeFile(folder / "scan.raw", bytesOfValues(header) + frame + frame);
    return folder / "scan.raw";
}

/// A file that other software wrote, as it is.
std::filesystem::path picture(const TemporaryFolder& folder, const char* name) {
    const auto from = std::filesystem::path(ECHOLUX_SOURCE_DIR) / "tests/dataset/vectors/pictures";
    std::filesystem::copy_file(from / name, folder / name);
    return folder / name;
}

struct Format {
    const char* name;
    Writer write;
};
const Format kFormats[] = {
    {"Npy", npy},
    {"NpzStored", [](const TemporaryFolder& f) { return npz(f, false); }},
    {"NpzDeflated", [](const TemporaryFolder& f) { return npz(f, true); }},
    {"Hdf5", hdf5},
    {"Mat5Plain",
     [](const TemporaryFolder& f) { return mat(f, MAT_FT_MAT5, MAT_COMPRESSION_NONE); }},
    {"Mat5Compressed",
     [](const TemporaryFolder& f) { return mat(f, MAT_FT_MAT5, MAT_COMPRESSION_ZLIB); }},
    {"Mat73", [](const TemporaryFolder& f) { return mat(f, MAT_FT_MAT73, MAT_COMPRESSION_NONE); }},
    {"Mat5Cells", [](const TemporaryFolder& f) { return matCells(f, MAT_FT_MAT5); }},
    {"Mat73Cells", [](const TemporaryFolder& f) { return matCells(f, MAT_FT_MAT73); }},
    {"ExpData", capture},
    {"Verasonics5",
     [](const TemporaryFolder& f) { return verasonics(f, "verasonics_walking_v5.mat"); }},
    {"Verasonics73",
     [](const TemporaryFolder& f) { return verasonics(f, "verasonics_frames_v73.mat"); }},
    {"NpzRecording", describedNpz},
    {"SdRaw", sdRaw},
    {"Spectra", spectra},
    {"SpectraNpz", spectraNpz},
    {"Uff", [](const TemporaryFolder& f) { return uffCopy(f, "uff_iq_delays.uff"); }},
    {"UffImages", uffImages},
    {"TaskForceUff", taskForceUff},
    {"Picmus", picmus},
    {"Cubdl", cubdl},
    {"Ipasc", ipasc},
    {"Thorlabs", thorlabs},
    {"Clarius", clarius},
    {"MetaImage", [](const TemporaryFolder& f) { return picture(f, "itk_flat.mha"); }},
    {"Nrrd", [](const TemporaryFolder& f) { return picture(f, "itk_volume.nrrd"); }},
    {"Nifti", [](const TemporaryFolder& f) { return picture(f, "nibabel_cine.nii"); }},
    {"NiftiDeflated", [](const TemporaryFolder& f) { return picture(f, "itk_volume.nii.gz"); }},
#ifdef ECHOLUX_HAS_DCMTK
    {"DicomGrey", [](const TemporaryFolder& f) { return picture(f, "dicom_grey.dcm"); }},
    {"DicomJpeg", [](const TemporaryFolder& f) { return picture(f, "dicom_jpeg.dcm"); }},
#endif
    {"TiffTiles", [](const TemporaryFolder& f) { return picture(f, "tiles_rgb.tif"); }},
    {"TiffPages", [](const TemporaryFolder& f) { return picture(f, "ome_volumes.ome.tif"); }},
};

class Damage : public testing::TestWithParam<Format> {};

TEST_P(Damage, CutOrChangedFilesAreRefusedOrReadButNeverCrash) {
    TemporaryFolder folder;
    const auto path = GetParam().write(folder);
    ASSERT_EQ(refusalOf(path), "") << "the undamaged file opens";
    const std::string whole = readFile(path);

    Hammer cutting(path, cuts(whole));
    cutting.run();
    EXPECT_THAT(cutting.failures, testing::IsEmpty());
    EXPECT_GT(cutting.refused, 40);

    // A longer hunt: ECHOLUX_FUZZ=20000 tests_dataset --gtest_filter=*Damage*
    const char* more = std::getenv("ECHOLUX_FUZZ");
    const int usual = whole.size() < (16U << 10U) ? 300 : 120; // many objects open slowly
    const int count = more != nullptr ? std::atoi(more) : usual;
    Hammer flipping(path, flips(whole, count, 1));
    flipping.run();
    EXPECT_THAT(flipping.failures, testing::IsEmpty());
    EXPECT_GT(flipping.refused, count / 15);
    EXPECT_EQ(flipping.opened + flipping.refused, count);
}

INSTANTIATE_TEST_SUITE_P(Formats, Damage, testing::ValuesIn(kFormats),
                         [](const auto& format) { return std::string(format.param.name); });

} // namespace
} // namespace echolux::test
