// SPDX-License-Identifier: GPL-3.0-or-later
// Screens before a simulated array: their checks, names and effects on each element.
#include "app/source/aberrating_screens.hpp"

#include "app/source/option_range.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux {

namespace {

using echoes::ScreenTables;

void takeEffect(const echoes::ScreenEffect& effect, AberrationTruth& truth) {
    truth.delayS.push_back(effect.delayS);
    truth.amplitude.push_back(std::exp(effect.logGain));
}

AberrationTruth withoutNeedlessGains(AberrationTruth truth) {
    if (std::ranges::all_of(truth.amplitude, [](double a) { return a == 1.0; }))
        truth.amplitude.clear();
    return truth;
}

double deepest(const ScreenSetup& setup) {
    double depth = 0.0;
    for (const ScreenDesign& design : setup.screens) depth = std::max(depth, design.depthM);
    return depth;
}

} // namespace

void checkScreens(const ScreenSetup& setup, double depthM) {
    if (setup.screens.size() > ScreenSetup::kMost)
        throw Error(fmt::format("{} screens are asked for by --wall and --screen, but there is "
                                "room for {}: leave some out.",
                                setup.screens.size(), ScreenSetup::kMost));
    for (const ScreenDesign& design : setup.screens) {
        checkRange("--screen: delay", " ns", design.delayRmsS * 1e9, 0, 10000);
        checkRange("--screen: gain", " dB", design.gainRmsDb, 0, 20);
        checkRange("--screen: length", " mm", design.lengthXM * 1e3, 0.1, 1000);
        checkRange("--screen: length", " mm", design.lengthYM * 1e3, 0.1, 1000);
        checkRange("--screen: depth", " mm", design.depthM * 1e3, 0, 20);
    }
    if (setup.any() && !(deepest(setup) < depthM))
        throw Error(fmt::format("A screen lies {:g} mm deep, but what is imaged ends at --depth "
                                "{:g} mm: nothing would be behind it; choose a greater --depth.",
                                deepest(setup) * 1e3, depthM * 1e3));
}

double screenMarginS(const ScreenSetup& setup) {
    constexpr double kFourSigma = 4.0;
    double squares = 0.0;
    for (const ScreenDesign& design : setup.screens) squares += design.delayRmsS * design.delayRmsS;
    return kFourSigma * (setup.onTransmit ? 2.0 : 1.0) * std::sqrt(squares);
}

AberrationTruth aberrationTruth(const ScreenTables& screens,
                                const std::vector<echoes::ElementFace>& faces, const Point& focus) {
    AberrationTruth truth;
    for (const echoes::ElementFace& face : faces)
        takeEffect(passScreens(screens.view(), rayStart(face, focus), focus), truth);
    return withoutNeedlessGains(std::move(truth));
}

AberrationTruth aberrationTruth(const ScreenTables& screens, const std::vector<Point>& elements,
                                const Point& focus) {
    AberrationTruth truth;
    for (const Point& e : elements) takeEffect(passScreens(screens.view(), e, focus), truth);
    return withoutNeedlessGains(std::move(truth));
}

double behindScreens(const ScreenSetup& setup, double startM, double depthM) {
    return 0.5 * (std::max(startM, deepest(setup)) + depthM);
}

const std::vector<std::pair<std::string, std::string>>& wallNames() {
    static const std::vector<std::pair<std::string, std::string>> names{
        {"abdominal", "20 mm of skin, fat and muscle whose borders wander by 0.5 to 1 mm"},
        {"abersim", "20 mm as 8 screens, together 0.09 mm rms, lengths 4 and 100 mm"}};
    return names;
}

std::vector<ScreenDesign> wallScreens(const std::string& name, double soundSpeedMps,
                                      std::uint64_t seed) {
    constexpr double kSkin = 1613.0;
    constexpr double kFat = 1448.0;
    constexpr double kMuscle = 1547.0;
    std::vector<ScreenDesign> screens;
    if (name == "abdominal") {
        // A border that shifts by h replaces one speed by the other over h. The delay is h (1 / c1
        // - 1 / c2).
        const auto border = [&](double depthM, double wanderM, double above, double below,
                                double gainDb) {
            screens.push_back({.depthM = depthM,
                               .delayRmsS = wanderM * std::abs(1.0 / above - 1.0 / below),
                               .gainRmsDb = gainDb,
                               .lengthXM = 5e-3,
                               .lengthYM = 5e-3,
                               .seed = seed + screens.size()});
        };
        border(2e-3, 0.5e-3, kSkin, kFat, 1.0);
        border(12e-3, 1e-3, kFat, kMuscle, 2.0);
        border(20e-3, 1e-3, kMuscle, soundSpeedMps, 1.0);
        return screens;
    }
    if (name == "abersim") {
        constexpr double kWander = 0.09e-3; // of all screens together
        for (std::size_t i = 0; i < ScreenSetup::kMost; ++i)
            screens.push_back({.depthM = (static_cast<double>(i) + 0.5) * 2.5e-3,
                               .delayRmsS = kWander / soundSpeedMps / std::sqrt(8.0),
                               .lengthXM = 4e-3,
                               .lengthYM = 100e-3,
                               .seed = seed + i});
        return screens;
    }
    std::string known;
    for (const auto& [each, help] : wallNames()) known += (known.empty() ? "" : ", ") + each;
    throw Error(fmt::format("There is no wall '{}' (--wall): choose one of {}.", name, known));
}

} // namespace echolux
