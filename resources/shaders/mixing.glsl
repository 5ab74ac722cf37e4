// SPDX-License-Identifier: GPL-3.0-or-later
// Values between the samples of a frame, by their kind, as in gpu/image/mixed_samples.hpp.
uniform int mixing;  // 0: the values, 1: levels in dB, 2: values on a circle, 3: labels
uniform float cycle; // of values on a circle

float valueBetween(sampler2D values, vec2 place, float nearest) {
    if (mixing == 0) {
        // A neighbour that is not finite must not spoil the finite sample beside it.
        float value = texture(values, place).r;
        return notANumber(value) ? nearest : value;
    }
    if (mixing == 3 || (mixing == 2 && nearest == 0.0)) return nearest;
    const float octavesPerDb = 0.166096405;
    float turn = 6.283185307 / cycle;
    ivec2 last = textureSize(values, 0) - 1;
    vec2 at = place * vec2(last + 1) - 0.5;
    ivec2 first = ivec2(floor(at));
    vec2 part = at - vec2(first);
    float weights = 0.0;
    vec2 sum = vec2(0.0);
    for (int i = 0; i < 4; ++i) {
        ivec2 beside = ivec2(i & 1, i >> 1);
        float value = texelFetch(values, clamp(first + beside, ivec2(0), last), 0).r;
        if (notANumber(value) || (mixing == 2 && value == 0.0)) continue;
        vec2 parts = mix(1.0 - part, part, vec2(beside));
        float weight = parts.x * parts.y;
        weights += weight;
        sum += weight * (mixing == 1 ? vec2(exp2(octavesPerDb * value), 0.0)
                                     : vec2(cos(turn * value), sin(turn * value)));
    }
    if (mixing == 1) return log2(sum.x / weights) / octavesPerDb;
    float value = atan(sum.y, sum.x) / turn;
    return value - cycle * round((value - nearest) / cycle);
}
