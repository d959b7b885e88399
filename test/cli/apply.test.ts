import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { KINDS } from '../../src/commands/apply/kinds.ts';
import { applyCommand, planCommand } from '../../src/commands/apply-command.ts';
import type { GivenOptions } from '../../src/commands/command.ts';
import { keyCommand } from '../../src/commands/people-commands.ts';
import { UserError } from '../../src/lib/errors.ts';
import { serve } from '../client/served.ts';

const ACME = 'b3cb9b86-e923-4834-bb80-42f6e9b215da';
const EXAMPLE = 'docs/example.orgdesk.yaml';
const TOKEN = 'a token that nobody sees';
const HOOK = `\${HOOK_URL}`;

const served = await serve({ WEBHOOK_PRIVATE_TARGETS: 'true' });
const { api, baseUrl } = served;
const folder = mkdtempSync(join(tmpdir(), 'orgdesk-apply-'));
after(async () => {
  await served[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});
Object.assign(process.env, { HOOK_URL: 'http://127.0.0.1:9/hook', HOOK_TOKEN: TOKEN });
const staff = await served.clientOf('super.admin@orgdesk.example');
const admin = await served.clientOf('admin@acme.example');

let files = 0;
/** A file with this text; an object is JSON, which is YAML too. */
function fileOf(content: string | object): string {
  const path = join(folder, `${files++}.yaml`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify({ company: ACME, ...content }));
  return path;
}

/** What a command prints, and how it ends: on the database, or on the service with the key in the environment. */
async function run(command: typeof planCommand, path: string, options: GivenOptions = {}) {
  const printed: string[] = [];
  const output = { print: (text: string) => printed.push(text), progress: () => {}, flushed: async () => {} };
  const here = async () => command.act(api.context, (await command.prepare?.([path])) ?? [], output, options);
  const error = await (options.url ? Promise.resolve(command.elsewhere?.([path], output, options)) : here()).then(
    () => undefined,
    (reason: unknown) => (reason instanceof UserError ? reason : assert.fail(reason as Error)),
  );
  return { printed: printed.join('\n'), code: error?.exitCode ?? 0, told: error?.message ?? '' };
}
const plan = (path: string, options?: GivenOptions) => run(planCommand, path, options);
const apply = (path: string, options?: GivenOptions) => run(applyCommand, path, options);
const lastChange = async () =>
  (await api.db.query<{ id: string }>(sql`select max(id)::text as id from audit_changes`))[0]?.id;

describe('orgdesk apply, on the database', () => {
  it('plan and apply do with the example one of each kind that there is, and nothing the second time', async () => {
    const planned = await plan(EXAMPLE);
    assert.equal(planned.told, '');
    assert.deepEqual([planned.code, planned.printed.split('\n').at(-1)], [2, `To be created: ${KINDS.length + 1}.`]);
    const secrets = join(folder, 'secrets.json');
    const applied = await apply(EXAMPLE, { secrets });
    assert.deepEqual([applied.code, applied.told], [0, '']);
    assert.ok(applied.printed.startsWith(planned.printed));
    assert.match(applied.printed, /Done: created: 13\.$/);
    for (const { name } of KINDS) assert.match(applied.printed, new RegExp(`^\\+ ${name} "`, 'm'));
    assert.match(JSON.parse(readFileSync(secrets, 'utf8'))['HR mirror'], /^whsec_/);
    assert.equal(statSync(secrets).mode & 0o777, 0o600);
    const before = await lastChange();
    for (const command of [plan, apply]) {
      const { code, printed } = await command(EXAMPLE);
      assert.deepEqual([code, printed], [0, 'Nothing to do.']);
    }
    assert.equal(await lastChange(), before);
  });

  it('apply resolves names to the things that they name, and signs with the command line', async () => {
    const { data: found } = await admin.get('/api/departments/list', {
      companyId: ACME,
      search: 'LAB-1',
      include: 'structure',
    });
    const [below, above] = [
      found.find((each) => each.costCode === 'LAB-110'),
      found.find((each) => each.costCode === 'LAB-100'),
    ];
    assert.ok(above && below?.parentId === above.id);
    assert.equal(above.head?.lastName, 'Drăgulescu');
    const [connection] = (await admin.get('/api/sign-in-connections/list', { companyId: ACME })).data;
    const [directory] = (await admin.get('/api/directories/list', { companyId: ACME })).data.filter(
      ({ name }) => name === 'Okta',
    );
    assert.equal(directory?.connectionId, connection?.id);
    const [policy] = (await admin.get('/api/approval-policies/list', { companyId: ACME, search: 'Laboratory' })).data;
    const [group] = (await admin.get('/api/groups/list', { companyId: ACME })).data;
    const { levels } = (await admin.get('/api/approval-policies/get', { id: policy?.id ?? '' })).data;
    assert.ok(group && levels.at(-1)?.approver?.groupId === group.id);
    const actors = await api.db.query(sql`select distinct actor_kind from audit_changes where entity_id = ${above.id}`);
    assert.deepEqual(actors, [{ actor_kind: 'command' }]);
  });

  it('no plan shows what comes from the environment, or what the service never shows', async () => {
    const file = fileOf({
      webhooks: [{ description: 'HR mirror', url: `${HOOK}?again`, headers: { 'x-token': TOKEN, 'x-team': 'a' } }],
    });
    const { printed } = await plan(file);
    assert.match(printed, /^~ webhooks "HR mirror": url \(not shown\), headers \(x-token, x-team\)$/m);
    assert.ok(!printed.includes(TOKEN) && !printed.includes('127.0.0.1'));
    const unset = fileOf({ webhooks: [{ description: 'HR mirror', url: HOOK.replace('URL', 'ADDRESS') }] });
    assert.match(
      (await plan(unset)).told,
      /webhooks\[0\]\.url needs HOOK_ADDRESS, which the environment does not have\.$/,
    );
    const again = await plan(EXAMPLE, { again: true });
    assert.match(again.printed, /^~ webhooks "HR mirror": headers \(x-token\)$/m);
  });

  it('a changed field is one change of one thing, also of a list within it', async () => {
    const text = readFileSync(EXAMPLE, 'utf8').replace('name: Chief', 'name: Officer').replace('75000.00', '80000');
    const { printed, told } = await apply(fileOf(text));
    assert.equal(told, '');
    const [band, policy, ...rest] = printed.split('\n').sort().reverse();
    assert.equal(band, '~ bands "C1": name "Chief" → "Officer"');
    assert.match(policy ?? '', /^~ approvalPolicies "Laboratory travel": levels \[.*80000.*\]$/);
    assert.deepEqual(rest, ['To be changed: 2.', 'Done: changed: 2.']);
    assert.equal((await apply(fileOf(text))).printed, 'Nothing to do.');
  });

  it('apply --prune deletes what the file does not have of the kinds that it names, and reports what is refused', async () => {
    const file = fileOf({
      centers: [],
      connections: [],
      bands: [{ code: 'B1' }, { code: 'B2' }, { code: 'B3' }, { code: 'B4' }],
    });
    assert.equal((await plan(file)).printed, 'Nothing to do.');
    const { code, printed, told } = await apply(file, { prune: true });
    assert.match(printed, /^- costCenters "CC-LAB"$/m);
    assert.match(printed, /Done: deleted: 1\.$/);
    assert.match(told, /^2 of 3 were not done:$/m);
    assert.match(told, /^ {2}bands "C1": This band is in use by .*1 group mapping.*\.$/m);
    assert.match(told, /^ {2}connections "https:.* orgdesk": This sign-in connection is in use by 1 directory\.$/m);
    assert.equal(code, 1);
    assert.equal((await admin.get('/api/cost-centers/list', { companyId: ACME })).data.length, 0);
    assert.ok((await admin.get('/api/departments/list', { companyId: ACME, search: 'LAB-100' })).data.length > 0);
  });
});

describe('orgdesk apply, by the ids of other systems', () => {
  it('externalId: names things of the file and of the company, and nothing is to be done the second time', async () => {
    const [head] = (await admin.get('/api/users/list', { companyId: ACME, limit: 1 })).data;
    await admin.post('/api/users/update', { id: head?.id ?? '', externalId: 'P-900' });
    const file = fileOf({
      departments: [
        { costCode: 'EXT-1', name: 'Above', externalId: 'D-900', headId: 'externalId:P-900' },
        { costCode: 'EXT-2', name: 'Below', parentId: 'externalId:D-900' },
      ],
      groups: [{ name: 'Heads', userIds: ['externalId:P-900'] }],
      policies: [{ name: 'Of EXT', autoApprovalLimit: '1', scope: { departmentIds: ['externalId:D-900'] } }],
    });
    assert.match((await apply(file)).printed, /Done: created: 4\.$/);
    assert.equal((await apply(file)).printed, 'Nothing to do.');
    const query = { companyId: ACME, search: 'EXT-', include: 'structure' } as const;
    const [above, below] = (await admin.get('/api/departments/list', query)).data;
    assert.deepEqual([above?.headId, below?.parentId], [head?.id, above?.id]);
    const [group] = (await admin.get('/api/groups/list', { companyId: ACME, search: 'Heads' })).data;
    const { data: heads } = await admin.get('/api/groups/get', { id: group?.id ?? '' });
    assert.deepEqual(heads.userIds, [head?.id]);
    const unknown = fileOf({
      departments: [{ costCode: 'EXT-3', name: 'X', parentId: 'externalId:D-none' }],
      groups: [{ name: 'Heads', userIds: ['externalId:P-900', 'externalId:P-none'] }],
    });
    const { told } = await plan(unknown);
    assert.match(told, /departments\[0\]\.parentId: there is no department "externalId:D-none"\./);
    assert.match(told, /groups\[0\]\.userIds\[1\]: there is no person "externalId:P-none"\./);
  });
});

describe('orgdesk apply: roles that approve', () => {
  it('levels name roles of the company and of the platform by key or name, and nothing is to be done the second time', async () => {
    const { data: ofAll } = await staff.post('/api/roles/create', { key: 'AUDITORS', name: 'Auditors of all' });
    await staff.post('/api/roles/create', { key: 'DESK_10', name: 'Desk nine' });
    const levels = [
      { level: 1, minAmount: '10', roleRequired: 'DESK_9' },
      { level: 2, minAmount: '20', roleRequired: 'AUDITORS' },
      { level: 3, minAmount: '30', approver: { roleId: 'Auditors of all' } },
      { level: 4, minAmount: '40', roleRequired: 'MANAGER' },
      { level: 5, minAmount: '50', approver: { roleId: 'Desk nine' } },
    ];
    const file = fileOf({
      policies: [{ name: 'Own roles', scope: { priority: 977 }, levels }],
      roles: [{ key: 'DESK_9', name: 'Desk nine' }],
    });
    const applied = await apply(file);
    assert.match(applied.printed, /Done: created: 2\.$/, applied.told);
    assert.equal((await plan(file)).printed, 'Nothing to do.');
    const { data: listed } = await admin.get('/api/roles/list', { companyId: ACME });
    const desk = listed.find(({ key, companyId }) => key === 'DESK_9' && companyId === ACME);
    const { data: policies } = await admin.get('/api/approval-policies/list', { companyId: ACME, search: 'Own roles' });
    const { data: policy } = await admin.get('/api/approval-policies/get', { id: policies[0]?.id ?? '' });
    assert.deepEqual(
      policy.levels.map(({ roleRequired, approver }) => [roleRequired, approver ?? null]),
      [
        ['ROLE', { roleId: desk?.id }],
        ['ROLE', { roleId: ofAll.id }],
        ['ROLE', { roleId: ofAll.id }],
        ['MANAGER', null],
        ['ROLE', { roleId: desk?.id }],
      ],
    );
    const unknown = fileOf({
      policies: [{ name: 'X', levels: [{ level: 1, minAmount: '1', roleRequired: 'NOBODY' }] }],
    });
    assert.match((await plan(unknown)).told, /policies\[0\]\.levels\[0\]\.roleRequired: there is no role "NOBODY"\./);
  });
});

describe('orgdesk apply: what a file cannot mean', () => {
  const wrong: [string, object | string, RegExp][] = [
    [
      'a name that nothing has',
      { departments: [{ costCode: 'X-1', name: 'X', parentId: 'NONE' }] },
      /departments\[0\]\.parentId: there is no department "NONE"\./,
    ],
    [
      'a person who is not there',
      { policies: [{ name: 'X', levels: [{ level: 1, minAmount: 1, approver: { userIds: ['x@acme.example'] } }] }] },
      /policies\[0\]\.levels\[0\]\.approver\.userIds\[0\]: there is no person "x@acme\.example"\./,
    ],
    [
      'an amount that is none',
      { policies: [{ name: 'X', levels: [{ level: 1, roleRequired: 'MANAGER', minAmount: 'much' }] }] },
      /policies\[0\]\.levels\[0\]\.minAmount must be an amount/,
    ],
    [
      'an unknown field',
      { bands: [{ code: 'X', name: 'X', autoApprovalLimt: '1' }] },
      /bands\[0\]\.autoApprovalLimt is not a field of this operation: did you mean autoApprovalLimit\?/,
    ],
    [
      'the same thing twice',
      {
        bands: [
          { code: 'X', name: 'X' },
          { code: 'x', name: 'Y' },
        ],
      },
      /bands\[1\] is the same thing as bands\[0\]\./,
    ],
    ['what has no name', { bands: [{ name: 'X' }] }, /bands\[0\] needs code, or externalId\./],
    [
      'a field that never changes',
      { fields: [{ entity: 'department', key: 'floor', label: 'Floor', type: 'TEXT' }] },
      /fields\[0\]\.type cannot be changed: delete the field first\./,
    ],
    ['an unknown kind', { band: [] }, /: band is none of company, .*, bands, .*\./],
    ['no company', 'bands: [{ code: X, name: X }]', /company is needed: bands belong to one\./],
    ['an unknown company', 'company: Nobody\nbands: []', /company: there is no company "Nobody"\./],
    ['no YAML', 'bands: [', /at line 1/],
  ];
  for (const [what, content, expected] of wrong) {
    it(`plan and apply refuse ${what} by its place in the file, and change nothing`, async () => {
      const before = await lastChange();
      const { code, told } = await apply(fileOf(content));
      assert.equal(code, 1);
      assert.match(told, expected);
      assert.equal(await lastChange(), before);
    });
  }

  it('apply reports what the service refuses, by its place in the file, and what was done before', async () => {
    const circle = [
      { costCode: 'CI-1', name: 'X', parentId: 'CI-2' },
      { costCode: 'CI-2', name: 'X', parentId: 'CI-1' },
    ];
    const { told, code, printed } = await apply(
      fileOf({ departments: circle, fields: [{ entity: 'department', key: 'wing', label: 'Wing', type: 'TEXT' }] }),
    );
    assert.equal(code, 1);
    assert.match(printed, /Done: created: 1\.$/);
    assert.match(told, /^2 of 3 were not done:\n {2}departments\[\d\]\.parentId/);
  });
});

describe('orgdesk apply, on a service', () => {
  const file = fileOf({
    bands: [{ code: 'H1', name: 'By HTTP' }],
    departments: [{ costCode: 'H-1', name: 'By HTTP' }],
  });
  const withKey = async (key: string | undefined, work: () => Promise<void>) => {
    process.env.ORGDESK_API_KEY = key ?? '';
    await work().finally(() => delete process.env.ORGDESK_API_KEY);
  };

  it('apply does the same with an API key, from the environment or a file', async () => {
    const keys: string[] = [];
    const output = { print: (text: string) => keys.push(text), progress: () => {}, flushed: async () => {} };
    await keyCommand.act(api.context, ['Configuration'], output, {
      scope: ['organization.write', 'departments.read'],
      company: ACME,
    });
    const path = join(folder, 'key');
    writeFileSync(path, `${keys[0]}\n`);
    assert.equal(
      (await plan(file, { url: baseUrl, 'key-file': path })).printed.split('\n').at(-1),
      'To be created: 2.',
    );
    await withKey(keys[0], async () => {
      assert.match((await apply(file, { url: baseUrl })).printed, /Done: created: 2\.$/);
      assert.equal((await plan(file, { url: baseUrl })).printed, 'Nothing to do.');
      const mappings = fileOf({ mappings: [{ groupName: 'X', role: 'EMPLOYEE' }] });
      assert.match((await plan(mappings, { url: baseUrl })).told, /No API key may do this\./);
    });
  });

  it('apply takes the access token of an administrator, and says what is wrong with a key or an address', async () => {
    await withKey(await api.tokenFor('admin@acme.example'), async () => {
      assert.equal((await plan(file, { url: baseUrl })).printed, 'Nothing to do.');
      assert.match(
        (await plan(file, { url: 'http://127.0.0.1:9' })).told,
        /^http:\/\/127\.0\.0\.1:9 cannot be reached: /,
      );
      assert.match((await plan(file, { url: 'orgdesk' })).told, /^--url must be the address of the service/);
    });
    assert.match((await plan(file, { url: baseUrl })).told, /^--url needs a key: set ORGDESK_API_KEY/);
    await withKey('odk_wrong', async () => assert.match((await plan(file, { url: baseUrl })).told, /API key/));
  });

  it('apply makes webhooks and fields of the platform from a file without a company', async () => {
    const path = fileOf(
      `webhooks: [{ description: All, url: "${HOOK}", active: false }]\nfields: [{ entity: user, key: badge, label: Badge, type: TEXT }]`,
    );
    assert.match((await apply(path)).printed, /Done: created: 2\.$/);
    assert.equal((await plan(path)).printed, 'Nothing to do.');
    const { data } = await staff.get('/api/webhooks/list', {});
    assert.deepEqual(
      data.filter(({ companyId }) => companyId === null).map(({ active }) => active),
      [false],
    );
  });
});
