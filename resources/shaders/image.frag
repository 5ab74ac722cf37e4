#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// A frame's values through the colour map; colour.glsl is put in where it is named.
#include "colour.glsl"
uniform sampler2D values; // R32F
uniform vec3 notANumberColour;
in vec2 place;
out vec4 colour;

void main() {
    ivec2 size = textureSize(values, 0);
    float nearest = texelFetch(values, clamp(ivec2(place * vec2(size)), ivec2(0), size - 1), 0).r;
    if (notANumber(nearest)) {
        colour = vec4(notANumberColour, 1.0);
        return;
    }
    // A neighbour that is not finite must not spoil the finite sample beside it.
    float value = texture(values, place).r;
    if (notANumber(value)) value = nearest;
    colour = vec4(colourOf(value), 1.0);
}
