// The model without a page: what it says of plans, held against the plan files of the program.
import {test} from 'node:test';
import assert from 'node:assert/strict';
import * as M from '../src/model.js';
import {START, fromHash, toHash, within} from '../src/state.js';
import {camera, segments, pick, view, corners} from '../src/scene.js';
import {ticks} from '../src/space_time.js';
import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {page, plan, modelIn, bad, folder, program} from './pages.mjs';

const CASES = [
  ['alltoall', 'torus(4,4)'], ['alltoall', 'torus(3,3)', '--switching', 'wormhole', '--ports', 'one'], ['allgather', 'fat_tree(2,2)'],
  ['allreduce', 'mesh(3,3)', '--pieces', '4'], ['scatter', 'hypercube(3)'], ['reduce_scatter', 'ring(5)'], ['broadcast', 'mesh(3,3)', '--pieces', '3'],
];
for (const words of CASES) {
  const name = words.join('_').replace(/\W+/g, '_');
  test(`${words.join(' ')}: every transfer is that of the plan file`, async () => {
    const {path, json} = plan(name, ...words), m = await modelIn(page(name, path));
    assert.equal(m.S, json.steps.length);
    json.steps.forEach((step, s) => {
      const theirs = step.map((t) => JSON.stringify([t.path, t.blocks])).sort(), ours = [];
      for (let t = m.stepFirst[s]; t < m.stepFirst[s + 1]; t++) {
        const [h0, h1] = M.hopsOf(m, t), [k0, k1] = M.blocksOf(m, t), way = [M.senderOf(m, t)], blocks = [];
        for (let h = h0; h < h1; h++) way.push(m.head[m.arc[h]]);
        for (let k = k0; k < k1; k++) blocks.push([...(m.from ? [m.from[k]] : []), ...(m.to ? [m.to[k]] : []), ...(m.form === M.FORM.PIECE ? [m.piece?.[k] ?? 0] : m.piece ? [m.piece[k]] : [])]);
        ours.push(JSON.stringify([way, blocks]));
      }
      assert.deepEqual(ours.sort(), theirs, `step ${s + 1}`);
    });
  });
}

test('loads, use and history count the same blocks', async () => {
  const m = await modelIn(page('sums', 'alltoall', 'torus(4,4)')), all = M.loads(m, 0, m.S);
  assert.equal(all.reduce((a, b) => a + b), 512);
  assert.deepEqual([...M.history(m, 7)].reduce((a, b) => a + b), all[7]);
  assert.equal(M.use(m).every((x) => x === 1), true, 'an optimal exchange uses every link in every step');
  assert.equal(M.mostInAStep(m), 1);
  const worms = await modelIn(page('worms', 'alltoall', 'torus(4,4)', '--switching', 'wormhole'));
  assert.ok(M.mostInAStep(worms) > 1);
});

test('a block goes from its origin to its destination, hop by hop', async () => {
  const m = await modelIn(page('follow', 'alltoall', 'torus(4,4)'));
  for (const key of ['0-10', '5-14', '3-12']) {
    const [from, to] = key.split('-').map(Number), way = M.follow(m, M.entryOf(m, key));
    assert.equal(M.senderOf(m, way[0]), from);
    assert.equal(M.receiverOf(m, way.at(-1)), to);
    for (let i = 1; i < way.length; i++) {
      assert.equal(M.senderOf(m, way[i]), M.receiverOf(m, way[i - 1]));
      assert.ok(M.stepOf(m, way[i]) > M.stepOf(m, way[i - 1]));
    }
    assert.equal(M.blockKey(m, M.entryOf(m, key)), key);
  }
  assert.equal(M.entryOf(m, '99-3'), -1);
  assert.equal(M.entryOf(m, 'x'), -1);
});

test('what a node holds: what is its own, then what it got and did not pass on; of a sum, how much of it', async () => {
  const m = await modelIn(page('hold', 'alltoall', 'ring(5)')), names = (v, s) => M.holding(m, v, s).map(({entry}) => M.blockKey(m, entry));
  for (let v = 0; v < 5; v++) {
    assert.deepEqual(names(v, m.S - 1), [0, 1, 2, 3, 4].filter((u) => u !== v).map((u) => `${u}-${v}`));
    for (let s = 0; s < m.S; s++) { const at = M.atNode(m, v, s); assert.equal(names(v, s).length, 4 + at.received - at.sent); }
  }
  const sums = await modelIn(page('hold_sums', 'allreduce', 'torus(4,4)', '--pieces', '8'));
  for (let v = 0; v < 16; v++) {
    const first = M.holding(sums, v, 0), last = M.holding(sums, v, sums.S - 1);
    assert.equal(first.length, 8);
    assert.ok(first.some(({contributions}) => contributions < 16));
    assert.deepEqual(last.map(({contributions}) => contributions), Array(8).fill(16));
  }
  const tree = await modelIn(page('hold_tree', 'reduce', 'fat_tree(2,2)'));
  for (let v = 0, roots = 0; v < tree.N; v++) {
    const [one] = M.holding(tree, v, tree.S - 1);
    if (tree.routers[v]) continue;
    assert.ok(one.contributions >= 1 && one.contributions <= 4);
    assert.ok((roots += one.contributions === 4) <= 1);
  }
});

test('all that comes to a node has come in the end, and what it holds adds up', async () => {
  const m = await modelIn(page('arrivals', 'alltoall', 'torus(4,4)')), come = M.arrivals(m);
  assert.deepEqual([...come], Array(16).fill(15));
  assert.deepEqual([...m.own], Array(16).fill(15));
  const early = M.arrived(m, 0);
  assert.ok(early.of.every((x, v) => x <= come[v]));
  for (let s = 0, known; s < m.S; s++) for (const step of [s, m.S - 1, m.S - 1 - s]) // forwards and backwards
    assert.deepEqual((known = M.arrived(m, step, known)).of, M.arrived(m, step).of);
  for (let s = 0, held = 0; s < m.S; s++, held = 0) {
    for (let v = 0; v < m.N; v++) { const at = M.atNode(m, v, s); held += m.own[v] + at.received - at.sent; }
    assert.equal(held, 240, 'blocks are neither lost nor made');
  }
});

test('stages: hops of a move, distances of a copy, halves of an allreduce', async () => {
  const move = await modelIn(page('stage1', 'alltoall', 'torus(4,4)')), hops = M.stages(move);
  assert.equal(hops.most, 4);
  assert.equal(hops.high, 'hop 4');
  const way = M.follow(move, M.entryOf(move, '0-10'));
  assert.deepEqual(way.map((t) => hops.of[t]), [1, 2, 3, 4]);
  const copy = await modelIn(page('stage2', 'broadcast', 'ring(7)')), far = M.stages(copy);
  assert.equal(far.most, 3);
  assert.equal(far.low, 'distance 1');
  const both = await modelIn(page('stage3', 'allreduce', 'mesh(3,3)', '--pieces', '2')), halves = M.stages(both);
  assert.equal(halves.low, 'reduce');
  assert.deepEqual([...new Set(halves.of)].sort(), [1, 2]);
});

test('a raster has each transfer in the pixel of its link and step', async () => {
  const m = await modelIn(page('raster', 'allgather', 'ring(5)')), {rows, rank} = M.rowsOf(m), cells = M.spaceTime(m, m.S, m.A, rank, null);
  for (let s = 0; s < m.S; s++) { const load = M.loads(m, s, s + 1); for (let r = 0; r < m.A; r++) assert.equal(cells.pixels[r * m.S + s], load[rows[r]]); }
  for (let r = 1; r < m.A; r++) assert.ok(m.group[rows[r - 1]] <= m.group[rows[r]]);
});

test('some steps alone, and what some nodes do', async () => {
  const all = await modelIn(page('whole', 'alltoall', 'torus(4,4)')), some = await modelIn(page('part', 'alltoall', 'torus(4,4)', '--steps', '2:5', '--nodes', '3:4'));
  assert.equal(some.S, 3);
  assert.equal(some.meta.first_step, 2);
  assert.equal(some.meta.total_steps, 8);
  const here = M.atNode(all, 3, 2), there = M.atNode(some, 3, 0);
  assert.equal(there.sends.length, here.sends.length);
  assert.ok(some.T < all.T);
  for (let t = 0; t < some.T; t++) assert.ok(M.senderOf(some, t) === 3 || M.receiverOf(some, t) === 3);
});

test('a rejected plan says by fields where it is wrong', async () => {
  const m = await modelIn(page('rejected', bad('send_ports__two_at_once')));
  assert.equal(m.meta.passed, false);
  assert.equal(m.meta.findings[0].node, 0);
  assert.equal(m.tail[m.meta.findings[0].arc], 0);
});

test('a simulated run: what is held when, by which step', async () => {
  const path = join(folder, 'run.html');
  execFileSync(program, ['simulate', 'alltoall', 'torus(4,4)', '--switching', 'wormhole', '--page', path]);
  const m = await modelIn(path), {rank} = M.rowsOf(m);
  assert.equal(m.run.arc.length, m.H, 'a channel for each hop of each worm');
  assert.ok(m.run.length.every((x) => x > 0) && m.run.arc.every((a) => a < m.A));
  const cells = M.runRaster(m, 300, m.A, rank);
  assert.deepEqual(new Set(cells.pixels.filter((x) => x)), new Set(Array.from({length: m.S}, (_, s) => s + 1)));
  for (let s = 1; s < m.S; s++) assert.ok(M.stepInRun(m, s).from >= M.stepInRun(m, s - 1).from, 'barriers keep steps in order');
  for (let a = 0; a < m.A; a++) assert.ok(M.heldShare(m, a) <= 1 && (M.heldShare(m, a) > 0) === m.run.arc.includes(a));
  const whole = M.held(m, 0, m.S), first = M.held(m, 0, 1), soFar = M.held(m, 0, m.S - 1), span = M.stepInRun(m, 0);
  for (let a = 0; a < m.A; a++) {
    assert.equal(whole[a], Math.ceil(1000 * M.heldShare(m, a)));
    assert.ok(soFar[a] <= whole[a] && first[a] <= 1000);
    const spans = [...m.run.arc.keys()].filter((i) => m.run.arc[i] === a && m.run.step[i] === 0);
    if (spans.length === 1) assert.equal(first[a], Math.ceil((1000 * m.run.length[spans[0]]) / (span.to - span.from)));
    assert.equal(first[a] > 0, spans.length > 0);
  }
});

test('damaged data are refused', async () => {
  await assert.rejects(async () => M.decode(new Uint8Array(40), {}), /no data of a page/);
  const {readFileSync} = await import('node:fs'), text = readFileSync(page('damaged', 'alltoall', 'ring(4)'), 'utf8');
  const bytes = await M.inflate(M.bytesOfBase64(/id=data0>(.*?)</s.exec(text)[1]));
  for (const cut of [33, 40, 47, 60, 90, bytes.length - 1]) assert.throws(() => M.decode(bytes.slice(0, cut), {pieces: 1}));
});

test('a state is a hash, and nonsense is none', () => {
  const state = {...START, step: 12, node: 5, block: '5-14.2', show: 'all', theme: 'dark', bound: 1};
  assert.deepEqual(fromHash(toHash(state)), state);
  assert.equal(toHash(START), '#step=1');
  assert.deepEqual(fromHash('#step=-4&node=x&show=never&block=<b>&theme=pink&speed=0&zoom=3'), START);
  const plans = [{N: 4, A: 8, meta: {}}];
  assert.deepEqual(within({...START, step: 99, node: 4, link: 8, finding: 0, at: 1}, 10, plans), {...START, step: 10});
});

test('a picture: opposite arcs apart, stubs at the rim, the node under the pointer', async () => {
  const m = await modelIn(page('scene', 'allgather', 'torus(4,4)')), cam = camera(m, 800, 600, view()), scene = segments(m, cam);
  assert.equal(scene.n, m.A + m.wraps.reduce((a, b) => a + b));
  assert.equal(m.wraps.reduce((a, b) => a + b), 16);
  for (let v = 0; v < m.N; v++) { assert.ok(cam.X[v] > 0 && cam.X[v] < 800 && cam.Y[v] > 0 && cam.Y[v] < 600); assert.deepEqual(pick(m, cam, scene, cam.X[v] + 2, cam.Y[v]), {node: v, link: -1}); }
  const a = 0, j = 8 * scene.first[a];
  assert.equal(pick(m, cam, scene, (scene.seg[j] + scene.seg[j + 2]) / 2, (scene.seg[j + 1] + scene.seg[j + 3]) / 2).link, a);
  assert.deepEqual(pick(m, cam, scene, 1, 1), {node: -1, link: -1});
  const space = await modelIn(page('space', 'allgather', 'torus(3,3,3)')), deep = camera(space, 800, 600, view(space.meta));
  assert.equal(deep.deep, true);
  assert.equal(corners(space, deep).length, 4);
  assert.equal(M.nodeName(space, corners(space, deep)[0]), '(0,0,0)');
});

test('links that lead one way are known', async () => {
  const both = await modelIn(page('both_ways', 'allgather', 'torus(3,3)')), one = await modelIn(page('one_way', 'allgather', 'de_bruijn(2,3)'));
  assert.deepEqual(M.oneWay(both), []);
  const pairs = new Set(Array.from({length: one.A}, (_, a) => `${one.tail[a]} ${one.head[a]}`));
  assert.deepEqual(M.oneWay(one), Array.from({length: one.A}, (_, a) => a).filter((a) => !pairs.has(`${one.head[a]} ${one.tail[a]}`)));
  assert.ok(M.oneWay(one).length > 8);
});

test('ticks are few, round and begin at 1', () => {
  assert.deepEqual(ticks(8), [1, 4, 6, 8]);
  assert.deepEqual(ticks(512), [1, 100, 200, 300, 400, 500]);
  assert.deepEqual(ticks(1), [1]);
  assert.deepEqual(ticks(0), []);
});

test('a picture shortens long names in the middle, by whole characters', () => {
  const m = {labels: ['gpu0', 'a'.repeat(28), 'rack_17_host_3_of_the_second_row_gpu0', '日'.repeat(40), '😀'.repeat(30)]};
  assert.deepEqual(m.labels.map((_, v) => M.shortName(m, v)), ['gpu0', 'a'.repeat(28), 'rack_17_host_…cond_row_gpu0', '日'.repeat(13) + '…' + '日'.repeat(13), '😀'.repeat(13) + '…' + '😀'.repeat(13)]);
});

test('links that weigh alike are known', () => {
  assert.equal(M.weighAlike([[0, 2], [5, 2]]), true);
  assert.equal(M.weighAlike([[0, 2], [5, 1]]), false);
  assert.equal(M.weighAlike([]), true);
});
