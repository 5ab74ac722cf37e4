// SPDX-License-Identifier: GPL-3.0-or-later
// Value -> colour: t = clamp((value - min) / (max - min), 0, 1); entry round(255 t^gamma) of the map.
uniform sampler2D colourMap; // 256 x 1
uniform vec2 displayRange;   // min, max; min < max
uniform float gamma;
uniform bool inverted;

// NOTE: by its bits, since compilers may fold comparisons of a value with itself.
bool notANumber(float value) {
    return (floatBitsToUint(value) & 0x7fffffffu) > 0x7f800000u;
}

vec3 colourOf(float value) {
    float t = clamp((value - displayRange.x) / (displayRange.y - displayRange.x), 0.0, 1.0);
    int entry = int(pow(t, gamma) * 255.0 + 0.5);
    if (inverted) entry = 255 - entry;
    return texelFetch(colourMap, ivec2(entry, 0), 0).rgb;
}
