// Pictures to keep: what a panel shows, as SVG for a paper (no DOM here but in png), or as the pixels on the screen.

import * as M from './model.js';
import {css} from './color.js';
import {ticks} from './space_time.js';

const COLUMNS = 160, ROWS = 120; // of cells in a printed raster, at most
const FONT = 'font-family="Helvetica,Arial,Liberation Sans,sans-serif" font-size="9"';

const short = (x) => String(Math.round(x * 100) / 100);
const escape = (text) => String(text).replace(/[&<>]/g, (c) => ({'&': '&amp;', '<': '&lt;', '>': '&gt;'})[c]);

/** The network as it stands, and links against steps beside it: one path for each colour, runs of cells as one. */
export function svgOf(p, state, theme, palette, title) {
  const w = p.canvas.net.clientWidth, h = p.canvas.net.clientHeight, side = Math.min(h, 0.8 * w), out = [];
  out.push(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${short(w + side + 90)} ${short(h + 24)}">`, `<title>${escape(title)}</title>`, `<rect width="100%" height="100%" fill="${theme.ground}"/>`);
  network(p, theme, palette, out);
  raster(p, state, theme, palette, w + 60, 10, side, h - 30, out);
  out.push(`<text x="8" y="${short(h + 16)}" ${FONT} fill="${theme.soft}">${escape(title)}</text>`, '</svg>');
  return out.join('\n') + '\n';
}

function network(p, theme, palette, out) {
  const {m, cam, scene} = p, s = scene.seg, lists = new Map();
  for (let i = 0; i < scene.n; i++) { const q = p.shades[s[8 * i + 6]]; (lists.get(q) ?? lists.set(q, []).get(q)).push(`M${short(s[8 * i])} ${short(s[8 * i + 1])}L${short(s[8 * i + 2])} ${short(s[8 * i + 3])}`); }
  for (const [q, list] of [...lists].sort((a, b) => a[0] - b[0])) out.push(`<path d="${list.join('')}" fill="none" stroke="${q ? css(palette[q]) : theme.idle}" stroke-width="${q ? 1 + (1.2 * q) / palette.length : 0.6}"/>`);
  const r = short(Math.max(0.8, cam.radius)), discs = [];
  for (let v = 0; v < m.N; v++) discs.push(m.routers?.[v] ? `<rect x="${short(cam.X[v] - cam.radius)}" y="${short(cam.Y[v] - cam.radius)}" width="${short(2 * cam.radius)}" height="${short(2 * cam.radius)}"/>` : `<circle cx="${short(cam.X[v])}" cy="${short(cam.Y[v])}" r="${r}"/>`);
  out.push(`<g fill="${theme.fill}" stroke="${theme.rim}" stroke-width="0.8">${discs.join('')}</g>`);
  if (p.way.length) out.push(`<path d="${p.way.flatMap((t) => { const [a, b] = M.hopsOf(m, t); return Array.from({length: b - a}, (_, i) => m.arc[a + i]); }).flatMap((a) => Array.from({length: scene.first[a + 1] - scene.first[a]}, (_, i) => scene.first[a] + i)).map((i) => `M${short(s[8 * i])} ${short(s[8 * i + 1])}L${short(s[8 * i + 2])} ${short(s[8 * i + 3])}`).join('')}" fill="none" stroke="${theme.block}" stroke-width="2.5"/>`);
  if (p.named()) out.push(`<g ${FONT} fill="${theme.soft}">${Array.from({length: m.N}, (_, v) => `<text x="${short(cam.X[v] + cam.radius + 2)}" y="${short(cam.Y[v] + cam.radius + 10)}">${escape(M.shortName(m, v))}</text>`).join('')}</g>`);
}

function raster(p, state, theme, palette, x, y, w, h, out) {
  const {m} = p, columns = Math.min(m.S, COLUMNS), rows = Math.min(m.A, ROWS);
  if (!columns || !rows) return;
  const cells = M.spaceTime(m, columns, rows, p.rank, p.stage), lists = new Map(), most = p.most('step');
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns;) {
    const value = cells.pixels[r * columns + c];
    let end = c + 1;
    while (end < columns && cells.pixels[r * columns + end] === value) end++;
    if (value) { const q = p.shadeOf(value, most); (lists.get(q) ?? lists.set(q, []).get(q)).push(`M${c} ${r}h${end - c}v1h${c - end}z`); }
    c = end;
  }
  out.push(`<g transform="translate(${short(x)} ${short(y)}) scale(${w / columns} ${h / rows})" shape-rendering="crispEdges">`);
  for (const [q, list] of [...lists].sort((a, b) => a[0] - b[0])) out.push(`<path d="${list.join('')}" fill="${css(palette[q])}"/>`);
  out.push('</g>', `<rect x="${short(x)}" y="${short(y)}" width="${short(w)}" height="${short(h)}" fill="none" stroke="${theme.soft}" stroke-width="0.5"/>`);
  for (const s of ticks(m.S, m.meta.first_step)) out.push(`<text x="${short(x + ((s - 0.5) / m.S) * w)}" y="${short(y + h + 12)}" text-anchor="middle" ${FONT} fill="${theme.soft}">${s + m.meta.first_step}</text>`);
  const names = m.meta.groups ?? [];
  for (let a = 0, b = 0; a < m.A; a = b) {
    while (b < m.A && m.group[p.rows[b]] === m.group[p.rows[a]]) b++;
    if (names.length > 1) out.push(`<text x="${short(x - 5)}" y="${short(y + (((a + b) / 2) * h) / m.A + 3)}" text-anchor="end" ${FONT} fill="${theme.soft}">${escape(names[m.group[p.rows[a]]])}</text>`);
  }
  if (state.step <= m.S) out.push(`<rect x="${short(x + ((state.step - 1) * w) / m.S)}" y="${short(y)}" width="${short(Math.max(0.8, w / m.S))}" height="${short(h)}" fill="none" stroke="${theme.ink}" stroke-width="0.8"/>`);
}

/** All canvases of all panels as they are on the page; a promise of a Blob. */
export function pngOf(panels, theme) {
  const boxes = panels.flatMap((p) => Object.values(p.canvas)).map((c) => [c, c.getBoundingClientRect()]), d = devicePixelRatio || 1;
  const x0 = Math.min(...boxes.map(([, b]) => b.left)), y0 = Math.min(...boxes.map(([, b]) => b.top)), x1 = Math.max(...boxes.map(([, b]) => b.right)), y1 = Math.max(...boxes.map(([, b]) => b.bottom));
  const all = new OffscreenCanvas(Math.round((x1 - x0) * d), Math.round((y1 - y0) * d)), x = all.getContext('2d');
  x.fillStyle = theme.ground;
  x.fillRect(0, 0, all.width, all.height);
  for (const [c, b] of boxes) x.drawImage(c, Math.round((b.left - x0) * d), Math.round((b.top - y0) * d));
  return all.convertToBlob({type: 'image/png'});
}

export function download(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
