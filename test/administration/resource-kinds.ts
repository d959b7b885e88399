/** A kind of row that belongs to a company. */
interface Kind {
  /** As its paths and its messages call it, and its errors and the trail. */
  path: string;
  thing: string;
  noun: string;
  entity: string;
  /** What a create needs, what it is where nothing more is said, and what it can be changed to. */
  needed: () => Record<string, string>;
  defaults: Record<string, unknown>;
  changes: () => Record<string, unknown>;
  /** What tells one apart from others where they may not be equal. */
  own?: () => Record<string, unknown>;
  /** What the trail reports besides what was sent, or under other names. */
  stored?: (given: Record<string, unknown>) => Record<string, unknown>;
}

/** The scope of a policy for everybody. */
const SCOPE = { departmentIds: [], bandIds: [], conditions: {}, active: true };
let priority = 100;
const nextPriority = () => {
  priority += 1;
  return priority;
};

/** A code that no other thing has. */
let codes = 0;
const nextCode = () => {
  codes += 1;
  return `S-${codes}`;
};

export const KINDS: readonly Kind[] = [
  {
    path: 'departments',
    thing: 'Department',
    noun: 'department',
    entity: 'department',
    needed: () => ({ name: 'Sales', costCode: nextCode() }),
    defaults: {
      externalId: null,
      budget: null,
      budgets: [{ from: null, budget: null }],
      parentId: null,
      headId: null,
      head: null,
      people: { own: 0, withBelow: 0 },
      _count: { users: 0 },
    },
    changes: () => ({ name: 'Sales & Trade', costCode: nextCode(), budget: '7.50' }),
    stored: () => ({ budgets: '[{"from": null, "budget": "7.50"}]' }),
  },
  {
    path: 'bands',
    thing: 'Band',
    noun: 'band',
    entity: 'band',
    needed: () => ({ name: 'Senior', code: nextCode() }),
    defaults: { externalId: null, autoApprovalLimit: '0.00', maxBookingLimit: null, _count: { users: 0 } },
    changes: () => ({ name: 'Senior II', code: nextCode(), autoApprovalLimit: '7.50', maxBookingLimit: '9.00' }),
  },
  {
    path: 'approval-policies',
    thing: 'Approval Policy',
    noun: 'approval policy',
    entity: 'approvalPolicy',
    needed: () => ({ name: 'Travel' }),
    own: () => ({ scope: { ...SCOPE, priority: nextPriority() } }),
    defaults: {
      externalId: null,
      autoApprovalLimit: '0.00',
      defaultApprovers: null,
      distinct: false,
      limit: 'SMALLER',
      excludeReports: false,
      reapproveAbove: null,
      levels: [],
    },
    stored: ({ scope }) => ({
      priority: (scope as { priority: number }).priority,
      active: true,
      distinct: false,
      limit: 'SMALLER',
      excludeReports: false,
    }),
    changes: () => ({ name: 'Travel abroad', autoApprovalLimit: '7.50' }),
  },
];
