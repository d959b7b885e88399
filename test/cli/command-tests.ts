import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { FILE_NAMES } from '../../src/import/write/csv-folder.ts';
import { type Files, makeFolder, validFiles } from '../import/folders.ts';
import type { DemoCommandLine } from '../support/demo-command-line.ts';

export const INACTIVE = 'inactive@acme.example';

/** A token, and the address of whom it is for. */
export interface MadeToken {
  email: string;
  token: string;
}

/** Files like the valid ones with companies, people and tax numbers of their own, told apart by a digit. */
function ownFiles(digit: number): Files {
  const text = JSON.stringify(validFiles);
  const renumbered = text.replaceAll('-8000-0', `-8000-${digit}`).replaceAll('@x.', `@x${digit}.`);
  return JSON.parse(
    renumbered
      .replaceAll('GST-', `GST-${digit}-`)
      .replace(/"id":"([rplb]\d)"/g, `"id":"${digit}$1"`)
      .replaceAll('"policyId":"p', `"policyId":"${digit}p`),
  );
}

/**
 * What each command does on the database of the demo.
 * @param tokens takes those that are made
 * @param digit tells what one run of these tests writes from what another one does
 */
export function testCommands(
  demo: DemoCommandLine,
  tokens: MadeToken[],
  where: 'without a service' | 'next to a service',
  digit: number,
): void {
  const { commandLine, settings, run, outputOf } = demo;

  test(`token ${where} prints a token alone for an address in any case, also of an inactive person`, async () => {
    for (const email of ['Employee@ACME.example', INACTIVE]) {
      const text = await outputOf('token', email);
      assert.match(text, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
      tokens.push({ email: email.toLowerCase(), token: text.trimEnd() });
    }
  });

  test(`token ${where} with an unknown address fails with that address`, async () => {
    const { code, stdout, stderr } = await run('token', 'nobody@acme.example');
    assert.deepEqual(
      { code, stdout, stderr },
      { code: 1, stdout: '', stderr: 'There is no user with the e-mail address nobody@acme.example.\n' },
    );
  });

  test(`erase ${where} erases a person by address, and reports by id that it was done before`, async () => {
    const email = where === 'without a service' ? 'naveen.gupta@acme.example' : 'pooja.das@acme.example';
    const token = await outputOf('token', email);
    const { sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    for (const [person, said] of [
      [email.toUpperCase(), 'was erased; personal values of 2'],
      [sub, 'had been erased before; personal values of 0'],
    ]) {
      assert.equal(
        await outputOf('erase', person),
        `The user ${sub} ${said} changes of the audit trail were erased.\n`,
      );
    }
    const { code, stderr } = await run('erase', 'nobody@acme.example');
    assert.deepEqual([code, stderr], [1, 'There is no user with the e-mail address nobody@acme.example.\n']);
  });

  test(`migrate ${where} reports that the schema is up to date`, async () => {
    assert.equal(await outputOf('migrate'), 'The schema is up to date.\n');
  });

  test(`import ${where} refuses a bad row by file, line and column, and imports nothing`, async () => {
    const files = ownFiles(digit);
    const users = [...(files['users.csv'] as Record<string, string>[])];
    users[1] = { ...users[1], dateOfBirth: '1990-02-30' };
    await using bad = await makeFolder({ ...files, 'users.csv': users });
    const { code, stdout, stderr } = await run('import', bad.path);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      /^Nothing was imported from .*: 1 problem\.\n {2}users\.csv:3: dateOfBirth: .*1990-02-30.*\n$/,
    );

    await using good = await makeFolder(files);
    const dry = await outputOf('import', '--dry-run', good.path);
    const report = await outputOf('import', good.path);
    assert.equal(dry, `${report}A dry run: nothing has been changed.\n`);
    assert.match(report, /^companies\.csv: 2 rows, 2 added, 0 changed, 0 unchanged\n/);
    assert.match(report, /^users\.csv: 2 rows, 2 added, 0 changed, 0 unchanged$/m);
    assert.equal(report.trimEnd().split('\n').length, Object.keys(files).length);
  });

  test(`import ${where} writes the problems into a report, and replaces an older one`, async () => {
    await using bad = await makeFolder({ 'companies.csv': 'name\nx\n' });
    const [folder, name] = [commandLine.folder, `report ${digit}.csv`];
    writeFileSync(join(folder, name), 'an older one');
    const { code } = await commandLine.run(['import', bad.path, '--dry-run', '--report', name], settings, { folder });
    assert.equal(code, 1);
    const lines = readFileSync(join(folder, name), 'utf8').split('\n');
    assert.deepEqual([lines[0], lines.length], ['file,line,column,value,reason', 3]);
    assert.match(lines[1] ?? '', /^companies\.csv,1,id,,"the column is missing from the header, and so is gstin: /);
  });

  test(`plan and apply ${where} bring a company to what a file says, with the environment of whoever calls them`, async () => {
    const name = `configuration ${digit}.yaml`;
    writeFileSync(join(commandLine.folder, name), `company: Acme\nbands: [{ code: X${digit}, name: "\${BAND}" }]\n`);
    const own = { ...settings, BAND: 'Named' };
    const call = async (word: string) => {
      const { code, stdout, stderr } = await commandLine.run([word, name], own, { folder: commandLine.folder });
      return { code, stdout, stderr };
    };
    const told = `+ bands "X${digit}": code "X${digit}", name (not shown)\nTo be created: 1.\n`;
    assert.deepEqual(await call('plan'), { code: 2, stdout: told, stderr: '' });
    const applied = await call('apply');
    assert.deepEqual([applied.code, applied.stdout], [0, `${told}Done: created: 1.\n`]);
    assert.match(applied.stderr, /^Database: .+\n$/);
    assert.deepEqual(await call('plan'), { code: 0, stdout: 'Nothing to do.\n', stderr: '' });
  });

  test(`export ${where} writes files that an import finds unchanged`, async () => {
    const name = `export ${digit}`;
    const { code, stdout, stderr } = await commandLine.run(['export', name], settings, { folder: commandLine.folder });
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(stdout.match(/^\S+(?=: \d+ rows$)/gm), FILE_NAMES);
    const folder = join(commandLine.folder, name);
    for (const line of (await outputOf('import', folder, '--dry-run')).split('\n').slice(0, 9)) {
      assert.match(line, / (\d+) rows, 0 added, 0 changed, \1 unchanged$/);
    }
  });

  test(`audit export ${where} writes each change, and finally their number`, async () => {
    const lines = (await outputOf('audit', 'export', '--from', '2020-01-01')).trimEnd().split('\n');
    const { end } = JSON.parse(lines.pop() ?? '');
    assert.equal(end.changes, lines.length);
    assert.ok(lines.length > 100);
    assert.equal(JSON.parse(lines[0] ?? '').actor.kind, 'import');
  });

  test(`backup ${where} writes a file for its owner alone, and replaces none without --force`, async () => {
    const name = `backup ${digit}`;
    const file = join(commandLine.folder, name);
    const backUp = () => commandLine.run(['backup', name], settings, { folder: commandLine.folder });
    const { code, stdout, stderr } = await backUp();
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^\S+\/backup \d: \d+ rows of \d+ tables, schema version \d+, \d+\.\d MB\n$/);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const again = await backUp();
    assert.deepEqual(
      [again.code, again.stderr],
      [1, `${file} is there already: name another file, or replace it with --force.\n`],
    );
  });

  test(`restore ${where} refuses a database with rows`, async () => {
    const { code, stderr } = await run('restore', join(commandLine.folder, `backup ${digit}`));
    assert.equal(code, 1);
    assert.match(stderr, /^Nothing was restored: the database has rows in companies already\. .*DATABASE_URL/);
  });

  test(`import ${where} accepts a relative folder, and the same folder again changes nothing`, async () => {
    await using folder = await makeFolder(ownFiles(digit));
    const { code, stdout, stderr } = await commandLine.run(['import', basename(folder.path)], settings, {
      folder: dirname(folder.path),
    });
    assert.equal(code, 0);
    assert.match(stderr, /^Database: [^@]+\n$/);
    for (const line of stdout.trimEnd().split('\n'))
      assert.match(line, / (\d+) rows, 0 added, 0 changed, \1 unchanged$/);
  });
}
