// Colours that people who see fewer of them tell apart, too.
import {test} from 'node:test';
import assert from 'node:assert/strict';
import {cividis, THEMES, shade, palette, COLOURS} from '../src/color.js';

// Matplotlib's table of cividis (CC0), 256 colours.
const TABLE = ('00224e00234f00245100255300255400265600275800285900285b00295d002a5f002a61002b62002c64002c66002d68002e6a002e6c002f6d00306f'
  + '0030700031700031710132710533710833700c34700f357012357014367016377018376f1a386f1c396f1e3a6f203a6f213b6e233c6e243c6e263d6e'
  + '273e6e293f6e2a3f6d2b406d2d416d2e416d2f426d31436d32436d33446d34456c35456c36466c38476c39486c3a486c3b496c3c4a6c3d4a6c3e4b6c'
  + '3f4c6c404c6c414d6c424e6c434e6c444f6c45506c46516c47516c48526c49536c4a536c4b546c4c556c4d556c4e566c4f576c50576c51586d52596d'
  + '535a6d545a6d555b6d555c6d565c6d575d6d585e6d595e6e5a5f6e5b606e5c616e5d616e5e626e5e636f5f636f60646f61656f62656f636670646770'
  + '656870656870666970676a71686a71696b716a6c716b6d726c6d726c6e726d6f726e6f736f7073707173717274727274727374737475747475757575'
  + '7676767777767777777878777979777a7a787b7a787c7b787d7c787e7c787e7d787f7e78807f78817f78828079838179848279858279868379878478'
  + '8885788985788a86788b87788c88788d88788e89788f8a78908b78918b78928c78928d78938e78948e77958f779690779791779892779992779a9376'
  + '9b94769c95769d95769e96769f9775a09875a19975a29975a39a74a49b74a59c74a69c74a79d73a89e73a99f73aaa073aba072aca172ada272aea371'
  + 'afa471b0a571b1a570b3a670b4a76fb5a86fb6a96fb7a96eb8aa6eb9ab6dbaac6dbbad6dbcae6cbdae6cbeaf6bbfb06bc0b16ac1b26ac2b369c3b369'
  + 'c4b468c5b568c6b667c7b767c8b866c9b965cbb965ccba64cdbb63cebc63cfbd62d0be62d1bf61d2c060d3c05fd4c15fd5c25ed6c35dd7c45cd9c55c'
  + 'dac65bdbc75adcc859ddc858dec958dfca57e0cb56e1cc55e2cd54e4ce53e5cf52e6d051e7d150e8d24fe9d34eead34cebd44bedd54aeed649efd748'
  + 'f0d846f1d945f2da44f3db42f5dc41f6dd3ff7de3ef8df3cf9e03afbe138fce236fde334fee434fee535fee636fee838').match(/.{6}/g).map((x) => x.match(/../g).map((y) => parseInt(y, 16)));

const linear = (c) => { const x = c / 255; return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; };
function lab(rgb) { // CIE 1976, white point D65
  const [r, g, b] = rgb, f = (t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505), y = f(0.2126 * r + 0.7152 * g + 0.0722 * b), z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
const hex = (s) => s.match(/\w\w/g).map((x) => linear(parseInt(x, 16)));
// Machado, Oliveira and Fernandes 2009, severity 1, on linear colours.
const EYES = {
  all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
const seen = (m, c) => lab(m.map((row) => Math.min(1, Math.max(0, row.reduce((s, x, i) => s + x * c[i], 0)))));
const apart = (p, q) => Math.hypot(...p.map((x, i) => x - q[i]));

test('cividis is that of the table', () => {
  TABLE.forEach((colour, i) => cividis(i / 255).forEach((x, c) => assert.ok(Math.abs(x - colour[c]) <= 4, `${i}: ${cividis(i / 255)} and ${colour}`)));
  assert.deepEqual(cividis(0), TABLE[0]);
  assert.deepEqual(cividis(1), TABLE[255]);
});
for (const theme of Object.values(THEMES)) {
  test(`${theme.name}: lightness tells loads apart, whoever looks`, () => {
    for (const eye of Object.values(EYES)) {
      const light = palette(theme).slice(1).map((c) => seen(eye, c.map(linear))[0]), way = Math.sign(light.at(-1) - light[0]);
      for (let i = 1; i < light.length; i++) assert.ok(way * (light[i] - light[i - 1]) > 0, `${i}`);
      assert.ok(Math.abs(light.at(-1) - light[0]) > 40);
    }
  });
  test(`${theme.name}: accents differ from each other and from the ground`, () => {
    const names = ['select', 'block', 'bad', 'ground'];
    for (const [name, eye] of Object.entries(EYES)) for (const a of names) for (const b of names) if (a < b)
      assert.ok(apart(seen(eye, hex(theme[a])), seen(eye, hex(theme[b]))) > 12, `${name}: ${a} and ${b} are ${apart(seen(eye, hex(theme[a])), seen(eye, hex(theme[b])))} apart`);
  });
}
test('shades: none for nothing, all within the palette', () => {
  assert.equal(shade(0, 5), 0);
  assert.equal(shade(1, 1), COLOURS);
  assert.equal(shade(1, 4), 1);
  assert.equal(shade(4, 4), COLOURS);
  assert.equal(shade(9, 4), COLOURS, 'a rejected plan carries more than there should be');
});
