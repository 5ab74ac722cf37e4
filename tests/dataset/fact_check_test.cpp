// SPDX-License-Identifier: GPL-3.0-or-later
// Facts of recordings that contradict each other: each check names what is wrong.
#include "app/dataset/frames/acquisition_check.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/frames/fact_check.hpp"
#include "app/dataset/frames/image_check.hpp"
#include "app/dataset/frames/spectra_check.hpp"
#include "app/dataset/recording/frame_stamp.hpp"
#include "gpu/core/sector.hpp"
#include "tests/dataset/native_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const double kNoNumber = std::numeric_limits<double>::quiet_NaN();
const double kNoEnd = std::numeric_limits<double>::infinity();

RecordingInfo echoInfo() {
    RecordingInfo info;
    info.path = "echoes.h5";
    info.frame = sampleSpec(DType::I16, 2, 3, 20);
    info.frameCount = 4;
    return info;
}
RecordingInfo spectraInfo() {
    RecordingInfo info = echoInfo();
    info.frame = spectraSpec(DType::U16, 3, 16);
    return info;
}
/// Three lines that fan out round an apex.
RecordingInfo imageInfo() {
    RecordingInfo info = echoInfo();
    info.frame = {};
    info.frame.dtype = DType::F32;
    info.frame.recordedForm = RecordedForm::Envelope;
    info.frame.axes = {{AxisName::Depth, 5, 1e-3, 0.0, "m"},
                       {AxisName::Lateral, 3, 0.1, -0.1, "rad"}};
    info.frame.sector =
        std::make_shared<const Sector>(Sector{.radiusM = 10e-3, .anglesRad = {-0.1, 0.0, 0.1}});
    return info;
}

using FactChange = std::function<void(RecordingInfo&)>;
struct WrongFact {
    const char* says;
    FactChange change;
};

void expectContradictions(const RecordingInfo& sound, const std::vector<WrongFact>& cases,
                          const std::function<void(RecordingInfo&)>& check) {
    RecordingInfo info = sound;
    EXPECT_NO_THROW(check(info));
    for (const WrongFact& each : cases) {
        SCOPED_TRACE(each.says);
        info = sound;
        each.change(info);
        std::string said;
        try {
            check(info);
        } catch (const Error& error) {
            said = error.what();
        }
        EXPECT_THAT(said, AllOf(HasSubstr("echoes.h5"), HasSubstr(each.says)));
    }
}

FactChange ofAcquisition(const std::function<void(Acquisition&)>& change) {
    return [change](RecordingInfo& info) {
        auto changed = std::make_shared<Acquisition>(*info.frame.acquisition);
        change(*changed);
        info.frame.acquisition = std::move(changed);
    };
}
FactChange ofSector(const std::function<void(Sector&)>& change) {
    return [change](RecordingInfo& info) {
        auto changed = std::make_shared<Sector>(*info.frame.sector);
        change(*changed);
        info.frame.sector = std::move(changed);
    };
}
FactChange ofSpectrometer(const std::function<void(Spectrometer&)>& change) {
    return [change](RecordingInfo& info) {
        auto changed = std::make_shared<Spectrometer>(*info.frame.spectrometer);
        change(*changed);
        info.frame.spectrometer = std::move(changed);
    };
}

TEST(FactCheck, OfEveryKindOfFrame) {
    const std::vector<WrongFact> ofLayouts{
        {"have 0 axes", [](auto& info) { info.frame.axes.clear(); }},
        {"have 9 axes", [](auto& info) { info.frame.axes.resize(9, {.size = 1, .unit = {}}); }},
        {"has 0 entries", [](auto& info) { info.frame.axes[0].size = 0; }},
        {"spacing nan", [](auto& info) { info.frame.axes[0].spacing = kNoNumber; }},
        {"spacing 0", [](auto& info) { info.frame.axes[0].spacing = 0.0; }},
        {"origin inf", [](auto& info) { info.frame.axes[0].origin = kNoEnd; }},
        {"2^40 samples", [](auto& info) { info.frame.axes[1].size = std::int64_t{1} << 41; }},
        {"code scale 0", [](auto& info) { info.frame.codeScale = 0.0; }},
        {"code offset nan", [](auto& info) { info.frame.codeOffset = kNoNumber; }},
        {"from 3 to 3",
         [](auto& info) {
             info.frame.converterRange = {3.0, 3.0};
         }},
        {"from nan to",
         [](auto& info) {
             info.frame.converterRange = {kNoNumber, 3.0};
         }},
        {"has 0 frames", [](auto& info) { info.frameCount = 0; }},
        {"frames", [](auto& info) { info.frameCount = std::int64_t{1} << 41; }},
        {"rate is -1", [](auto& info) { info.frameRateHz = -1.0; }},
        {"rate is nan", [](auto& info) { info.frameRateHz = kNoNumber; }},
        {"track 3 of 2",
         [](auto& info) {
             info.tracks = {"a", "b"};
             info.track = 2;
         }},
    };
    for (const RecordingInfo& sound : {echoInfo(), spectraInfo(), imageInfo()})
        expectContradictions(sound, ofLayouts, checkFacts);
    expectContradictions(echoInfo(),
                         {{"[transmit][channel][sample]",
                           [](auto& info) { std::swap(info.frame.axes[0], info.frame.axes[1]); }}},
                         checkFacts);
    RecordingInfo lying = imageInfo(); // line by line
    lying.frame.sector = nullptr;
    std::swap(lying.frame.axes[0], lying.frame.axes[1]);
    expectContradictions(
        lying,
        {{"[depth][lateral]", [](auto& info) { info.frame.axes[0].name = AxisName::Channel; }},
         {"[depth][lateral]",
          [](auto& info) {
              info.frame.axes.insert(info.frame.axes.begin(), {AxisName::Frame, 2, 1.0, 0.0, ""});
          }}},
        checkFacts);
    lying.frame.axes = {{AxisName::Elevation, 2, 1.0, 0.0, ""},
                        {AxisName::Depth, 5, 1.0, 0.0, ""},
                        {AxisName::Lateral, 3, 1.0, 0.0, ""}};
    expectContradictions(lying, {}, checkFacts);
}

TEST(FactCheck, OfImages) {
    expectContradictions(
        imageInfo(),
        {{"holds no frame", [](auto& info) { info.frameCount = 0; }},
         {"axis is empty", [](auto& info) { info.frame.axes[0].size = 0; }},
         {"places that rise", [](auto& info) { info.frame.axes[0].origin = kNoNumber; }},
         {"places that rise", [](auto& info) { info.frame.axes[0].spacing = kNoEnd; }},
         {"places that rise", [](auto& info) { info.frame.axes[0].spacing = -1e-3; }},
         {"no phase", [](auto& info) { info.frame.dtype = DType::ComplexF32; }},
         {"negative or no number", [](auto& info) { info.frame.centreFrequencyHz = -1.0; }},
         {"negative or no number",
          [](auto& info) { info.frame.demodulationFrequencyHz = kNoNumber; }},
         {"2 lines have angles", ofSector([](Sector& s) { s.anglesRad.pop_back(); })},
         {"do not rise", ofSector([](Sector& s) { s.anglesRad[1] = -0.1; })},
         {"do not rise", ofSector([](Sector& s) { s.anglesRad[1] = kNoNumber; })},
         {"apex or radius", ofSector([](Sector& s) { s.apexXM = kNoNumber; })},
         {"apex or radius", ofSector([](Sector& s) { s.apexZM = kNoNumber; })},
         {"apex or radius", ofSector([](Sector& s) { s.radiusM = kNoEnd; })},
         {"full circle", ofSector([](Sector& s) {
              s.anglesRad = {-4.0, 0.0, 4.0};
          })},
         {"2 have starts", ofSector([](Sector& s) { s.starts.resize(2); })},
         {"meet or cross", ofSector([](Sector& s) {
              s.starts = {{2e-3, 0, 0}, {1e-3, 0, 0}, {0, 0, 0}};
          })},
         {"meet or cross", ofSector([](Sector& s) {
              s.starts = {{-1e-3, 0, 0}, {kNoNumber, 0, 0}, {1e-3, 0, 0}};
          })},
         {"meet or cross", ofSector([](Sector& s) {
              s.starts = {{-1e-3, 0, 0}, {0, 0, kNoNumber}, {1e-3, 0, 0}};
          })},
         {"meet or cross", ofSector([](Sector& s) {
              s.starts = {{-1e-3, 0, 0}, {0, 0, 0}, {1e-3, 0, 0}};
              s.anglesRad[1] = kNoNumber;
          })}},
        checkImages);
    RecordingInfo walking = imageInfo();
    ofSector([](Sector& s) { s.starts = {{-1e-3, 0, 0}, {0, 0, 0}, {1e-3, 0, 0}}; })(walking);
    EXPECT_NO_THROW(checkImages(walking));
}

TEST(FactCheck, OfEchoes) {
    const auto firstTransmit = [](const std::function<void(Transmit&)>& change) {
        return ofAcquisition([change](Acquisition& a) { change(a.transmits[0]); });
    };
    expectContradictions(
        echoInfo(),
        {{"holds no frame", [](auto& info) { info.frameCount = 0; }},
         {"axis is empty", [](auto& info) { info.frame.axes[1].size = 0; }},
         {"sampling frequency", [](auto& info) { info.frame.axes[2].spacing = -1.0; }},
         {"sampling frequency", [](auto& info) { info.frame.axes[2].spacing = kNoNumber; }},
         {"where its elements are", [](auto& info) { info.frame.acquisition = nullptr; }},
         {"no elements", ofAcquisition([](Acquisition& a) { a.probe.elements.clear(); })},
         {"2 elements", ofAcquisition([](Acquisition& a) { a.probe.elements.pop_back(); })},
         {"element 1 is", ofAcquisition([](Acquisition& a) { a.probe.elements[1].x = kNoNumber; })},
         {"element 1 is", ofAcquisition([](Acquisition& a) { a.probe.elements[1].y = kNoNumber; })},
         {"element 1 is", ofAcquisition([](Acquisition& a) { a.probe.elements[1].z = kNoNumber; })},
         {"1 transmits are", ofAcquisition([](Acquisition& a) { a.transmits.pop_back(); })},
         {"first sample of", firstTransmit([](Transmit& t) { t.firstSampleS = kNoNumber; })},
         {"first sample of", firstTransmit([](Transmit& t) { t.iqPhaseZeroS = kNoNumber; })},
         {"angle or source", firstTransmit([](Transmit& t) { t.angleRad = kNoNumber; })},
         {"angle or source", firstTransmit([](Transmit& t) { t.source.z = kNoNumber; })},
         {"speed of sound", ofAcquisition([](Acquisition& a) { a.soundSpeedMps = 0.0; })},
         {"speed of sound", ofAcquisition([](Acquisition& a) { a.soundSpeedMps = kNoNumber; })},
         {"negative or no number", [](auto& info) { info.frame.centreFrequencyHz = kNoNumber; }},
         {"negative or no number", [](auto& info) { info.frame.demodulationFrequencyHz = -1.0; }},
         {"not finite", firstTransmit([](Transmit& t) { t.elevationRad = kNoNumber; })},
         {"not finite", firstTransmit([](Transmit& t) { t.origin.x = kNoNumber; })},
         {"2 weights for 3", firstTransmit([](Transmit& t) {
              t.apodization = {1, 1};
          })},
         {"weights of its transmit 1", firstTransmit([](Transmit& t) {
              t.apodization = {1, 1, static_cast<float>(kNoNumber)};
          })},
         {"no element fires", firstTransmit([](Transmit& t) {
              t.apodization = {0, 0, 0};
          })}},
        [](RecordingInfo& info) { checkRecording(info); });
}

TEST(FactCheck, OfAcquisitions) {
    const auto weigh = [](const std::function<void(RangeWeights&)>& change) {
        return ofAcquisition([change](Acquisition& a) {
            a.rangeWeights = {.values = {1, 1, 1}, .stepM = 1e-3};
            change(a.rangeWeights);
        });
    };
    const auto probe = [](double Probe::*length, double value) {
        return ofAcquisition([=](Acquisition& a) { a.probe.*length = value; });
    };
    expectContradictions(
        echoInfo(),
        {{"no elements", ofAcquisition([](Acquisition& a) { a.probe.elements.clear(); })},
         {"1 transmits of 2", ofAcquisition([](Acquisition& a) { a.transmits.pop_back(); })},
         {"2 elements for 3", ofAcquisition([](Acquisition& a) { a.probe.elements.pop_back(); })},
         {"4 receiving elements", ofAcquisition([](Acquisition& a) {
              a.receiveElements = {0, 1, 2, 0};
          })},
         {"element -1",
          ofAcquisition([](Acquisition& a) { a.receiveElements = {0, 1, 2, 0, 1, -1}; })},
         {"element 3",
          ofAcquisition([](Acquisition& a) { a.receiveElements = {0, 1, 2, 0, 1, 3}; })},
         {"2 receive weights", ofAcquisition([](Acquisition& a) {
              a.receiveWeights = {1, 1};
          })},
         {"receive weights hold", ofAcquisition([](Acquisition& a) {
              a.receiveWeights.assign(6, static_cast<float>(kNoNumber));
          })},
         {"each of 3 channels", weigh([](RangeWeights& w) { w.values.pop_back(); })},
         {"1000001 ranges",
          weigh([](RangeWeights& w) { w.values.resize(3 * (RangeWeights::kMostSteps + 1)); })},
         {"negative or not finite", weigh([](RangeWeights& w) { w.values[1] = -1.0F; })},
         {"negative or not finite",
          weigh([](RangeWeights& w) { w.values[1] = static_cast<float>(kNoNumber); })},
         {"steps are greater than 0", weigh([](RangeWeights& w) { w.stepM = 0.0; })},
         {"steps are greater than 0", weigh([](RangeWeights& w) { w.firstM = kNoNumber; })},
         {"speed of sound is", ofAcquisition([](Acquisition& a) { a.soundSpeedMps = -1.0; })},
         {"speed of sound is", ofAcquisition([](Acquisition& a) { a.soundSpeedMps = kNoNumber; })},
         {"geometry or timing",
          ofAcquisition([](Acquisition& a) { a.probe.elements[0].z = kNoNumber; })},
         {"geometry or timing",
          ofAcquisition([](Acquisition& a) { a.transmits[1].source.x = kNoNumber; })},
         {"the pitch", probe(&Probe::pitchM, -1.0)},
         {"the element width", probe(&Probe::elementWidthM, kNoNumber)},
         {"the elevation focus", probe(&Probe::elevationFocusM, kNoEnd)},
         {"1 normals for 3", ofAcquisition([](Acquisition& a) {
              a.probe.normals = {{0, 0, 1}};
          })},
         {"1 long axes for 3",
          ofAcquisition([](Acquisition& a) { a.probe.longAxes = {LongAxis::None}; })},
         {"the length 2", ofAcquisition([](Acquisition& a) {
              a.probe.normals.assign(3, {0, 0, 1});
              a.probe.normals[1].z = 2.0;
          })}},
        [](RecordingInfo& info) {
            if (const auto wrong = contradictionInAcquisition(info.frame))
                throw Error("echoes.h5: " + *wrong);
        });
}

TEST(FactCheck, OfSpectra) {
    expectContradictions(
        spectraInfo(),
        {{"holds no B-scan", [](auto& info) { info.frameCount = 0; }},
         {"has 0 entries", [](auto& info) { info.frame.axes[0].size = 0; }},
         {"the spacing nan", [](auto& info) { info.frame.axes[0].spacing = kNoNumber; }},
         {"the spacing 0", [](auto& info) { info.frame.axes[0].spacing = 0.0; }},
         {"nothing is said", [](auto& info) { info.frame.spectrometer = nullptr; }},
         {"volumes have 0", [](auto& info) { info.frame.stack.bscansPerVolume = 0; }},
         {"0 B-scans at each", [](auto& info) { info.frame.stack.repeats = 0; }},
         {"not a multiple", [](auto& info) { info.frame.stack.repeats = 2; }},
         {"apart", [](auto& info) { info.frame.stack.spacingM = -1.0; }},
         {"apart", [](auto& info) { info.frame.stack.spacingM = kNoNumber; }},
         {"fastest axis", [](auto& info) { info.frame.axes.clear(); }},
         {"fastest axis", [](auto& info) { info.frame.axes.pop_back(); }},
         {"no axis 'channel'", [](auto& info) { info.frame.axes[0].name = AxisName::Channel; }},
         {"have 3 samples", [](auto& info) { info.frame.axes[1].size = 3; }},
         {"make no sense",
          ofSpectrometer([](Spectrometer& s) { s.centreWavelengthM = kNoNumber; })},
         {"make no sense", ofSpectrometer([](Spectrometer& s) { s.bandwidthM = -1.0; })},
         {"make no sense", ofSpectrometer([](Spectrometer& s) { s.bandwidthM = 3e-6; })},
         {"background has", ofSpectrometer([](Spectrometer& s) { s.background.pop_back(); })},
         {"of its background",
          ofSpectrometer([](Spectrometer& s) { s.background[3] = static_cast<float>(kNoNumber); })},
         {"dispersion phase has",
          ofSpectrometer([](Spectrometer& s) { s.dispersionRad.pop_back(); })},
         {"not monotonic",
          ofSpectrometer([](Spectrometer& s) { s.resampling[3] = s.resampling[2]; })},
         {"outside the 16", ofSpectrometer([](Spectrometer& s) { s.resampling[0] = -2.0; })},
         {"outside the 16", ofSpectrometer([](Spectrometer& s) { s.resampling[15] = 18.0; })}},
        checkSpectra);
    const std::vector<double> one{1.0};
    EXPECT_THAT(*contradictionInMonotonic(one), HasSubstr("fewer than two"));
    const std::vector<double> wrong{1.0, kNoNumber};
    EXPECT_THAT(*contradictionInMonotonic(wrong), HasSubstr("value 1"));
}

TEST(FrameStamps, GiveTheRateOfTheirClocks) {
    // Frames 10 to 14 in 2 s by the device's clock; one of them is lost.
    const FrameStamp first{.number = 10, .deviceNs = 1'000'000'000, .arrivalNs = 5'000'000'000};
    FrameStamp last{.number = 14, .deviceNs = 3'000'000'000, .arrivalNs = 5'400'000'000};
    EXPECT_DOUBLE_EQ(rateBetween(first, last, 4).deviceHz, 2.0);
    EXPECT_EQ(rateBetween(first, last, 4).arrivalHz, 0.0) << "too short for a clock of arrivals";
    last.arrivalNs = 9'000'000'000;
    EXPECT_DOUBLE_EQ(rateBetween(first, last, 4).arrivalHz, 1.0);
    last.number = 11; // started anew: the frames are counted
    EXPECT_DOUBLE_EQ(rateBetween(first, last, 5).deviceHz, 2.0);
    FrameStamp unknown = first;
    unknown.deviceNs = unknown.number = -1;
    EXPECT_EQ(rateBetween(unknown, last, 5).deviceHz, 0.0);
    EXPECT_DOUBLE_EQ(rateBetween(unknown, last, 5).arrivalHz, 1.0);
    EXPECT_EQ(rateBetween(last, first, 5).deviceHz, 0.0) << "backwards";
}

TEST(FrameStamps, GiveSecondsFromTheFirst) {
    const auto stamp = [](std::int64_t deviceNs, std::int64_t arrivalNs) {
        return FrameStamp{.number = 0, .deviceNs = deviceNs, .arrivalNs = arrivalNs};
    };
    constexpr std::int64_t kSecond = 1'000'000'000;
    EXPECT_THAT(secondsOf({stamp(kSecond, 0)}), IsEmpty());
    EXPECT_THAT(secondsOf({stamp(kSecond, 0), stamp(3 * kSecond, 1)}), ElementsAre(0.0, 2.0));
    EXPECT_THAT(secondsOf({stamp(-1, 0), stamp(-1, kSecond)}), ElementsAre(0.0, 1.0))
        << "the device gives no time";
    EXPECT_THAT(secondsOf({stamp(kSecond, 0), stamp(kSecond, kSecond)}), ElementsAre(0.0, 1.0))
        << "the device's clock stands";
    EXPECT_THAT(secondsOf({stamp(-1, 5), stamp(-1, 5)}), IsEmpty());
}

TEST(FrameStamps, PosesOfRowsAreWholeOrNone) {
    Pose pose;
    pose.along = {Point{0, 1, 0}, Point{-1, 0, 0}, Point{0, 0, 1}};
    pose.origin = {1e-3, 2e-3, 3e-3};
    const auto back = poseOfRows(rowsOf(&pose));
    ASSERT_NE(back, nullptr);
    EXPECT_EQ(back->along, pose.along);
    EXPECT_EQ(back->origin, pose.origin);
    EXPECT_EQ(poseOfRows(echolux::rowsOf(nullptr)), nullptr);
}

} // namespace
} // namespace echolux::test
