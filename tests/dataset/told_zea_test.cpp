// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of zea files whose scans, probes and waves lack facts or state other ones. Images
// and tracks: told_zea_images_test.cpp.
#include "tests/dataset/told_of_files.hpp"

#include <limits>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr double kZeaNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kZeaPitch = 0.3e-3;
constexpr double kZeaSpeed = 1500.0;
constexpr hsize_t kZeaElements = 8;

/// Plane waves of 5 MHz straight down, all elements at once.
void writePlainZea(const std::filesystem::path& path, hsize_t transmits) {
    const Hdf5Editor file(path);
    file.zeros("data/raw_data", {2, transmits, 20, kZeaElements, 1});
    file.number("scan/sampling_frequency", 20e6);
    file.number("scan/center_frequency", 5e6);
    file.number("scan/sound_speed", kZeaSpeed);
    file.number("scan/initial_times", 3e-6);
    file.zeros("scan/t0_delays", {transmits, kZeaElements});
    std::vector<double> places;
    for (hsize_t k = 0; k < kZeaElements; ++k)
        places.insert(places.end(), {kZeaPitch * (static_cast<double>(k) - 3.5), 0.0, 0.0});
    file.numbers("probe/probe_geometry", {kZeaElements, 3}, places);
}
std::function<void(const std::filesystem::path&)> plainZea(hsize_t transmits = 2) {
    return [=](const std::filesystem::path& path) { writePlainZea(path, transmits); };
}

TEST(ToldZea, Scans) {
    const auto rate = [](const std::vector<double>& intervals) {
        return withNumbers("scan/time_to_next_transmit", {intervals.size()}, intervals);
    };
    expectToldOfHdf5(
        plainZea(),
        {{"complex samples", withComplex("data/raw_data", {2, 2, 20, 8, 1}),
          HasSubstr("channel data of zea are frames x transmits x samples x channels x 1 (RF)")},
         {"no word of sampling", without("scan/sampling_frequency"),
          HasSubstr("'scan/sampling_frequency' is missing; write the file again with it")},
         {"no word of the pulse", without("scan/center_frequency"),
          HasSubstr("'scan/center_frequency' is missing or 0")},
         {"an empty description",
          [](const Hdf5Editor& file) {
              file.textAttribute("/", "description", std::string(1, '\0'));
          },
          Not(HasSubstr("Description:"))},
         {"no sampling", withNumber("scan/sampling_frequency", 0),
          HasSubstr("'scan/sampling_frequency' is 0, but must be positive; correct it")},
         {"two speeds", withNumbers("scan/sound_speed", {2}, {1500, 1540}),
          HasSubstr("'scan/sound_speed' is no single number; correct it")},
         {"far too many speeds", withHole("scan/sound_speed", {(1U << 26U) + 1}),
          HasSubstr("too much for a table of settings")},
         {"a frequency that is no number",
          withNumbers("scan/center_frequency", {2}, {5e6, kZeaNaN}),
          HasSubstr("'scan/center_frequency' is negative or no number")},
         {"no demodulation", withNumber("scan/demodulation_frequency", 0),
          AllOf(HasSubstr("centre 5e+06 Hz, mixed 0 Hz"), Not(HasSubstr("Band:")))},
         {"imaged in another band", withNumber("scan/demodulation_frequency", 10e6),
          AllOf(HasSubstr("centre 1e+07 Hz"), HasSubstr("Band: echoes of 10 MHz"))},
         {"intervals that are no times", rate({1e-4, kZeaNaN, 0, 1e-4}), HasSubstr("at 5000 Hz")},
         {"one row of origins", withNumbers("scan/origin", {1, 3}, {0, 0, 0}),
          HasSubstr("'scan/origin' is 1 x 3, but there are 2 transmits and 3 coordinates")},
         {"a flat list of origins", withNumbers("scan/origin", {6}, {0, 0, 0, 0, 0, 0}),
          HasSubstr("'scan/origin' is 6, but there are 2 transmits")},
         {"a lens", withNumber("scan/lens_correction", 2.5),
          HasSubstr("Lens: correction of 2.5 wavelengths; not taken off")},
         {"no lens", withNumber("scan/lens_correction", 0), Not(HasSubstr("Lens:"))},
         {"a thick lens", withNumber("probe/lens_thickness", 1e-3),
          HasSubstr("Lens: 1 mm thick; its delay is not taken off")},
         {"gains", withNumbers("scan/tgc_gain_curve", {2}, {1, 10}),
          HasSubstr("Time gain: 0.0 to 20.0 dB")},
         {"even gains", withNumbers("scan/tgc_gain_curve", {2}, {10, 10}),
          Not(HasSubstr("Time gain"))},
         {"an endless gain", withNumbers("scan/tgc_gain_curve", {2}, {1, HUGE_VAL}),
          Not(HasSubstr("Time gain"))},
         {"a pulse", withNumbers("scan/waveforms_two_way", {1, 4}, {0, 1, -2, 1}),
          HasSubstr("its maximum comes 0.008 us after its start")},
         {"a pulse of one sample", withNumbers("scan/waveforms_two_way", {2, 1}, {1, 1}),
          Not(HasSubstr("Pulse:"))}});
}

TEST(ToldZea, SchedulesOfTracks) {
    const auto schedule = [](double second, bool images) {
        return [=](const Hdf5Editor& file) {
            file.numbers("scan/time_to_next_transmit", {2}, {1e-3, 1e-3});
            file.number("track_schedule", 0);
            if (images) file.zeros("data/envelope_data", {2, 4, 4});
            file.zeros("data/raw_data", {2, 2, 20, kZeaElements, 1});
            file.numbers("scan/time_to_next_transmit", {2}, {1e-3, second});
        };
    };
    // Two frames in the sum of all intervals.
    expectToldOfHdf5(plainZea(),
                     {{"one track", schedule(1e-3, false), HasSubstr("at 1000 Hz")},
                      {"images beside it", schedule(3e-3, true), HasSubstr("at 500 Hz")}});
    const auto tracks = [](double interval) {
        return [=](const std::filesystem::path& path) {
            writePlainZea(path, 2);
            const Hdf5Editor file(path);
            file.number("track_schedule", 0);
            for (const char* track : {"tracks/track_0", "tracks/track_1"}) {
                const std::string at = track;
                file.zeros(at + "/data/raw_data", {2, 2, 20, kZeaElements, 1});
                file.number(at + "/scan/sampling_frequency", 20e6);
                file.number(at + "/scan/center_frequency", 5e6);
                file.number(at + "/scan/time_to_next_transmit", at.back() == '0' ? 1e-3 : interval);
            }
        };
    };
    const auto same = [](const Hdf5Editor&) {};
    expectToldOfHdf5(tracks(3e-3), {{"in turns", same, HasSubstr("at 500 Hz")}});
    expectToldOfHdf5(tracks(0), {{"the other is silent of it", same, HasSubstr("at 0 Hz")}});
}

TEST(ToldZea, ProbesAndReception) {
    std::vector<double> same;
    std::vector<double> turned;
    for (int i = 0; i < 16; ++i) {
        same.push_back(i % 8);
        turned.push_back(7 - i % 8);
    }
    std::vector<double> broken = same;
    broken[3] = 3.5;
    const auto heard = [](const std::vector<double>& list) {
        return withNumbers("scan/rx_aperture_indices", {2, 8}, list);
    };
    expectToldOfHdf5(
        plainZea(),
        {{"places in a row", withNumbers("probe/probe_geometry", {24}, std::vector(24, 0.0)),
          HasSubstr("'probe/probe_geometry' is 24, but must be elements x 3")},
         {"places in a plane", withNumbers("probe/probe_geometry", {8, 2}, std::vector(16, 0.0)),
          HasSubstr("'probe/probe_geometry' is 8 x 2, but must be elements x 3")},
         {"a negative width", withNumber("probe/element_width", -1e-4),
          AllOf(HasSubstr("pitch 0.0003, width 0,"),
                HasSubstr("'probe/element_width' is -0.0001"))},
         {"each channel its element", heard(same), HasSubstr("hears 0 with")},
         {"turned round", heard(turned), HasSubstr("hears 16 with")},
         {"a half element", heard(broken),
          HasSubstr(
              "'scan/rx_aperture_indices' holds 3.5, but elements are counted from 0 to 7")}});
}

/// Delays [transmit][element] and weights of all transmits.
std::function<void(const Hdf5Editor&)> fired(hsize_t transmits, double (*delay)(hsize_t element),
                                             double (*weight)(hsize_t transmit, hsize_t element)) {
    return [=](const Hdf5Editor& file) {
        std::vector<double> delays;
        std::vector<double> weights;
        for (hsize_t i = 0; i < transmits; ++i)
            for (hsize_t k = 0; k < kZeaElements; ++k) {
                delays.push_back(delay(k));
                weights.push_back(weight(i, k));
            }
        file.numbers("scan/t0_delays", {transmits, kZeaElements}, delays);
        file.numbers("scan/tx_apodizations", {transmits, kZeaElements}, weights);
    };
}

TEST(ToldZea, Waves) {
    const auto none = [](hsize_t) { return 0.0; };
    const auto all = [](hsize_t, hsize_t) { return 1.0; };
    // A plane wave at 0.1 rad, and delays that alternate by 0.4 periods of 0.2 us about none.
    const auto steered = [](hsize_t k) {
        return static_cast<double>(k) * kZeaPitch * std::sin(0.1) / kZeaSpeed;
    };
    const auto rough = [](hsize_t k) { return k % 2 == 0 ? 0.0 : 0.8 * 0.2e-6; };
    expectToldOfHdf5(
        plainZea(),
        {{"a weight that is no number",
          fired(2, none, [](hsize_t i, hsize_t k) { return i + k == 8 ? kZeaNaN : 1.0; }),
          HasSubstr("tx_apodizations of transmit 2 holds nan for element 8; give 0")},
         {"one pulse upside down",
          fired(2, none, [](hsize_t i, hsize_t) { return i == 0 ? 1.0 : -1.0; }),
          HasSubstr("The pulses of transmit 2 are inverted")},
         {"all pulses upside down", fired(2, none, [](hsize_t, hsize_t) { return -1.0; }),
          Not(HasSubstr("inverted"))},
         {"a flat part of the array, heard from its face on",
          [&](const Hdf5Editor& file) {
              file.number("scan/initial_times", 0);
              fired(2, none, [](hsize_t, hsize_t k) { return k > 0 && k < 7 ? 1.0 : 0.0; })(file);
          },
          HasSubstr("plane turned 0 0")},
         {"two elements alone",
          fired(2, none, [](hsize_t, hsize_t k) { return k < 2 ? 1.0 : 0.0; }),
          AllOf(HasSubstr("element turned 0 0, source (-0.0009 0 0)"), Not(HasSubstr("deviate")))},
         {"of no wave",
          fired(
              2, [](hsize_t k) { return k % 2 == 0 ? 0.0 : 1e-6; }, all),
          HasSubstr("the delays of transmit 1 (t0_delays) are those of no plane")},
         {"between waves", fired(2, rough, all),
          HasSubstr("The delays of transmits 1, 2 (t0_delays) deviate by up to a period")}});
    expectToldOfHdf5(plainZea(10), {{"steered otherwise than stated", fired(10, steered, all),
                                     AllOf(HasSubstr("The delays of transmits 1, 2, 3, 4, 5, 6, 7, "
                                                     "8, ... (t0_delays) deviate by more than a "
                                                     "quarter period"),
                                           HasSubstr("plane turned 0.1 0"))}});
}

TEST(ToldZea, Poses) {
    const auto pose = [](const std::vector<hsize_t>& places, const std::vector<hsize_t>& turns) {
        return [=](const Hdf5Editor& file) {
            file.text("metadata/probe_pose/rotation_representation", "quaternion_wxyz");
            file.zeros("metadata/probe_pose/translation", places);
            file.zeros("metadata/probe_pose/rotation", turns);
        };
    };
    const auto misfit = HasSubstr("the tables of 'metadata/probe_pose' do not fit each other");
    expectToldOfHdf5(plainZea(), {{"a flat list of places", pose({3}, {1, 4}), misfit},
                                  {"places in a plane", pose({1, 2}, {1, 4}), misfit},
                                  {"turns of three parts", pose({1, 3}, {1, 3}), misfit},
                                  {"fewer turns", pose({2, 3}, {1, 4}), misfit},
                                  {"no turn", pose({1, 3}, {1, 4}), Not(misfit)}});
}

} // namespace
} // namespace echolux::test
