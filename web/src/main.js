// The page: reads its data, wires what people do to a state, and paints the state.

import * as M from './model.js';
import {fromHash, toHash, within} from './state.js';
import {pick, view} from './scene.js';
import {THEMES, palette, css, COLOURS} from './color.js';
import {Panel} from './panel.js';
import {pickCell} from './space_time.js';
import {inspector} from './inspector.js';
import {svgOf, pngOf, download} from './save.js';

const $ = (id) => document.getElementById(id), began = performance.now(), marks = {};
const ramps = {light: palette(THEMES.light), dark: palette(THEMES.dark)};
const dark = matchMedia('(prefers-color-scheme: dark)'), still = matchMedia('(prefers-reduced-motion: reduce)');
let panels = [], state, playing = false, phase = 0, clock = 0, steps = 1;

const theme = () => THEMES[state.theme || (dark.matches ? 'dark' : 'light')];

async function start() {
  const models = [];
  for (let i = 0; $('meta' + i); i++) models.push(M.decode(await M.inflate(M.bytesOfBase64($('data' + i).textContent.trim())), JSON.parse($('meta' + i).textContent)));
  if (!models.length) throw new Error('this page has no plan in it: `quadrille view` writes one that has');
  marks.decoded = performance.now() - began;
  const two = models.length > 1;
  document.body.classList.toggle('many', models.length > 2);
  panels = models.map((m, i) => {
    const box = $('plan').content.firstElementChild.cloneNode(true);
    $('plans').append(box);
    return new Panel(m, i, two ? 'ABCDEFGH'[i] : '', box);
  });
  if (two) sameColours();
  const alike = two && models.every((m) => m.N === models[0].N && m.A === models[0].A && m.meta.spec === models[0].meta.spec);
  for (const p of panels) p.beside = alike;
  steps = Math.max(1, ...models.map((m) => m.S));
  state = within(fromHash(location.hash), steps, models);
  heading();
  for (const p of panels) p.size();
  wire();
  paint();
  for (const p of panels) p.painter.finish();
  marks.first = performance.now() - began;
  requestAnimationFrame(() => { marks.shown = performance.now() - began; document.body.dataset.ready = '1'; });
  window.quadrille = {panels, marks, set, bench, get state() { return state; }};
}

/** Side by side a colour means the same in all: stages if all have the same kind of them, else blocks. */
function sameColours() {
  const most = (of) => Math.max(...panels.map(of)), staged = panels.every((p) => p.stage && p.stage.low === panels[0].stage?.low);
  const [mostAll, mostStep, last] = [most((p) => p.mostAll), most((p) => p.mostStep), staged ? panels.reduce((a, b) => (a.stage.most > b.stage.most ? a : b)).stage : null];
  for (const p of panels) Object.assign(p, {mostAll, mostStep, stage: staged ? {...p.stage, most: last.most, high: last.high} : null});
}

export function set(change) {
  state = within({...state, ...change}, steps, panels.map((p) => p.m));
  if (playing) later ||= setTimeout(tellAddress, BETWEEN); // it takes the browser half as long as a step
  else tellAddress();
  paint();
}

// A browser takes a hundred changes of an address in half a minute, and refuses more (Safari; the others some hundreds): while
// steps are played, or a key is held down, it is told now and then, and at last.
const AT_ONCE = 20, BETWEEN = 400; // milliseconds
let allowance = AT_ONCE, counted = 0, later = 0;
function tellAddress() {
  clearTimeout(later);
  later = 0;
  const now = performance.now();
  allowance = Math.min(AT_ONCE, allowance + (now - counted) / BETWEEN);
  counted = now;
  if (allowance < 1) { later = setTimeout(tellAddress, BETWEEN); return; }
  allowance--;
  try { history.replaceState(null, '', toHash(state)); } catch { /* within another page, as in a notebook, it has no address of its own */ }
}

// --- painting ------------------------------------------------------------------------------------------------

function heading() {
  const {meta} = panels[0].m, plain = (text) => document.createTextNode(text), bold = (text) => Object.assign(document.createElement('b'), {textContent: text});
  const titles = panels.map((p) => `${p.m.meta.collective} on ${p.m.meta.spec}`), differ = new Set(titles).size > 1;
  panels.forEach((p, i) => (p.on = differ ? titles[i] : ''));
  if (differ) $('title').append(bold(panels.map((p, i) => `${p.name}: ${titles[i]}`).join('   ')));
  else $('title').append(bold(meta.collective), plain(' on '), bold(meta.spec));
  $('algorithm').textContent = panels.length > 1 ? '' : meta.algorithm;
  document.title = [...new Set(titles)].join(', ');
  $('verdict').replaceChildren(...panels.flatMap((p, i) => {
    const {m} = p, span = document.createElement('span'), least = m.meta.bound?.steps, all = m.meta.total_steps;
    const words = !m.meta.passed ? `✗ rejected: ${m.meta.total_findings.toLocaleString('en')} finding${m.meta.total_findings === 1 ? '' : 's'}` : least === all ? `✓ verified, optimal: ${all.toLocaleString('en')} step${all === 1 ? '' : 's'}` : `✓ verified, ${all.toLocaleString('en')} steps` + (least === undefined ? '' : `, lower bound ${least.toLocaleString('en')}`);
    span.textContent = (p.name ? `${p.name}: ` : '') + words;
    span.className = m.meta.passed ? 'passed' : 'rejected';
    return i ? [plain('   '), span] : [span];
  }));
  $('slider').min = 1;
  $('slider').max = steps;
  $('run').hidden = !panels.some((p) => p.m.run);
  $('bound').hidden = !panels.some((p) => p.m.meta.bound);
  $('names').replaceChildren(...Array.from({length: Math.min(panels[0].m.N, 2000)}, (_, v) => Object.assign(document.createElement('option'), {value: M.nodeName(panels[0].m, v)})));
}

function paint() {
  const t = performance.now(), now = theme(), ramp = ramps[now.name];
  document.documentElement.dataset.theme = now.name;
  for (const p of panels) { p.follow(state.block); p.paint(state, now, ramp); }
  $('info').innerHTML = panels.map((p) => inspector(p, state)).join('');
  const {meta, starts} = panels[0].m, first = meta.first_step;
  $('slider').value = state.step;
  $('slider').setAttribute('aria-valuetext', `step ${state.step + first}`);
  $('step').textContent = steps === 1 && panels.every((p) => p.m.S === 0) ? 'no steps' : `step ${(state.step + first).toLocaleString('en')} of ${(panels.length > 1 ? steps : meta.total_steps).toLocaleString('en')}` + (starts && state.step < starts.length && panels.length === 1 ? ` · ${M.micros(starts[state.step], meta.unit)}` : '');
  for (const b of document.querySelectorAll('[data-show]')) b.setAttribute('aria-pressed', b.dataset.show === state.show);
  $('run').setAttribute('aria-pressed', state.run === 1);
  $('bound').setAttribute('aria-pressed', state.bound === 1);
  $('play').textContent = playing ? '❚❚' : '▶';
  $('play').setAttribute('aria-label', playing ? 'pause' : 'play');
  $('speed').value = String(state.speed);
  legend(now, ramp);
  marks.paint = performance.now() - t;
}

function legend(now, ramp) {
  const p = panels.find((q) => q.staged(state.show)) ?? panels[0], run = panels[0].inTime, staged = p.staged(state.show), most = Math.max(...panels.map((q) => q.most(state.show)));
  $('idle').style.background = now.idle;
  $('ramp').style.background = most > 1 ? `linear-gradient(90deg,${[0, 0.2, 0.4, 0.6, 0.8, 1].map((x) => css(ramp[1 + Math.round(x * (COLOURS - 1))])).join(',')})` : css(ramp[COLOURS]);
  $('low').textContent = run ? '0 %' : most > 1 ? (staged ? p.stage.low : '1') : '';
  $('high').textContent = run ? `held for ${(most / 10).toLocaleString('en')} % of the ${state.show === 'step' ? 'step' : 'run'}` : most > 1 ? (staged ? p.stage.high : `${most.toLocaleString('en')} blocks`) : 'in use';
}

// --- playing ---------------------------------------------------------------------------------------------------

function tick(now) {
  if (!playing) return;
  phase += (Math.min(100, now - clock) / 1000) * state.speed;
  clock = now;
  if (phase >= 1) {
    const by = Math.floor(phase);
    phase %= 1;
    if (state.step >= steps) return play(false);
    set({step: state.step + by});
  }
  if (state.show === 'step' && !still.matches) for (const p of panels) if (state.step <= p.m.S) p.painter.frame(phase);
  requestAnimationFrame(tick);
}
function play(on) {
  playing = on;
  phase = 0;
  clock = performance.now();
  if (on && state.step >= steps) state.step = 1;
  set({});
  if (on) requestAnimationFrame(tick);
}

// --- what people do ----------------------------------------------------------------------------------------------

function wirePanel(p) {
  const {over, cursor} = p.canvas;
  let down = null;
  const turned = () => { p.place(); paint(); };
  over.onpointerdown = (e) => { down = {x: e.offsetX, y: e.offsetY, view: {...p.view}, moved: false}; over.setPointerCapture(e.pointerId); };
  over.onpointermove = (e) => {
    if (!down) return;
    const dx = e.offsetX - down.x, dy = e.offsetY - down.y;
    down.moved ||= Math.hypot(dx, dy) > 4;
    if (!down.moved) return;
    if (p.cam.deep && !e.shiftKey) { p.view.yaw = down.view.yaw + dx * 0.008; p.view.pitch = down.view.pitch + dy * 0.008; }
    else { p.view.x = down.view.x + dx; p.view.y = down.view.y + dy; }
    turned();
  };
  over.onpointerup = (e) => {
    if (down && !down.moved) { const hit = pick(p.m, p.cam, p.scene, e.offsetX, e.offsetY); set({...hit, at: p.index, finding: -1, ...(hit.node < 0 && hit.link < 0 ? {block: ''} : {})}); }
    down = null;
  };
  over.onwheel = (e) => {
    e.preventDefault();
    const f = Math.exp(-e.deltaY * 0.0015), x = e.offsetX - over.clientWidth / 2, y = e.offsetY - over.clientHeight / 2;
    p.view.x = x - (x - p.view.x) * f;
    p.view.y = y - (y - p.view.y) * f;
    p.view.zoom *= f;
    turned();
  };
  over.ondblclick = () => { Object.assign(p.view, view(p.m.meta)); turned(); };
  cursor.onclick = (e) => { const cell = pickCell(p, cursor, e.offsetX, e.offsetY); if (cell) set({...cell, node: -1, at: p.index}); };
}

const go = (step) => set({step: Math.max(1, step)});
function nextFinding() {
  const p = panels.find((q) => q.m.meta.findings?.length);
  if (p) choose(p.index, (state.at === p.index ? state.finding + 1 : 0) % p.m.meta.findings.length);
}
function choose(at, finding) {
  const f = panels[at].m.meta.findings[finding], m = panels[at].m;
  set({at, finding, step: f.step === null ? m.S : f.step + 1, node: f.node ?? -1, link: f.arc ?? -1, block: f.block ?? '', show: 'step'});
}
async function save(form) {
  const {meta} = panels[0].m, name = `${meta.collective}-${meta.spec.replace(/[^\w.-]+/g, '_')}-step${state.step + meta.first_step}`;
  if (form === 'png') return download(await pngOf(panels, theme()), name + '.png');
  const p = panels[state.at];
  return download(new Blob([svgOf(p, state, theme(), ramps[theme().name], `${meta.collective} on ${meta.spec}, step ${state.step + meta.first_step} of ${meta.total_steps}`)], {type: 'image/svg+xml'}), name + '.svg');
}
function find(name) {
  const at = panels.findIndex((p) => M.nodeCalled(p.m, name) >= 0);
  $('find').setAttribute('aria-invalid', at < 0 && name !== '');
  if (at >= 0) set({at, node: M.nodeCalled(panels[at].m, name), link: -1});
}

const KEYS = {
  ArrowRight: (far) => go(state.step + far), ArrowLeft: (far) => go(state.step - far), Home: () => go(1), End: () => go(steps), ' ': () => play(!playing),
  1: () => set({show: 'step'}), 2: () => set({show: 'sofar'}), 3: () => set({show: 'all'}), t: () => set({theme: theme().name === 'dark' ? 'light' : 'dark'}), b: () => set({bound: 1 - state.bound}),
  r: () => set({run: 1 - state.run}), f: nextFinding, s: () => save('svg'), p: () => save('png'), '+': () => set({speed: state.speed * 2}), '-': () => set({speed: Math.max(1, state.speed / 2)}), '/': () => $('find').focus(),
  '?': () => $('help').toggleAttribute('hidden'),
  Escape: () => { $('help').hidden = true; set({node: -1, link: -1, block: '', finding: -1}); },
};

function wire() {
  panels.forEach(wirePanel);
  $('info').onclick = (e) => {
    const a = e.target.closest('a');
    if (!a) return;
    e.preventDefault();
    const at = Number(a.dataset.at);
    if (a.dataset.block !== undefined) set({block: a.dataset.block});
    if (a.dataset.finding !== undefined) choose(at, Number(a.dataset.finding));
  };
  $('slider').oninput = (e) => go(Number(e.target.value));
  $('speed').onchange = (e) => set({speed: Number(e.target.value)});
  for (const b of document.querySelectorAll('[data-show]')) b.onclick = () => set({show: b.dataset.show});
  $('play').onclick = () => play(!playing);
  $('run').onclick = KEYS.r;
  $('bound').onclick = KEYS.b;
  $('theme').onclick = KEYS.t;
  $('svg').onclick = KEYS.s;
  $('png').onclick = KEYS.p;
  $('keys').onclick = KEYS['?'];
  $('find').onchange = (e) => find(e.target.value);
  onkeydown = (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.id === 'find' || e.target.id === 'speed') return;
    if (e.target.tagName === 'BUTTON' && e.key === ' ') return;
    const key = KEYS[e.key];
    if (!key) return;
    e.preventDefault();
    key(e.shiftKey ? 10 : 1);
  };
  onhashchange = () => { state = within(fromHash(location.hash), steps, panels.map((p) => p.m)); paint(); };
  dark.onchange = paint;
  // Whatever takes room, a header of two lines or many words about a node, too, leaves less for the canvases.
  const room = new ResizeObserver(() => requestAnimationFrame(() => { if (panels.every((p) => p.fits())) return; for (const p of panels) p.size(); paint(); }));
  for (const p of panels) for (const c of Object.values(p.canvas)) room.observe(c);
  onresize = () => { for (const p of panels) p.size(); paint(); }; // another screen may have other pixels
}

/** What things take, in milliseconds; frames with all links busy, too. */
async function bench(frames = 60) {
  const p = panels[0], out = {...marks}, keep = state.step;
  const run = (n, f) => { f(0); p.painter.finish(); const t = performance.now(); for (let i = 0; i < n; i++) { f(i); p.painter.finish(); } return (performance.now() - t) / n; };
  out.frame = run(frames, (i) => p.painter.frame((i % 20) / 20));
  out.step = run(20, (i) => { state.step = 1 + ((i * 7) % steps); paint(); });
  p.painter.step(theme(), ramps[theme().name], p.shades.fill(COLOURS), p.shares);
  out.denseFrame = run(frames, (i) => p.painter.frame((i % 20) / 20));
  let n = 0;
  const t = performance.now();
  await new Promise((done) => { const f = () => { p.painter.frame((n++ % 20) / 20); if (performance.now() - t < 2000) requestAnimationFrame(f); else done(); }; requestAnimationFrame(f); });
  out.denseFramesPerSecond = (1000 * n) / (performance.now() - t);
  set({step: keep});
  return out;
}

start().catch((e) => { document.body.dataset.ready = 'failed'; $('verdict').textContent = e.message; console.error(e); });
