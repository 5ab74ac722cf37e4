// SPDX-License-Identifier: GPL-3.0-or-later
// Velocities in the image plane, 0 where nothing flows and beside the image.
uniform sampler2D toTheRight;   // R32F, the first row is the shallowest
uniform sampler2D towardsProbe; // R32F

// To the right and towards the probe, at fractions of the image across and down.
vec2 flowAt(vec2 place) {
    if (any(lessThan(place, vec2(0.0))) || any(greaterThanEqual(place, vec2(1.0)))) return vec2(0.0);
    ivec2 texel = ivec2(place * vec2(textureSize(toTheRight, 0)));
    vec2 flow = vec2(texelFetch(toTheRight, texel, 0).r, texelFetch(towardsProbe, texel, 0).r);
    // NOTE: bits decide what is not finite, since compilers may fold comparisons.
    uvec2 exponents = floatBitsToUint(flow) >> 23u & 0xffu;
    return any(equal(exponents, uvec2(0xffu))) ? vec2(0.0) : flow;
}
