// SPDX-License-Identifier: GPL-3.0-or-later
// Values of sidecars that fit neither the data nor each other: a sentence names the key and what to
// correct; and values that arrays in the data file give.
#include "app/dataset/guarded/open_here.hpp"
#include "tests/dataset/sidecar_fixture.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string refusedHere(const std::filesystem::path& path) {
    try {
        openHere(path, {});
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

struct WrongValue {
    std::string Parts::*part;
    std::string lines; ///< in place of the part's own
    const char* says;
};

const std::string kRawShape = "dtype = \"<i2\"\nshape = [2, 3, 4]\n";
const std::string kRawAxes = "axes = [\"transmit\", \"channel\", \"sample\"]\n";
const std::string kRawSignal = "sampling_frequency = 20e6\n";

TEST_F(SidecarTest, ValuesThatDoNotFitAreNamed) {
    const std::vector<WrongValue> cases{
        {&Parts::top, "sound_speed = 0\n", "sound_speed must be above 0"},
        {&Parts::data, "shape = [2, 3, 4]\n" + kRawAxes, "needs data.dtype and data.shape"},
        {&Parts::data, "dtype = \"<i2\"\n" + kRawAxes, "needs data.dtype and data.shape"},
        {&Parts::data, kRawShape + kRawAxes + "array = \"rf\"\n", "has no names"},
        {&Parts::data, kRawShape + kRawAxes + "transmit_arrays = [\"a\", \"b\"]\n", "has no names"},
        {&Parts::data, "dtype = \"<i2\"\nshape = [-1, -1, 4]\n" + kRawAxes, "more than once"},
        {&Parts::data, "dtype = \"<i2\"\nshape = [-1, 3, 4]\noffset = 48\n" + kRawAxes,
         "no multiple"},
        {&Parts::data, kRawShape + kRawAxes + "offset = 100\n", "needs 48 bytes"},
        {&Parts::data, kRawShape + kRawAxes + "code_scale = 0\n", "other than 0"},
        {&Parts::data, kRawShape + kRawAxes + "converter_range = [1]\n", "highest code"},
        {&Parts::data, kRawShape + kRawAxes + "converter_range = [2, 1]\n", "highest code"},
        {&Parts::probe, "pitch = 1e-3\npitch_y = 0\n", "probe.pitch_y must be greater than 0"},
        {&Parts::probe, "pitch = 1e-3\nradius = 0.4e-3\n", "greater than half the pitch"},
        {&Parts::probe, "pitch = 1e-3\ncount = 0\n", "whole number from 1"},
        {&Parts::probe, "pitch = 1e-3\ncount = 1.5\n", "whole number from 1"},
        {&Parts::probe, "pitch = 1e-3\ncount = 1e9\n", "whole number from 1"},
        {&Parts::probe, "pitch = 1e-3\ncount = 4\n", "3 channels"},
        {&Parts::probe, "pitch = 1e-3\ncolumns = 10000\nrows = 10000\n", "100000000 elements"},
        {&Parts::probe, "pitch = 1e-3\nelement_width = -1\n", "less than 0"},
        {&Parts::probe, "pitch = 1e-3\nfractional_bandwidth = [1, 2]\n", "must be one number"},
        {&Parts::probe, "pitch = 1e-3\nnormals = [[0, 0, 1]]\n", "3 points need 9"},
        {&Parts::probe, "pitch = 1e-3\nlong_axes = [\"lateral\", \"none\"]\n", "2 entries"},
        {&Parts::probe, "pitch = 1e-3\nrow_column = true\n", "2 elements"},
        {&Parts::probe, "x = [0, 1e-3, 2e-3]\ny = [0, 1]\n", "probe.y has 2 entries"},
        {&Parts::probe, "elements = [0, 1, 2, 3, 4]\nelement_columns = [\"x\", \"z\"]\n",
         "no table of the 2 columns"},
        {&Parts::probe,
         "elements = [[0, 0], [1, 0], [2, 0], [3, 0]]\nelement_columns = [\"x\", \"z\"]\n",
         "4 elements"},
        {&Parts::signal, "sampling_interval = 0\n", "greater than 0 s"},
        {&Parts::signal, "sampling_frequency = 0\n", "greater than 0 Hz"},
        {&Parts::signal, kRawSignal + "offset_samples = [1, 2, 3]\n", "3 entries"},
        {&Parts::signal, kRawSignal + "centre_frequency = -1\n", "centre"},
        {&Parts::transmit, "angles = [0, 2]\n", "quarter turn"},
        {&Parts::transmit, "elevations = [0, 2]\n", "elevation of transmit 2"},
        {&Parts::transmit, "angles = [0, 0]\nsound_speed = 0\n",
         "transmit.sound_speed must be above"},
        {&Parts::transmit, "wave = \"focused\"\nfocus = 0\n", "above 0"},
        {&Parts::transmit, "wave = \"focused\"\nsources = [[0, 0, 1]]\n", "2 points need 6"},
        {&Parts::transmit, "wave = \"element\"\nelements = [0, 1, 2]\n", "3 entries"},
        {&Parts::transmit, "wave = \"element\"\nfirst_element = 1\nelements = [0, 1]\n",
         "counted from 1 to 3"},
        {&Parts::transmit, "wave = \"element\"\nelements = [0, 0.5]\n", "element 0.5"},
        {&Parts::transmit, "angles = [0, 0]\napodization = [1, 1]\n", "or 3 for all"},
        {&Parts::transmit, "angles = [0, 0]\napodization = [0, 0, 0]\n", "no element fires"},
        {&Parts::transmit, "angles = [0, 0]\nactive_first = 1\nactive_count = 3\n", "there are 3"},
        {&Parts::transmit, "angles = [0, 0]\nactive_first = 1\nactive_count = 0\n", "there are 3"},
        {&Parts::transmit, "angles = [0, 0]\nactive_first = 1\nactive_count = 1.5\n",
         "fires 1.5 elements"},
        {&Parts::transmit, "angles = [0, 0]\nactive_first = 3\nactive_count = 1\n",
         "counted from 0 to 2"},
        {&Parts::transmit, "angles = [0, 0]\norigins = [[0, 0, 0]]\n", "2 points need 6"},
        {&Parts::transmit, "angles = [0, 0]\nreceive_elements = [0, 1]\n", "or 3 for all"},
        {&Parts::transmit, "angles = [0, 0]\nreceive_elements = [0, 1, 0.5]\n", "element 0.5"},
        {&Parts::transmit, "angles = [0, 0]\nreceive_first = [0, 1]\n", "element 3"},
        {&Parts::transmit,
         "angles = [0, 0]\nreceive_weights = [[1, 1], [1, 1]]\nreceive_weights_step = 1\n",
         "3 lists of one length"},
        {&Parts::transmit,
         "angles = [0, 0]\nreceive_weights = [[1, 1], [1], [1, 1]]\nreceive_weights_step = 1\n",
         "3 lists of one length"},
        {&Parts::transmit, "delays = [0, 0]\n", "or 3 for all"},
        {&Parts::transmit, "delays = [0, 1e-3, -2e-3]\n", "of no plane"},
    };
    for (const WrongValue& each : cases) {
        SCOPED_TRACE(each.lines);
        Parts parts;
        parts.*each.part = each.lines;
        writeFile(m_folder / "data.raw.toml", parts.text());
        EXPECT_THAT(refusedHere(m_path),
                    AllOf(HasSubstr("data.raw"), HasSubstr(each.says), HasSubstr("correct")));
    }
}

TEST_F(SidecarTest, EachClockCountsFromItsOwnEvent) {
    // Transmit 2 is steered by 30 degrees: its wave is at the origin after the first of the
    // elements, at -0.3 mm, fires by 0.3 mm * sin(30 deg) / 1500 m/s = 0.1 us.
    Parts parts;
    parts.transmit = "angles_deg = [0, 30]\n";
    const auto timesOf = [&](const std::string& signal) {
        parts.signal = kRawSignal + "first_sample = 1e-6\n" + signal;
        writeFile(m_folder / "data.raw.toml", parts.text());
        const auto recording = openHere(m_path, {});
        const Transmit transmit = recording->info().frame.acquisition->transmits[1];
        return std::pair{transmit.firstSampleS, transmit.iqPhaseZeroS};
    };
    const double lead = 0.3e-3 * std::sin(30.0 * kDeg) / 1500.0;
    const auto expect = [&](const std::string& signal, double first, double phase) {
        const auto [firstS, phaseS] = timesOf(signal);
        EXPECT_NEAR(firstS, first, 1e-12) << signal;
        EXPECT_NEAR(phaseS, phase, 1e-12) << signal;
    };
    expect("", 1e-6, 0.0);
    expect("clock = \"first_element_fires\"\n", 1e-6 - lead, 0.0);
    expect("clock = \"first_element_fires\"\niq_phase_zero = \"file_clock\"\n", 1e-6 - lead, -lead);
    expect("clock = \"first_element_fires\"\niq_phase_zero = \"first_sample\"\n", 1e-6 - lead,
           1e-6 - lead);
    expect("clock = \"wave_at_beam_origin\"\noffset_samples = 2\n", 1e-6 - 0.1e-6, 0.0);
}

/// Arrays beside the samples [2][3][4] in a NumPy archive.
class ArraysOfSidecars : public testing::Test {
protected:
    using Array = std::pair<std::string, std::string>;
    static Array numbers(const std::string& name, const std::string& shape,
                         const std::vector<double>& values) {
        return {name + ".npy", npyBytes(npyDictionary("<f8", shape), bytesOfValues(values))};
    }
    void write(std::vector<Array> arrays, const Parts& parts) const {
        arrays.push_back({"rf.npy", npyBytes(npyDictionary("<i2", "(2, 3, 4)"),
                                             bytesOfValues(countedUp<std::int16_t>(24)))});
        writeZip(m_path, arrays, false);
        writeFile(m_path.string() + ".toml", parts.text());
    }
    static Parts partsOf() {
        Parts parts;
        parts.data = "array = \"rf\"\n" + kRawAxes;
        return parts;
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "data.npz";
};

TEST_F(ArraysOfSidecars, GiveNumbersPerTransmit) {
    Parts parts = partsOf();
    parts.signal += "first_sample = { from = \"t{transmit}\", scale = 1e-6 }\n";
    const std::vector<Array> arrays{numbers("t0", "()", {1.0}), numbers("t1", "(1,)", {3.0})};
    write(arrays, parts);
    EXPECT_NEAR(openHere(m_path, {})->info().frame.acquisition->transmits[1].firstSampleS, 3e-6,
                1e-15);
    parts.data += "first_index = 1\n";
    write(arrays, parts);
    EXPECT_NEAR(openHere(m_path, {})->info().frame.acquisition->transmits[0].firstSampleS, 3e-6,
                1e-15)
        << "one number counts for all";
    parts.data = partsOf().data + "first_index = 2\n";
    write(arrays, parts);
    EXPECT_THAT(refusedHere(m_path), AllOf(HasSubstr("'t2'"), HasSubstr("the file holds")));
}

TEST_F(ArraysOfSidecars, TablesOfMatlabAreTurned) {
    Parts parts = partsOf();
    parts.probe = "elements = \"places\"\nelement_columns = [\"x\", \"none\"]\nnormals = \"n\"\n";
    parts.transmit = "delays = \"late\"\nreceive_elements = \"heard\"\napodization = \"w\"\n"
                     "receive_weights = \"range\"\nreceive_weights_step = 1e-3\n";
    // Waves steered by +- asin(0.5), element by element, in a table [element][transmit].
    const double step = 0.3e-3 * 0.5 / 1500.0;
    const std::vector<Array> arrays{
        numbers("places", "(2, 3)", {-0.3e-3, 0, 0.3e-3, 7, 7, 7}),
        numbers("n", "(3, 3)", {0, 0, 1, 0, 0, 1, 0, 0, 1}),
        numbers("late", "(3, 2)", {-step, step, 0, 0, step, -step}),
        numbers("heard", "(3, 2)", {0, 2, 1, 1, 2, 0}),
        numbers("w", "(2, 3)", {1, 1, 1, 1, 1, 1}),
        numbers("range", "(3, 1)", {1, 1, 1}),
    };
    write(arrays, parts);
    const auto recording = openHere(m_path, {});
    const Acquisition& acquisition = *recording->info().frame.acquisition;
    EXPECT_EQ(acquisition.probe.elements[0].x, -0.3e-3);
    EXPECT_NEAR(acquisition.transmits[0].angleRad, std::asin(0.5), 1e-6);
    EXPECT_NEAR(acquisition.transmits[1].angleRad, -std::asin(0.5), 1e-6);
    EXPECT_THAT(acquisition.receiveElements, ElementsAre(0, 1, 2, 2, 1, 0));
    EXPECT_EQ(acquisition.rangeWeights.values.size(), 3U);
}

TEST_F(ArraysOfSidecars, OfTheWrongShapeOrValueAreNamed) {
    struct Wrong {
        std::string Parts::*part;
        std::string lines;
        Array array;
        const char* says;
    };
    const std::vector<double> six{0, 0, 0, 0, 0, 0};
    const std::vector<Wrong> cases{
        {&Parts::signal, "sampling_frequency = \"fs\"\n", numbers("fs", "(2,)", {1, 2}),
         "must be one number"},
        {&Parts::signal, "sampling_frequency = \"fs\"\n", numbers("fs", "()", {std::nan("")}),
         "no finite number"},
        {&Parts::signal, "sampling_frequency = \"f\"\n", numbers("fs", "()", {1}), "'f'"},
        {&Parts::probe, "elements = \"p\"\nelement_columns = [\"x\", \"z\"]\n",
         numbers("p", "(1, 2, 3)", six), "no table"},
        {&Parts::probe, "elements = \"p\"\nelement_columns = [\"x\", \"z\"]\n",
         numbers("p", "(6,)", six), "no table"},
        {&Parts::transmit, "delays = \"d\"\n",
         numbers("d", "(3,)", std::vector<double>(3, std::nan(""))), "no element fires"},
        {&Parts::transmit, "delays = \"d\"\n", numbers("d", "(3,)", {0, 0, INFINITY}),
         "no finite number"},
        {&Parts::transmit,
         "angles = [0, 0]\nreceive_weights = \"r\"\nreceive_weights_step = 1e-3\n",
         numbers("r", "(2, 3)", six), "a table of 3 rows is needed"},
        {&Parts::transmit,
         "angles = [0, 0]\nreceive_weights = \"r\"\nreceive_weights_step = 1e-3\n",
         numbers("r", "(6,)", six), "a table of 3 rows is needed"},
        {&Parts::data, "array = \"rf\"\nshape = [2, 3, 4]\n" + kRawAxes, numbers("q", "()", {1}),
         "says them itself"},
        {&Parts::data, "array = \"rf\"\noffset = 2\n" + kRawAxes, numbers("q", "()", {1}),
         "says them itself"},
        {&Parts::data, "array = \"rf\"\ntrailer = 2\n" + kRawAxes, numbers("q", "()", {1}),
         "says them itself"},
        {&Parts::data, kRawAxes, numbers("q", "()", {1}), "data.array must name one of"},
        {&Parts::data, "array = \"rf{frame}\"\n" + kRawAxes, numbers("q", "()", {1}), "'rf0'"},
        {&Parts::data, "array = \"rf\"\naxes = [\"transmit\", \"channel\", \"none\"]\n",
         numbers("q", "()", {1}), "none"},
    };
    for (const Wrong& each : cases) {
        SCOPED_TRACE(each.lines);
        Parts parts = partsOf();
        parts.*each.part = each.lines;
        write({each.array}, parts);
        EXPECT_THAT(refusedHere(m_path), AllOf(HasSubstr("data.npz"), HasSubstr(each.says)));
    }
}

TEST_F(ArraysOfSidecars, ElementsWithoutADelayAreSilent) {
    Parts parts = partsOf();
    parts.signal = kRawSignal; // no centre frequency: the fit allows what 4 samples per period do
    parts.transmit = "delays = \"d\"\n";
    write({numbers("d", "(3,)", {0, 0, std::nan("")})}, parts);
    const auto recording = openHere(m_path, {});
    const Transmit& transmit = recording->info().frame.acquisition->transmits[1];
    EXPECT_THAT(transmit.apodization, ElementsAre(1.0F, 1.0F, 0.0F));
    EXPECT_NEAR(transmit.angleRad, 0.0, 1e-9);
}

} // namespace
} // namespace echolux::test
