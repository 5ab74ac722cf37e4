// SPDX-License-Identifier: GPL-3.0-or-later
// Names and types in the native recording, for its writer and its reader.
#pragma once

#include "app/dataset/container/hdf5_handle.hpp"
#include "app/dataset/facts/facts.hpp"
#include "app/dataset/transmit/wave_name.hpp"
#include "gpu/core/acquisition.hpp"
#include "gpu/core/frame_spec.hpp"

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace echolux::native {

constexpr std::int64_t kEchoVersion = 1;    ///< channel data
constexpr std::int64_t kSpectraVersion = 2; ///< spectra, with a spectrometer
/// Channel data that readers of version 1 would misread, see needsArrayVersion().
constexpr std::int64_t kArrayVersion = 3;
/// Channel data with receive weights over range, which readers of version 3 would ignore.
constexpr std::int64_t kWeightedVersion = 4;
constexpr std::int64_t kImageVersion = 5;        ///< images
constexpr std::int64_t kVersion = kImageVersion; ///< newest

constexpr const char* kVersionName = "echolux_format_version";

// Further facts are attributes under nameWithUnit(): see app/dataset/facts/facts.def.
constexpr const char* kFrames = "frames";
constexpr const char* kSampleType = "sample_type";
constexpr const char* kAxisName = "axis_name";
constexpr const char* kAxisSize = "axis_size";
constexpr const char* kAxisSpacing = "axis_spacing";
constexpr const char* kAxisOrigin = "axis_origin";
constexpr const char* kAxisUnit = "axis_unit";
constexpr const char* kConverterRange = "converter_range";
constexpr const char* kProbeFrequency = "centre_frequency_hz"; ///< of the probe
constexpr const char* kFrameRate = "frame_rate_hz";

constexpr const char* kProbe = "probe";
constexpr const char* kName = "name";
constexpr const char* kElementPosition = "element_position_m";
// Each of the following is missing from a file where its values are unknown or all at the default.
constexpr const char* kElementNormal = "element_normal";
constexpr const char* kLongAxis = "long_axis";

constexpr const char* kTransmits = "transmits";
constexpr const char* kWave = "wave";
constexpr const char* kAngle = "angle_rad";
constexpr const char* kSource = "source_m";
constexpr const char* kFirstSample = "first_sample_s";
constexpr const char* kIqPhaseZero = "iq_phase_zero_s";
// Each of the following is missing from a file where its values are unknown or all at the default.
constexpr const char* kElevation = "elevation_rad";
constexpr const char* kSteering = "steering";
constexpr const char* kBeamOrigin = "origin_m";
constexpr const char* kApodization = "apodization";
constexpr const char* kReceiveWeight = "receive_weight";
constexpr const char* kReceiveElement = "receive_element";

constexpr const char* kRangeWeights = "receive_weights"; ///< only in files with such weights
constexpr const char* kRangeWeight = "weight";
constexpr const char* kFirstRange = "first_range_m";
constexpr const char* kRangeStep = "range_step_m";

constexpr const char* kAberration = "aberration"; ///< only where it is known
constexpr const char* kAberrationDelay = "delay_s";
constexpr const char* kAberrationAmplitude = "amplitude"; ///< only where amplitudes are known

constexpr const char* kSpectrometer = "spectrometer";
constexpr const char* kBscansPerVolume = "bscans_per_volume";
constexpr const char* kBscansPerPlace = "bscans_per_place"; ///< only where more than 1
constexpr const char* kBackground = "background";
constexpr const char* kResampling = "resampling";
constexpr const char* kDispersion = "dispersion_rad";

constexpr const char* kImage = "image"; ///< only in files with images
constexpr const char* kForm = "form";
// Each of the following is missing from a file where it is unknown.
constexpr const char* kOneWay = "one_way"; ///< 1: nothing was sent to what sounds; else missing
constexpr const char* kShownRange = "shown_range";
constexpr const char* kShownUnit = "shown_unit";
constexpr const char* kShownReference = "shown_reference";
constexpr const char* kLineAngle = "line_angle_rad"; ///< images in beam space: of each line
constexpr const char* kApex = "apex_m";              ///< x and z of the point where its lines meet
constexpr const char* kArcRadius = "radius_m";       ///< from there to range 0
constexpr const char* kLineStart = "line_start_m";   ///< instead of these two: range 0 of each line

constexpr const char* kPose = "pose";       ///< only where it is known; older programs ignore it
constexpr const char* kPoseAlong = "along"; ///< of lateral, elevation, depth [x y z each]
constexpr const char* kPoseOrigin = "origin_m";
constexpr const char* kPoseSpace = "space";

/// Beside `frames`: the frame of another recording, from 0, that each frame was made of.
constexpr const char* kRawFrame = "raw_frame";
constexpr const char* kRawFile = "recording"; ///< its attribute: the name of that recording

constexpr const char* kStamps = "stamps"; ///< beside `frames`, of live sources: see FrameStamp

constexpr const char* kProvenance = "provenance";
constexpr const char* kProgram = "program";
constexpr const char* kOrigin = "source";
constexpr const char* kCreated = "created";
constexpr const char* kSeed = "seed";
constexpr const char* kNotes = "notes";

using Facts = std::initializer_list<const Fact*>;

/// Facts of a frame as attributes of the object `at`. Throws std::runtime_error where HDF5 fails.
void writeFacts(hid_t at, const FrameSpec& frame, Facts facts);
/// The same without those that are unknown.
void writeKnownFacts(hid_t at, const FrameSpec& frame, Facts facts);
/// Throws Error where one is missing.
void readFacts(hid_t at, FrameSpec& frame, const std::filesystem::path& path, Facts facts);
/// The same, except that a missing one is unknown.
void readKnownFacts(hid_t at, FrameSpec& frame, const std::filesystem::path& path, Facts facts);

/// The stored and the in-memory form of a sample type.
struct SampleTypes {
    Hdf5Handle stored; ///< little-endian
    Hdf5Handle memory;
};
/// Complex samples are compounds of "r" and "i". Packed12 is stored as bytes.
SampleTypes sampleTypes(DType type);

std::optional<Wave> waveOf(std::string_view name);
std::optional<DType> dtypeOf(std::string_view name);
std::optional<AxisName> axisOf(std::string_view name);

/// Extent of one stored frame: the sizes of the axes, or the number of bytes for Packed12.
std::vector<hsize_t> storedExtent(const FrameSpec& frame);

/// Why `frame` is impossible: a text that begins with "its ...". Empty where it is consistent.
std::optional<std::string> contradictionIn(const FrameSpec& frame);

/// Selects frame `index` of the dataset's space.
Hdf5Handle selectFrame(hid_t dataset, std::int64_t index);

} // namespace echolux::native
