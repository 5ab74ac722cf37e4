// SPDX-License-Identifier: GPL-3.0-or-later
// How values become colours, and how two images become one. These are uniforms of the shaders;
// changing them recomputes nothing.
#pragma once

namespace echolux {

struct DisplaySettings {
    double min = -60.0; ///< value of the map's first entry
    double max = 0.0;   ///< value of the map's last entry
    double gamma = 1.0; ///< exponent of the position between min and max, > 0
    bool inverted = false;
    bool smooth = true; ///< linear filter; false: nearest sample
    bool operator==(const DisplaySettings&) const = default;
};

/// How an image is drawn over another one, such as velocities over a B-mode image. A pixel shows
/// nothing of the upper image where that is within a sixteenth of its range round 0 (for values of
/// both signs) or at its darkest colour (for others).
struct BlendSettings {
    double opacity = 1.0; ///< of the upper image, 0 to 1
    /// The upper image is drawn only where the lower one is at most this bright: 0 its darkest
    /// colour, 1 its brightest.
    double priority = 1.0;
    bool operator==(const BlendSettings&) const = default;
};

/// Particles that the flow carries, drawn over images whose frames come with the motion.
struct ParticleSettings {
    static constexpr int kMost = 4096;
    int count = 0; ///< 0: none; at most kMost
    /// How fast they move: 1 as fast as the blood while the recording was made, 0.1 ten times
    /// slower.
    double pace = 0.1;
    bool operator==(const ParticleSettings&) const = default;
};

} // namespace echolux
