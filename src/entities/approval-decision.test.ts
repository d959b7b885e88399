import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type DecidingLevel, decideApproval, nobodyFrom, relativesOf } from './approval-decision.ts';
import { cents } from './money.ts';
import type { ApproverRole } from './roles.ts';

type Signers = Readonly<Partial<Record<ApproverRole, readonly (readonly [person: string, limit: string])[]>>>;

interface Situation {
  limit: string;
  band?: string;
  max?: string;
  levels: readonly (readonly [role: ApproverRole, minAmount: string])[];
  signers?: Signers;
}

function caseOf({ limit, band, max, levels, signers = {} }: Situation, amount: string) {
  return {
    amount,
    policyLimit: limit,
    bandLimit: band ?? null,
    maxBookingLimit: max ?? null,
    levels: levels.map(([roleRequired, minAmount], at): DecidingLevel => ({ level: at + 1, roleRequired, minAmount })),
    approversOf({ roleRequired }: DecidingLevel, withAuthority: boolean) {
      const people = (signers[roleRequired] ?? []).filter(([, own]) => !withAuthority || cents(own) >= cents(amount));
      return [{ total: people.length, sole: people.length === 1 ? (people[0]?.[0] ?? null) : null, people }];
    },
  };
}

const MARKS = { NOBODY: 'n', SAME_PERSON: 's' } as const;

/** The decision in one line: `APPROVAL_NEEDED 1s 2`, level 1 skipped as the same person decides at level 2. */
function decided(situation: Situation, amount: string): string {
  const { decision, steps } = decideApproval(caseOf(situation, amount));
  return [decision, ...steps.map(({ level, skipped }) => `${level.level}${skipped ? MARKS[skipped] : ''}`)].join(' ');
}

const AUTO = 'AUTO_APPROVED';
const NEEDED = 'APPROVAL_NEEDED';
const NOBODY = 'NOBODY_CAN_APPROVE';
const OVER = 'OVER_LIMIT';

const LADDER: Situation['levels'] = [
  ['MANAGER', '1000.00'],
  ['CORPORATE_ADMIN', '5000.00'],
  ['SUPER_ADMIN', '20000.00'],
];
const STAFF: Signers = {
  MANAGER: [
    ['m', '3000.00'],
    ['n', '6000.00'],
  ],
  CORPORATE_ADMIN: [['a', '15000.00']],
  SUPER_ADMIN: [['s', '50000.00']],
};
const ladder = { limit: '1000.00', levels: LADDER, signers: STAFF };
const one = (role: ApproverRole, from: string, signers: Signers, limit = '100.00'): Situation => {
  return { limit, levels: [[role, from]], signers };
};

const TABLE: readonly (readonly [what: string, situation: Situation, rows: Readonly<Record<string, string>>])[] = [
  [
    'a ladder',
    ladder,
    {
      '0.00 0.01 500.00 999.99 1000.00': AUTO,
      '1000.01 2999.99 3000.00 3000.01 4999.98 4999.99': `${NEEDED} 1`,
      '5000.00 5000.01 6000.00 6000.01 14999.99 15000.00': `${NEEDED} 1 2`,
      '15000.01 19999.99 20000.00 20000.01 49999.99 50000.00': `${NEEDED} 1 2 3`,
      '50000.01 100000.00 9999999999999.99': `${NOBODY} 1 2 3`,
    },
  ],
  [
    'a band with a smaller limit',
    { ...ladder, band: '400.00' },
    {
      '0.00 399.99 400.00': AUTO,
      '400.01 500.00 999.99 1000.00 1000.01 4999.99': `${NEEDED} 1`,
      '5000.00 15000.00': `${NEEDED} 1 2`,
      '50000.01': `${NOBODY} 1 2 3`,
    },
  ],
  [
    'a band with a larger limit',
    { ...ladder, band: '7000.00' },
    { '999.99 1000.00': AUTO, '1000.01 4999.99': `${NEEDED} 1`, '5000.00 7000.00 7000.01': `${NEEDED} 1 2` },
  ],
  ['a band with the same limit', { ...ladder, band: '1000.00' }, { '1000.00': AUTO, '1000.01': `${NEEDED} 1` }],
  [
    'a band with a largest booking',
    { ...ladder, band: '400.00', max: '6000.00' },
    { '400.00': AUTO, '400.01': `${NEEDED} 1`, '5999.99 6000.00': `${NEEDED} 1 2`, '6000.01 9999999999999.99': OVER },
  ],
  [
    'a largest booking below the automatic limit',
    { ...ladder, band: '900.00', max: '100.00' },
    { '0.00 99.99 100.00': AUTO, '100.01 900.00 900.01 5000.00': OVER },
  ],
  ['a largest booking of nothing', { ...ladder, max: '0.00' }, { '0.00': AUTO, '0.01': OVER }],
  ['a policy with a name alone', { limit: '0.00', levels: [] }, { '0.00': AUTO, '0.01 1.00 999999999.00': NOBODY }],
  ['a policy without levels', { limit: '50.00', levels: [] }, { '50.00': AUTO, '50.01 51.00': NOBODY }],
  [
    'a gap between limit and first level',
    { limit: '100.00', levels: LADDER, signers: STAFF },
    { '100.00': AUTO, '100.01 500.00 999.99 1000.00': `${NEEDED} 1` },
  ],
  [
    'a first level below the limit',
    { limit: '2000.00', levels: LADDER, signers: STAFF },
    { '1000.00 1500.00 2000.00': AUTO, '2000.01': `${NEEDED} 1`, '5000.00': `${NEEDED} 1 2` },
  ],
  [
    'levels that are due from nothing on',
    {
      limit: '0.00',
      levels: [
        ['MANAGER', '0.00'],
        ['CORPORATE_ADMIN', '0.00'],
      ],
      signers: STAFF,
    },
    { '0.00': AUTO, '0.01 3000.00 15000.00': `${NEEDED} 1 2`, '15000.01': `${NOBODY} 1 2` },
  ],
  [
    'a lower level whose people have a small limit',
    {
      limit: '0.00',
      levels: [
        ['MANAGER', '0.00'],
        ['SUPER_ADMIN', '4000.00'],
      ],
      signers: { MANAGER: [['m', '1.00']], SUPER_ADMIN: [['s', '9000.00']] },
    },
    { '0.01 1.00': `${NEEDED} 1`, '1.01 3999.99 4000.00 9000.00': `${NEEDED} 1 2`, '9000.01': `${NOBODY} 1 2` },
  ],
  [
    'climbing over a level that nobody holds',
    {
      limit: '0.00',
      levels: [
        ['MANAGER', '0.00'],
        ['CORPORATE_ADMIN', '100.00'],
        ['SUPER_ADMIN', '1000.00'],
      ],
      signers: { MANAGER: [['m', '10.00']], SUPER_ADMIN: [['s', '500.00']] },
    },
    { '10.00': `${NEEDED} 1`, '10.01 99.99 100.00 500.00': `${NEEDED} 1 2n 3`, '500.01 1000.00': `${NOBODY} 1 2 3` },
  ],
  [
    'a first step that nobody holds',
    { ...ladder, signers: { ...STAFF, MANAGER: [] } },
    { '1000.01 4999.99 5000.00 15000.00': `${NEEDED} 1n 2`, '15000.01 20000.00': `${NEEDED} 1n 2 3` },
  ],
  [
    'a last step that nobody holds',
    { ...ladder, signers: { ...STAFF, SUPER_ADMIN: [] } },
    { '15000.00': `${NEEDED} 1 2`, '15000.01 20000.00': `${NOBODY} 1 2 3` },
  ],
  ['nobody at all', { ...ladder, signers: {} }, { '1000.00': AUTO, '1000.01 5000.00 20000.00': `${NOBODY} 1 2 3` }],
  [
    'one person on two steps',
    {
      limit: '0.00',
      levels: [
        ['MANAGER', '0.00'],
        ['CORPORATE_ADMIN', '100.00'],
      ],
      signers: { MANAGER: [['x', '50.00']], CORPORATE_ADMIN: [['x', '500.00']] },
    },
    { '50.00': `${NEEDED} 1`, '50.01 99.99 100.00 500.00': `${NEEDED} 1s 2`, '500.01': `${NOBODY} 1 2` },
  ],
  [
    'one person on two steps, beside another at the first',
    {
      limit: '0.00',
      levels: [
        ['MANAGER', '0.00'],
        ['CORPORATE_ADMIN', '0.00'],
      ],
      signers: {
        MANAGER: [
          ['x', '50.00'],
          ['y', '5.00'],
        ],
        CORPORATE_ADMIN: [['x', '500.00']],
      },
    },
    { '1.00 50.00 500.00': `${NEEDED} 1 2` },
  ],
  [
    'one person on three steps',
    {
      limit: '0.00',
      levels: [
        ['LINE_MANAGER', '0.00'],
        ['DEPARTMENT_HEAD', '0.00'],
        ['CORPORATE_ADMIN', '0.00'],
      ],
      signers: { LINE_MANAGER: [['x', '9.00']], DEPARTMENT_HEAD: [['x', '9.00']], CORPORATE_ADMIN: [['x', '9.00']] },
    },
    { '0.01 9.00': `${NEEDED} 1s 2s 3`, '9.01': `${NOBODY} 1 2 3` },
  ],
  [
    'the same person at the first and the last step',
    {
      limit: '0.00',
      levels: [
        ['LINE_MANAGER', '0.00'],
        ['MANAGER', '0.00'],
        ['DEPARTMENT_HEAD', '0.00'],
      ],
      signers: { LINE_MANAGER: [['x', '9.00']], MANAGER: [['y', '9.00']], DEPARTMENT_HEAD: [['x', '9.00']] },
    },
    { '0.01 5.00 9.00': `${NEEDED} 1s 2 3` },
  ],
  [
    'one role on two levels',
    {
      limit: '0.00',
      levels: [
        ['MANAGER', '0.00'],
        ['MANAGER', '100.00'],
      ],
      signers: {
        MANAGER: [
          ['m', '50.00'],
          ['n', '500.00'],
        ],
      },
    },
    { '50.00 50.01 99.99': `${NEEDED} 1`, '100.00 500.00': `${NEEDED} 1 2`, '500.01': `${NOBODY} 1 2` },
  ],
  [
    'one role with one holder on two levels',
    {
      limit: '0.00',
      levels: [
        ['MANAGER', '0.00'],
        ['MANAGER', '100.00'],
      ],
      signers: { MANAGER: [['n', '500.00']] },
    },
    { '99.99': `${NEEDED} 1`, '100.00 500.00': `${NEEDED} 1s 2` },
  ],
  [
    'somebody with authority at the first step alone',
    {
      limit: '0.00',
      levels: [
        ['MANAGER', '0.00'],
        ['CORPORATE_ADMIN', '100.00'],
      ],
      signers: { MANAGER: [['m', '9000.00']], CORPORATE_ADMIN: [['a', '10.00']] },
    },
    { '99.99': `${NEEDED} 1`, '100.00 9000.00': `${NOBODY} 1 2` },
  ],
  [
    'levels whose amounts fall, as an import may leave them',
    {
      limit: '0.00',
      levels: [
        ['MANAGER', '100.00'],
        ['CORPORATE_ADMIN', '10.00'],
      ],
      signers: { MANAGER: [['m', '900.00']], CORPORATE_ADMIN: [['a', '900.00']] },
    },
    { '5.00': `${NEEDED} 1`, '10.00 99.99': `${NEEDED} 2`, '100.00 900.00': `${NEEDED} 1 2` },
  ],
  [
    'a line manager',
    one('LINE_MANAGER', '0.00', { LINE_MANAGER: [['l', '500.00']] }),
    {
      '100.00': AUTO,
      '100.01 499.99 500.00': `${NEEDED} 1`,
      '500.01': `${NOBODY} 1`,
    },
  ],
  ['no line manager', one('LINE_MANAGER', '0.00', {}), { '100.00': AUTO, '100.01': `${NOBODY} 1` }],
  [
    'a head with a limit of nothing',
    one('DEPARTMENT_HEAD', '0.00', { DEPARTMENT_HEAD: [['h', '0.00']] }, '0.00'),
    {
      '0.00': AUTO,
      '0.01': `${NOBODY} 1`,
    },
  ],
  [
    'a second line manager',
    one('SECOND_LINE_MANAGER', '200.00', { SECOND_LINE_MANAGER: [['d', '300.00']] }),
    {
      '100.00': AUTO,
      '100.01 199.99 200.00 300.00': `${NEEDED} 1`,
      '300.01': `${NOBODY} 1`,
    },
  ],
  [
    'an employee who approves',
    one('EMPLOYEE', '0.00', {
      EMPLOYEE: [
        ['e', '150.00'],
        ['f', '150.00'],
      ],
    }),
    {
      '100.00': AUTO,
      '100.01 150.00': `${NEEDED} 1`,
      '150.01': `${NOBODY} 1`,
    },
  ],
  [
    'amounts at the edge of what can be written',
    one(
      'MANAGER',
      '9999999999999.99',
      {
        MANAGER: [['m', '9999999999999.99']],
      },
      '9999999999999.98',
    ),
    {
      '9999999999999.97 9999999999999.98': AUTO,
      '9999999999999.99': `${NEEDED} 1`,
    },
  ],
];

const rows = TABLE.flatMap(([what, situation, expected]) =>
  Object.entries(expected).flatMap(([amounts, outcome]) =>
    amounts.split(' ').map((amount) => ({ what, situation, amount, outcome })),
  ),
);

describe('the decision on a booking', () => {
  it('the decision on a booking matches the table, one cent below and above each limit', () => {
    assert.ok(rows.length >= 150, `${rows.length} rows`);
    for (const { what, situation, amount, outcome } of rows) {
      assert.equal(decided(situation, amount), outcome, `${what}: ${amount}`);
    }
  });

  it('the decision on a booking lists its reasons in the order in which they applied', () => {
    const codes = (situation: Situation, amount: string) =>
      decideApproval(caseOf(situation, amount)).reasons.map(({ code }) => code);
    const band = { ...ladder, band: '400.00' };
    for (const [situation, amount, expected] of [
      [band, '400.00', []],
      [band, '400.01', ['ABOVE_BAND_LIMIT', 'LOWEST_LEVEL']],
      [band, '1000.00', ['ABOVE_BAND_LIMIT']],
      [band, '1000.01', ['ABOVE_BAND_LIMIT', 'ABOVE_POLICY_LIMIT']],
      [{ ...ladder, band: '7000.00' }, '1000.01', ['ABOVE_POLICY_LIMIT']],
      [ladder, '15000.01', ['ABOVE_POLICY_LIMIT', 'CLIMBED_FOR_AUTHORITY']],
      [ladder, '50000.01', ['ABOVE_POLICY_LIMIT', 'NO_AUTHORITY']],
      [{ ...ladder, signers: { ...STAFF, MANAGER: [] } }, '5000.00', ['ABOVE_POLICY_LIMIT', 'STEP_SKIPPED']],
      [{ limit: '0.00', levels: [] }, '1.00', ['ABOVE_POLICY_LIMIT', 'NO_LEVELS']],
      [{ ...ladder, max: '10.00' }, '10.01', ['OVER_MAX_BOOKING']],
    ] as const) {
      assert.deepEqual(codes(situation, amount), expected, amount);
    }
    const [skipped] = decideApproval(
      caseOf({ ...ladder, signers: { ...STAFF, MANAGER: [] } }, '5000.00'),
    ).reasons.slice(1);
    assert.equal(skipped?.message, 'level 1 (Manager) is skipped: nobody has the role.');
  });

  it('the approver search skips superiors who do not work and the requester, also if managers form a circle', () => {
    const at = (id: string, isThere = true) => ({ id, works: isThere });
    const relations = (managers: string, heads = '') => {
      const people = (ids: string) =>
        ids
          .split(' ')
          .filter(Boolean)
          .map((id) => at(id, !id.startsWith('-')));
      return { managers: people(managers), heads: people(heads) };
    };
    for (const [managers, heads, line, second, head] of [
      ['a b', 'h i', 'a', 'b', 'h'],
      ['-a b c', '-h i', 'b', 'c', 'i'],
      ['me a b', 'me i', 'a', 'b', 'i'],
      ['a me', 'me', 'a', undefined, undefined],
      ['a', '', 'a', undefined, undefined],
      ['-a -b', '-h', undefined, undefined, undefined],
      ['', '', undefined, undefined, undefined],
    ] as const) {
      const found = (['LINE_MANAGER', 'SECOND_LINE_MANAGER', 'DEPARTMENT_HEAD'] as const).map(
        (role) => relativesOf(role, relations(managers, heads), ({ id, works }) => works && id !== 'me')[0]?.id,
      );
      assert.deepEqual(found, [line, second, head], `${managers} / ${heads}`);
    }
  });
});

const amount = fc.integer({ min: 0, max: 3000 }).map((paise) => {
  const digits = String(paise).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
});
const ROLES: ApproverRole[] = ['MANAGER', 'CORPORATE_ADMIN', 'SUPER_ADMIN', 'LINE_MANAGER', 'DEPARTMENT_HEAD'];
const situation: fc.Arbitrary<Situation> = fc
  .record({
    limit: amount,
    band: fc.option(amount, { nil: undefined }),
    levels: fc.array(fc.tuple(fc.constantFrom(...ROLES), amount), { maxLength: 5 }),
    people: fc.array(fc.tuple(fc.constantFrom(...ROLES), fc.constantFrom('u', 'v', 'w', 'x'), amount), {
      maxLength: 8,
    }),
  })
  .map(({ limit, band, levels, people }) => {
    const signers: Partial<Record<ApproverRole, [string, string][]>> = {};
    for (const [role, person, own] of people) {
      const others = (signers[role] ?? []).filter(([known]) => known !== person);
      signers[role] = [...others, [person, own]];
    }
    const ascending = levels.sort(([, a], [, b]) => (cents(a) < cents(b) ? -1 : 1));
    return { limit, ...(band === undefined ? {} : { band }), levels: ascending, signers };
  });

describe('the decision for any policy and any people', () => {
  it('no booking above the smaller of the policy limit and the band limit is approved automatically', () => {
    fc.assert(
      fc.property(situation, amount, (given, requested) => {
        const smaller = given.band !== undefined && cents(given.band) < cents(given.limit) ? given.band : given.limit;
        assert.equal(decided(given, requested) === AUTO, cents(requested) <= cents(smaller));
      }),
    );
  });

  it('the last approver of a booking always has the authority for its amount', () => {
    fc.assert(
      fc.property(situation, amount, (given, requested) => {
        const { decision, steps } = decideApproval(caseOf(given, requested));
        if (decision !== NEEDED) return;
        const last = steps.at(-1);
        assert.ok(last && last.skipped === null && last.approvers.people.length > 0);
        for (const [, own] of last.approvers.people) assert.ok(cents(own) >= cents(requested));
      }),
    );
  });

  it('a booking of a higher amount never has fewer approval steps', () => {
    fc.assert(
      fc.property(situation, amount, amount, (given, one_, other) => {
        const [less, more] = cents(one_) < cents(other) ? [one_, other] : [other, one_];
        const count = (requested: string) => decideApproval(caseOf(given, requested)).steps.length;
        assert.ok(count(less) <= count(more), `${less} and ${more}`);
      }),
    );
  });

  it('a person who is the only approver of several steps approves once', () => {
    fc.assert(
      fc.property(situation, amount, (given, requested) => {
        const { decision, steps } = decideApproval(caseOf(given, requested));
        if (decision !== NEEDED) return;
        const soles = steps.filter(({ skipped }) => skipped === null).flatMap(({ approvers }) => approvers.sole ?? []);
        assert.equal(new Set(soles).size, soles.length);
      }),
    );
  });

  it('the decision on a booking has a reason unless the amount is within the limit', () => {
    fc.assert(
      fc.property(situation, amount, (given, requested) => {
        const { decision, reasons } = decideApproval(caseOf(given, requested));
        assert.equal(reasons.length === 0, decision === AUTO);
      }),
    );
  });

  it('nobodyFrom returns the smallest amount that nobody can approve', () => {
    fc.assert(
      fc.property(situation, amount, (given, requested) => {
        const { levels } = caseOf(given, requested);
        const from = nobodyFrom({ autoApprovalLimit: given.limit, levels }, ({ roleRequired }) => {
          const limits = (given.signers?.[roleRequired] ?? []).map(([, own]) => own);
          return limits.sort((a, b) => (cents(a) < cents(b) ? 1 : -1))[0] ?? null;
        });
        const { band: _, ...policy } = given;
        assert.ok(from !== undefined);
        assert.equal(decided(policy, from).startsWith(NOBODY), true, `${from} is not one`);
        if (cents(requested) < cents(from))
          assert.equal(decided(policy, requested).startsWith(NOBODY), false, requested);
      }),
    );
  });
});
