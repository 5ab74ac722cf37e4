// SPDX-License-Identifier: GPL-3.0-or-later
// Reads screens from the command line.
#include "app/commands/screen_options.hpp"

#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace echolux {

namespace {

constexpr double kNanoseconds = 1e-9;
constexpr double kMillimetres = 1e-3;
constexpr std::string_view kSpaces = " \t,";

template <class T> std::optional<T> numberOf(std::string_view text) {
    T number{};
    const char* const end = text.data() + text.size();
    const auto [rest, code] = std::from_chars(text.data(), end, number);
    if (code != std::errc() || rest != end) return std::nullopt;
    return number;
}

std::string_view without(std::string_view text, std::string_view unit) {
    if (text.ends_with(unit)) text.remove_suffix(unit.size());
    return text;
}

/// One text of --screen.
class ScreenText {
public:
    explicit ScreenText(const std::string& text) : m_text(text) {}

    ScreenDesign read(ScreenDesign design) const {
        std::string_view left = m_text;
        std::size_t parts = 0;
        while (true) {
            const std::size_t start = left.find_first_not_of(kSpaces);
            if (start == std::string_view::npos) break;
            left.remove_prefix(start);
            const std::size_t end = std::min(left.find_first_of(kSpaces), left.size());
            take(left.substr(0, end), design);
            left.remove_prefix(end);
            ++parts;
        }
        if (parts == 0) fail("says nothing");
        return design;
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw Error(fmt::format("--screen '{}' {}: write it like --screen "
                                "delay=50ns,gain=3dB,length=3mm,depth=0mm,seed=1.",
                                m_text, what));
    }

    double quantity(std::string_view text, std::string_view unit, double si) const {
        const auto number = numberOf<double>(without(text, unit));
        if (!number) fail(fmt::format("has '{}' where a number of {} belongs", text, unit));
        return *number * si;
    }

    void take(std::string_view part, ScreenDesign& design) const {
        const std::size_t equals = part.find('=');
        const std::string_view key = part.substr(0, equals);
        if (equals == std::string_view::npos) fail(fmt::format("has '{}' without a value", part));
        const std::string_view value = part.substr(equals + 1);
        if (key == "delay") {
            design.delayRmsS = quantity(value, "ns", kNanoseconds);
        } else if (key == "gain") {
            design.gainRmsDb = quantity(value, "dB", 1.0);
        } else if (key == "depth") {
            design.depthM = quantity(value, "mm", kMillimetres);
        } else if (key == "length") {
            const std::string_view lengths = without(value, "mm");
            const std::size_t cross = lengths.find('x');
            design.lengthXM = quantity(lengths.substr(0, cross), "mm", kMillimetres);
            design.lengthYM = cross == std::string_view::npos
                                  ? design.lengthXM
                                  : quantity(lengths.substr(cross + 1), "mm", kMillimetres);
        } else if (key == "seed") {
            const auto seed = numberOf<std::uint64_t>(value);
            if (!seed) fail(fmt::format("has '{}' where a seed, a whole number, belongs", value));
            design.seed = *seed;
        } else {
            fail(
                fmt::format("has '{}', which is none of delay, gain, length, depth and seed", key));
        }
    }

    const std::string& m_text;
};

/// A text that reads back as the same numbers.
std::string textOf(const ScreenDesign& d) {
    const auto shown = [](double value, double si) { return fmt::format("{:.12g}", value / si); };
    return fmt::format("delay={}ns,gain={}dB,length={}x{}mm,depth={}mm,seed={}",
                       shown(d.delayRmsS, kNanoseconds), shown(d.gainRmsDb, 1.0),
                       shown(d.lengthXM, kMillimetres), shown(d.lengthYM, kMillimetres),
                       shown(d.depthM, kMillimetres), d.seed);
}

} // namespace

void ScreenOptions::addTo(CLI::App& command) {
    command
        .add_option("--screen", screens,
                    "An aberrating screen before the array (repeatable up to 8 times): rms of "
                    "delay (50ns) and gain (0dB) over the array, correlation length (3mm, or of x "
                    "and y 4x100mm; the correlation is exp(-(d/length)^2)), depth (0mm to 20mm), "
                    "seed (--seed and up), as in delay=50ns,gain=3dB,length=3mm,depth=0mm,seed=1")
        ->allow_extra_args(false);
    std::string walls = "A wall before the array:";
    for (const auto& [name, help] : wallNames()) walls += fmt::format(" {} ({});", name, help);
    walls.back() = '.';
    command.add_option("--wall", wall, walls);
    command
        .add_option("--screens-on", passedBy,
                    "What passes through wall and screens: sent waves and echoes, or echoes alone")
        ->check(CLI::IsMember({"both", "receive"}))
        ->capture_default_str();
}

ScreenSetup ScreenOptions::setup(double soundSpeedMps, std::uint64_t seed) const {
    ScreenSetup setup;
    setup.onTransmit = passedBy == "both";
    if (!wall.empty()) setup.screens = wallScreens(wall, soundSpeedMps, seed);
    for (const std::string& text : screens) {
        ScreenDesign design;
        design.seed = seed + setup.screens.size();
        setup.screens.push_back(parseScreen(text, design));
    }
    return setup;
}

std::string ScreenOptions::words(double soundSpeedMps, std::uint64_t seed) const {
    const ScreenSetup all = setup(soundSpeedMps, seed);
    if (!all.any()) return "";
    std::string words;
    if (!wall.empty()) words += fmt::format(" --wall {}", wall);
    for (std::size_t i = all.screens.size() - screens.size(); i < all.screens.size(); ++i)
        words += fmt::format(" --screen {}", textOf(all.screens[i]));
    return words + fmt::format(" --screens-on {}", passedBy);
}

std::string describe(const ScreenDesign& d) {
    return fmt::format("{:.4g} ns and {:.3g} dB rms, correlated over {:.4g} x {:.4g} mm, "
                       "{:.4g} mm deep, seed {}",
                       d.delayRmsS / kNanoseconds, d.gainRmsDb, d.lengthXM / kMillimetres,
                       d.lengthYM / kMillimetres, d.depthM / kMillimetres, d.seed);
}

ScreenDesign parseScreen(const std::string& text, ScreenDesign design) {
    return ScreenText(text).read(design);
}

} // namespace echolux
