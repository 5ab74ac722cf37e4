#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// Two triangles per particle: a streak from where the particle is, back along the flow.
#include "flow_field.glsl"
uniform sampler2D particles;  // see particles_move.frag
uniform vec4 rectangle;       // of the image: left, top, right, bottom in device coordinates
uniform vec2 framebufferSize; // in pixels
uniform vec2 metres;          // extent of the image, across and down
uniform float halfWidth;      // of a streak, in pixels
uniform float fastest;        // speed that has the longest streak
out vec2 place;               // fractions of the image
out vec2 streak;              // -1..1 across; 0 at the tail to 1 at the head
out float strength;

const vec2 corners[6] = vec2[6](vec2(-1, 0), vec2(1, 0), vec2(-1, 1), vec2(-1, 1), vec2(1, 0),
                                vec2(1, 1));

void main() {
    gl_Position = vec4(4.0, 4.0, 0.0, 1.0); // beside the picture
    place = streak = vec2(0.0);
    strength = 0.0;
    int side = textureSize(particles, 0).x;
    int number = gl_VertexID / 6;
    vec4 particle = texelFetch(particles, ivec2(number % side, number / side), 0);
    vec2 flow = flowAt(particle.xy);
    if (particle.w <= 0.0 || flow == vec2(0.0)) return;
    vec2 pixels = 0.5 * framebufferSize * (rectangle.zw - rectangle.xy); // of the image, y up
    vec2 ahead = normalize(flow * vec2(1.0, -1.0) / metres * pixels);
    const float longest = 16.0; // half widths
    float back = halfWidth * (2.0 + longest * min(length(flow) / fastest, 1.0));
    vec2 corner = corners[gl_VertexID % 6];
    vec2 shift = halfWidth * (corner.x * vec2(-ahead.y, ahead.x) + ahead) -
                 (1.0 - corner.y) * (back + halfWidth) * ahead;
    streak = corner;
    place = particle.xy + shift / pixels;
    strength = clamp(min(particle.z + 1.0, particle.w - particle.z) / 5.0, 0.0, 1.0);
    gl_Position = vec4(mix(rectangle.xy, rectangle.zw, place), 0.0, 1.0);
}
