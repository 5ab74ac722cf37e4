// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of Verasonics workspaces whose probe and waves lack parts, or do not fit each other.
#include "tests/dataset/told_workspaces.hpp"

#include <cmath>
#include <limits>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using W = Workspace;
constexpr double kVsxNaN = std::numeric_limits<double>::quiet_NaN();

TEST(ToldWorkspaceProbes, Elements) {
    const std::vector<double> x{-0.45, -0.15, 0.15, 0.45};
    const auto places = [&](std::size_t columns, std::vector<double> more) {
        std::vector<double> all = x;
        all.resize(12, 0.0);
        all.insert(all.end(), more.begin(), more.end());
        return tableOf({4, columns}, all);
    };
    const auto faced = [&](double azimuth, double elevation) {
        std::vector<double> angles(4, azimuth);
        angles.resize(8, elevation);
        return [=](W& w) {
            w.trans["type"] = W::number(2);
            w.trans["ElementPos"] = places(5, angles);
        };
    };
    const auto resource = [](std::function<matvar_t*()> parameters) {
        return [=](W& w) { w.others["Resource"] = {{{"Parameters", parameters}}}; };
    };
    const auto noTable = HasSubstr("but needs a row of x, y, z for each element");
    const auto units = HasSubstr("Trans gives no units; mm are assumed, as the system does");
    const auto unitless = [](std::function<void(W&)> change) {
        return [=](W& w) {
            w.trans.erase("units");
            change(w);
        };
    };
    const auto one = [](W& w) {
        w.trans["ElementPos"] = tableOf({1, 4}, {0, 0, 0, 0});
        w.data = samplesOf({20, 1, 2});
        for (auto& tx : w.tx) tx["Delay"] = W::row({0});
    };
    expectToldOfWorkspace(
        {{"no speed", resource([] {
              return MatBuilder::structure(nullptr, {{"speedOfSound", MatBuilder::number(0)}});
          }),
          HasSubstr("Resource.Parameters.speedOfSound is no positive number")},
         {"no parameters", resource([] { return MatBuilder::number(1); }),
          HasSubstr("1540 m/s, the system's default, is assumed")},
         {"no units", unitless([](W&) {}), units},
         {"no units of one element", unitless(one), units},
         {"no units of elements in one place", unitless([](W& w) {
              w.trans["spacing"] = W::number(0.3);
              w.trans["ElementPos"] = tableOf({4, 4}, std::vector(16, 0.0));
          }),
          units},
         {"units by the spacing", unitless([](W& w) { w.trans["spacing"] = W::number(0.3); }),
          HasSubstr("wavelengths are assumed, as its spacing says")},
         {"complex places",
          [](W& w) {
              w.trans["ElementPos"] = [] {
                  return MatBuilder::complexArray(nullptr, {4, 4}, std::vector<float>(16),
                                                  std::vector<float>(16));
              };
          },
          noTable},
         {"no element",
          [](W& w) {
              w.trans["ElementPos"] = tableOf({0, 4}, {});
          },
          noTable},
         {"far too many elements",
          [](W& w) {
              w.trans["ElementPos"] = tableOf({65537, 3}, std::vector(3 * 65537, 0.0));
          },
          noTable},
         {"faces that look up", faced(0, 0.2), HasSubstr("4 normals")},
         {"faces that look aside", faced(0.2, 0), HasSubstr("4 normals")},
         {"faces that look ahead", faced(0, 0), HasSubstr("0 normals")},
         {"a matrix without faces",
          [&](W& w) {
              w.trans["type"] = W::number(2);
              w.trans["ElementPos"] = places(3, {});
          },
          HasSubstr("0 normals")},
         {"a band that falls",
          [](W& w) {
              w.trans["Bandwidth"] = W::row({7, 3});
          },
          HasSubstr("bandwidth 0,")},
         {"a multiplexer that is a text",
          [](W& w) {
              w.trans["HVMux"] = [] {
                  return MatBuilder::structure(nullptr, {{"Aperture", W::text("none")()}});
              };
          },
          HasSubstr("[channel 4]")},
         {"a multiplexer of three axes",
          [](W& w) {
              w.trans["HVMux"] = [] {
                  return MatBuilder::structure(
                      nullptr, {{"Aperture", tableOf({4, 1, 2}, std::vector(8, 1.0))()}});
              };
          },
          HasSubstr("[channel 4]")},
         {"a multiplexer that connects too few",
          [](W& w) {
              w.trans["HVMux"] = [] {
                  return MatBuilder::structure(nullptr,
                                               {{"Aperture", tableOf({4, 1}, {1, 0, 0, 0})()}});
              };
              for (auto& tx : w.tx) tx["aperture"] = W::number(1);
              for (auto& tx : w.tx) tx["Delay"] = W::row({0, 0});
          },
          HasSubstr("has 2 delays and 0 weights (Apod), but the probe 4 elements")},
         {"elements before the aperture",
          [](W& w) {
              for (auto& receive : w.receive) receive["aperture"] = W::number(3);
          },
          HasSubstr("hears 4 with 0 weights")}});
}

TEST(ToldWorkspaceProbes, Transmits) {
    const auto all = [](const char* field, std::function<matvar_t*()> make) {
        return [=](W& w) {
            for (auto& tx : w.tx) tx[field] = make;
        };
    };
    const auto pulse = [](const char* type, std::vector<double> parameters) {
        return [=](W& w) {
            w.others["TW"] = {{{"type", W::text(type)},
                               {"Parameters", W::row(parameters)},
                               {"peak", W::number(0)}}};
        };
    };
    const auto usual = HasSubstr("centre 5e+06 Hz");
    const auto wrongDelay = HasSubstr("TX(1) has a delay or weight that is no finite number");
    // Delays in wavelengths of 0.308 mm to a point 10 wavelengths deep.
    std::vector<double> focused;
    for (const double x : {-0.45, -0.15, 0.15, 0.45})
        focused.push_back(10.5 - std::hypot(10.0, x / 0.308));
    expectToldOfWorkspace(
        {{"delays of other elements", all("Delay", W::row({0, 0, 0, 0, 0})),
          HasSubstr("TX(1) has 5 delays and 0 weights (Apod), but the probe 4 elements")},
         {"no delays",
          [](W& w) {
              for (auto& tx : w.tx) tx = {{"waveform", W::number(1)}};
          },
          HasSubstr("TX(1) gives no Delay; its elements are taken to fire at once")},
         {"weights of other elements", all("Apod", W::row({1, 1, 1})),
          HasSubstr("TX(1) has 4 delays and 3 weights (Apod)")},
         {"a silent element", all("Delay", W::row({0, 0, 0, kVsxNaN})),
          HasSubstr("origin (-0.00015 0 0)")},
         {"an endless delay", all("Delay", W::row({0, 0, 0, HUGE_VAL})), wrongDelay},
         {"an endless weight", all("Apod", W::row({1, 1, 1, HUGE_VAL})), wrongDelay},
         {"a focus by its place",
          [&](W& w) {
              all("Delay", W::row(focused))(w);
              all("FocalPt", W::row({0, 0, 10}))(w);
          },
          AllOf(HasSubstr("focused turned 0 0, source (0 0 0.00308)"),
                Not(HasSubstr("names another")))},
         {"a place that is the origin", all("FocalPt", W::row({0, 0, 0})),
          HasSubstr("plane turned 0 0")},
         {"a place and a focus",
          [&](W& w) {
              all("Delay", W::row(focused))(w);
              all("FocalPt", W::row({1, 0, 20}))(w);
              all("focus", W::number(10))(w);
          },
          HasSubstr("focused turned 0 0, source (0 0 0.00308)")},
         {"a place of two numbers", all("FocalPt", W::row({0, 10})), HasSubstr("plane turned 0 0")},
         {"turned up otherwise than named", all("Steer", W::row({0, 1.2})),
          AllOf(HasSubstr("plane turned 0 1.2"), Not(HasSubstr("names another")))},
         {"focused otherwise than named",
          [&](W& w) {
              for (double scale = 1.0; auto& tx : w.tx) {
                  std::vector<double> steep;
                  for (int k = 0; k < 4; ++k) steep.push_back(scale * 0.6 * k);
                  tx["Delay"] = W::row(steep);
                  tx["focus"] = W::number(50);
                  scale = 0.8;
              }
          },
          HasSubstr("TX(1) names another wave (focus, Steer, Origin) than its delays")},
         {"turned up with steep delays",
          [&](W& w) {
              all("Delay", W::row({0, 0.6, 1.2, 1.8}))(w);
              all("Steer", W::row({0, 0.5}))(w);
          },
          HasSubstr("TX(1) names another wave")},
         {"a curved array at rest",
          [&](W& w) {
              std::vector<double> places;
              for (int k = 0; k < 4; ++k) places.push_back(4.0 * std::sin(0.3 * (k - 1.5)));
              places.resize(8, 0.0);
              for (int k = 0; k < 4; ++k) places.push_back(4.0 * std::cos(0.3 * (k - 1.5)) - 4.0);
              w.trans["ElementPos"] = tableOf({4, 3}, places);
          },
          AllOf(HasSubstr("diverging"), Not(HasSubstr("names another")))},
         {"the first pulse of one", pulse("parametric", {6, 1, 2, 1}),
          HasSubstr("centre 6e+06 Hz")},
         {"a pulse of another kind", pulse("function", {6, 1, 2, 1}), usual},
         {"a pulse without numbers", pulse("parametric", {}), usual},
         {"a pulse in clock cycles, far too high", pulse("parametric", {50, 1, 2, 1}), usual},
         {"a pulse far too low", pulse("parametric", {0.5, 1, 2, 1}), usual},
         {"a pulse that is missing",
          [&](W& w) {
              pulse("parametric", {6, 1, 2, 1})(w);
              all("waveform", W::number(2))(w);
          },
          AllOf(usual, HasSubstr("TW gives no peak"))}});
}

} // namespace
} // namespace echolux::test
