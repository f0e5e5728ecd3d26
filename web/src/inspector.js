// The column of words beside the pictures, as HTML: what is selected, what is wrong, what the bound rests on. No DOM.

import * as M from './model.js';

const {micros} = M;

const MOST_LISTED = 12;

const escape = (text) => String(text).replace(/[&<>"]/g, (c) => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'})[c]);
const row = (what, value) => `<div class=row><span>${what}</span><b>${escape(value)}</b></div>`;
const number = (x) => x.toLocaleString('en');

/** What a panel has to say of a state. */
export function inspector(p, state) {
  const mine = p.owns(state), parts = [];
  if (p.m.meta.findings?.length) parts.push(findingsOf(p, state, mine));
  if (state.bound) parts.push(boundOf(p));
  if (mine && state.node >= 0) parts.push(nodeOf(p, state));
  if (mine && state.link >= 0) parts.push(linkOf(p, state));
  if (p.way.length) parts.push(blockOf(p));
  if (!parts.length || p.name) parts.unshift(stepOf(p, state));
  return (p.name ? `<h2>${p.name}: ${escape(p.m.meta.algorithm || 'a plan')}</h2>` : '') + parts.join('');
}

function transfers(p, list, title) {
  const {m} = p;
  if (!list.length) return '';
  const lines = list.slice(0, MOST_LISTED).map((t) => {
    const [k0, k1] = M.blocksOf(m, t), more = k1 - k0 > 1 ? ` +${k1 - k0 - 1}` : '', words = k1 > k0 ? M.blockName(m, k0) + (m.sums ? ` Σ${m.sums[k0]}` : '') + more : 'nothing';
    return `<a href="#" data-at=${p.index} ${k1 > k0 ? `data-block="${M.blockKey(m, k0)}"` : ''}>${escape(M.nodeName(m, M.senderOf(m, t)))} › ${escape(M.nodeName(m, M.receiverOf(m, t)))}<i>${escape(words)}</i></a>`;
  });
  return `<h3>${title}</h3>${lines.join('')}${list.length > MOST_LISTED ? `<p>and ${number(list.length - MOST_LISTED)} more</p>` : ''}`;
}

function findingsOf(p, state, mine) {
  const {meta} = p.m, more = meta.total_findings - meta.findings.length;
  const lines = meta.findings.map((f, i) => `<a href="#" data-at=${p.index} data-finding=${i} class="${mine && i === state.finding ? 'on' : ''}"><em>${f.step === null ? 'at the end' : 'step ' + (f.step + 1 + meta.first_step)}</em> ${escape(f.rule)}<p>${escape(f.message)}</p></a>`);
  return `<h3 class=bad>rejected: ${number(meta.total_findings)} finding${meta.total_findings === 1 ? '' : 's'}</h3>${lines.join('')}${more > 0 ? `<p>and ${number(more)} more</p>` : ''}`;
}

function boundOf(p) {
  const {bound} = p.m.meta;
  if (!bound) return '<h3>lower bound</h3><p>none is known for this plan</p>';
  const marks = {cut: 'The coloured nodes are the set, thick links cross it.', node: 'The coloured node is the one.', informed: 'The coloured node is the one.', weights: `${M.weighAlike(bound.witness?.links ?? []) ? 'Coloured links weigh the same' : 'The thicker a link, the more it weighs'}; rings are weights of sending, dashed ones of receiving.`, times: 'Numbers are the steps after which nodes are on the near side.'};
  return `<h3>lower bound: ${escape(bound.value)} steps</h3>${row('by', bound.name)}<p>${escape(bound.text)}</p>${bound.witness && marks[bound.witness.kind] ? `<p>${marks[bound.witness.kind]}</p>` : ''}`;
}

function nodeOf(p, state) {
  const {m} = p, v = state.node, s = Math.min(state.step, m.S) - 1, at = M.atNode(m, v, s), share = p.shares[v], router = m.routers?.[v];
  const lines = [`<h3>${router ? 'router' : 'node'} ${escape(M.nodeName(m, v))}</h3>`];
  if (!router && p.come[v]) lines.push(row('has got of all it gets', (100 * share).toFixed(share === 1 || share === 0 ? 0 : 1) + ' %'));
  if (m.own) lines.push(row('blocks it holds', number(m.own[v] + at.received - (m.meta.flow === 'move' ? at.sent : 0))));
  lines.push(row('sent until now', number(at.sent)), row('received until now', number(at.received)));
  return lines.join('') + transfers(p, state.step > m.S ? [] : at.sends, 'sends in this step') + transfers(p, state.step > m.S ? [] : at.receives, 'receives in this step') + holds(p, v, s);
}

// After the step: what one would find in its memory.
function holds(p, v, s) {
  const {m} = p;
  if (!m.own && !m.held) return '';
  const list = M.holding(m, v, s), ranks = M.numRanks(m);
  if (!list.length) return '';
  const lines = list.slice(0, MOST_LISTED).map(({entry, contributions}) => `<a href="#" class=held data-at=${p.index} data-block="${M.blockKey(m, entry)}">${escape(M.blockName(m, entry))}${m.sums ? `<i>${contributions === ranks ? 'the whole sum' : `sum of ${number(contributions)} of ${number(ranks)}`}</i>` : ''}</a>`);
  return `<h3>holds after this step</h3>${lines.join('')}${list.length > MOST_LISTED ? `<p>and ${number(list.length - MOST_LISTED)} more</p>` : ''}`;
}

function linkOf(p, state) {
  const {m} = p, a = state.link, loads = M.history(m, a), most = loads.reduce((x, y) => Math.max(x, y), 1), here = [];
  const s = state.step - 1;
  if (s < m.S) for (let t = m.stepFirst[s]; t < m.stepFirst[s + 1]; t++) { const [h0, h1] = M.hopsOf(m, t); for (let h = h0; h < h1; h++) if (m.arc[h] === a) { here.push(t); break; } }
  const spark = Array.from(loads, (x, i) => (x ? `M${i},10v${((-10 * x) / most).toFixed(2)}h1V10z` : '')).join('');
  return `<h3>link ${escape(M.linkName(m, a))}</h3>${row('capacity', number(m.capacity[a]))}${row('blocks in all', number(p.all[a]))}${row('in this step', number(loads[s] ?? 0))}${m.run ? row('held in the run', (100 * M.heldShare(m, a)).toFixed(1) + ' %') : ''}<svg viewBox="0 0 ${m.S} 10" preserveAspectRatio=none class=spark role=img aria-label="its load over all steps"><path d="${spark}"/></svg>${transfers(p, here, 'carries in this step')}`;
}

function blockOf(p) {
  const {m, way} = p, first = m.meta.first_step + 1;
  return `<h3>block ${escape(M.blockName(m, p.entry))}</h3>${row(m.meta.flow === 'move' ? 'hops' : 'transfers', number(way.reduce((n, t) => n + M.hopsOf(m, t)[1] - M.hopsOf(m, t)[0], 0)))}${row('first and last step', `${M.stepOf(m, way[0]) + first} – ${M.stepOf(m, way[way.length - 1]) + first}`)}`;
}

function stepOf(p, state) {
  const {m} = p;
  if (m.S === 0) return '<h3>no steps</h3><p>nothing has to be sent</p>';
  if (state.step > m.S) return `<h3>step ${state.step + m.meta.first_step}</h3><p>this plan is done after ${number(m.S)}</p>`;
  let busy = 0;
  for (const x of p.load) busy += x > 0;
  const what = {step: `step ${state.step + m.meta.first_step}`, sofar: `steps ${1 + m.meta.first_step} to ${state.step + m.meta.first_step}`, all: 'all steps'}[state.show];
  const from = state.show === 'step' ? state.step - 1 : 0, to = state.show === 'all' ? m.S : state.step;
  const lines = [`<h3>${what}</h3>`, row('links in use', `${number(busy)} of ${number(m.A)}`), row('transfers', number(m.stepFirst[to] - m.stepFirst[from]))];
  if (m.starts) lines.push(row('from', micros(m.starts[from], m.meta.unit)), row('to', micros(m.starts[to], m.meta.unit)));
  if (m.meta.time) lines.push(row('the whole plan', micros(m.meta.time.total, m.meta.unit)), row('with messages of', `${number(m.meta.time.bytes)} bytes`));
  if (m.run) {
    const now = M.stepInRun(m, state.step - 1), cycle = m.meta.cycle_microseconds;
    if (now) lines.push(row('simulated, from', micros(now.from * cycle)), row('simulated, to', micros(now.to * cycle)));
    lines.push(row('the whole run', micros(m.run.end * cycle)));
  }
  for (const note of m.meta.notes ?? []) lines.push(`<p>${escape(note)}</p>`);
  if (!p.name) lines.push('<p class=hint>Click on a node or a link, then on a transfer to follow its block. ? lists the keys.</p>');
  return lines.join('');
}
