import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { buildApp } from '../../src/app/build-app.ts';
import { readConfig } from '../../src/config/config.ts';
import { UserError } from '../../src/lib/errors.ts';
import { buildTestApp } from '../support/build-test-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'orgdesk-brand-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const FILES = {
  page: '<meta name="brand" content="__BRAND__"><title>__BRAND_NAME__</title><link rel="icon" href="./favicon.svg">',
  assets: new Map(),
};

/** Returns the path of a file with some content. */
function fileWith(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function served(settings: Record<string, string>) {
  const built = await buildTestApp(settings);
  const app = await buildApp({ ...built.context, geography: built.geography, consoleFiles: FILES });
  after(async () => {
    await app.close();
    await built[Symbol.asyncDispose]();
  });
  return app;
}

function refusalOf(settings: Record<string, string>): string {
  try {
    readConfig({ ...settings });
    return '';
  } catch (error) {
    assert.ok(error instanceof UserError);
    return error.message;
  }
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="url(#a)" d="M0 0h9v9z"/></svg>';

describe('the name and looks of the product', () => {
  it('the page, its icon, the API document and its page have the name and the logo of the settings', async () => {
    const app = await served({
      BRAND_NAME: 'Acme <Travel>',
      BRAND_COLOR: '#1F4E9C',
      BRAND_LOGO: fileWith('logo.svg', SVG),
      BRAND_SUPPORT: 'help@acme.example',
      BRAND_TERMS: 'https://acme.example/terms',
      BRAND_TEXT: 'Sign in with your office account.',
      BRAND_LINKS: 'Privacy=https://acme.example/privacy,Help=https://acme.example/?a=b',
    });
    const page = await app.inject('/overview');
    assert.match(page.body, /<title>Acme &#60;Travel&#62;<\/title><link rel="icon" href="\/brand\/logo\.svg">/);
    assert.doesNotMatch(page.body, /orgdesk|__/);
    const { brand } = (await app.inject('/console/config')).json<{ data: { brand: unknown } }>().data;
    assert.deepEqual(brand, {
      name: 'Acme <Travel>',
      logo: '/brand/logo.svg',
      color: '#1f4e9c',
      support: 'help@acme.example',
      terms: 'https://acme.example/terms',
      text: 'Sign in with your office account.',
      links: [
        { name: 'Privacy', url: 'https://acme.example/privacy' },
        { name: 'Help', url: 'https://acme.example/?a=b' },
      ],
    });
    const logo = await app.inject('/brand/logo.svg');
    assert.deepEqual([logo.statusCode, logo.body], [200, SVG]);
    assert.match(String(logo.headers['content-type']), /^image\/svg\+xml/);
    assert.match(String(logo.headers['content-security-policy']), /^default-src 'none'/);
    assert.match((await app.inject('/docs')).body, /<title>Acme &#60;Travel&#62; API<\/title>/);
    assert.equal((await app.inject('/openapi.json')).json<{ info: { title: string } }>().info.title, 'Acme <Travel>');
  });

  it('without settings the page has its own name, and the configuration of the console none', async () => {
    const app = await served({});
    assert.match((await app.inject('/')).body, /<title>orgdesk<\/title><link rel="icon" href="\/favicon\.svg">/);
    const { data } = (await app.inject('/console/config')).json<{ data: object }>();
    assert.ok(!('brand' in data));
  });

  it('the policy of the page permits images from the origin of the logo alone', async () => {
    const app = await served({ BRAND_LOGO: 'https://cdn.example/acme/logo.png' });
    const policy = String((await app.inject('/')).headers['content-security-policy']);
    assert.match(policy, /img-src 'self' data: https:\/\/cdn\.example;/);
  });
});

describe('settings of the product that are wrong', () => {
  it('a colour on which white texts cannot be read is refused with its contrast', () => {
    assert.match(refusalOf({ BRAND_COLOR: '#777777' }), /BRAND_COLOR is "#777777": expected .*4\.47:1.*4\.5:1/);
    assert.match(refusalOf({ BRAND_COLOR: '#ffff00' }), /1\.07:1/);
    assert.equal(refusalOf({ BRAND_COLOR: '#767676' }), '');
    for (const color of ['blue', '#12', 'rgb(1,2,3)', '#1234567'])
      assert.match(refusalOf({ BRAND_COLOR: color }), /BRAND_COLOR .*such as #1f4e9c/, color);
  });

  it('an SVG with a script, a handler or an address outside of it is refused, and so is what is no image', () => {
    const bad = [
      '<script>alert(1)</script>',
      '<a href="javascript:alert(1)"/>',
      '<path onload="alert(1)"/>',
      '<image href="https://elsewhere.example/a.png"/>',
      '<image xlink:href="data:image/svg+xml,a"/>',
      '<foreignObject/>',
      '<x:script xmlns:x="http://www.w3.org/2000/svg"/>',
      '<style>@import "https://elsewhere.example/a.css"</style>',
      '<path fill="url( https://elsewhere.example/a )"/>',
    ];
    for (const part of bad) {
      const path = fileWith('bad.svg', SVG.replace('</svg>', `${part}</svg>`));
      assert.match(refusalOf({ BRAND_LOGO: path }), /BRAND_LOGO .*without scripts/, part);
    }
    const good = '<use href="#a"/><path fill="url( \'#b\' )"/><use xlink:href=\'#a\'/><style>.a{fill:red}</style>';
    assert.equal(refusalOf({ BRAND_LOGO: fileWith('good.svg', SVG.replace('</svg>', `${good}</svg>`)) }), '');
    for (const logo of [
      join(folder, 'missing.svg'),
      fileWith('text.png', 'text'),
      fileWith('page.html', SVG),
      fileWith('entity.svg', `<!DOCTYPE svg [<!ENTITY a "b">]>${SVG}`),
      'http://cdn.example/logo.png',
      'https://cdn.example;x/logo.png',
    ])
      assert.match(refusalOf({ BRAND_LOGO: logo }), /BRAND_LOGO/, logo);
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(20)]);
    assert.equal(refusalOf({ BRAND_LOGO: fileWith('logo.png', png) }), '');
  });

  it('addresses that are not https, and links without a name, are refused', () => {
    assert.match(refusalOf({ BRAND_TERMS: 'javascript:alert(1)' }), /BRAND_TERMS .*https/);
    assert.match(refusalOf({ BRAND_SUPPORT: 'somewhere' }), /BRAND_SUPPORT/);
    assert.match(refusalOf({ BRAND_LINKS: 'https://acme.example' }), /BRAND_LINKS/);
    assert.match(refusalOf({ BRAND_NAME: 'x'.repeat(61) }), /BRAND_NAME/);
  });
});
