#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// A rectangle in normalised device coordinates, made from the vertex number alone.
uniform vec4 rectangle; // left, top, right, bottom
out vec2 place;         // 0..1 across the image, (0, 0) = first sample of the first row

void main() {
    place = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(mix(rectangle.x, rectangle.z, place.x),
                       mix(rectangle.y, rectangle.w, place.y), 0.0, 1.0);
}
