// Many lines into an image of pixels: a step in which ten thousand links are busy takes a tenth of the time that canvas takes to
// stroke them. No DOM: it gets the pixels.

/** Lines of `list` among segments (scene.js) into w x h pixels (red, green, blue, alpha), all of one colour. `scale`: pixels of the
 * image in one of the page; a line is `width` of these wide, and as faint as its segment if `fading`. Ends are cut straight
 * across; where lines meet, the more a pixel is covered the more it counts. */
export function drawLines(pixels, w, h, seg, list, [red, green, blue], width, scale, fading) {
  const colour = ((blue << 16) | (green << 8) | red) >>> 0;
  for (const i of list) {
    const j = 8 * i, steep = Math.abs(seg[j + 3] - seg[j + 1]) > Math.abs(seg[j + 2] - seg[j]), full = fading ? 255 * seg[j + 7] : 255;
    // `a` runs along the line's longer way, `b` across it.
    let a0 = seg[j + (steep ? 1 : 0)] * scale, b0 = seg[j + (steep ? 0 : 1)] * scale, a1 = seg[j + (steep ? 3 : 2)] * scale, b1 = seg[j + (steep ? 2 : 3)] * scale;
    if (a0 > a1) { [a0, a1] = [a1, a0]; [b0, b1] = [b1, b0]; }
    const wide = steep ? h : w, high = steep ? w : h, along = steep ? w : 1, across = steep ? 1 : w;
    const slope = a1 > a0 ? (b1 - b0) / (a1 - a0) : 0, half = 0.5 * width * scale * Math.sqrt(1 + slope * slope);
    for (let a = Math.max(0, Math.floor(a0)), end = Math.min(wide, Math.ceil(a1)); a < end; a++) {
      const share = Math.min(a + 1, a1) - Math.max(a, a0), middle = b0 + (Math.min(a1, Math.max(a0, a + 0.5)) - a0) * slope, low = middle - half, high1 = middle + half;
      for (let b = Math.max(0, Math.floor(low)), last = Math.min(high, Math.ceil(high1)); b < last; b++) {
        const alpha = (full * share * (Math.min(b + 1, high1) - Math.max(b, low)) + 0.5) | 0, at = a * along + b * across;
        if (alpha > pixels[at] >>> 24) pixels[at] = ((alpha << 24) | colour) >>> 0;
      }
    }
  }
}
