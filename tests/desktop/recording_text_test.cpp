// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/workbench/recording_text.hpp"

#include <gtest/gtest.h>

namespace echolux {
namespace {

TEST(RecordingText, SpectraAreNamedByTheirLinesAndTheirLight) {
    Spectrometer device;
    device.centreWavelengthM = 840e-9;
    RecordingInfo info;
    info.path = "somewhere/eye.raw";
    info.frame.axes = {{AxisName::Lateral, 200, 1.0, 0.0, ""},
                       {AxisName::Sample, 512, 1.0, 0.0, ""}};
    info.frame.spectrometer = std::make_shared<Spectrometer>(device);
    EXPECT_EQ(sourceText(info), "eye.raw   200 A-scans x 512 samples   840 nm");
    info.frameRateHz = 25.0;
    EXPECT_EQ(sourceText(info),
              "eye.raw   200 A-scans x 512 samples   840 nm   recorded at 25 B-scans/s");
    device.centreWavelengthM = 0.0;
    info.frame.spectrometer = std::make_shared<Spectrometer>(device);
    EXPECT_EQ(sourceText(info), "eye.raw   200 A-scans x 512 samples   recorded at 25 B-scans/s");
}

TEST(RecordingText, EchoesAreNamedByTheirFrequency) {
    RecordingInfo info;
    info.path = "cine.h5";
    info.frame.centreFrequencyHz = 5e6;
    info.frameRateHz = 25.0;
    EXPECT_EQ(sourceText(info), "cine.h5   5.0 MHz   recorded at 25 frames/s");
}

RecordingInfo echoesOf(const Acquisition& acquisition) {
    RecordingInfo info;
    info.path = "a.h5";
    info.frame.acquisition = std::make_shared<const Acquisition>(acquisition);
    return info;
}

TEST(RecordingText, ArraysAndWavesAreNamed) {
    Acquisition acquisition;
    acquisition.probe.elements = {{-1e-3, 0.0, 0.0}, {0.0, 0.0, 0.0}, {1e-3, 0.0, 0.0}};
    acquisition.transmits.resize(2);
    EXPECT_EQ(sourceText(echoesOf(acquisition)), "a.h5   plane wave 2 x 3 el");
    acquisition.transmits[1].wave = Wave::Focused;
    EXPECT_EQ(sourceText(echoesOf(acquisition)), "a.h5   waves 2 x 3 el");
    acquisition.probe.elements[1].z = 0.1e-3;
    EXPECT_EQ(sourceText(echoesOf(acquisition)), "a.h5   waves 2 x 3 el curved");
    acquisition.probe.longAxes = {LongAxis::Elevation, LongAxis::Elevation, LongAxis::Lateral};
    EXPECT_EQ(sourceText(echoesOf(acquisition)), "a.h5   waves 2 x row-column 2 + 1");
    acquisition.probe.longAxes.clear();
    acquisition.probe.elements = {
        {0.0, 0.0, 0.0}, {1e-3, 0.0, 0.0}, {0.0, 1e-3, 0.0}, {1e-3, 1e-3, 0.0}};
    EXPECT_EQ(sourceText(echoesOf(acquisition)), "a.h5   waves 2 x matrix 2 x 2");
}

TEST(RecordingText, TransmitsSayBothAnglesWhereWavesLeaveThePlane) {
    const QString degree(QChar(0x00b0));
    Acquisition acquisition;
    acquisition.transmits.resize(4);
    acquisition.transmits[0].angleRad = 0.1;
    acquisition.transmits[1].wave = Wave::Focused;
    acquisition.transmits[1].source = {2e-3, 0.0, 30e-3};
    acquisition.transmits[2].wave = Wave::Diverging;
    acquisition.transmits[2].source = {-4e-3, 0.0, -5e-3};
    acquisition.transmits[3].wave = Wave::Element;
    acquisition.transmits[3].source = {1.5e-3, 0.0, 0.0};
    const QChar minus(0x2212);
    EXPECT_EQ(transmitNames(acquisition),
              QStringList({"5.7" + degree, "2.0, 30.0 mm",
                           minus + QString("4.0, ") + minus + "5.0 mm", "element at 1.5 mm"}));
    acquisition.transmits[0].elevationRad = -0.2;
    acquisition.transmits[1].source.y = 1e-3;
    EXPECT_EQ(
        transmitNames(acquisition),
        QStringList({"5.7" + degree + ", " + minus + "11.5" + degree, "2.0, 1.0, 30.0 mm",
                     minus + QString("4.0, 0.0, ") + minus + "5.0 mm", "element at 1.5, 0.0 mm"}));
}

} // namespace
} // namespace echolux
