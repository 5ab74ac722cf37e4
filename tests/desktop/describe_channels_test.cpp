// SPDX-License-Identifier: GPL-3.0-or-later
// Channel data through the dialog: guessed, checked as they are described, looked at, kept, opened.
#include "app/desktop/describe_desk.hpp"
#include "app/desktop/file_desk.hpp"
#include "app/desktop/import_forms.hpp"
#include "app/desktop/sidecar_desk.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/dialogs/describe_dialog.hpp"

#include <QPushButton>
#include <QTemporaryDir>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::OpenWindow;
using testing_support::writeFile;

constexpr int kTransmits = 3;
constexpr int kChannels = 32;
constexpr int kSamples = 600;

/// Echoes of random places, int16, at a quarter of the sampling frequency.
QByteArray echoes() {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    QByteArray bytes;
    std::vector<double> line(kSamples);
    for (int t = 0; t < kTransmits; ++t)
        for (int c = 0; c < kChannels; ++c) {
            for (double& value : line) value = 0.01 * normal(random);
            for (int i = 0; i < 40; ++i) {
                const double x = (c - 16) / 32.0 - 0.4 * std::sin(17.0 * i);
                const double at = 30 + 13.5 * i + 4 * std::sin(5.0 * i) + 25 * x * x + 6 * t * x;
                for (int n = std::max(0, int(at) - 10); n < std::min(kSamples, int(at) + 11); ++n)
                    line[std::size_t(n)] += std::cos(9.0 * i) *
                                            std::exp(-(n - at) * (n - at) / 16) *
                                            std::cos(0.5 * M_PI * (n - at));
            }
            for (const double value : line) {
                const auto code = static_cast<std::int16_t>(2000 * value);
                bytes.append(static_cast<char>(code & 255)).append(static_cast<char>(code >> 8));
            }
        }
    return bytes;
}

QByteArray asNpy(const QByteArray& samples, const QByteArray& type = "<i2") {
    const QByteArray header =
        "{'descr': '" + type + "', 'fortran_order': False, 'shape': (3, 32, 600), }";
    QByteArray npy("\x93NUMPY\x01\0", 8);
    npy.append(118).append('\0');
    npy.append(header + QByteArray(117 - header.size(), ' ') + '\n');
    return npy + samples;
}

struct Description : OpenWindow {
    QTemporaryDir folder;
    QString file;

    explicit Description(const QString& name, const QByteArray& bytes)
        : file(folder.filePath(name)) {
        writeFile(file, bytes);
    }
    DescribeDialog* dialog() { return desktop.importer().dialog(); }
    QString value(const QString& key) { return dialog()->form().values()[key]; }
    bool asks() {
        desktop.files().open(file);
        return comesTrue([&] { return isRead(); });
    }
    bool isRead() { return dialog() != nullptr && dialog()->isVisible() && !dialog()->isBusy(); }
    bool guesses() {
        return comesTrue([&] { return dialog()->hasPreview(); });
    }
    /// What nobody can guess.
    void sayTheRest() {
        dialog()->form().setValues(
            {{"fs", "20"}, {"pitch", "0.3"}, {"angles", "-5:5:5"}, {"t0", "2"}});
    }
    bool opens() {
        QTest::mouseClick(dialog()->keepButton(), Qt::LeftButton);
        return comesTrue(
            [&] { return openFile() == std::filesystem::path(file.toStdString()).filename(); });
    }
};

TEST(DescribeChannels, HeaderlessSizesAreGuessedAndTheRestIsAskedFor) {
    Description window("echoes.bin", echoes());
    ASSERT_TRUE(window.asks());
    EXPECT_EQ(window.dialog()->kind(), DescribeDialog::Kind::Channels) << "they swing about 0";
    ASSERT_TRUE(window.guesses());
    const QString fit = window.dialog()->fitText();
    EXPECT_TRUE(fit.contains("32 channels, 600 samples")) << fit.toStdString();
    EXPECT_TRUE(fit.contains("the sampling frequency")) << fit.toStdString();
    EXPECT_FALSE(window.dialog()->keepButton()->isEnabled());
    window.sayTheRest();
    EXPECT_TRUE(window.dialog()->keepButton()->isEnabled())
        << window.dialog()->fitText().toStdString();
    EXPECT_NEAR(window.value("fc").toDouble(), 5.0, 0.5)
        << "the band follows the sampling frequency";
    EXPECT_TRUE(comesTrue([&] { return window.dialog()->captionText().contains("lateral"); }))
        << window.dialog()->captionText().toStdString();
    ASSERT_TRUE(window.opens());
    const FrameSpec& frame = window.desktop.session().engine().info().frame;
    EXPECT_EQ(frame.describe(), "i16 [transmit 3][channel 32][sample 600]");
    EXPECT_TRUE(std::filesystem::exists((window.file + ".toml").toStdString()));
    window.desktop.importer().ask(window.file); // a second time
    ASSERT_TRUE(comesTrue([&] { return window.isRead(); }));
    EXPECT_EQ(window.dialog()->kind(), DescribeDialog::Kind::Channels);
    EXPECT_EQ(window.value("angles"), "-5:5:5");
    EXPECT_TRUE(window.dialog()->keepButton()->isEnabled());
}

TEST(DescribeChannels, DoubtfulFactsAreSaidBelowThePicture) {
    Description window("echoes.bin", echoes());
    ASSERT_TRUE(window.asks());
    ASSERT_TRUE(window.guesses());
    window.sayTheRest();
    ASSERT_TRUE(comesTrue([&] { return window.dialog()->captionText().contains("lateral"); }));
    EXPECT_FALSE(window.dialog()->captionText().contains("plausible"));
    window.dialog()->form().setValues({{"speed-of-sound", "154"}});
    EXPECT_TRUE(comesTrue([&] {
        return window.dialog()->captionText().contains(
            "The speed of sound is 154 m/s, but 300 to 20000 m/s are plausible");
    })) << window.dialog()->captionText().toStdString();
}

TEST(DescribeChannels, ArraysAreAskedAboutAndDescribed) {
    Description window("echoes.npy", asNpy(echoes()));
    window.desktop.files().open(window.file);
    ASSERT_TRUE(comesTrue([&] { return window.desktop.sidecars().question() != nullptr; }));
    for (QAbstractButton* button : window.desktop.sidecars().question()->buttons())
        if (button->text().contains("Describe")) button->click();
    ASSERT_TRUE(comesTrue([&] { return window.isRead(); }));
    ASSERT_TRUE(window.guesses());
    EXPECT_EQ(window.value("axes"), "transmit,channel,sample");
    EXPECT_EQ(window.value("shape"), "3,32,600");
    window.sayTheRest();
    ASSERT_TRUE(window.opens());
    EXPECT_EQ(window.desktop.session().engine().info().frameCount, 1);
}

TEST(DescribeChannels, ArraysWithoutASignAreTakenForSpectra) {
    Description window("spectra.npy", asNpy(echoes(), "<u2"));
    window.desktop.files().askHowStored(OpenRequest{window.file.toStdString()});
    ASSERT_TRUE(window.guesses());
    EXPECT_EQ(window.dialog()->kind(), DescribeDialog::Kind::Spectra);
    EXPECT_TRUE(window.dialog()->fitText().startsWith("It fits: 3 B-scans of 32 lines of 600"))
        << window.dialog()->fitText().toStdString();
    window.dialog()->setKind(DescribeDialog::Kind::Channels);
    EXPECT_TRUE(comesTrue([&] { return window.value("axes").count(',') == 2; }));
    window.dialog()->setKind(DescribeDialog::Kind::Spectra);
    ASSERT_TRUE(window.opens());
    EXPECT_NE(window.desktop.session().engine().info().frame.spectrometer, nullptr);
}

TEST(DescribeChannels, TheOtherKindAndBadListsAreSaid) {
    Description window("echoes.bin", echoes());
    ASSERT_TRUE(window.asks());
    ASSERT_TRUE(window.guesses());
    window.sayTheRest();
    window.dialog()->form().setValues({{"angles", "1, two"}});
    EXPECT_TRUE(window.dialog()->fitText().contains("neither a number"));
    EXPECT_FALSE(window.dialog()->keepButton()->isEnabled());
    window.dialog()->form().setValues({{"angles", "1, 2"}});
    EXPECT_TRUE(window.dialog()->fitText().contains("2 angles for 3 transmits"))
        << window.dialog()->fitText().toStdString();
    window.dialog()->setKind(DescribeDialog::Kind::Spectra);
    EXPECT_TRUE(window.dialog()->fitText().contains("B-scan"))
        << window.dialog()->fitText().toStdString();
}

TEST(DescribeForms, KeepWhatTheyAreGiven) {
    ChannelImport import;
    import.type = parseElementType(">i2");
    import.axes = {{ArrayAxis::Frame, -1},
                   {ArrayAxis::Transmit, 2},
                   {ArrayAxis::Channel, 4},
                   {ArrayAxis::Sample, 10},
                   { ArrayAxis::Iq,
                     2 }};
    import.headerBytes = 7;
    import.conjugate = true;
    import.samplingFrequencyHz = 20e6;
    import.centreFrequencyHz = 5e6;
    import.demodulationFrequencyHz = 5.5e6;
    import.firstSampleS = {1e-6, 2e-6};
    import.firstElementFires = true;
    import.array = ChannelImport::Array::Matrix;
    import.pitchM = 0.3e-3;
    import.columns = 2;
    import.rows = 2;
    import.wave = Wave::Diverging;
    import.anglesRad = {-5.0 * M_PI / 180.0, 5.0 * M_PI / 180.0};
    import.focusM = 12e-3;
    ChannelImport storage;
    storage.type = ElementType{};
    EXPECT_EQ(toSidecar(importOf(valuesOf(import), storage)), toSidecar(import));
    EXPECT_TRUE(applyingTo(import).contains("fd"));
    EXPECT_TRUE(applyingTo(import).contains("columns"));
    EXPECT_FALSE(applyingTo(import).contains("radius"));
    OpenWindow window; // for its application
    DescribeDialog dialog(
        {formRows<RawImport>(), formRows<ChannelImport>(), formRows<ImageImport>()});
    dialog.setKind(DescribeDialog::Kind::Channels);
    dialog.form().setValues(valuesOf(import));
    dialog.form().showOnly(applyingTo(import));
    EXPECT_EQ(toSidecar(importOf(dialog.form().values(), storage)), toSidecar(import));
    EXPECT_LE(dialog.minimumSizeHint().height(), 800) << "on a small screen";
    EXPECT_LE(dialog.minimumSizeHint().width(), 1240);
}

} // namespace
} // namespace echolux
