#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// A rectangle in normalised device coordinates, made from the vertex number alone.
uniform vec4 rectangle;  // left, top, right, bottom
uniform bool transposed; // rows of memory are columns of the picture
out vec2 place;          // 0..1 across the texture, (0, 0) = first sample of the first row

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    place = transposed ? corner.yx : corner;
    gl_Position = vec4(mix(rectangle.x, rectangle.z, corner.x),
                       mix(rectangle.y, rectangle.w, corner.y), 0.0, 1.0);
}
