// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of Verasonics workspaces whose sequence and data lack parts, or do not fit each
// other. Probes and waves: told_verasonics_probe_test.cpp.
#include "tests/dataset/told_workspaces.hpp"

#include <cstring>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing::Not;

using W = Workspace;

TEST(ToldWorkspaces, Kinds) {
    expectToldOfWorkspace(
        {{"a script without a probe",
          [](W& w) {
              w.data = nullptr;
              w.trans = {};
              w.trans["x"] = W::number(1);
              w.tx.clear();
          },
          Not(HasSubstr("RcvData"))},
         {"a script without receives",
          [](W& w) {
              w.data = nullptr;
              w.receive.clear();
          },
          Not(HasSubstr("RcvData"))},
         {"a script", [](W& w) { w.data = nullptr; }, HasSubstr("but no RcvData")}});
}

TEST(ToldWorkspaces, Data) {
    const auto sampled = [](const char* mode, double decimated) {
        return [=](W& w) {
            for (auto& receive : w.receive) {
                receive["sampleMode"] = W::text(mode);
                receive["quadDecim"] = W::number(decimated);
            }
        };
    };
    const auto none = HasSubstr("holds no samples");
    expectToldOfWorkspace(
        {{"a second buffer that is empty",
          [](W& w) {
              w.data = [](const char* name) {
                  return MatBuilder::cells(name, {samplesOf({20, 4, 2})(nullptr),
                                                  MatBuilder::array<double>(nullptr, {0, 0}, {})});
              };
              for (std::size_t i = 0; i < 4; ++i)
                  w.receive[i]["bufnum"] = W::number(i % 2 == 0 ? 1 : 2);
          },
          HasSubstr("2 x i16 [transmit 1]")},
         {"complex samples",
          [](W& w) {
              w.data = [](const char* name) {
                  return MatBuilder::complexArray(name, {20, 4}, std::vector<float>(80),
                                                  std::vector<float>(80));
              };
          },
          none},
         {"a text",
          [](W& w) {
              w.data = [](const char*) {
                  matvar_t* made = W::text("none")();
                  made->name = strdup("RcvData");
                  return made;
              };
          },
          none},
         {"no samples",
          [](W& w) {
              w.data = [](const char* name) {
                  return MatBuilder::array<std::int16_t>(name, {0, 4}, {});
              };
          },
          none},
         {"axes of one entry more",
          [](W& w) {
              w.data = samplesOf({20, 4, 2, 1, 1});
          },
          HasSubstr("2 x i16")},
         {"a fourth axis",
          [](W& w) {
              w.data = samplesOf({20, 4, 2, 2});
          },
          none},
         {"half a sample of each", sampled("NS200BW", 0.5), HasSubstr("has no decimSampleRate")},
         {"pairs of half the band", sampled("BS50BW", 2),
          HasSubstr("complex_i16 [transmit 2][channel 4][sample 5]")},
         {"pairs of the whole band with the least number",
          [&](W& w) {
              sampled("BS100BW", 1)(w);
              w.data = [](const char* name) {
                  std::vector<std::int16_t> all(160, INT16_MIN);
                  return MatBuilder::array(name, {20, 4, 2}, all);
              };
          },
          HasSubstr("complex_i16 [transmit 2]")},
         {"pairs of real numbers",
          [&](W& w) {
              sampled("BS100BW", 1)(w);
              w.data = [](const char* name) {
                  return MatBuilder::array(name, {20, 4, 2}, countedUp<float>(160));
              };
          },
          HasSubstr("complex_f32 [transmit 2]")},
         {"one acquisition that is shorter",
          [](W& w) {
              w.receive[1]["endSample"] = W::number(15);
              w.receive[3]["endSample"] = W::number(15);
          },
          HasSubstr("Acquisitions have 5 to 10 rows; shorter ones end in silence")},
         {"far too unequal ones",
          [](W& w) {
              w.data = samplesOf({200, 4, 1});
              w.event.clear();
              w.receive.clear();
              w.tx.resize(1);
              for (int i = 0; i < 8; ++i) {
                  auto receive = W::receiveOf(1, 1);
                  receive["startSample"] = W::number(i == 0 ? 1 : 100 + 3 * i);
                  receive["endSample"] = W::number(i == 0 ? 90 : 101 + 3 * i);
                  w.receive.push_back(receive);
              }
          },
          HasSubstr("too unequal to be kept as one array")},
         {"rows that are listed again and again",
          [](W& w) {
              w.data = samplesOf({20, 4, 1});
              w.event.clear();
              w.receive.clear();
              for (int i = 0; i < 9; ++i) {
                  auto receive = W::receiveOf(1, 1);
                  receive["startSample"] = W::number(i + 1);
                  receive["endSample"] = W::number(i + 12);
                  w.receive.push_back(receive);
              }
          },
          HasSubstr("too unequal to be kept as one array")},
         {"weights of other elements",
          [](W& w) {
              for (auto& receive : w.receive) receive["Apod"] = W::row({1, 1, 1, 1, 1});
          },
          HasSubstr("has 5 weights (Apod), but the probe 4 elements")},
         {"one acquisition that listens with fewer",
          [](W& w) {
              for (auto& receive : w.receive) receive["Apod"] = W::row({1, 1, 1, 1});
              w.receive[1]["Apod"] = W::row({0, 1, 1, 0});
              w.receive[3]["Apod"] = W::row({0, 1, 1, 0});
          },
          HasSubstr("hears 8 with 8 weights")}});
}

TEST(ToldWorkspaces, SamplesInARowOfHdf5) {
    const TemporaryFolder folder;
    const auto path = Workspace{}.write(folder, MAT_FT_MAT73);
    Hdf5Editor(path).zeros("RcvData", {160}, H5T_STD_I16LE);
    EXPECT_THAT(toldOf(path), HasSubstr("holds no samples"));
}

TEST(ToldWorkspaces, Sequences) {
    const auto controlled = [](const char* command, double argument, std::vector<double> numbers) {
        return [=](W& w) {
            w.others["SeqControl"] = {
                {{"command", W::text("sync")}, {"argument", W::number(0)}},
                {{"command", W::text(command)}, {"argument", W::number(argument)}}};
            for (auto& event : w.event) event["seqControl"] = W::row(numbers);
        };
    };
    expectToldOfWorkspace(
        {{"a transmit that is missing", [](W& w) { w.event[0]["tx"] = W::number(3); },
          HasSubstr("Event(1) names TX(3) and Receive(1), but there are 2 and 4")},
         {"a receive that is missing", [](W& w) { w.event[0]["rcv"] = W::number(5); },
          HasSubstr("Event(1) names TX(1) and Receive(5), but there are 2 and 4")},
         {"an event that only waits", [](W& w) { w.event[1]["rcv"] = W::number(0); },
          HasSubstr("[transmit 1]")},
         {"times to the next", controlled("timeToNextAcq", 100, {0, 9, 1, 2}),
          HasSubstr("at 5000 Hz")},
         {"no time to the next", controlled("timeToNextAcq", 0, {2}), HasSubstr("at 0 Hz")},
         {"other commands", controlled("triggerOut", 100, {1, 2}), HasSubstr("at 0 Hz")},
         {"rows that are written again",
          [](W& w) {
              w.receive[1] = w.receive[0];
              w.receive[3] = w.receive[2];
          },
          HasSubstr("[transmit 1]")},
         {"rows to which is added",
          [](W& w) {
              w.receive[1] = w.receive[0];
              w.receive[3] = w.receive[2];
              for (std::size_t i = 0; i < 4; ++i) w.receive[i]["mode"] = W::number(double(i % 2));
          },
          HasSubstr("[transmit 1]")},
         {"another buffer",
          [](W& w) {
              for (auto& receive : w.receive) receive["bufnum"] = W::number(2);
          },
          HasSubstr("none of its acquisitions went to a buffer that RcvData holds")},
         {"frames that are not stored",
          [](W& w) {
              for (auto& receive : w.receive) receive["framenum"] = W::number(7);
              w.event.resize(2);
          },
          HasSubstr("belong to frames from 7 on, but RcvData holds 2 frames")},
         {"a frame of another transmit", [](W& w) { w.event[3]["tx"] = W::number(1); },
          HasSubstr("1 frame holds other acquisitions than the first one")},
         {"a frame of other rows", [](W& w) { w.receive[3]["startSample"] = W::number(12); },
          HasSubstr("1 frame holds other acquisitions")},
         {"a frame of fewer rows", [](W& w) { w.receive[3]["endSample"] = W::number(19); },
          HasSubstr("1 frame holds other acquisitions")},
         {"two other frames",
          [](W& w) {
              w.data = samplesOf({20, 4, 3});
              w.receive.push_back(W::receiveOf(3, 1));
              w.receive.push_back(W::receiveOf(3, 2));
              w.event.push_back(W::eventOf(1, 5));
              w.event.push_back(W::eventOf(1, 6));
              w.event[3]["tx"] = W::number(1);
          },
          HasSubstr("2 frames hold other acquisitions")},
         {"a buffer that no resource describes",
          [](W& w) {
              w.others["Resource"] = {{{"RcvBuffer", [] { return MatBuilder::number(1); }}}};
          },
          HasSubstr("2 x i16")}});
}

} // namespace
} // namespace echolux::test
