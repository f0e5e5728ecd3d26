// What a page shows, as numbers: no DOM here, so that it runs in node, too. A model is filled once and frozen; a question
// (who sends now, where does this block go) is one pass over all transfers, which takes milliseconds: there are no indexes.
//
// The columns are those of src/quadrille/viewer/page_columns.h. Steps are counted from 0 here and from 1 on the page.

const MAGIC = 0x31575651; // "QVW1"
const COLUMN = {tail: 1, head: 2, capacity: 3, places: 4, wraps: 5, group: 6, bends: 7, transfers: 10, hops: 11, blocks: 12, arc: 13, from: 14, to: 15, piece: 16, copies: 17, starts: 18, sums: 19, labels: 20, routers: 21, own: 22, held: 23, holdArc: 30, holdFrom: 31, holdLength: 32, holdStep: 33};
export const FORM = Object.freeze({PAIR: 0, SINGLE: 1, PIECE: 2}); // how blocks are named: from and to, one node, neither

export function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const s = atob(text), out = new Uint8Array(s.length);
  for (let i = 0; i < s.length; i++) out[i] = s.charCodeAt(i);
  return out;
}

export async function inflate(bytes) {
  const stream = new Response(bytes).body.pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// --- reading ---------------------------------------------------------------------------------------------

function varints(bytes, [from, to], out) {
  let i = from;
  for (let k = 0; k < out.length; k++) {
    let x = bytes[i++];
    if (x > 127) {
      x &= 127;
      for (let scale = 128, y = 128; y > 127; scale *= 128) { y = bytes[i++]; x += (y & 127) * scale; }
    }
    out[k] = x;
  }
  if (i !== to) throw new Error(`a column of ${to - from} bytes: its ${out.length} numbers end after ${i - from}`);
  return out;
}

/** All numbers of a column that follow each other, whatever their number. */
function running(bytes, range) {
  let n = 0;
  for (let i = range[0]; i < range[1]; i++) n += bytes[i] < 128;
  const out = varints(bytes, range, new Float64Array(n));
  for (let i = 0, before = 0; i < n; i++) before = out[i] = before + signed(out[i]);
  return out;
}

const signed = (x) => (x % 2 ? -((x + 1) / 2) : x / 2);

function firsts(counts) {
  const out = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) out[i + 1] = out[i] + counts[i];
  return out;
}

function columnsOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 32 || view.getUint32(0, true) !== MAGIC) throw new Error('these are no data of a page (QVW1)');
  const head = Array.from({length: 7}, (_, i) => view.getUint32(4 + 4 * i, true)), at = new Map();
  for (let o = 32; o < bytes.length;) {
    const length = view.getUint32(o + 4, true);
    if (o + 8 + length > bytes.length) throw new Error('the data of the page are cut off');
    at.set(view.getUint32(o, true), [o + 8, o + 8 + length]);
    o += 8 + length;
  }
  return {head, at};
}

export function decode(bytes, meta) {
  const {head: [N, A, S, T, H, B, flags], at} = columnsOf(bytes);
  const numbers = (id, n) => (at.has(id) ? varints(bytes, at.get(id), new Uint32Array(n)) : null);
  const raw = (id) => (at.has(id) ? bytes.subarray(...at.get(id)) : null);
  const floats = (id) => (at.has(id) ? new Float32Array(bytes.slice(...at.get(id)).buffer) : null);

  const tail = numbers(COLUMN.tail, A), head = new Uint32Array(A), heads = numbers(COLUMN.head, A);
  for (let a = 1; a < A; a++) tail[a] += tail[a - 1];
  for (let a = 0; a < A; a++) head[a] = tail[a] + signed(heads[a]);
  const capacity = numbers(COLUMN.capacity, A) ?? new Uint32Array(A).fill(1);

  const stepFirst = firsts(numbers(COLUMN.transfers, S));
  const hopFirst = flags & 1 ? null : firsts(numbers(COLUMN.hops, T));
  const blockFirst = flags & 2 ? null : firsts(numbers(COLUMN.blocks, T));
  const arc = numbers(COLUMN.arc, H);
  for (let s = 0; s < S; s++) {
    const from = hopFirst ? hopFirst[stepFirst[s]] : stepFirst[s], to = hopFirst ? hopFirst[stepFirst[s + 1]] : stepFirst[s + 1];
    for (let h = from, before = 0; h < to; h++) before = arc[h] = before + signed(arc[h]);
  }

  const form = (flags >> 2) & 3;
  const from = form < FORM.PIECE ? numbers(COLUMN.from, B) : null, to = form === FORM.PAIR ? numbers(COLUMN.to, B) : null;
  const piece = flags & 16 ? numbers(COLUMN.piece, B) : null;
  if (piece) for (let k = 0, before = 0; k < B; k++) before = piece[k] = before + signed(piece[k]);
  if (from) for (let t = 0, k = 0; t < T; t++) { // names are told relative to the node that sends
    const sender = tail[arc[hopFirst ? hopFirst[t] : t]], end = blockFirst ? blockFirst[t + 1] : t + 1;
    for (; k < end; k++) {
      from[k] = (from[k] + sender) % N;
      if (to) to[k] = (to[k] + sender) % N;
    }
  }

  const run = at.has(COLUMN.holdArc) ? {arc: running(bytes, at.get(COLUMN.holdArc)), from: running(bytes, at.get(COLUMN.holdFrom)), length: running(bytes, at.get(COLUMN.holdLength)), step: running(bytes, at.get(COLUMN.holdStep))} : null;
  const labels = raw(COLUMN.labels), copies = raw(COLUMN.copies), routers = raw(COLUMN.routers);
  return Object.freeze({
    N, A, S, T, H, B, form, run: run && Object.freeze({...run, end: run.from.reduce((e, f, i) => Math.max(e, f + run.length[i]), 1)}), tail, head, capacity, stepFirst, hopFirst, blockFirst, arc, from, to, piece, copies, routers, meta,
    mostCapacity: capacity.reduce((x, y) => Math.max(x, y), 1),
    places: floats(COLUMN.places), starts: floats(COLUMN.starts), own: numbers(COLUMN.own, N), sums: numbers(COLUMN.sums, B), held: numbers(COLUMN.held, B),
    wraps: raw(COLUMN.wraps) ?? new Uint8Array(A), bends: floats(COLUMN.bends), group: raw(COLUMN.group) ?? new Uint8Array(A),
    labels: labels ? new TextDecoder().decode(labels).split('\n') : null,
  });
}

// --- names -----------------------------------------------------------------------------------------------

export const nodeName = (m, v) => (m.labels ? m.labels[v] : String(v));
/** The same for a picture, where a long one is shortened in the middle: ends tell nodes apart. */
export function shortName(m, v) {
  const all = [...nodeName(m, v)];
  return all.length <= 28 ? all.join('') : [...all.slice(0, 13), '…', ...all.slice(-13)].join('');
}
export const linkName = (m, a) => `${nodeName(m, m.tail[a])} › ${nodeName(m, m.head[a])}`;
export const nodeCalled = (m, name) => (m.labels ? m.labels.indexOf(name) : Number(name) < m.N && /^\d+$/.test(name) ? Number(name) : -1);

/** How the hash of the page names the block of entry k: "5-14", "5", with a piece "5-14.2". */
export function blockKey(m, k) {
  const p = m.piece ? m.piece[k] : 0;
  if (m.form === FORM.PIECE) return String(p);
  return (m.form === FORM.PAIR ? `${m.from[k]}-${m.to[k]}` : String(m.from[k])) + (m.piece ? '.' + p : '');
}
export function blockName(m, k) {
  if (m.form === FORM.PIECE) return m.piece ? `piece ${m.piece[k]}` : 'the block';
  return (m.form === FORM.PAIR ? `${nodeName(m, m.from[k])} → ${nodeName(m, m.to[k])}` : nodeName(m, m.from[k])) + (m.piece ? ` piece ${m.piece[k]}` : '');
}
/** An entry that carries the block of that key, or -1. */
export function entryOf(m, key) {
  const words = /^(\d+)(?:-(\d+))?(?:\.(\d+))?$/.exec(key);
  if (!words) return -1;
  const first = Number(words[1]), second = Number(words[2] ?? 0), piece = m.form === FORM.PIECE ? first : Number(words[3] ?? 0);
  for (let k = 0; k < m.B; k++)
    if ((!m.from || m.from[k] === first) && (!m.to || m.to[k] === second) && (!m.piece || m.piece[k] === piece)) return k;
  return -1;
}

/** A time as people read it, in the unit of the plan. */
export const micros = (x, unit = 'µs') => `${x >= 100 ? Math.round(x).toLocaleString('en') : x.toPrecision(3)} ${unit}`;

// --- transfers -------------------------------------------------------------------------------------------

export const hopsOf = (m, t) => (m.hopFirst ? [m.hopFirst[t], m.hopFirst[t + 1]] : [t, t + 1]);
export const blocksOf = (m, t) => (m.blockFirst ? [m.blockFirst[t], m.blockFirst[t + 1]] : [t, t + 1]);
export const senderOf = (m, t) => m.tail[m.arc[hopsOf(m, t)[0]]];
export const receiverOf = (m, t) => m.head[m.arc[hopsOf(m, t)[1] - 1]];
export const isCopy = (m, t) => (m.copies ? (m.copies[t >> 3] >> (t & 7)) & 1 : 0);
export function stepOf(m, t) {
  let a = 0, b = m.S;
  while (b - a > 1) { const c = (a + b) >> 1; if (m.stepFirst[c] <= t) a = c; else b = c; }
  return a;
}

/** Blocks over each arc in the steps from a up to, without, b. */
export function loads(m, a, b, out = new Uint32Array(m.A)) {
  out.fill(0);
  if (!m.hopFirst && !m.blockFirst) { for (let t = m.stepFirst[a], end = m.stepFirst[b]; t < end; t++) out[m.arc[t]]++; return out; }
  for (let t = m.stepFirst[a]; t < m.stepFirst[b]; t++) {
    const [h0, h1] = hopsOf(m, t), [k0, k1] = blocksOf(m, t);
    for (let h = h0; h < h1; h++) out[m.arc[h]] += k1 - k0;
  }
  return out;
}
/** The most blocks over one arc in one step. */
export function mostInAStep(m) {
  const sum = new Uint32Array(m.A);
  let most = 1;
  for (let s = 0; s < m.S; s++) {
    loads(m, s, s + 1, sum);
    for (const x of sum) if (x > most) most = x;
    if (!m.hopFirst && !m.blockFirst && m.mostCapacity === 1 && m.meta.passed) break; // one a step is all there is
  }
  return most;
}
/** Of each step the share of all capacity that is in use. */
export function use(m) {
  const out = new Float32Array(m.S), all = m.capacity.reduce((x, y) => x + y, 0) || 1;
  for (let s = 0; s < m.S; s++) out[s] = (hopsOf(m, m.stepFirst[s + 1])[0] - hopsOf(m, m.stepFirst[s])[0] || 0) / all;
  if (m.hopFirst) for (let s = 0; s < m.S; s++) out[s] = (m.hopFirst[m.stepFirst[s + 1]] - m.hopFirst[m.stepFirst[s]]) / all;
  return out;
}
/** The load of one arc in each step. */
export function history(m, arc) {
  const out = new Uint32Array(m.S);
  for (let s = 0; s < m.S; s++) for (let t = m.stepFirst[s]; t < m.stepFirst[s + 1]; t++) {
    const [h0, h1] = hopsOf(m, t);
    for (let h = h0; h < h1; h++) if (m.arc[h] === arc) { const [k0, k1] = blocksOf(m, t); out[s] += k1 - k0; }
  }
  return out;
}
/** Transfers that carry the block of entry k, in order. */
export function follow(m, k) {
  const from = m.from?.[k], to = m.to?.[k], piece = m.piece?.[k], out = [];
  for (let t = 0; t < m.T; t++) {
    const [k0, k1] = blocksOf(m, t);
    for (let i = k0; i < k1; i++)
      if ((!m.from || m.from[i] === from) && (!m.to || m.to[i] === to) && (!m.piece || m.piece[i] === piece)) { out.push(t); break; }
  }
  return out;
}

export const numRanks = (m) => (m.routers ? m.N - m.routers.reduce((n, r) => n + r, 0) : m.N);

// --- nodes -----------------------------------------------------------------------------------------------

const counts = (m, t, v) => { // blocks of a transfer that are where they have to be
  const [k0, k1] = blocksOf(m, t);
  if (!m.to) return k1 - k0;
  let n = 0;
  for (let k = k0; k < k1; k++) n += m.to[k] === v;
  return n;
};
/** Of each node, how much of what comes to it for good has come by the end of step s. `known`: what this gave for another step,
 * which is changed: from step to step only what lies between is looked at. */
export function arrived(m, s, known = {upTo: 0, of: new Float64Array(m.N)}) {
  const to = m.stepFirst[s + 1], by = to < known.upTo ? -1 : 1;
  for (let t = Math.min(known.upTo, to), end = Math.max(known.upTo, to); t < end; t++) { const v = receiverOf(m, t); known.of[v] += by * counts(m, t, v); }
  known.upTo = to;
  return known;
}
/** The same over all steps: once for a page. */
export const arrivals = (m) => arrived(m, m.S - 1).of;

/** Who sends and who hears in step s, and how many blocks were sent and heard until its end. */
export function atNode(m, v, s) {
  const out = {sends: [], receives: [], sent: 0, received: 0, final: 0};
  for (let t = 0; t < m.stepFirst[s + 1]; t++) {
    const now = t >= m.stepFirst[s], [k0, k1] = blocksOf(m, t);
    if (senderOf(m, t) === v) { out.sent += k1 - k0; if (now) out.sends.push(t); }
    if (receiverOf(m, t) === v) { out.received += k1 - k0; out.final += counts(m, t, v); if (now) out.receives.push(t); }
  }
  return out;
}

/** What node v holds at the end of step s, as entries of its blocks: all that come or go in the whole plan, in the order of the
 * numbers in their names. Of a reduction also of how many contributions the sum is, which all its slots have together. */
export function holding(m, v, s) {
  const held = new Map(), own = m.held && !m.routers?.[v] ? 1 : 0, moves = m.meta.flow === 'move', end = m.stepFirst[Math.min(s, m.S - 1) + 1];
  for (let t = 0; t < m.T; t++) {
    const sends = senderOf(m, t) === v, receives = receiverOf(m, t) === v;
    if (!sends && !receives) continue;
    const [k0, k1] = blocksOf(m, t);
    for (let k = k0; k < k1; k++) {
      const key = blockKey(m, k);
      let one = held.get(key);
      // What it sends before it received it, or adds to what comes, was there from the beginning.
      if (!one) held.set(key, (one = {entry: k, there: sends || own > 0, contributions: own}));
      if (t >= end) continue;
      if (sends && moves) one.there = false;
      if (!receives) continue;
      one.there = true;
      if (m.held) one.contributions = m.held[k];
    }
  }
  const order = (k) => [m.from?.[k] ?? 0, m.to?.[k] ?? 0, m.piece?.[k] ?? 0];
  return [...held.values()].filter((one) => one.there).sort((a, b) => { const x = order(a.entry), y = order(b.entry); return x[0] - y[0] || x[1] - y[1] || x[2] - y[2]; });
}

// --- what colour shows where every load is 0 or 1 ----------------------------------------------------------

const MOST_STATES = 1 << 25;

/** A number from 1 for each transfer: which hop of its block's way it is, how far from its origin a copy is, how many sums it
 * has gone through; in an allreduce whether it adds up (1) or spreads the result (2). With the words of the legend. */
export function stages(m) {
  const P = m.meta.pieces;
  if (m.copies && m.meta.collective === 'allreduce') {
    // What is spread is the whole sum; a copy of less, into a slot of its own, is still to be added.
    const of = new Uint16Array(m.T), ranks = numRanks(m);
    for (let t = 0; t < m.T; t++) of[t] = 1 + (m.sums ? m.sums[blocksOf(m, t)[0]] >= ranks : isCopy(m, t));
    return {of, most: 2, low: 'reduce', high: 'spread'};
  }
  const names = m.form === FORM.PAIR ? m.N * m.N : m.form === FORM.SINGLE ? m.N : 1, moves = m.meta.flow === 'move';
  const size = names * P * (moves ? 1 : m.N);
  if (size > MOST_STATES || size * 2 > 64e6) return null;
  const reached = new Uint16Array(size), of = new Uint16Array(m.T);
  const name = (k) => ((m.form === FORM.PAIR ? m.from[k] * m.N + m.to[k] : m.form === FORM.SINGLE ? m.from[k] : 0) * P + (m.piece ? m.piece[k] : 0));
  const at = (k, v) => (moves ? name(k) : name(k) * m.N + v);
  let most = 1;
  for (let s = 0; s < m.S; s++) { // all of a step reads what was before it
    for (let t = m.stepFirst[s]; t < m.stepFirst[s + 1]; t++) {
      const [k0, k1] = blocksOf(m, t), u = senderOf(m, t);
      let stage = 0;
      for (let k = k0; k < k1; k++) stage = Math.max(stage, reached[at(k, u)]);
      of[t] = stage + 1;
      if (stage + 1 > most) most = stage + 1;
    }
    for (let t = m.stepFirst[s]; t < m.stepFirst[s + 1]; t++) {
      const [k0, k1] = blocksOf(m, t), v = receiverOf(m, t);
      for (let k = k0; k < k1; k++) { const i = at(k, v); if (reached[i] < of[t]) reached[i] = of[t]; }
    }
  }
  const word = moves ? 'hop' : m.meta.flow === 'copy' ? 'distance' : 'sum';
  return {of, most, low: `${word} 1`, high: `${word} ${most}`};
}

// --- space and time ------------------------------------------------------------------------------------------

/** Arcs in the order of the rows: by group (a direction, a level), then by number. */
export function rowsOf(m) {
  const rows = Uint32Array.from({length: m.A}, (_, a) => a).sort((a, b) => m.group[a] - m.group[b] || a - b), rank = new Uint32Array(m.A);
  rows.forEach((a, r) => (rank[a] = r));
  return {rows, rank};
}
/** Links against steps in w x h pixels: in each the greatest load (or stage) that falls on it. */
export function spaceTime(m, w, h, rank, stage) {
  const pixels = new Uint16Array(w * h), sum = new Uint32Array(m.A);
  let most = 0;
  for (let s = 0; s < m.S; s++) {
    const x0 = Math.floor((s * w) / m.S), x1 = Math.max(x0 + 1, Math.floor(((s + 1) * w) / m.S)), touched = [];
    for (let t = m.stepFirst[s]; t < m.stepFirst[s + 1]; t++) {
      const [h0, h1] = hopsOf(m, t), [k0, k1] = blocksOf(m, t);
      for (let i = h0; i < h1; i++) {
        const a = m.arc[i];
        if (!stage && sum[a] === 0) touched.push(a);
        const value = Math.min(65535, stage ? stage.of[t] : (sum[a] += k1 - k0));
        if (value > most) most = value;
        const y0 = Math.floor((rank[a] * h) / m.A), y1 = Math.max(y0 + 1, Math.floor(((rank[a] + 1) * h) / m.A));
        for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) if (pixels[y * w + x] < value) pixels[y * w + x] = value;
      }
    }
    for (const a of touched) sum[a] = 0;
  }
  return {pixels, w, h, most};
}

/** Links against time in a simulated run: in each pixel the step, from 1, that holds the link longest there; 0: none. */
export function runRaster(m, w, h, rank) {
  const pixels = new Uint16Array(w * h), longest = new Float32Array(w * h), {arc, from, length, step, end} = m.run;
  for (let i = 0; i < arc.length; i++) {
    const a = (from[i] * w) / end, b = ((from[i] + length[i]) * w) / end, y0 = Math.floor((rank[arc[i]] * h) / m.A), y1 = Math.max(y0 + 1, Math.floor(((rank[arc[i]] + 1) * h) / m.A));
    for (let x = Math.floor(a); x < Math.min(w, Math.ceil(b)); x++) {
      const share = Math.min(b, x + 1) - Math.max(a, x);
      for (let y = y0; y < y1; y++) if (share > longest[y * w + x]) { longest[y * w + x] = share; pixels[y * w + x] = step[i] + 1; }
    }
  }
  return {pixels, w, h, most: m.S};
}
/** From when to when step s holds links in the run, in cycles; null if it holds none. */
export function stepInRun(m, s) {
  let from = Infinity, to = -Infinity;
  for (let i = 0; i < m.run.step.length; i++) if (m.run.step[i] === s) { from = Math.min(from, m.run.from[i]); to = Math.max(to, m.run.from[i] + m.run.length[i]); }
  return to < from ? null : {from, to};
}
/** For how much of the time each link is held by steps from a up to, without, b, in thousandths: of the time that the step takes
 * where it is one, else of the whole run. Holds are in the order in which they begin. */
export function held(m, a, b, out = new Uint32Array(m.A)) {
  const one = b === a + 1 && m.S > 1 ? stepInRun(m, a) : null, span = one ? one.to - one.from : m.run.end, over = new Float64Array(m.A), sum = new Float64Array(m.A), {arc, from, length, step} = m.run;
  for (let i = 0; i < arc.length; i++) {
    if (step[i] < a || step[i] >= b) continue;
    const link = arc[i], to = from[i] + length[i];
    sum[link] += Math.max(0, to - Math.max(from[i], over[link]));
    over[link] = Math.max(over[link], to);
  }
  for (let link = 0; link < m.A; link++) out[link] = span > 0 ? Math.ceil((1000 * sum[link]) / span) : 0;
  return out;
}
/** The share of the run in which a link is held by somebody. */
export function heldShare(m, a) {
  const spans = [];
  for (let i = 0; i < m.run.arc.length; i++) if (m.run.arc[i] === a) spans.push([m.run.from[i], m.run.from[i] + m.run.length[i]]);
  let sum = 0, over = 0;
  for (const [from, to] of spans.sort((p, q) => p[0] - q[0])) { sum += Math.max(0, to - Math.max(from, over)); over = Math.max(over, to); }
  return sum / m.run.end;
}

/** Arcs between whose ends no arc leads back, ascending. */
export function oneWay(m) {
  const there = new Set(), out = [];
  for (let a = 0; a < m.A; a++) there.add(m.tail[a] * m.N + m.head[a]);
  for (let a = 0; a < m.A; a++) if (!there.has(m.head[a] * m.N + m.tail[a])) out.push(a);
  return out;
}
/** Arcs that leave a set of nodes, ascending. */
export function crossing(m, nodes) {
  const inside = new Set(nodes), out = [];
  for (let a = 0; a < m.A; a++) if (inside.has(m.tail[a]) && !inside.has(m.head[a])) out.push(a);
  return out;
}

/** Whether links of a witness, each with its weight behind it, weigh the same. */
export const weighAlike = (links) => links.every((l) => l[1] === links[0][1]);
