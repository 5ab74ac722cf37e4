// SPDX-License-Identifier: GPL-3.0-or-later
// Foreign, missing and damaged files: one sentence each, never a crash, never a huge allocation.
// Small files of every format are cut at many lengths and changed at random places; each attempt
// runs in a process of its own whose memory is limited to 1 GiB more than it began with.
#include "tests/dataset/damaged_files.hpp"
#include "tests/dataset/sample_files.hpp"
#include "tests/dataset/thorlabs_files.hpp"
#include "tests/dataset/uff_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true; // their shadow memory forbids limits
// HDF5 asks for what a damaged file claims and copes with being refused.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
// HDF5 1.10 reads a few bytes beyond damaged attribute messages, which only a newer HDF5 can
// change.
extern "C" const char* __asan_default_suppressions() {
    return "interceptor_via_fun:H5A__exists_by_name\n"
           "interceptor_via_fun:H5O__attr_exists\n";
}
#else
constexpr bool kSanitized = false;
#endif

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(BadFiles, MissingFolderEmptyUnreadable) {
    TemporaryFolder folder;
    EXPECT_THAT(refusalOf(folder / "missing.mat"), HasSubstr("no such file"));
    EXPECT_THAT(refusalOf(folder / ""), HasSubstr("folder"));
    writeFile(folder / "empty.raw", "");
    EXPECT_THAT(refusalOf(folder / "empty.raw"), HasSubstr("0 bytes"));
    EXPECT_THAT(refusalOf("/dev/zero"), HasSubstr("no regular file"));
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_THAT(refusalOf(folder / "pipe"), HasSubstr("no regular file"));
}

TEST(BadFiles, Unreadable) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may read every file";
    TemporaryFolder folder;
    writeFile(folder / "locked.npy", "x");
    std::filesystem::permissions(folder / "locked.npy", std::filesystem::perms::none);
    EXPECT_THAT(refusalOf(folder / "locked.npy"), HasSubstr("may read"));
}

TEST(BadFiles, ForeignContent) {
    TemporaryFolder folder;
    const auto refused = [&](const std::string& bytes) {
        writeFile(folder / "file.mat", bytes);
        return refusalOf(folder / "file.mat");
    };
    EXPECT_THAT(refused("hello"), AllOf(HasSubstr("no format"), HasSubstr("file.mat.toml")));
    EXPECT_THAT(refused("version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 9\n"),
                HasSubstr("git lfs pull"));
    EXPECT_THAT(refused("    -1\n   151\n"), HasSubstr("vibration"));
    EXPECT_THAT(refused("NRRD0004\ntype: float\n"), HasSubstr("header has no end"));
    EXPECT_THAT(refused(std::string("II*\0abc", 7)), HasSubstr("TIFF page is damaged"));
    EXPECT_THAT(refused("\x89PNG\r\n\x1a\n"), HasSubstr("image"));
    EXPECT_THAT(refused("MATLAB 5.0 MAT-file, Platform"), HasSubstr("cut off"));
    std::string header = "MATLAB 5.0 MAT-file";
    header.resize(124, ' ');
    EXPECT_THAT(refused(header + std::string("\0\1IM", 4)), HasSubstr("no variable"));
    EXPECT_THAT(refused(header + std::string("\0\7IM", 4)), HasSubstr("0x0700"));
    EXPECT_THAT(refused(header + std::string("\0\2IM", 4)), HasSubstr("7.3"));
    const std::vector<std::int32_t> mat4{0, 2, 2, 0, 2};
    EXPECT_THAT(refused(bytesOfValues(mat4) + std::string("x\0", 2) + std::string(32, '\1')),
                HasSubstr("level 4"));
}

TEST(BadFiles, Hdf5OfNothingKnown) {
    TemporaryFolder folder;
    const auto path = folder / "some.h5";
    { Hdf5Builder file(path); }
    EXPECT_THAT(refusalOf(path), HasSubstr("no dataset at all"));
    {
        Hdf5Builder file(path);
        file.add<float>("a/b", {2}, {1, 2});
    }
    EXPECT_THAT(refusalOf(path), AllOf(HasSubstr("'a/b'"), HasSubstr("some.h5.toml")));
}

TEST(BadFiles, MatWithAbsurdDimensions) {
    // Written by hand: a variable of 2^31 x 2^31 doubles in 72 bytes.
    TemporaryFolder folder;
    std::string bytes = "MATLAB 5.0 MAT-file";
    bytes.resize(124, ' ');
    bytes += std::string("\0\1IM", 4);
    const std::vector<std::uint32_t> words{14,         56,         6,          8,      6, 0, 5, 8,
                                           0x7FFFFFFF, 0x7FFFFFFF, 0x00020001, 0x4652, 9, 8, 0, 0};
    bytes += bytesOfValues(words);
    writeFile(folder / "huge.mat", bytes);
    EXPECT_THAT(refusalOf(folder / "huge.mat"), HasSubstr("larger than any file"));
}

/// What opening and reading the first and last frame ended in.
enum class Outcome { Opened = 0, Refused = 1, OutOfMemory = 2, OtherError = 3, Crashed = 4 };

Outcome attempt(const std::filesystem::path& path) {
    try {
        const auto recording = openRecording(path);
        std::vector<std::byte> frame(recording->info().frame.bytes());
        recording->readFrame(0, frame);
        recording->readFrame(recording->info().frameCount - 1, frame);
        return Outcome::Opened;
    } catch (const Error&) {
        return Outcome::Refused;
    } catch (const std::bad_alloc&) {
        return Outcome::OutOfMemory;
    } catch (...) {
        return Outcome::OtherError;
    }
}

void limitMemory() {
    if (kSanitized) return;
    long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t most =
        static_cast<rlim_t>(pages) * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + (1UL << 30U);
    const rlimit limit{most, most};
    ::setrlimit(RLIMIT_AS, &limit);
}

/// Runs many attempts in one child; where it dies, the child is started again after the culprit.
class Hammer {
public:
    Hammer(std::filesystem::path path, std::vector<std::string> variants)
        : m_path(std::move(path)), m_variants(std::move(variants)) {}

    void run() {
        std::size_t next = 0;
        while (next < m_variants.size()) next = runChild(next);
    }
    std::vector<std::string> failures;
    int opened = 0;
    int refused = 0;

private:
    std::size_t runChild(std::size_t first) {
        int ends[2] = {};
        EXPECT_EQ(::pipe(ends), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            limitMemory();
            ::alarm(600);
            for (std::size_t i = first; i < m_variants.size(); ++i) {
                writeFile(m_path, m_variants[i]);
                const char result = static_cast<char>(attempt(m_path));
                if (::write(ends[1], &result, 1) != 1) break;
            }
            ::_exit(0);
        }
        ::close(ends[1]);
        std::size_t at = first;
        char result = 0;
        while (::read(ends[0], &result, 1) == 1) count(at++, static_cast<Outcome>(result));
        ::close(ends[0]);
        int status = 0;
        ::waitpid(child, &status, 0);
        // A sanitizer ends the process with a status of its own.
        const bool finished = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (!finished) count(at++, Outcome::Crashed);
        return finished ? m_variants.size() : at;
    }
    void count(std::size_t variant, Outcome outcome) {
        if (outcome == Outcome::Opened)
            ++opened;
        else if (outcome == Outcome::Refused)
            ++refused;
        else
            failures.push_back("variant " + std::to_string(variant) + " ended with outcome " +
                               std::to_string(static_cast<int>(outcome)));
    }

    std::filesystem::path m_path;
    std::vector<std::string> m_variants;
};

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
    const int count = more != nullptr ? std::atoi(more) : 300;
    Hammer flipping(path, flips(whole, count, 1));
    flipping.run();
    EXPECT_THAT(flipping.failures, testing::IsEmpty());
    EXPECT_GT(flipping.refused, 20);
    EXPECT_EQ(flipping.opened + flipping.refused, count);
}

INSTANTIATE_TEST_SUITE_P(Formats, Damage, testing::ValuesIn(kFormats),
                         [](const auto& format) { return std::string(format.param.name); });

} // namespace
} // namespace echolux::test
