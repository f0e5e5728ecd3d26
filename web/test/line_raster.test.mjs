// Lines of pixels, held against what they have to cover.
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {drawLines, drawMapped, lineMap} from '../src/line_raster.js';

const W = 40, H = 30;
/** The sum of what one line covers, in pixels, and the image. */
function drawn(line, width, {scale = 1, fade = 1, colour = [1, 2, 3]} = {}) {
  const pixels = new Uint32Array(W * H), [red, green, blue] = colour;
  drawLines(pixels, W, H, new Float32Array([...line, 0, 1, 0, fade]), 1, {width, scale, fading: fade < 1}, [1], [0, (blue << 16) | (green << 8) | red]);
  return {pixels, area: pixels.reduce((sum, p) => sum + (p >>> 24) / 255, 0)};
}

test('a line covers its length times its width, whichever way it runs', () => {
  for (const line of [[5, 5.3, 25, 5.3], [5.5, 5, 5.5, 25], [25, 7, 5, 7], [5, 5, 25, 25], [30, 4, 8, 15], [8, 20, 14, 3]]) {
    const length = Math.hypot(line[2] - line[0], line[3] - line[1]);
    for (const width of [1, 1.6, 3]) assert.ok(Math.abs(drawn(line, width).area - length * width) < 0.06 * length * width + 0.1, `${line}, ${width}`);
  }
});

test('twice the pixels are four times as many, and a faint line is faint', () => {
  const line = [2, 3.5, 12, 6];
  assert.ok(Math.abs(drawn(line, 1.4, {scale: 2}).area / drawn(line, 1.4).area - 4) < 0.1);
  assert.ok(Math.abs(drawn(line, 1.4, {fade: 0.5}).area / drawn(line, 1.4).area - 0.5) < 0.02);
});

test('colours are those asked for, and what lies outside is nowhere', () => {
  const {pixels} = drawn([10, 10.5, 20, 10.5], 1, {colour: [0x11, 0x22, 0x33]});
  assert.equal(pixels[10 * W + 15], 0xff332211);
  assert.equal(drawn([-50, -5, -2, 80], 2).area, 0);
  assert.ok(drawn([-10, 10.5, 80, 10.5], 1).area === W, 'from edge to edge, and not round it');
  assert.equal(drawn([7, 7, 7, 7], 1).area, 0);
});

test('a map draws what is drawn without one: of each pixel the busy link that covers most of it', () => {
  let seed = 7;
  const random = (most) => (seed = (seed * 16807) % 2147483647) % most, n = 300, seg = new Float32Array(8 * n), colours = [0, 0x30201, 0x60504];
  for (let i = 0; i < n; i++) seg.set([random(60) - 10, random(50) - 10, random(60) - 10, random(50) - 10, 0, 1, i >> 1, 0.3 + random(7) / 10], 8 * i);
  for (const how of [{width: 1.2, scale: 1, fading: true}, {width: 2, scale: 1.5, fading: false}]) {
    const map = lineMap(W, H, seg, n, how);
    for (const busy of [1, 2, 5]) {
      const shades = Array.from({length: n / 2}, () => (random(busy) === 0 ? 1 + random(2) : 0)), [drawn, mapped] = [new Uint32Array(W * H), new Uint32Array(W * H).fill(9)];
      drawLines(drawn, W, H, seg, n, how, shades, colours);
      drawMapped(mapped, map, shades, colours);
      assert.deepEqual(mapped, drawn);
      assert.ok(drawn.some((pixel) => pixel !== 0));
    }
  }
});
