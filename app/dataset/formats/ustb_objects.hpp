// SPDX-License-Identifier: GPL-3.0-or-later
// Objects of USTB as they lie in HDF5: a group with the attribute `class`, arrays of them as groups
// of numbered members, points in polar coordinates.
#pragma once

#include "app/dataset/container/hdf5_values.hpp"
#include "app/dataset/recording/recording.hpp"
#include "gpu/core/acquisition.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

/// "uff.channel_data", ...; empty where it is no object.
std::string ustbClassOf(const Hdf5File& tree, const std::string& where);

/// The members of an array of objects in the order of their numbers, or the one object itself.
std::vector<std::string> ustbMembers(const Hdf5File& tree, const std::string& where);

/// Everything of that class at the root or in a plain group at the root.
std::vector<std::string> ustbObjects(const Hdf5File& tree, std::string_view className);

/// uff.point: x = d sin az cos el, y = d sin el, z = d cos az cos el. m, rad.
struct UstbPoint {
    double distance = 0.0; ///< infinite: only a direction
    double azimuth = 0.0;
    double elevation = 0.0;

    Point place() const;
};
UstbPoint readUstbPoint(const Hdf5Values& point);

/// The numbers of property `data`, real, complex, or as two datasets `real` and `imag`, which give
/// it an axis of two before the others. Throws where they are missing or contradict each other.
struct UstbData {
    std::unique_ptr<ArraySource> source;
    bool parted = false;
};
UstbData openUstbData(const Hdf5Values& object);

/// Elements with their faces and sizes. Says in `warnings` what it makes of odd ones.
Probe readUstbProbe(const Hdf5Values& probe, std::vector<std::string>& warnings);

/// What becomes of a recording's frames in the readers below: path, format, tracks are filled in.
std::unique_ptr<Recording> openUstbChannelData(const Hdf5Values& object, RecordingInfo info);
std::unique_ptr<Recording> openUstbImages(const Hdf5Values& object, RecordingInfo info);

/// The waves of a sequence on the common clock, each first sample `initialTimeS` after the zero of
/// its file axis. `info` takes warnings and notes.
std::vector<Transmit> readUstbWaves(const Hdf5Values& channelData, const Acquisition& acquisition,
                                    double initialTimeS, RecordingInfo& info);

} // namespace echolux
