// SPDX-License-Identifier: GPL-3.0-or-later
// Small acquisitions of every kind of array and transmit, and scenes whose truth is known.
#pragma once

#include "app/source/echo_setup.hpp"
#include "app/source/phantom.hpp"
#include "gpu/core/acquisition.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace echolux::pairs {

/// How the transmits of an array are laid out.
enum class Layout {
    Walking, ///< apertures walk along a row of elements
    Steered, ///< all elements of a row send each wave, towards its angle
    Grid,    ///< elements of a plane send each wave, towards its two angles
    Crossed, ///< one set of long elements sends, the other one hears; then the other way round
};

/// A kind of array. A new kind joins the table of pairs by a row.
struct ArrayRow {
    std::string_view name;
    Layout layout;
    Probe (*probe)();

    bool isVolume() const { return layout == Layout::Grid || layout == Layout::Crossed; }
};
std::span<const ArrayRow> arrayRows();

/// A kind of transmit, likewise.
struct TransmitRow {
    std::string_view name;
    void (*add)(const ArrayRow& array, EchoSetup& setup);
    /// Each line of the image is recorded by a transmit of its own.
    bool linesAreRecorded = false;
};
std::span<const TransmitRow> transmitRows();

EchoSetup setupOf(const ArrayRow& array, const TransmitRow& transmit);

/// What is imaged.
enum class Scene {
    Points, ///< single points
    Cyst,   ///< speckle round a dark cyst
    Moving, ///< a vessel, and beside it points that stay where they are
};
inline constexpr std::int64_t kMovingFrames = 32;

/// Where things are, in the coordinates of the probe.
struct SceneTruth {
    std::vector<Point> points;
    Circle cyst;                  ///< of Scene::Cyst
    Point speckle;                ///< middle of a region of speckle alone
    double speckleHalfM = 0.7e-3; ///< half of its height; it is twice as wide
    FlowingTube vessel;           ///< of Scene::Moving; it crosses the axis
};
SceneTruth truthOf(const ArrayRow& array, Scene scene);
Phantom phantomOf(const ArrayRow& array, const EchoSetup& setup, Scene scene);

} // namespace echolux::pairs
