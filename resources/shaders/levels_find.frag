#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a histogram: where most values lie, from one of powers of two; then their quantiles, from
// one of even bins.
uniform sampler2D histogram;
uniform ivec2 bins;
uniform bool fine;
uniform sampler2D range;
uniform vec3 parts; // of all values, lie below each quantile; rising
out vec4 found; // first and last edge, or the three quantiles; alpha: how many values there are

float countIn(int bin) { return texelFetch(histogram, ivec2(bin % bins.x, bin / bins.x), 0).r; }

/// Where bin `bin` of powers of two begins; so that lengths of ranges are finite.
float edgeOf(int bin) {
    if (bin == 256) return 0.0;
    float magnitude = exp2(min(float(abs(bin - 256) - 127), 126.0));
    return bin > 256 ? magnitude : -magnitude;
}

void main() {
    int count = bins.x * bins.y;
    float total = 0.0;
    for (int bin = 0; bin < count; ++bin) total += countIn(bin);
    // Sorted values count from 0: quantile p is number floor(p (total - 1)).
    vec3 rank = floor(parts * max(total - 1.0, 0.0));
    ivec3 at = ivec3(0);
    float below = 0.0;
    for (int bin = 0; bin < count; ++bin) {
        below += countIn(bin);
        at += ivec3(lessThanEqual(vec3(below), rank));
    }
    if (fine) {
        vec2 ends = texelFetch(range, ivec2(0), 0).xy;
        vec3 fraction = (vec3(at) + 0.5) / float(count);
        found = vec4(ends.x + fraction * (ends.y - ends.x), total);
    } else {
        found = vec4(edgeOf(at.x), edgeOf(at.z + 1), 0.0, total);
    }
}
