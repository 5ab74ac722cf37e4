// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/aberration_options.hpp"

#include "app/aberration/channel_frames.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>
#include <vector>

namespace echolux {
namespace {

using aberration::FocusParams;
using aberration::Method;
using aberration::SolveParams;

struct MethodChoice {
    const char* name;
    Method method;
};
constexpr std::array<MethodChoice, 6> kMethods{{
    {"least_squares", Method::LeastSquares},
    {"beam_sum", Method::BeamSum},
    {"conjugate", Method::Conjugate},
    {"matlab", Method::Matlab},
    {"gpu", Method::Gpu},
    {"cpu", Method::Cpu},
}};

/// The words of pipeline files; on command lines hyphens are usual, too.
std::string methodOf(std::string word) {
    std::ranges::replace(word, '-', '_');
    return word;
}

std::vector<std::string> methodNames() {
    std::vector<std::string> names;
    for (const MethodChoice& each : kMethods) names.emplace_back(each.name);
    return names;
}

void applyRegion(FocusParams& params, const std::string& text) {
    std::array<double, 4> mm{};
    const char* at = text.data();
    const char* const end = at + text.size();
    bool good = true;
    for (std::size_t i = 0; i < mm.size() && good; ++i) {
        const auto [next, code] = std::from_chars(at, end, mm[i]);
        const bool isLast = i + 1 == mm.size();
        good = code == std::errc() && (isLast ? next == end : next != end && *next == ',');
        at = next + (isLast ? 0 : 1);
    }
    if (!good || !(mm[2] > 0.0) || !(mm[3] > 0.0))
        throw Error(fmt::format("'{}' is no region; write x,z,width,height in mm, x and z of its "
                                "centre, for example --region=0,30,20,20.",
                                text));
    params.lateralM = 1e-3 * mm[0];
    params.depthM = 1e-3 * mm[1];
    params.widthM = 1e-3 * mm[2];
    params.heightM = 1e-3 * mm[3];
}

void refuseOutside(const FocusParams& region, const FocusParams& image) {
    const auto beyond = [](double centre, double size, double imageCentre, double imageSize) {
        return std::abs(centre - imageCentre) > 0.5 * (size + imageSize);
    };
    if (region.depthM - 0.5 * region.heightM > 0.0 &&
        !beyond(region.depthM, region.heightM, image.depthM, image.heightM) &&
        !beyond(region.lateralM, region.widthM, image.lateralM, image.widthM))
        return;
    throw Error(fmt::format(
        "The region, x {:.1f} to {:.1f} mm and depth {:.1f} to {:.1f} mm, lies outside of what was "
        "recorded, x {:.1f} to {:.1f} mm and depth {:.1f} to {:.1f} mm; move it there.",
        1e3 * (region.lateralM - 0.5 * region.widthM),
        1e3 * (region.lateralM + 0.5 * region.widthM), 1e3 * (region.depthM - 0.5 * region.heightM),
        1e3 * (region.depthM + 0.5 * region.heightM), 1e3 * (image.lateralM - 0.5 * image.widthM),
        1e3 * (image.lateralM + 0.5 * image.widthM), 1e3 * (image.depthM - 0.5 * image.heightM),
        1e3 * (image.depthM + 0.5 * image.heightM)));
}

} // namespace

void AberrationEstimateOptions::addTo(CLI::App& command) {
    command.add_option("--frames", frames,
                       "One frame or first:last, counted from 1 (default: the first)");
    command.add_option("--region", region,
                       "Region on whose points the channels are focused: x,z,width,height in mm, "
                       "where x,z is its centre (default: the whole image from 10 mm on)");
    command.add_option("--points", points, "Largest number of points in the region")
        ->check(CLI::Range(1, 65536));
    command
        .add_option("--method", method,
                    fmt::format("{}, as in pipeline files", fmt::join(methodNames(), ", ")))
        ->transform(CLI::IsMember(methodNames(), methodOf))
        ->capture_default_str();
    command
        .add_option("--kernel", kernel,
                    "Elements compared with each other: the element itself and its neighbours, an "
                    "odd number")
        ->check(CLI::Range(3, 15));
    command
        .add_option("--iterations", iterations,
                    "Largest number of iterations: of each pass (least_squares), or in all")
        ->check(CLI::Range(1, 10000));
    command
        .add_option("--passes", passes, "How often least_squares renews the weights of the points")
        ->check(CLI::Range(1, 20));
    command
        .add_option("--mu", mu, "Share of each iteration's change that is applied, 1: all of it")
        ->check(CLI::Range(0.0, 1.0));
    command.add_option("--epsilon", epsilon, "The iteration stops when its result changes by less")
        ->check(CLI::Range(0.0, 1.0));
    command
        .add_option("--min-coherence", minCoherence,
                    "Least coherence of neighbouring channels; below it there is no filter")
        ->check(CLI::Range(0.0, 1.0));
    command
        .add_option("--centre", centreMHz, "Middle of the band in which channels are compared, MHz")
        ->check(CLI::Range(0.001, 1000.0));
    command.add_option("--bandwidth", bandwidthMHz, "Width of that band, MHz")
        ->check(CLI::PositiveNumber);
    command.add_option("--bins", bins, "Number of frequencies in that band")
        ->check(CLI::Range(1, 127));
    command
        .add_option("--centre-bin", centreBin,
                    "Of a cube 'u_z': number of the middle bin in the transform of all samples, "
                    "counted from 0, in place of --centre. Herikstad's command line has 25, and a "
                    "bandwidth of 14 bins, which are --bins 15")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 30))
        ->excludes("--centre");
    command.add_option("--gate", gateUs, "Length of the time window taken round each point, us")
        ->check(CLI::PositiveNumber);
    command.add_option("--fs", samplingMHz, "Sampling frequency of a cube 'u_z', MHz")
        ->check(CLI::Range(0.001, 1000.0));
}

SolveParams AberrationEstimateOptions::solve() const {
    SolveParams params =
        aberration::usualFor(std::ranges::find(kMethods, method, &MethodChoice::name)->method);
    if (kernel) {
        if (*kernel % 2 == 0)
            throw Error(fmt::format("--kernel {} has no middle; choose an odd number, for example "
                                    "{}.",
                                    *kernel, *kernel + 1));
        params.radius = *kernel / 2;
    }
    params.iterations = iterations.value_or(params.iterations);
    params.passes = passes.value_or(params.passes);
    params.mu = mu.value_or(params.mu);
    params.epsilon = epsilon.value_or(params.epsilon);
    params.minCoherence = minCoherence.value_or(params.minCoherence);
    return params;
}

AberrationEstimateOptions::Range AberrationEstimateOptions::framesAsked() const {
    std::int64_t first = 1;
    std::int64_t last = 1;
    if (frames.empty()) return {};
    const char* const end = frames.data() + frames.size();
    const auto one = std::from_chars(frames.data(), end, first);
    bool good = one.ec == std::errc();
    last = first;
    if (good && one.ptr != end) {
        const auto two = std::from_chars(one.ptr + 1, end, last);
        good = *one.ptr == ':' && two.ec == std::errc() && two.ptr == end;
    }
    if (!good || first < 1 || last < first)
        throw Error(fmt::format("'{}' names no frames; write one number or first:last, counted "
                                "from 1, for example --frames 1:8.",
                                frames));
    return {first - 1, last - 1};
}

FocusParams AberrationEstimateOptions::focus(const FrameSpec& spec) const {
    const FocusParams image = aberration::wholeImage(spec);
    FocusParams params = image;
    if (centreMHz) params.centreHz = 1e6 * *centreMHz;
    if (!(params.centreHz > 0.0))
        throw Error("The recording does not say its centre frequency; give --centre in MHz.");
    params.bandwidthHz = bandwidthMHz ? 1e6 * *bandwidthMHz : 0.5 * params.centreHz;
    params.gateS = gateUs ? 1e-6 * *gateUs : 12.0 / params.centreHz;
    params.bins = bins.value_or(params.bins);
    if (!region.empty()) {
        applyRegion(params, region);
        refuseOutside(params, image);
    }
    params.points = points.value_or(aberration::pointsFor(params));
    return params;
}

} // namespace echolux
