// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever one array or attribute of a file is replaced by, the file opens with facts that agree or
// a sentence names it.
#include "gpu/core/sector.hpp"
#include "tests/dataset/altered_hdf5.hpp"
#include "tests/dataset/native_samples.hpp"
#include "tests/dataset/uff_samples.hpp"

namespace echolux::test {
namespace {

class AlteredVector : public testing::TestWithParam<const char*> {};

TEST_P(AlteredVector, OpensOrSaysWhy) {
    const TemporaryFolder folder;
    EXPECT_GT(AlteredHdf5(uffCopy(folder, GetParam())).alterEach(16), 10);
}
INSTANTIATE_TEST_SUITE_P(Files, AlteredVector,
                         testing::Values("uff_sector_and_lines.uff", "zea_images.hdf5",
                                         "zea_told.hdf5"));

TEST(AlteredHdf5Files, PicmusOpensOrSaysWhy) {
    const TemporaryFolder folder;
    for (const bool iq : {false, true}) {
        std::filesystem::remove(folder / "picmus.hdf5");
        addPicmus(Hdf5Editor(folder / "picmus.hdf5"), iq);
        EXPECT_GT(AlteredHdf5(folder / "picmus.hdf5").alterEach(), 10);
    }
}

TEST(AlteredHdf5Files, TaskForceOpensOrSaysWhy) {
    const TemporaryFolder folder;
    addTaskForce(Hdf5Editor(folder / "task_force.uff"));
    EXPECT_GT(AlteredHdf5(folder / "task_force.uff").alterEach(), 10);
}

/// Echoes with weights of every kind, images of a sector, and spectra.
std::vector<std::pair<std::string, FrameSpec>> echoluxFrames() {
    FrameSpec echoes = sampleSpec(DType::I16, 2, 3, 20);
    auto rich = std::make_shared<Acquisition>(*echoes.acquisition);
    rich->transmitSpeedMps = 1500.0;
    rich->receiveElements = {0, 1, 2, 2, 1, 0};
    rich->receiveWeights.assign(6, 1.0F);
    rich->rangeWeights = {.values = {1, 1, 1, 1, 1, 1}, .firstM = 0.0, .stepM = 1e-3};
    rich->probe.normals.assign(3, {0, 0, 1});
    rich->probe.longAxes.assign(3, LongAxis::Elevation);
    for (Transmit& transmit : rich->transmits) transmit.apodization = {1, 0, 1};
    echoes.acquisition = std::move(rich);
    FrameSpec image;
    image.dtype = DType::F32;
    image.recordedForm = RecordedForm::Decibels;
    image.axes = {{AxisName::Depth, 5, 1e-3, 0.0, "m"}, {AxisName::Lateral, 3, 0.1, -0.1, "rad"}};
    image.sector =
        std::make_shared<const Sector>(Sector{.radiusM = 10e-3, .anglesRad = {-0.1, 0.0, 0.1}});
    image.valueRange = ValueRange{-60.0, 0.0, "dB", ""};
    return {{"echoes.echolux.h5", echoes},
            {"image.echolux.h5", image},
            {"spectra.echolux.h5", spectraSpec(DType::U16, 3, 16)}};
}

TEST(AlteredHdf5Files, EcholuxRecordingsOpenOrSayWhy) {
    const TemporaryFolder folder;
    for (const auto& [name, spec] : echoluxFrames()) {
        writeSample(folder / name, spec, 3);
        EXPECT_GT(AlteredHdf5(folder / name).alterEach(), 10) << name;
    }
}

TEST(AlteredHdf5Files, TaskForceProbesWavesAndPairsOpenOrSayWhy) {
    const std::string root = "uff.channel_data/";
    const std::string probe = root + "probes/00000001/";
    using Add = void (*)(const Hdf5Editor&, const std::string& root, const std::string& probe);
    const std::vector<Add> variants{
        [](const Hdf5Editor& file, const std::string&, const std::string& at) {
            file.number(at + "radius", 60e-3);
            file.textAttribute(at, "probe_type", "uff.probe.curvilinear_array");
        },
        [](const Hdf5Editor& file, const std::string&, const std::string& at) {
            for (const char* axis : {"x", "y"}) {
                file.number(at + "number_elements_" + axis, 4);
                file.number(at + "pitch_" + axis, 3e-4);
            }
            file.textAttribute(at, "probe_type", "uff.probe.matrix_array");
            file.number(at + "transform/rotation/y", 0.1);
        },
        [](const Hdf5Editor& file, const std::string&, const std::string& at) {
            for (int k = 10; k < 26; ++k) {
                const std::string element = at + "element/000000" + std::to_string(k);
                file.number(element + "/transform/translation/x", 3e-4 * k);
            }
        },
        [](const Hdf5Editor& file, const std::string& from, const std::string&) {
            file.remove(from + "data");
            for (const char* part : {"data_real", "data_imag"})
                file.numbers(from + part, {3, 16, 40}, std::vector<double>(3 * 16 * 40, 1.0));
            for (const char* event : {"00000001", "00000002", "00000003"})
                file.number(from + "unique_events/" + event + "/receive_setup/modulation_frequency",
                            kUffCarrier);
            file.text(from + "authors", "nobody");
        },
        [](const Hdf5Editor& file, const std::string& from, const std::string&) {
            const std::string wave = from + "unique_waves/00000003/";
            file.remove(wave + "origin/position");
            file.number(wave + "origin/location/z", 16e-3);
            file.number(wave + "aperture/origin/x", 1e-3);
            file.number(from + "unique_waves/00000002/type", 3);
            file.number(from + "unique_waves/00000002/origin/position/z", 9e-3);
        }};
    for (const Add add : variants) {
        const TemporaryFolder folder;
        {
            const Hdf5Editor file(folder / "task_force.uff");
            addTaskForce(file);
            add(file, root, probe);
        }
        EXPECT_TRUE(opensOrSaysWhy(folder / "task_force.uff")) << "unaltered";
        EXPECT_GT(AlteredHdf5(folder / "task_force.uff").alterEach(16), 10);
    }
}

} // namespace
} // namespace echolux::test
