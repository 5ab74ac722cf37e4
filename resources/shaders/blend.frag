#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// A frame's values through the colour map, over a frame that has been drawn. It has gaps where it shows nothing.
#include "colour.glsl"
#include "mixing.glsl"
uniform sampler2D values;    // R32F
uniform bool bothSigns;      // values near 0 mean nothing; else all up to the darkest colour do
uniform float opacity;
uniform float priority;      // 0..1; where the lower frame is brighter, it stays
uniform sampler2D lower;     // R32F
uniform vec4 lowerPlace;     // its left and top in the framebuffer, and 1 / its width and height
uniform bool lowerTransposed;
uniform vec2 lowerRange;     // min, max; min < max
in vec2 place;
out vec4 colour;

bool isNothing(float value) {
    const float gap = 1.0 / 16.0; // of the range; colours there are nearly black
    float most = max(abs(displayRange.x), abs(displayRange.y));
    return notANumber(value) || (bothSigns ? abs(value) <= gap * most : value <= displayRange.x);
}

void main() {
    ivec2 size = textureSize(values, 0);
    float nearest = texelFetch(values, clamp(ivec2(place * vec2(size)), ivec2(0), size - 1), 0).r;
    if (isNothing(nearest)) discard;
    vec2 beneath = (gl_FragCoord.xy - lowerPlace.xy) * lowerPlace.zw;
    float under = texture(lower, lowerTransposed ? beneath.yx : beneath).r;
    if ((under - lowerRange.x) / (lowerRange.y - lowerRange.x) > priority && priority < 1.0) discard;
    colour = vec4(colourOf(valueBetween(values, place, nearest)), opacity);
}
