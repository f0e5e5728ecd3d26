// The page in Firefox, which needs no driver for a picture: it shows what Chromium shows. What people do with the page is tested
// in Chromium.
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {chromium} from 'playwright-core';
import {page, folder} from './pages.mjs';
import {ink} from './ink.mjs';

const firefox = [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => path && existsSync(path));
const executablePath = [process.env.CHROMIUM, '/usr/lib/chromium/chromium', '/usr/bin/chromium'].find((path) => path && existsSync(path));
const [WIDTH, HEIGHT] = [1360, 800];

// Firefox takes its picture when all is loaded, and the page unpacks its data after that. So it stands in a frame, beside an image
// that the server keeps back until the page says that it is ready, and some frames longer: what was drawn is shown with a later one.
const AROUND = `<!doctype html><style>iframe { position: fixed; inset: 0; width: 100vw; height: 100vh; border: 0 }</style>
<iframe src="/page#HASH"></iframe><img src="/late" width=0 height=0>
<script>
const after = (frames) => requestAnimationFrame(() => frames > 1 ? after(frames - 1) : fetch('/ready'));
const wait = setInterval(() => { if (document.querySelector('iframe').contentDocument?.body?.dataset.ready) { clearInterval(wait); after(10); } }, 50);
</script>`;
// On a busy machine a canvas has now and then been missing from Firefox's picture all the same. A page that is drawn wrongly is so
// every time.
const PICTURES = 3;

async function inFirefox(path, hash, picture) {
  const waiting = [];
  let ready = false;
  const server = createServer((request, response) => {
    if (request.url === '/ready') { ready = true; for (const late of waiting.splice(0)) late.end(); }
    if (request.url === '/late' && !ready) { waiting.push(response); return; }
    const html = request.url === '/page' ? readFileSync(path) : request.url === '/' ? AROUND.replace('HASH', hash) : '';
    response.writeHead(200, {'content-type': 'text/html; charset=utf-8'}).end(html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const profile = join(folder, 'profile');
    mkdirSync(profile, {recursive: true});
    writeFileSync(join(profile, 'user.js'), ['"gfx.webrender.software", true', '"ui.systemUsesDarkTheme", 0', '"ui.prefersReducedMotion", 1', '"datareporting.policy.dataSubmissionEnabled", false'].map((pref) => `user_pref(${pref});\n`).join(''));
    const browser = spawn(firefox, ['--headless', '--no-remote', '--profile', profile, `--window-size=${WIDTH},${HEIGHT}`, '--screenshot', picture, `http://127.0.0.1:${server.address().port}/`], {env: {...process.env, HOME: folder}, timeout: 120_000, stdio: ['ignore', 'ignore', 'pipe']});
    let said = '';
    browser.stderr.on('data', (part) => { said += part; });
    const [status] = await once(browser, 'exit');
    assert.equal(status, 0, said);
    assert.ok(ready, 'the page is ready');
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return readFileSync(picture);
}

test('Firefox shows what Chromium shows', {skip: !firefox && 'no Firefox', timeout: 300_000}, async () => {
  const browser = await chromium.launch({executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars']});
  try {
    for (const [name, words, hash] of [['ff_exchange', ['alltoall', 'torus(4,4)'], 'step=3&node=5'], ['ff_sums', ['allreduce', 'fat_tree(4,4)'], 'show=all']]) {
      const path = page(name, ...words), context = await browser.newContext({viewport: {width: WIDTH, height: HEIGHT}, colorScheme: 'light', reducedMotion: 'reduce'}), tab = await context.newPage();
      await tab.goto(`file://${path}#${hash}`);
      await tab.waitForSelector('body[data-ready="1"]');
      const ours = ink(await tab.screenshot());
      // Letters and the browser's own buttons differ.
      const differing = (theirs) => [...ours].filter((c, i) => Math.abs(c.charCodeAt(0) - (theirs.charCodeAt(i) || 0)) > 1).length;
      let theirs, off;
      for (let i = 0; i < PICTURES && !(off <= 8); i++) off = differing(theirs = ink(await inFirefox(path, hash, join(folder, name + '.png'))));
      assert.ok(off <= 8, `${name}: ${off} of 256 cells differ\n${ours}\n${theirs}`);
      assert.match(ours, /9/, 'there is something to be seen');
      await context.close();
    }
  } finally {
    await browser.close();
  }
});
