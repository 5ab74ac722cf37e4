#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// Value -> colour: t = clamp((value - min) / (max - min), 0, 1); entry round(255 t^gamma) of the map.
uniform sampler2D values;    // R32F
uniform sampler2D colourMap; // 256 x 1
uniform vec2 displayRange;   // min, max; min < max
uniform float gamma;
uniform bool inverted;
uniform vec3 notANumberColour;
in vec2 place;
out vec4 colour;

// NOTE: by its bits, since compilers may fold comparisons of a value with itself.
bool notANumber(float value) {
    return (floatBitsToUint(value) & 0x7fffffffu) > 0x7f800000u;
}

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
    float t = clamp((value - displayRange.x) / (displayRange.y - displayRange.x), 0.0, 1.0);
    int entry = int(pow(t, gamma) * 255.0 + 0.5);
    if (inverted) entry = 255 - entry;
    colour = vec4(texelFetch(colourMap, ivec2(entry, 0), 0).rgb, 1.0);
}
