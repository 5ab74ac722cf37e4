// SPDX-License-Identifier: GPL-3.0-or-later
// Runs shipped pipelines by `echolux run` and compares their views with NumPy's, with chains of the
// same stages put together here, and with each other.
#pragma once

#include "tests/commands/oct_golden.hpp"
#include "tests/commands/shipped_recordings.hpp"
#include "tests/commands/transmit_loop.hpp"

#include <map>
#include <span>

namespace echolux::test {

/// A stage by hand: its type, and what is set as TOML has it.
struct HandStage {
    std::string type;
    std::string values = {};
};
using HandChain = std::vector<HandStage>;

struct ShippedCase {
    std::string pipeline;
    std::string recording; ///< empty: the simulated full matrix, which takes seconds to make;
                           ///< kIqImages, kInverted: shipped_recordings.hpp
    std::vector<std::pair<std::string, HandChain>> views; ///< those that are chains
    double gain = 0.0;          ///< of the view `difference` of the first two; 0: there is none
    bool ofFrameBefore = false; ///< it is that of the first and what that was a frame before
    int ensemble = 1;

    const std::string& file() const {
        if (recording == kIqImages) return recordedIqImages();
        if (recording == kInverted) return recordedInverted();
        return recording.empty() ? simulatedFullMatrix() : recording;
    }
};

inline const std::vector<ShippedCase>& shippedCases() {
    static const std::vector<ShippedCase> kCases = [] {
        const auto joined = [](HandChain chain, const HandChain& more) {
            chain.insert(chain.end(), more.begin(), more.end());
            return chain;
        };
        const HandChain image{
            {"envelope"}, {"tgc"}, {"median"}, {"persistence"}, {"log_compression"}};
        const HandChain means{{"to_float"}, {"dc_removal"}};
        const HandChain band = joined(means, {{"bandpass"}});
        const HandStage middle{"one_transmit", "transmit = 1"}; // of the cine's three
        const std::string given =
            R"(design = "coefficients", coefficients = [-0.0049, 0.1007, 0.4761])";
        const HandChain fir{{"to_float"}, {"dc_removal"}, {"bandpass", given}};
        const std::string hilbert = R"(kind = "fir_hilbert", window = 15)";
        const HandStage fixed{"linear_map", R"(reference = "fixed")"};
        const HandChain flowImage = joined(
            band, {{"analytic"}, {"beamform"}, {"one_frame"}, {"envelope"}, {"log_compression"}});
        const auto compounded = [&](const std::string& how) {
            return joined(band,
                          {{"analytic"}, {"beamform", how}, {"envelope"}, {"log_compression"}});
        };
        const auto oct = [](const std::string& dc, const std::string& remapping) {
            return HandChain{{"spectrum_to_float"},
                             {"background_subtract"},
                             {"dc_removal_moving", "method = \"" + dc + '"'},
                             {"k_linearize", "method = \"" + remapping + '"'},
                             {"window"},
                             {"dispersion"},
                             {"inverse_fft"},
                             {"magnitude_log"}};
        };
        HandChain octRepeats = oct("moving_average", "nufft");
        octRepeats.insert(octRepeats.end() - 1, HandStage{"one_frame"});
        const auto amplitudes = [](HandChain chain) {
            chain.back().values = "scale = \"linear\"";
            return chain;
        };
        const auto attenuated = [](HandChain chain) {
            chain.back() = {"attenuation"};
            return chain;
        };
        const std::string cine = bundledCine();
        const std::string retina = bundledRetina();
        const std::string files = std::string(ECHOLUX_SOURCE_DIR) + "/tests/dataset/vectors/";
        return std::vector<ShippedCase>{
            {"rf", cine, {{"image", joined(joined(band, {{"analytic"}, {"beamform"}}), image)}}},
            {"rf_sum", cine, {{"image", joined(joined(band, {{"beamform"}}), image)}}},
            {"upsampled",
             cine,
             {{"image",
               joined(joined(band, {{"upsample", R"(factor = 4, design = "least_squares")"},
                                    {"analytic"},
                                    {"beamform", R"(interpolation = "linear")"}}),
                      image)}}},
            {"iq", cine, {{"image", joined({{"to_float"}, {"beamform"}}, image)}}},
            {"demodulated",
             cine,
             {{"image",
               joined({{"to_float"}, {"dc_removal"}, {"iq_demod"}, {"beamform"}}, image)}}},
            {"compounding",
             cine,
             {{"coherent", compounded("")},
              {"middle", compounded("transmits = [0, 1, 0]")},
              {"incoherent", compounded(R"(compounding = "incoherent")")}},
             1.0},
            {"low_resolution",
             cine,
             {{"sum", compounded("")}, {"one", compounded("transmits = [0, 1, 0]")}}},
            {"beamformers", cine, {{"sum", compounded("")}}},
            {"decoded", "", {{"image", compounded("")}}}, // each element fired alone
            {"refocused", cine, {}},
            {"compressed",
             cine,
             {{"recorded",
               joined(means, {{"analytic"}, {"beamform"}, {"envelope"}, {"log_compression"}})}}},
            {"harmonic", kInverted, {}},
            {"delayed_channel", cine, {{"sum", compounded("")}}},
            {"ensemble_mean",
             cine,
             {{"image", joined(band, {{"analytic"},
                                      {"beamform"},
                                      {"envelope"},
                                      {"ensemble_mean"},
                                      {"tgc"},
                                      {"median"},
                                      {"log_compression"}})}},
             0.0,
             false,
             8},
            {"colour_flow", cine, {{"image", flowImage}}, 0.0, false, 16},
            {"colour_flow_sliding", cine, {{"image", compounded("")}}},
            {"volume_flow", cine, {{"image", compounded("")}}},
            {"image_flow",
             kIqImages,
             {{"image", {{"to_float"}, {"one_frame"}, {"envelope"}, {"log_compression"}}}},
             0.0,
             false,
             12},
            {"vector_flow", cine, {{"image", flowImage}}, 0.0, false, 16},
            {"colour_flow_svd", cine, {{"image", flowImage}}, 0.0, false, 32},
            {"m_mode",
             cine,
             {{"image", compounded("")}, {"m_mode", joined(compounded(""), {{"m_mode"}})}}},
            {"spectral_doppler",
             cine,
             {{"image", compounded("")},
              {"sonogram", joined(band, {{"analytic"}, {"beamform"}, {"spectral_doppler"}})}}},
            {"strain", cine, {{"image", compounded("")}}},
            {"bubbles", cine, {{"image", flowImage}}, 0.0, false, 32},
            {"bubble_tracks", cine, {{"image", flowImage}}, 0.0, false, 32},
            {"frame_difference", cine, {{"image", compounded("")}}, 1.0, true},
            // Corrected ones are no chains: aberration_pipelines_test.cpp looks at them.
            {"aberration", cine, {}},
            {"aberration_feedback", cine, {}},
            {"aberration_trial", cine, {}},
            {"aberration_transmit", "", {}},
            {"aberration_transmit_trial", "", {}},
            {"aberration_split", cine, {{"plain", compounded("")}}},
            {"aligned",
             cine,
             {{"plain",
               {{"to_float"},
                {"analytic"},
                {"beamform", R"(grid = "image", f_number = 0)"},
                {"envelope"},
                {"log_compression"}}}}},
            {"fir_linear_gray",
             cine,
             {{"image", joined(fir, {{"beamform"}, {"envelope", hilbert}, {"linear_map"}})}}},
            {"listing_4_1",
             cine,
             {{"echoview", joined(fir, {{"envelope", R"(kind = "fir_hilbert")"}, fixed})}}},
            {"listing_4_2", cine, {{"echoview", joined(fir, {{"envelope", hilbert}, fixed})}}},
            {"listing_reconstruction",
             cine,
             {{"echoview", joined(fir, {{"beamform"}, {"envelope", hilbert}, {"linear_map"}})}}},
            {"hilbert_lab",
             cine,
             {{"signal", joined(band, {middle})},
              {"hilbert_part", joined(band, {{"envelope", "amplitude = false"}, middle})},
              {"envelope", joined(band, {{"envelope"}, middle})}}},
            {"zero_phase",
             cine,
             {{"both", joined(band, {middle})},
              {"forward", joined(means, {{"bandpass", R"(direction = "forward")"}, middle})},
              {"unfiltered", joined(means, {middle})}}},
            {"beamformed", // a sector
             files + "zea_images.hdf5",
             {{"image", joined(joined({{"to_float"}}, image), {{"scan_conversion"}})}}},
            {"envelope",
             files + "pictures/itk_flat.nrrd",
             {{"image", joined({{"to_float"}}, HandChain(image.begin() + 1, image.end()))}}},
            {"recorded_image",
             files + "pictures/itk_flat.nrrd",
             {{"image", {{"to_float"}, {"median"}, {"persistence"}}}}},
            {"oct", retina, {{"image", oct("moving_average", "nufft")}}},
            {"oct_remapping",
             retina,
             {{"nufft", oct("moving_average", "nufft")},
              {"linear", oct("moving_average", "linear")}},
             1.0},
            {"oct_dc_removal",
             retina,
             {{"moving_average", oct("moving_average", "nufft")},
              {"fourier_bins", oct("fourier_bins", "nufft")}},
             5.0},
            {"oct_angiography", retina, {{"image", octRepeats}}, 0.0, false, 4},
            {"oct_angiography_split", retina, {{"image", octRepeats}}, 0.0, false, 4},
            {"oct_angiography_en_face", retina, {{"image", octRepeats}}, 0.0, false, 4},
            {"oct_doppler", retina, {{"image", octRepeats}}, 0.0, false, 4},
            {"oct_attenuation",
             retina,
             {{"image", oct("moving_average", "nufft")},
              {"attenuation", attenuated(oct("moving_average", "nufft"))}}},
            {"oct_fused_separate",
             retina,
             {{"fused", amplitudes(oct("moving_average", "nufft"))},
              {"separate", amplitudes(oct("moving_average", "nufft"))}}}};
    }();
    return kCases;
}

inline const ShippedCase& shippedCase(const std::string& pipeline) {
    return *std::ranges::find(shippedCases(), pipeline, &ShippedCase::pipeline);
}

/// The last frame's views, by name; fails the test and answers none where the run is refused.
inline std::map<std::string, std::vector<float>>
runViews(const std::string& pipeline, const std::string& recording, const std::string& backend,
         const std::vector<std::string>& views, const std::vector<std::string>& more) {
    const TemporaryFolder folder;
    std::vector<std::string> arguments{"run", pipeline, recording, "--backend", backend};
    for (const std::string& view : views) {
        arguments.emplace_back("--write");
        arguments.push_back(view + "=" + (folder / (view + ".npy")).string());
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CommandResult run = runEcholux(arguments);
    EXPECT_EQ(run.status, 0) << pipeline << ": " << run.err;
    std::map<std::string, std::vector<float>> images;
    for (const std::string& view : views) {
        if (run.status == 0) images[view] = npyValues(folder / (view + ".npy"));
    }
    return images;
}

inline std::vector<float> runByHand(const HandChain& chain, const std::string& recording,
                                    const std::string& backend,
                                    const std::vector<std::string>& more, int ensemble = 1) {
    const TemporaryFolder folder;
    const std::string path = (folder / "by_hand.toml").string();
    std::ofstream file(path);
    file << "version = 2\nname = \"by hand\"\n[recording]\nensemble = " << ensemble << '\n';
    for (const HandStage& stage : chain)
        file << "[[stage]]\ntype = \"" << stage.type << "\"\nset = { " << stage.values << " }\n";
    file.close();
    return runViews(path, recording, backend, {"image"}, more)["image"];
}

/// `tolerable`: as a part of the greatest magnitude that is expected; 0: bit by bit.
inline void expectSame(std::span<const float> got, std::span<const float> expected,
                       double tolerable) {
    ASSERT_EQ(got.size(), expected.size());
    ASSERT_FALSE(expected.empty());
    double greatest = 0.0;
    double worst = 0.0;
    std::size_t unlike = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const float a = got[i];
        const float b = expected[i];
        if (std::isfinite(b)) greatest = std::max<double>(greatest, std::abs(b));
        if (a == b || (std::isnan(a) && std::isnan(b))) continue;
        ++unlike;
        worst = std::max<double>(worst, std::isfinite(a - b) ? std::abs(a - b) : HUGE_VAL);
    }
    EXPECT_GT(greatest, 0.0);
    EXPECT_LE(worst, tolerable * greatest) << unlike << " differ";
}

/// Each view against its chain run alone, and the difference against the views, after some frames.
inline void compareWithChains(const ShippedCase& of, const std::string& backend, double tolerable) {
    SCOPED_TRACE(of.pipeline);
    const std::vector<std::string> frames{"--frames", "3"};
    std::vector<std::string> names;
    for (const auto& [name, chain] : of.views) names.push_back(name);
    if (of.gain > 0.0) names.emplace_back("difference");
    auto images = runViews(of.pipeline, of.file(), backend, names, frames);
    if (images.empty()) return;
    for (const auto& [name, chain] : of.views) {
        SCOPED_TRACE(name);
        expectSame(images[name], runByHand(chain, of.file(), backend, frames, of.ensemble),
                   tolerable);
    }
    if (of.gain == 0.0) return;
    const std::vector<float>& a = images[names[0]];
    const std::vector<float> b =
        of.ofFrameBefore ? runByHand(of.views[0].second, of.file(), backend, {"--frames", "2"})
                         : images[names[1]];
    ASSERT_EQ(b.size(), a.size());
    std::vector<float> difference;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference.push_back(static_cast<float>(of.gain) * (a[i] - b[i]));
    SCOPED_TRACE("difference");
    expectSame(images["difference"], difference, of.ofFrameBefore ? tolerable : 0.0);
}

/// Decibels below the peak against an envelope of vectors/make_analytic_golden.py.
inline void expectEnvelopeDb(const std::vector<float>& image, const std::string& reference,
                             double worstTolerableDb) {
    constexpr double kComparedAboveDb = -35.0;
    const std::vector<float> expected = Vectors("commands/vectors/analytic_golden.txt")[reference];
    ASSERT_EQ(image.size(), expected.size());
    const double peak = *std::ranges::max_element(expected);
    Deviation deviation;
    for (std::size_t i = 0; i < image.size(); ++i) {
        const double wanted = 20.0 * std::log10(expected[i] / peak);
        if (wanted > kComparedAboveDb) deviation.add(image[i], wanted);
    }
    deviation.expectWithin(worstTolerableDb, worstTolerableDb, 500);
}

/// The shipped mean of eight frames against the envelopes of frames 9 to 16, each computed by
/// itself and averaged here, in decibels re amplitude 20, about the greatest.
inline void compareEnsembleMean(const std::string& backend, double tolerableDb) {
    constexpr double kReference = 20.0;
    const std::vector<float> shown =
        runViews("ensemble_mean", bundledCine(), backend, {"image"},
                 {"--frames", "16", "--bypass", "median", "--bypass", "tgc", "--set",
                  "log_compression.reference=fixed", "--set", "log_compression.fixed_reference=20",
                  "--set", "log_compression.range_db=100"})["image"];
    const HandChain envelope{{"to_float"}, {"dc_removal"}, {"bandpass"},
                             {"analytic"}, {"beamform"},   {"envelope"}};
    std::vector<double> mean(shown.size());
    for (int frame = 9; frame <= 16; ++frame) {
        const std::vector<float> one =
            runByHand(envelope, bundledCine(), backend, {"--frames", std::to_string(frame)});
        ASSERT_EQ(one.size(), shown.size());
        for (std::size_t i = 0; i < one.size(); ++i) mean[i] += one[i] / 8.0;
    }
    std::size_t compared = 0;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const double wanted = 20.0 * std::log10(mean[i] / kReference);
        if (!(wanted > -40.0 && wanted < 0.0)) continue;
        ++compared;
        ASSERT_NEAR(shown[i], wanted, tolerableDb) << i;
    }
    EXPECT_GT(compared, shown.size() / 4);
}

/// First views against NumPy: the references of golden_test.cpp and analytic_golden_test.cpp, and
/// what rounding to single precision may do to `rf` at -35 dB.
inline void compareShippedWithNumpy(const std::string& backend, double rfTolerableDb) {
    const auto first = [&](const std::string& pipeline, const std::vector<std::string>& more) {
        const ShippedCase& of = shippedCase(pipeline);
        const std::string view = of.views.front().first;
        return runViews(pipeline, of.file(), backend, {view}, more)[view];
    };
    const auto onGrid = [](const std::string& lateralM, const std::string& depthM,
                           std::vector<std::string> more) {
        for (const std::string& value :
             {std::string("lateral_min=-8e-3"), std::string("lateral_max=8e-3"),
              std::string("depth_min=4e-3"), std::string("depth_max=34e-3"),
              "pixel_lateral=" + lateralM, "pixel_depth=" + depthM}) {
            more.emplace_back("--set");
            more.push_back("beamform." + value);
        }
        more.insert(more.end(), {"--frames", "1", "--set", "log_compression.range_db=120"});
        return more;
    };
    const auto finely = [&](const std::vector<std::string>& more) {
        return onGrid("4e-4", "2.5e-5", more); // [1201][41]
    };
    const auto coarsely = [&](std::vector<std::string> more) {
        more.insert(more.end(), {"--set", "beamform.f_number=1.4"});
        return onGrid("7.272727272727273e-4", "3e-4", more); // [101][23]
    };
    {
        SCOPED_TRACE("rf");
        expectEnvelopeDb(first("rf", coarsely({})), "cine_coarse_linear", rfTolerableDb);
    }
    {
        SCOPED_TRACE("upsampled"); // `rf` is up to 1.1 dB from nearly band-limited interpolation
        expectEnvelopeDb(first("upsampled", coarsely({})), "cine_coarse_ideal",
                         rfTolerableDb + 0.1);
    }
    {
        SCOPED_TRACE("compounding"); // the other image keeps its grid
        expectEnvelopeDb(first("compounding", coarsely({"--bypass", "compare"})),
                         "cine_coarse_linear", rfTolerableDb);
    }
    {
        SCOPED_TRACE("rf_sum");
        expectImage(first("rf_sum", finely({})), "linear_db", 0.05, 4.0);
    }
    {
        SCOPED_TRACE("demodulated");
        const std::vector<std::string> fullRate(kDemodulatedFinely.begin() + 2,
                                                kDemodulatedFinely.end());
        expectImage(first("demodulated", finely(fullRate)), "band_limited_db", 0.6, 8.0);
    }
    for (const char* pipeline : {"oct", "oct_remapping", "oct_dc_removal"}) {
        SCOPED_TRACE(pipeline);
        expectBscan(first(pipeline, {"--frames", "4"}), "compensated_db", 0.25, 0.8);
    }
}

} // namespace echolux::test
