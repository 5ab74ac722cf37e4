#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// A frame's values through the colour map; colour.glsl is put in where it is named. A frame with gaps
// leaves what lies beneath where it has no data.
#include "colour.glsl"
#include "mixing.glsl"
uniform sampler2D values; // R32F
uniform vec3 notANumberColour;
uniform bool hasGaps;
in vec2 place;
out vec4 colour;

void main() {
    ivec2 size = textureSize(values, 0);
    float nearest = texelFetch(values, clamp(ivec2(place * vec2(size)), ivec2(0), size - 1), 0).r;
    if (notANumber(nearest)) {
        if (hasGaps) discard;
        colour = vec4(notANumberColour, 1.0);
        return;
    }
    colour = vec4(colourOf(valueBetween(values, place, nearest)), 1.0);
}
