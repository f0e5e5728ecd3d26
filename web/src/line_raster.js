// Many lines into an image of pixels: a step in which ten thousand links are busy takes a tenth of the time that canvas takes to
// stroke them, and a tenth of that where another step was shown in the same place before, since which links lie on which pixels is
// then known and steps differ in colours alone. No DOM: it gets the pixels.

const LINKS = 1 << 24; // more than there are: a number of one, and how much of a pixel it covers, are kept in 32 bits

/** Room for what a line covers of w x h pixels. */
const room = (w, h, {width, scale}) => { const n = (Math.max(w, h) + 2) * (Math.ceil(1.5 * width * scale) + 3); return {at: new Uint32Array(n), alpha: new Uint8Array(n)}; };

/** What segment i (scene.js) covers of w x h pixels: pixels out.at by out.alpha of 255; gives how many. `scale`: pixels of the
 * image in one of the page; a line is `width` of these wide, and as faint as its segment if `fading`. Ends are cut straight across. */
function cover(out, w, h, seg, i, {width, scale, fading}) {
  const j = 8 * i, steep = Math.abs(seg[j + 3] - seg[j + 1]) > Math.abs(seg[j + 2] - seg[j]), full = fading ? 255 * seg[j + 7] : 255;
  // `a` runs along the line's longer way, `b` across it.
  let a0 = seg[j + (steep ? 1 : 0)] * scale, b0 = seg[j + (steep ? 0 : 1)] * scale, a1 = seg[j + (steep ? 3 : 2)] * scale, b1 = seg[j + (steep ? 2 : 3)] * scale, k = 0;
  if (a0 > a1) { [a0, a1] = [a1, a0]; [b0, b1] = [b1, b0]; }
  const wide = steep ? h : w, high = steep ? w : h, along = steep ? w : 1, across = steep ? 1 : w;
  const slope = a1 > a0 ? (b1 - b0) / (a1 - a0) : 0, half = 0.5 * width * scale * Math.sqrt(1 + slope * slope);
  for (let a = Math.max(0, Math.floor(a0)), end = Math.min(wide, Math.ceil(a1)); a < end; a++) {
    const share = full * (Math.min(a + 1, a1) - Math.max(a, a0)), middle = b0 + (Math.min(a1, Math.max(a0, a + 0.5)) - a0) * slope, low = middle - half, top = middle + half;
    for (let b = Math.max(0, Math.floor(low)), last = Math.min(high, Math.ceil(top)); b < last; b++) {
      const alpha = (share * (Math.min(b + 1, top) - Math.max(b, low)) + 0.5) | 0;
      if (alpha === 0) continue;
      out.at[k] = a * along + b * across;
      out.alpha[k++] = alpha;
    }
  }
  return k;
}

/** The first n segments into w x h pixels (red, green, blue, alpha): each has the colour of the busy link that covers most of it, the
 * first of several. `shades` of links, 0 for one that is idle; `colours` of shades, as 0xbbggrr. */
export function drawLines(pixels, w, h, seg, n, how, shades, colours) {
  const out = room(w, h, how), {at, alpha} = out;
  pixels.fill(0);
  for (let i = 0; i < n; i++) {
    const shade = shades[seg[8 * i + 6]];
    if (shade === 0) continue;
    const count = cover(out, w, h, seg, i, how), colour = colours[shade];
    for (let k = 0; k < count; k++) { const p = at[k]; if (alpha[k] > pixels[p] >>> 24) pixels[p] = (alpha[k] << 24) | colour; }
  }
}

/** Which links cover which pixels: those of pixel p are entries first[p] up to, without, first[p + 1], the greatest first:
 * how much of it, and below that the link's number, counted down. */
export function lineMap(w, h, seg, n, how) {
  const out = room(w, h, how), {at, alpha} = out, first = new Uint32Array(w * h + 1);
  for (let i = 0; i < n; i++) for (let k = cover(out, w, h, seg, i, how) - 1; k >= 0; k--) first[at[k] + 1]++;
  for (let p = 0; p < w * h; p++) first[p + 1] += first[p];
  const entries = new Uint32Array(first[w * h]), filled = new Uint32Array(w * h);
  for (let i = 0; i < n; i++) {
    const count = cover(out, w, h, seg, i, how), last = LINKS - 1 - seg[8 * i + 6];
    for (let c = 0; c < count; c++) {
      const p = at[c], entry = alpha[c] * LINKS + last, begin = first[p];
      let k = begin + filled[p]++; // before those that cover less, which are few
      for (; k > begin && entries[k - 1] < entry; k--) entries[k] = entries[k - 1];
      entries[k] = entry;
    }
  }
  return {first, entries};
}

/** What drawLines() draws, of a map. */
export function drawMapped(pixels, {first, entries}, shades, colours) {
  for (let p = 0, k = 0; p < pixels.length; p++) {
    const end = first[p + 1];
    let pixel = 0;
    for (; k < end; k++) {
      const entry = entries[k], shade = shades[LINKS - 1 - (entry & (LINKS - 1))];
      if (shade !== 0) { pixel = (entry & ~(LINKS - 1)) | colours[shade]; break; }
    }
    k = end;
    pixels[p] = pixel;
  }
}
