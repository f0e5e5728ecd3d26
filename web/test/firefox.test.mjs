// The page in Firefox, which needs no driver for a picture: it shows what Chromium shows. What people do with the page is tested
// in Chromium.
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {spawnSync} from 'node:child_process';
import {chromium} from 'playwright-core';
import {page, folder} from './pages.mjs';
import {ink} from './ink.mjs';

const firefox = [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => path && existsSync(path));
const executablePath = [process.env.CHROMIUM, '/usr/lib/chromium/chromium', '/usr/bin/chromium'].find((path) => path && existsSync(path));
const [WIDTH, HEIGHT] = [1360, 800];

function inFirefox(address, picture) {
  const profile = join(folder, 'profile');
  mkdirSync(profile, {recursive: true});
  writeFileSync(join(profile, 'user.js'), 'user_pref("gfx.webrender.software", true);\nuser_pref("ui.systemUsesDarkTheme", 0);\nuser_pref("ui.prefersReducedMotion", 1);\nuser_pref("datareporting.policy.dataSubmissionEnabled", false);\n');
  const {status, stderr} = spawnSync(firefox, ['--headless', '--no-remote', '--profile', profile, `--window-size=${WIDTH},${HEIGHT}`, '--screenshot', picture, address], {encoding: 'utf8', timeout: 120_000, env: {...process.env, HOME: folder}});
  assert.equal(status, 0, stderr);
  return readFileSync(picture);
}

test('Firefox shows what Chromium shows', {skip: !firefox && 'no Firefox'}, async () => {
  const browser = await chromium.launch({executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars']});
  for (const [name, words, hash] of [['ff_exchange', ['alltoall', 'torus(4,4)'], 'step=3&node=5'], ['ff_sums', ['allreduce', 'fat_tree(4,4)'], 'show=all']]) {
    const address = `file://${page(name, ...words)}#${hash}`, context = await browser.newContext({viewport: {width: WIDTH, height: HEIGHT}, colorScheme: 'light', reducedMotion: 'reduce'}), tab = await context.newPage();
    await tab.goto(address);
    await tab.waitForSelector('body[data-ready="1"]');
    const [theirs, ours] = [ink(inFirefox(address, join(folder, name + '.png'))), ink(await tab.screenshot())];
    // Letters and the browser's own buttons differ.
    const off = [...ours].filter((c, i) => Math.abs(c.charCodeAt(0) - (theirs.charCodeAt(i) || 0)) > 1).length;
    assert.ok(off <= 8, `${name}: ${off} of 256 cells differ\n${ours}\n${theirs}`);
    assert.match(ours, /9/, 'there is something to be seen');
    await context.close();
  }
  await browser.close();
});
