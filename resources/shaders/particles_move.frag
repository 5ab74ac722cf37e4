#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// One particle per texel: moved by the flow, or put at a random place where something flows.
#include "flow_field.glsl"
uniform sampler2D particles; // place across and down (0..1), age in moves, age at the end; 0: none
uniform vec2 stride;         // fractions of the image per unit of velocity, in the time of this move
uniform uint move;           // number of this move
out vec4 moved;

// Three random numbers below 1 for three whole ones: pcg3d of Jarzynski and Olano, Hash functions
// for GPU rendering, Journal of Computer Graphics Techniques 9(3), 2020.
vec3 random(uvec3 v) {
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.z; v.y += v.z * v.x; v.z += v.x * v.y;
    v ^= v >> 16u;
    v.x += v.y * v.z; v.y += v.z * v.x; v.z += v.x * v.y;
    return vec3(v >> 8u) / 16777216.0;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec4 particle = texelFetch(particles, texel, 0);
    vec2 flow = flowAt(particle.xy);
    if (particle.w > particle.z && flow != vec2(0.0)) {
        // The midpoint rule in a few parts, so that paths follow the bends of a vessel.
        const int parts = 4;
        vec2 part = stride / float(parts);
        for (int i = 0; i < parts && flow != vec2(0.0); ++i) {
            vec2 middle = flowAt(particle.xy + 0.5 * part * flow);
            particle.xy += part * (middle == vec2(0.0) ? flow : middle);
            flow = flowAt(particle.xy);
        }
        if (flow != vec2(0.0)) {
            moved = vec4(particle.xy, particle.z + (stride == vec2(0.0) ? 0.0 : 1.0), particle.w);
            return;
        }
    }
    uint number = uint(texel.y * textureSize(particles, 0).x + texel.x);
    const uint tries = 16u;
    const float shortest = 30.0; // moves that a particle lasts; the longest lasts three times that
    moved = vec4(0.0);
    for (uint i = 0u; i < tries; ++i) {
        vec3 chosen = random(uvec3(number, move, i));
        if (flowAt(chosen.xy) == vec2(0.0)) continue;
        float last = shortest * (1.0 + 2.0 * chosen.z);
        // The first ones have any age, so that they do not end all at once.
        float age = move == 0u ? floor(last * random(uvec3(number, move, tries)).x) : 0.0;
        moved = vec4(chosen.xy, age, last);
        return;
    }
}
