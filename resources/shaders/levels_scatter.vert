#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// One point per sampled texel, onto the bin of a histogram that its value falls into.
uniform sampler2D values;  // alpha 0: no value
uniform ivec2 samples;     // texels looked at, across and down
uniform float lowestLevel; // what is not above it is no value either
uniform bool fine;         // even bins over a range, else one bin per power of two
uniform sampler2D range;   // one texel: where fine bins begin and end
uniform ivec2 bins;        // of the histogram, across and down

/// Bits decide, since compilers may fold comparisons of what is not finite.
uint exponentOf(float value) { return floatBitsToUint(value) >> 23 & 0xffu; }

/// In the order of the values: the negative ones, then 0, then the positive ones.
int powerOfTwo(float value) {
    int exponent = int(exponentOf(value));
    return value < 0.0 ? 255 - exponent : 256 + exponent;
}

int evenBin(float value) {
    vec2 ends = texelFetch(range, ivec2(0), 0).xy;
    float count = float(bins.x * bins.y);
    return int(clamp((value - ends.x) / (ends.y - ends.x) * count, 0.0, count - 1.0));
}

void main() {
    gl_PointSize = 1.0;
    gl_Position = vec4(4.0, 4.0, 0.0, 1.0); // beside the picture
    ivec2 size = textureSize(values, 0);
    ivec2 cell = ivec2(gl_VertexID % samples.x, gl_VertexID / samples.x);
    vec4 texel = texelFetch(values, (2 * cell + 1) * size / (2 * samples), 0);
    float value = texel.r;
    if (texel.a == 0.0 || exponentOf(value) == 0xffu || value <= lowestLevel) return;
    int bin = fine ? evenBin(value) : powerOfTwo(value);
    vec2 place = vec2(bin % bins.x, bin / bins.x) + 0.5;
    gl_Position = vec4(2.0 * place / vec2(bins) - 1.0, 0.0, 1.0);
}
