import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Route } from 'playwright-core';
import { lookAt, visit } from './browser.ts';
import { heading, openConsole } from './console.ts';

/*
 * Adds an entity to a copy of the sources, by its file and a line in the list of entities, and builds the console of the copy. The pages of
 * that console are shown, and this file answers the requests about the entity.
 */
const copy = mkdtempSync(join(tmpdir(), 'orgdesk-added-page-'));
after(() => rmSync(copy, { recursive: true, force: true }));
for (const path of [
  'web',
  'src',
  'assets',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'test/entities/added',
])
  cpSync(path, join(copy, path), { recursive: true });
symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
const entities = join(copy, 'src/entities/entities.ts');
const list = 'const DESCRIBED = [';
const text = readFileSync(entities, 'utf8');
if (!text.includes(list)) throw new Error(`There is no ${list}`);
writeFileSync(
  entities,
  `import { project } from '../../test/entities/added/project.ts';\n${text.replace(list, `${list}\n  project,`)}`,
);
execFileSync(process.execPath, ['--import', 'tsx', 'web/build.ts'], { cwd: copy, stdio: 'inherit' });
const built = join(copy, 'dist/web');

const { address, browser, tokenOf } = await openConsole();

describe('the page of an added entity', () => {
  it('the page of an added entity lists, adds, changes and deletes rows, the history of a row leads back to it, and Ctrl+K finds it', async () => {
    let rows: Record<string, unknown>[] = [];
    const visited = await visit(browser, address);
    await lookAt(visited, async (page) => {
      const answer = (data: unknown) => ({ json: { success: true, message: '', data }, headers: { etag: '"1"' } });
      await page.route(/^[^?#]*\/(?:resources\/|assets\/|$)/, (route) => {
        const name = /assets\/.*$/.exec(route.request().url().split(/[?#]/)[0] ?? '')?.[0] ?? 'index.html';
        if (name !== 'index.html')
          return existsSync(join(built, name)) ? route.fulfill({ path: join(built, name) }) : route.abort();
        const html = readFileSync(join(built, name), 'utf8')
          .replaceAll('__BASE_PATH__', '')
          .replaceAll('__NONCE__', 'x')
          .replaceAll('__BRAND_NAME__', 'orgdesk')
          .replaceAll('__BRAND__', '{&quot;name&quot;:&quot;orgdesk&quot;}');
        return route.fulfill({ contentType: 'text/html', body: html.replaceAll('./assets/', '/assets/') });
      });
      await page.route(/\/api\/projects\//, (route: Route) => {
        const request = route.request();
        const act = /projects\/(\w+)/.exec(request.url())?.[1];
        const sent = (request.postDataJSON() ?? {}) as Record<string, unknown>;
        if (act === 'list') {
          const pagination = { page: 1, limit: 25, totalItems: rows.length, totalPages: 1, nextCursor: null };
          return route.fulfill({ json: { success: true, message: '', data: rows, pagination } });
        }
        if (act === 'create') rows = [{ id: 'c1', ownerId: null, ...sent }];
        if (act === 'update') rows = rows.map((row) => ({ ...row, ...sent }));
        const [row] = rows;
        if (act === 'delete') rows = [];
        return route.fulfill(answer(row));
      });
      await page.goto(`${address}/resources/projects#token=${tokenOf('admin@globex.example')}`);
      await heading(page, 'Projects');
      await page.getByRole('button', { name: 'Add: Project' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Name').fill('Fleet');
      await form.getByLabel('Code').fill('CC-310');
      await form.getByLabel('Owner').waitFor();
      await form.getByRole('button', { name: 'Add: Project' }).click();
      const row = page.getByRole('row').filter({ hasText: 'CC-310' });
      await row.getByText('Fleet').waitFor();
      await row.getByRole('button', { name: /^Edit/ }).click();
      await form.getByLabel('Name').fill('Vehicles');
      await form.getByRole('button', { name: 'Save' }).click();
      await row.getByText('Vehicles').waitFor();
      await row.getByRole('button', { name: /^Edit/ }).click();
      await form.getByRole('link', { name: /^History/ }).click();
      await page.getByRole('link', { name: 'Projects' }).click();
      await row.getByText('Vehicles').waitFor();
      await row.getByRole('button', { name: /^Delete/ }).click();
      await form.getByRole('button', { name: /^Delete/ }).click();
      await row.waitFor({ state: 'detached' });
      await page.keyboard.press('Control+K');
      await page.getByRole('dialog').getByRole('combobox').fill('projec');
      await page.getByRole('option', { name: 'Projects' }).waitFor();
    });
  });
});
