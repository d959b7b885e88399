import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  dayAfter,
  groupText,
  type HistoryLocale,
  sentenceOf,
  sizeOf,
} from '../../../web/src/pages/history-sentences.ts';
import { speak } from '../../../web/src/translate.ts';
import { readCatalogues } from '../../../web/texts.ts';

type Change = Parameters<typeof sentenceOf>[0];
type Field = Change['changes'][number];
type Group = Parameters<typeof groupText>[0];
type Count = Group['counts'][number];

const LOCALE: HistoryLocale = {
  fieldName: (field) => ({ budget: 'Budget', bandId: 'Band', phone: 'Phone' })[field] ?? field,
  valueText: (field, value, names) =>
    names[String(value)] ?? (['budget', 'minAmount'].includes(field) ? `₹${Number(value)}` : String(value)),
  roleName: (role) => ({ MANAGER: 'Manager' })[role] ?? role,
};
const field = (name: string, before: Field['before'], after: Field['after'], kept = true): Field => ({
  field: name,
  before,
  after,
  kept,
});
const NAMES = { s: 'Sales', l: 'Legal', c: 'Acme', b1: 'Junior', b2: 'Senior' };
const change = (given: Partial<Change>): Change => ({
  id: '1',
  changedAt: '2026-01-31T09:30:00.000Z',
  action: 'changed',
  entity: 'user',
  entityId: 'p',
  userId: 'p',
  companyId: 'c',
  requestId: 'r',
  actor: { kind: 'user', userId: 'a', runId: null },
  actorName: 'Asha Rao',
  entityName: 'Priya Das',
  names: NAMES,
  changes: [],
  ...given,
});
const said = (given: Partial<Change>) => sentenceOf(change(given), LOCALE).replace(/[\u2068\u2069]/g, '');
const department = { entity: 'department', entityId: 'l', userId: null, entityName: 'Legal' } as const;

describe('history as sentences', () => {
  it('a history sentence states who moved a person from where to where, in both languages', () => {
    const changes = [field('departmentId', 's', 'l')];
    assert.equal(said({ changes }), 'Asha Rao moved Priya Das from Sales to Legal');
    speak('de', readCatalogues().get('de') ?? {});
    const german = said({ changes });
    speak('en', {});
    assert.equal(german, 'Asha Rao hat Priya Das von Sales nach Legal versetzt');
  });

  it('a history sentence names the changed fields with formatted values', () => {
    for (const [given, text] of [
      [
        { ...department, changes: [field('budget', '9100000.00', '9200000.00')] },
        'Asha Rao changed the department Legal: Budget from ₹9100000 to ₹9200000',
      ],
      [
        { changes: [field('departmentId', 's', 'l'), field('bandId', 'b1', 'b2')] },
        'Asha Rao changed Priya Das: departmentId from Sales to Legal; Band from Junior to Senior',
      ],
      [{ changes: [field('phone', null, '+91')] }, 'Asha Rao changed Priya Das: Phone set to +91'],
      [{ changes: [field('phone', '+91', null)] }, 'Asha Rao changed Priya Das: Phone cleared, was +91'],
      [{ changes: [field('phone', null, null, false)] }, 'Asha Rao changed Priya Das: Phone (value not kept)'],
      [{ changes: [field('active', true, false)] }, 'Asha Rao deactivated Priya Das'],
      [{ changes: [field('active', false, true)] }, 'Asha Rao reactivated Priya Das'],
      [{ ...department, action: 'removed' }, 'Asha Rao deleted the department Legal'],
      [{ ...department, action: 'added', entityName: null }, 'Asha Rao added a department'],
      [{ action: 'erased' }, 'Asha Rao erased the earlier personal values of Priya Das'],
      [
        { entity: 'apiKey', userId: null, entityName: 'Desk', changes: [field('revokedAt', null, '2026')] },
        'Asha Rao revoked the API key Desk',
      ],
    ] as const) {
      assert.equal(said(given as Partial<Change>), text);
    }
  });

  it('a history sentence about a change of one’s own names the person once', () => {
    const own = { actor: { kind: 'user', userId: 'p', runId: null }, actorName: 'Priya Das' } as const;
    const text = 'Priya Das changed their own profile: Phone set to +91';
    assert.equal(said({ ...own, changes: [field('phone', null, '+91')] }), text);
  });

  it('a history sentence names roles and approval levels by their values', () => {
    const role = { entity: 'companyRole', changes: [field('role', null, 'MANAGER'), field('companyId', null, 'c')] };
    assert.equal(said({ ...role, action: 'added' } as Change), 'Asha Rao gave Priya Das the role Manager at Acme');
    const taken = { entity: 'systemRole', action: 'removed', changes: [field('role', 'MANAGER', null)] } as const;
    assert.equal(said({ ...taken, changes: [...taken.changes] }), 'Asha Rao took the role Manager from Priya Das');
    const level = {
      entity: 'approvalPolicyLevel',
      userId: null,
      entityName: 'Travel',
      action: 'added',
      changes: [field('roleRequired', null, 'MANAGER'), field('minAmount', null, '5.00')],
    } as Partial<Change>;
    const gone = {
      ...level,
      action: 'removed',
      entityName: null,
      policyId: 't',
      names: { t: 'Travel' },
    } as Partial<Change>;
    const changes = [
      field('policyId', 't', null),
      field('roleRequired', 'MANAGER', null),
      field('minAmount', '5', null),
    ];
    assert.equal(
      said({ ...gone, changes }),
      'Asha Rao removed a level from the approval policy Travel: Manager from ₹5',
    );
    assert.equal(said(level), 'Asha Rao added a level to the approval policy Travel: Manager from ₹5');
  });

  it('a history sentence names an API key, an import or a command as the source of a change', () => {
    const changes = [field('active', true, false)];
    const by = (kind: Change['actor']['kind'], actorName: string | null) =>
      said({ changes, actor: { kind, userId: null, runId: null }, actorName });
    assert.equal(by('key', 'Desk'), 'The API key Desk deactivated Priya Das');
    assert.equal(by('key', null), 'An API key deactivated Priya Das');
    assert.equal(by('import', null), 'An import deactivated Priya Das');
    assert.equal(by('command', null), 'The command line deactivated Priya Das');
    assert.equal(by('user', null), 'Platform staff deactivated Priya Das');
  });
});

describe('changes of one request', () => {
  const main = change({ action: 'added', entityName: 'P1' });
  const group = (
    counts: [entity: Count['entity'], action: Count['action'], count: number][],
    subjects: string[],
    given = main,
  ): Group => ({
    ...{ id: 'r', requestId: 'r', changedAt: given.changedAt, actor: given.actor, actorName: given.actorName },
    counts: counts.map(([entity, action, count]) => ({ entity, action, count })),
    subjects: subjects.slice(0, 5).map((name) => ({ entity: 'user', id: name, name })),
    subjectCount: subjects.length,
    main: given,
  });
  const text = (of: Group) => groupText(of, LOCALE).replace(/[\u2068\u2069]/g, '');

  it('several changes of one request about one person are shown as the main change', () => {
    const added = group(
      [
        ['user', 'added', 1],
        ['companyRole', 'added', 1],
      ],
      ['P1'],
    );
    assert.equal(text(added), 'Asha Rao added P1');
    assert.equal(sizeOf(added), 2);
  });

  it('changes of one request about several people are counted by kind', () => {
    const actor = { kind: 'import', userId: null, runId: 'run' } as const;
    const imported = change({ ...main, requestId: null, actorName: null, actor });
    const many = Array.from({ length: 1200 }, (_, index) => `P${index}`);
    assert.equal(
      text(
        group(
          [
            ['companyRole', 'added', 1200],
            ['user', 'added', 1199],
            ['user', 'changed', 1],
          ],
          many,
          imported,
        ),
      ),
      'An import: 1,200 roles added, 1,199 people added, 1 person changed',
    );
    assert.equal(text(group([['companyRole', 'removed', 9]], ['P1'])), 'Asha Rao: 9 roles deleted (P1)');
  });
});

it('dayAfter returns the next calendar day', () => {
  assert.deepEqual(['2026-01-31', '2024-02-28', '2026-12-31'].map(dayAfter), [
    '2026-02-01',
    '2024-02-29',
    '2027-01-01',
  ]);
});
