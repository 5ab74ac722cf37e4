// SPDX-License-Identifier: GPL-3.0-or-later
// The table of plausible facts: beyond these ranges a unit is wrong more often than the device is
// unusual.
#pragma once

#include <array>
#include <string_view>

namespace echolux {

/// A unit that is often meant where a number is far too large or too small.
struct MistakenUnit {
    std::string_view name = {};
    double factor = 0.0; ///< from its numbers to numbers in the right unit
};

struct PlausibleFact {
    std::string_view fact; ///< begins a sentence
    std::string_view unit; ///< of a recording's facts; empty: a plain number
    std::string_view shownUnit;
    double shownFactor; ///< a shown unit, in `unit`
    double least;       ///< in `unit`, as the next
    double most;
    std::array<MistakenUnit, 3> mistaken = {};    ///< the likeliest first
    std::string_view advice = "check the number"; ///< where no other unit fits
};

namespace plausible {

inline constexpr std::array<MistakenUnit, 3> kLengths{{{"mm", 1e-3}, {"um", 1e-6}, {"cm", 1e-2}}};
inline constexpr std::array<MistakenUnit, 3> kSteps{{{"um", 1e-6}, {"mm", 1e-3}, {"nm", 1e-9}}};
inline constexpr std::array<MistakenUnit, 3> kFrequencies{
    {{"MHz", 1e6}, {"kHz", 1e3}, {"GHz", 1e9}}};
inline constexpr std::array<MistakenUnit, 3> kLights{{{"nm", 1e-9}, {"um", 1e-6}, {"mm", 1e-3}}};
inline constexpr std::array<MistakenUnit, 3> kSpeeds{
    {{"km/s (mm/us)", 1e3}, {"mm/s", 1e-3}, {"cm/s", 1e-2}}};
inline constexpr std::array<MistakenUnit, 3> kTimes{{{"us", 1e-6}, {"ms", 1e-3}, {"ns", 1e-9}}};

inline constexpr PlausibleFact kPitch{"The pitch", "m", "mm", 1e-3, 5e-6, 20e-3, kLengths};
inline constexpr PlausibleFact kAperture{
    "The distance of the farthest element from the origin", "m", "mm", 1e-3, 1e-6, 1.0, kLengths};
inline constexpr PlausibleFact kSoundSpeed{
    "The speed of sound", "m/s", "m/s", 1.0, 300.0, 20e3, kSpeeds};
inline constexpr PlausibleFact kTransmitSpeed{
    "The speed of sound of the transmitted delays", "m/s", "m/s", 1.0, 300.0, 20e3, kSpeeds};
inline constexpr PlausibleFact kSampling{
    "The sampling frequency", "Hz", "MHz", 1e6, 1e5, 10e9, kFrequencies};
inline constexpr PlausibleFact kCentreFrequency{
    "The centre frequency", "Hz", "MHz", 1e6, 1e4, 3e9, kFrequencies};
inline constexpr PlausibleFact kDemodulation{
    "The demodulation frequency", "Hz", "MHz", 1e6, 1e4, 3e9, kFrequencies};
inline constexpr PlausibleFact kBandwidth{"The fractional bandwidth", "", "", 1.0, 1e-3, 2.0,
                                          {{{"percent", 1e-2}}}};
inline constexpr PlausibleFact kFirstSample{
    "The time of the first sample", "s", "ms", 1e-3, 0.0, 3e-3, kTimes};
inline constexpr PlausibleFact kFrameRate{
    "The frame rate", "Hz", "Hz", 1.0, 1e-4, 1e6, {{{"mHz", 1e-3}, {"kHz", 1e3}}}};
inline constexpr PlausibleFact kDepth{"The farthest depth", "m", "mm", 1e-3, 1e-6, 2.0, kLengths};
inline constexpr PlausibleFact kWidth{
    "The width of the image", "m", "mm", 1e-3, 1e-6, 2.0, kLengths};
inline constexpr PlausibleFact kWavelength{
    "The centre wavelength", "m", "nm", 1e-9, 100e-9, 20e-6, kLights};
inline constexpr PlausibleFact kLightBandwidth{
    "The bandwidth of the light", "m", "nm", 1e-9, 0.1e-9, 10e-6, kLights};
inline constexpr PlausibleFact kRefractiveIndex{"The refractive index", "", "", 1.0, 1.0, 5.0,
                                                {{{"percent", 1e-2}}}};
inline constexpr PlausibleFact kLineSpacing{
    "The distance of lines", "m", "um", 1e-6, 10e-9, 10e-3, kSteps};
inline constexpr PlausibleFact kBscanSpacing{
    "The distance of B-scans", "m", "um", 1e-6, 10e-9, 10e-3, kSteps};
/// NOTE: squares of floats overflow above 1.8e19.
inline constexpr PlausibleFact kSample{"The largest sample of the first frame",
                                       "",
                                       "",
                                       1.0,
                                       0.0,
                                       1e12,
                                       {},
                                       "check the sample type, the byte order and the scale"};

} // namespace plausible
} // namespace echolux
