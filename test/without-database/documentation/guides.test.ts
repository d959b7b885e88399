import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { ERROR_STATUS } from '../../../src/entities/api-error.ts';
import { buildBareApp } from '../../support/bare-app.ts';

const bare = await buildBareApp();
after(() => bare[Symbol.asyncDispose]());

/** The links, or the images, of a page. */
const targetsIn = (html: string, name: 'href' | 'src') =>
  Array.from(html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g')), ([, target = '']) => target);
const idsIn = (html: string) => Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id = '']) => id);

/** Each page by its path. */
const pages = new Map<string, string>();
before(async () => {
  const index = await bare.app.inject('/docs/guides');
  assert.equal(index.statusCode, 200);
  for (const path of targetsIn(index.body, 'href').filter((target) => !/\.\w+$/.test(target) && target !== '/docs')) {
    const { statusCode, headers, body } = await bare.app.inject(path);
    assert.deepEqual([statusCode, headers['content-type']], [200, 'text/html; charset=utf-8'], path);
    pages.set(path, body);
  }
});

describe('the guides', () => {
  it('the index of the guides lists every guide by its title', () => {
    for (const folder of ['', 'results/']) {
      const names = readdirSync(`docs/${folder}`).filter((name) => name.endsWith('.md'));
      assert.ok(names.length > 3);
      for (const name of names) assert.ok(pages.has(`/docs/${folder}${name.replace('.md', '')}`), name);
    }
    const index = pages.get('/docs/guides') ?? '';
    assert.match(index, /<a href="\/docs\/audit">The audit trail, the change feed and webhooks<\/a>/);
    assert.match(index, /<a href="\/docs\/client">The client<\/a>/);
  });

  it('the guides are HTML pages of their Markdown, without inline script or style', () => {
    assert.match(pages.get('/docs/errors') ?? '', /<title>Errors · orgdesk<\/title>.*<h1 id="errors">Errors<\/h1>/s);
    assert.match(pages.get('/docs/client') ?? '', /<pre><code class="language-ts">import \{ createClient \}/);
    for (const [path, html] of pages) assert.doesNotMatch(html, /<script|<style|\son\w+=|\sstyle=/, path);
  });

  it('the guides link only to existing files of the repository', () => {
    for (const name of readdirSync('docs').filter((file) => file.endsWith('.md'))) {
      for (const [, path = ''] of readFileSync(`docs/${name}`, 'utf8').matchAll(/\]\((\.\.\/[^)#]+)/g)) {
        assert.ok(existsSync(`docs/${path}`), `${name}: ${path}`);
      }
    }
  });

  it('the guides link only to pages and anchors that exist', async () => {
    let seen = 0;
    for (const [path, html] of pages) {
      const ids = idsIn(html);
      assert.equal(new Set(ids).size, ids.length, path);
      for (const target of targetsIn(html, 'href')) {
        if (/^(?:https?|mailto):/.test(target)) continue;
        seen += 1;
        const [page = '', place] = target.split('#');
        const led = page === '' ? html : (pages.get(page) ?? (await bare.app.inject(page)).body);
        assert.doesNotMatch(led, /^\{"success":false/, `${path}: ${target}`);
        if (place !== undefined) assert.ok(idsIn(led).includes(place), `${path}: ${target}`);
      }
    }
    assert.ok(seen > 300);
  });

  it('the guides show their images', async () => {
    const images = targetsIn(pages.get('/docs/console') ?? '', 'src');
    assert.ok(images.length > 5);
    for (const image of images) {
      const { statusCode, headers, rawPayload } = await bare.app.inject(image);
      const [type, sign] = image.endsWith('.webp') ? ['webp', /^RIFF.{4}WEBP/s] : ['png', /^.PNG/s];
      assert.deepEqual([statusCode, headers['content-type']], [200, `image/${type}`], image);
      assert.match(rawPayload.subarray(0, 12).toString('latin1'), sign);
    }
  });

  it('the guide to errors has an anchor for each error code, to which the type of a problem links', async () => {
    const problem = await bare.app.inject({ url: '/api/nothing', headers: { accept: 'application/problem+json' } });
    const { type } = problem.json<{ type: string }>();
    assert.equal(type, '/docs/errors#NOT_FOUND');
    const ids = idsIn(pages.get('/docs/errors') ?? '');
    for (const code of Object.keys(ERROR_STATUS)) assert.ok(ids.includes(code), code);
  });
});
