// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of files of IPASC and MFMC whose facts are missing, no numbers, or do not fit each
// other, and of those in chunks.
#include "tests/dataset/told_of_files.hpp"

#include <limits>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kSeries = "binary_time_series_data";
const std::string kDetector0 = "meta_data_device/detectors/0000000000/";
constexpr double kBad = std::numeric_limits<double>::quiet_NaN();

/// Four detectors along x, two wavelengths and three frames.
void writeLight(const std::filesystem::path& path) {
    const Hdf5Editor file(path);
    file.zeros(kSeries, {4, 30, 2, 3});
    file.number("meta_data/ad_sampling_rate", 40e6);
    file.number("meta_data/speed_of_sound", 1500);
    file.numbers("meta_data/acquisition_wavelengths", {2}, {700e-9, 800e-9});
    for (int k = 0; k < 4; ++k) {
        const auto at = fmt::format("meta_data_device/detectors/{:010}/", k);
        file.numbers(at + "detector_position", {3}, {1e-3 * k, 0, 0});
        file.numbers(at + "detector_orientation", {3}, {0, 0, 1});
        file.numbers(at + "detector_geometry", {3}, {2e-4, 5e-3, 0});
    }
}

TEST(ToldIpasc, Series) {
    const auto chunks = [](std::vector<hsize_t> chunk) {
        return [=](const Hdf5Editor& file) {
            file.zeros(kSeries, {4, 30, 2, 3}, H5T_IEEE_F32LE, chunk);
        };
    };
    const auto series = HasSubstr("3 x f32 [transmit 1][channel 4][sample 30]");
    expectToldOfHdf5(
        writeLight,
        {{"as written", [](const Hdf5Editor&) {}, AllOf(series, HasSubstr("Light: 700 nm"))},
         {"a chunk for each wavelength", chunks({4, 30, 1, 3}), series},
         {"chunks of both wavelengths", chunks({4, 30, 2, 1}), series},
         {"five axes", withZeros(kSeries, {4, 30, 2, 3, 1}),
          HasSubstr("time series are [detector][sample][wavelength][frame]; save it so")},
         {"complex numbers", withComplex(kSeries, {4, 30, 2, 3}),
          HasSubstr("holds complex numbers, but time series are real")},
         {"one wavelength that is not told",
          [](const Hdf5Editor& file) {
              file.zeros(kSeries, {4, 30, 1, 3});
              file.remove("meta_data/acquisition_wavelengths");
          },
          AllOf(series, Not(HasSubstr("Light")))},
         {"too many wavelengths", withZeros(kSeries, {4, 2, 4097, 1}),
          HasSubstr("has 4097 wavelengths of light, but 4096 are the most")},
         {"wavelengths without names", without("meta_data/acquisition_wavelengths"),
          HasSubstr("Light: wavelength 1")}});
}

TEST(ToldIpasc, Times) {
    const auto times = [](const std::vector<double>& list) {
        return withNumbers("meta_data/measurement_timestamps", {list.size()}, list);
    };
    const auto sampling = HasSubstr("ad_sampling_rate is missing or no positive number of Hz");
    const auto unknown = HasSubstr("It gives no speed of sound");
    expectToldOfHdf5(
        writeLight,
        {{"sampling of 0", withNumber("meta_data/ad_sampling_rate", 0), sampling},
         {"two samplings", withNumbers("meta_data/ad_sampling_rate", {2}, {1, 2}), sampling},
         {"frames", times({0, 0.1, 0.2}), HasSubstr("at 10 Hz")},
         {"fewer frames", times({0, 0.1}), HasSubstr("at 0 Hz")},
         {"backwards", times({0.2, 0.1, 0}), HasSubstr("at 0 Hz")},
         {"all at once", times({0, 0, 0}), HasSubstr("at 0 Hz")},
         {"one frame",
          [&](const Hdf5Editor& file) {
              file.zeros(kSeries, {4, 30, 2, 1});
              times({0})(file);
          },
          HasSubstr("1 x f32")},
         {"an endless speed", withNumber("meta_data/speed_of_sound", HUGE_VAL), unknown},
         {"a speed of 0", withNumber("meta_data/speed_of_sound", 0), unknown}});
}

TEST(ToldIpasc, Detectors) {
    const auto response = [](const std::vector<hsize_t>& shape, const std::vector<double>& values) {
        return withNumbers(kDetector0 + "frequency_response", shape, values);
    };
    const auto none = HasSubstr("centre 0 Hz");
    const auto named = [](const std::string& name) {
        return [=](const Hdf5Editor& file) {
            for (const char* old : {"1", "2", "3"})
                file.remove(std::string("meta_data_device/detectors/000000000") + old);
            for (const std::string& each : {std::string("b1"), std::string("c2"), name})
                file.numbers("meta_data_device/detectors/" + each + "/detector_position", {3},
                             {each == name ? -5e-3 : 5e-3, 0, 0});
        };
    };
    expectToldOfHdf5(
        writeLight,
        {{"a number among the detectors", withNumber("meta_data_device/detectors/extra", 1),
          HasSubstr("of 4")},
         {"no detectors",
          [](const Hdf5Editor& file) {
              file.remove("meta_data_device/detectors");
              file.group("meta_data_device/detectors");
          },
          HasSubstr("lists 0 detectors")},
         {"no list of detectors", without("meta_data_device/detectors"), Not(HasSubstr("IPASC"))},
         {"nothing said of the measurement", without("meta_data"), Not(HasSubstr("IPASC"))},
         {"the device's name",
          [](const Hdf5Editor& file) {
              file.text("meta_data/photoacoustic_imaging_device_reference", "device 7");
          },
          HasSubstr("probe 'device 7'")},
         {"no device",
          [](const Hdf5Editor& file) {
              file.text("meta_data/photoacoustic_imaging_device_reference", "None");
          },
          HasSubstr("probe ''")},
         {"a name without a number", named("a"), HasSubstr("of 4")},
         {"a name with too many digits", named("1234567890123456789"), HasSubstr("of 4")},
         {"a ball",
          [](const Hdf5Editor& file) {
              file.text(kDetector0 + "detector_geometry_type", "SPHERE");
          },
          HasSubstr("width 0, height 0")},
         {"a box",
          [](const Hdf5Editor& file) {
              file.text(kDetector0 + "detector_geometry_type", "CUBOID");
          },
          HasSubstr("width 0.0002, height 0.005")},
         {"a band", response({2, 3}, {1e6, 2e6, 3e6, 1, 1, 1}),
          AllOf(HasSubstr("centre 2e+06 Hz"), HasSubstr("bandwidth 1,"))},
         {"three rows", response({3, 3}, std::vector(9, 1e6)), none},
         {"two frequencies", response({2, 2}, {1e6, 2e6, 1, 1}), none},
         {"a flat list", response({6}, {1e6, 2e6, 3e6, 1, 1, 1}), none},
         {"no numbers", response({2, 3}, {1e6, kBad, 3e6, 1, 1, 1}), none},
         {"wavelengths in nm", response({2, 3}, {700, 800, 900, 1, 1, 1}), none},
         {"one frequency", response({2, 3}, {1e6, 2e6, 3e6, 0, 1, 0}), none},
         {"beyond the sampling", response({2, 3}, {1e6, 2e6, 30e6, 1, 1, 1}), none},
         {"along the third axis without faces",
          [](const Hdf5Editor& file) {
              for (int k = 0; k < 4; ++k) {
                  const auto at = fmt::format("meta_data_device/detectors/{:010}/", k);
                  file.remove(at + "detector_orientation");
                  file.numbers(at + "detector_position", {3}, {0, 0, 1e-3 * k});
              }
          },
          HasSubstr("Coordinates: lateral is x3 of the file, depth is x2")}});
}

const std::string kSequence1 = "SEQUENCE<1>";
const std::string kProbe1 = "PROBE<1>/";

/// `elements` elements 1 mm apart, one law for each; traces of the named pairs, counted from 0.
std::function<void(const std::filesystem::path&)> matrixOf(int elements,
                                                           std::vector<std::pair<int, int>> pairs,
                                                           hsize_t frames = 1,
                                                           std::vector<hsize_t> chunk = {}) {
    return [=](const std::filesystem::path& path) {
        const Hdf5Editor file(path);
        file.textAttribute("/", "TYPE", "MFMC");
        std::vector<double> places;
        for (int k = 0; k < elements; ++k) places.insert(places.end(), {1e-3 * k, 0.0, 0.0});
        file.numbers(kProbe1 + "ELEMENT_POSITION", {hsize_t(elements), 3}, places);
        file.zeros(kProbe1 + "ELEMENT_MINOR", {hsize_t(elements), 3});
        file.group(kSequence1);
        file.realAttribute(kSequence1, "TIME_STEP", 2e-8);
        file.references(kSequence1 + "/PROBE_LIST", {"/PROBE<1>"});
        const auto law = [](int k) { return fmt::format("/SEQUENCE<1>/LAW<{}>", k + 1); };
        for (int k = 0; k < elements; ++k) file.number(law(k) + "/ELEMENT", k + 1);
        std::vector<std::string> tx;
        std::vector<std::string> rx;
        for (const auto& [t, r] : pairs) {
            tx.push_back(law(t));
            rx.push_back(law(r));
        }
        file.references(kSequence1 + "/TRANSMIT_LAW", tx);
        file.references(kSequence1 + "/RECEIVE_LAW", rx);
        file.zeros(kSequence1 + "/MFMC_DATA", {frames, pairs.size(), 10}, H5T_STD_I16LE, chunk);
    };
}
const std::vector<std::pair<int, int>> kWhole{{0, 0}, {0, 1}, {1, 0}, {1, 1}};

TEST(ToldMfmc, Matrices) {
    const auto as = [](const Hdf5Editor&) {};
    expectToldOfHdf5(matrixOf(2, kWhole), {{"full", as, HasSubstr("full matrix, 2 x 2")}});
    expectToldOfHdf5(matrixOf(2, kWhole, 3, {2, 4, 10}),
                     {{"chunks of two frames", as, HasSubstr("3 x i16 [transmit 2]")}});
    expectToldOfHdf5(matrixOf(1, {{0, 0}}), {{"one element", as, HasSubstr("full matrix, 1 x 1")}});
    expectToldOfHdf5(matrixOf(2, {{0, 1}, {1, 1}}),
                     {{"half", as, HasSubstr("half matrix, 2 of 2 x 2 pairs stored")}});
    expectToldOfHdf5(matrixOf(3, {{0, 1}, {1, 0}, {2, 2}, {2, 0}}),
                     {{"a pair both ways", as, HasSubstr("partial matrix, 4 of 3 x 3")}});
    expectToldOfHdf5(matrixOf(3, {{0, 1}, {1, 0}, {0, 2}}),
                     {{"as many as a half", as, HasSubstr("partial matrix, 3 of 2 x 3")}});
    expectToldOfHdf5(matrixOf(100, {{0, 0}}),
                     {{"one trace", as,
                       HasSubstr("stores 1 traces for 1 transmits and 100 elements, too few")}});
}

TEST(ToldMfmc, Facts) {
    const auto step = [](double value) {
        return [=](const Hdf5Editor& file) { file.realAttribute(kSequence1, "TIME_STEP", value); };
    };
    const auto lawOf0 = [](std::string target) {
        return [=](const Hdf5Editor& file) {
            file.number("SEQUENCE<1>/NONE", 1);
            file.references(
                kSequence1 + "/TRANSMIT_LAW",
                {target, "/SEQUENCE<1>/LAW<1>", "/SEQUENCE<1>/LAW<2>", "/SEQUENCE<1>/LAW<2>"});
        };
    };
    const auto noStep = HasSubstr("its TIME_STEP, the time between samples, is missing or no");
    const auto missing = HasSubstr("of 'SEQUENCE<1>/TRANSMIT_LAW' is missing; copy the file again");
    expectToldOfHdf5(
        matrixOf(2, kWhole),
        {{"complex numbers", withComplex(kSequence1 + "/MFMC_DATA", {1, 4, 10}),
          HasSubstr("Echolux reads real numbers [frame][pair][sample]")},
         {"an endless step", step(HUGE_VAL), noStep},
         {"a step of 0", step(0), noStep},
         {"places in a plane",
          withNumbers(kProbe1 + "ELEMENT_POSITION", {3, 2}, {0, 0, 1, 0, 2, 0}),
          HasSubstr("is missing or not [element][3]")},
         {"widths that are no numbers",
          withNumbers(kProbe1 + "ELEMENT_MINOR", {2, 3}, std::vector(6, HUGE_VAL)),
          HasSubstr("width 0,")},
         {"places that are no numbers",
          withNumbers(kProbe1 + "ELEMENT_POSITION", {2, 3}, std::vector(6, kBad)),
          HasSubstr("no finite number")},
         {"a probe that is gone",
          [](const Hdf5Editor& file) { file.references(kSequence1 + "/PROBE_LIST", {""}); },
          HasSubstr("but Echolux reads sequences of one; split it")},
         {"a law that is gone", lawOf0(""), missing},
         {"a law that is no group", lawOf0("/SEQUENCE<1>/NONE"), missing},
         {"speeds of which the first is 0",
          [](const Hdf5Editor& file) {
              file.realAttributes(kSequence1, "SPECIMEN_VELOCITY", {0, 5900});
          },
          AllOf(HasSubstr("5900 m/s, hears"), Not(HasSubstr("Shear waves")))}});
}

} // namespace
} // namespace echolux::test
