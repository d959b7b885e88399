import { randomUUID } from 'node:crypto';
import { type Due, OK, type Organisation, type Person, type Role, type Unit, type UnitKind } from './organisation.ts';

/** A request of an actor, the answer that is due, and what it does to the model where that is a 200. */
export interface Step {
  actor: Person;
  path: string;
  body: Record<string, unknown>;
  due: Due;
  apply(): void;
}

/** Numbers from a seed, so that a sequence can be repeated (mulberry32). */
export function randomFrom(seed: number) {
  let state = seed;
  const below = (count: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
  return {
    below,
    of: <Item>(items: Iterable<Item>): Item => {
      const all = [...items];
      return all[below(all.length)] as Item;
    },
  };
}
export type Random = ReturnType<typeof randomFrom>;

const ADMINS: readonly Role[] = ['CORPORATE_ADMIN'];
const ROLES: readonly Role[] = ['CORPORATE_ADMIN', 'MANAGER', 'EMPLOYEE'];
const UNITS = {
  departments: { code: 'costCode', amount: 'budget' },
  bands: { code: 'code', amount: 'autoApprovalLimit' },
} as const;

/** The fields of a department or band as the API has them. */
export const unitFields = (kind: UnitKind, { name, code, amount }: Pick<Unit, 'name' | 'code' | 'amount'>) => ({
  name,
  [UNITS[kind].code]: code,
  [UNITS[kind].amount]: amount,
});

type MakeStep = (model: Organisation, random: Random, actor: Person) => Step;

const money = (random: Random) => `${random.below(100_000)}.${String(random.below(100)).padStart(2, '0')}`;
const kindOf = (random: Random): UnitKind => random.of(['departments', 'bands'] as const);
/** Few, so that they collide, in either case of letters. */
const codeOf = (random: Random) => `${random.of(['c', 'C'])}${random.below(12)}`;
const emailOf = (random: Random) => `${random.of(['p', 'P'])}erson${random.below(150)}@model.example`;

const createUnit: MakeStep = (model, random, actor) => {
  const { id: companyId } = random.of(model.companies.values());
  const kind = kindOf(random);
  const unit = {
    id: randomUUID(),
    companyId,
    name: `Unit ${random.below(1_000)}`,
    code: codeOf(random),
    amount: money(random),
  };
  return {
    actor,
    path: `/api/${kind}/create`,
    body: { id: unit.id, companyId, ...unitFields(kind, unit) },
    due: model.refusalByName(actor, companyId, ADMINS, false) ?? model.refusalOfCode(kind, unit) ?? OK,
    apply: () => void model[kind].set(unit.id, unit),
  };
};

const updateUnit: MakeStep = (model, random, actor) => {
  const kind = kindOf(random);
  const unit = random.of(model[kind].values());
  const next = { ...unit, name: `Unit ${random.below(1_000)}`, code: codeOf(random), amount: money(random) };
  // Who raises the limits of the own band is refused.
  if (kind === 'bands') next.amount = unit.amount;
  return {
    actor,
    path: `/api/${kind}/update`,
    body: { id: unit.id, ...unitFields(kind, next) },
    due: model.refusalById(actor, unit.companyId, ADMINS, false) ?? model.refusalOfCode(kind, next) ?? OK,
    apply: () => Object.assign(unit, next),
  };
};

const deleteUnit: MakeStep = (model, random, actor) => {
  const kind = kindOf(random);
  const unit = random.of(model[kind].values());
  return {
    actor,
    path: `/api/${kind}/delete`,
    body: { id: unit.id },
    due: model.refusalById(actor, unit.companyId, ADMINS, false) ?? model.refusalOfUse(kind, unit) ?? OK,
    apply: () => void model[kind].delete(unit.id),
  };
};

const createPerson: MakeStep = (model, random, actor) => {
  const company = random.of(model.companies.values());
  const role = random.of(ROLES);
  const person: Person = {
    id: randomUUID(),
    companyId: company.id,
    email: emailOf(random),
    firstName: `First ${random.below(100)}`,
    lastName: `Last ${random.below(100)}`,
    departmentId: company.defaultDepartmentId,
    bandId: company.defaultBandId,
    approvalLimit: money(random),
    active: true,
    roles: new Set([role]),
    isSuperAdmin: false,
  };
  const { id, companyId, email, firstName, lastName, approvalLimit } = person;
  return {
    actor,
    path: '/api/users/create',
    body: { id, companyId, email, firstName, lastName, approvalLimit, roles: [role] },
    due: model.refusalByName(actor, companyId, ADMINS, true) ?? model.refusalOfEmail(id, email) ?? OK,
    apply: () => void model.people.set(id, person),
  };
};

const updatePerson: MakeStep = (model, random, actor) => {
  const person = random.of(model.people.values());
  const { id, companyId } = person;
  const changed: Partial<Person> = random.of<() => Partial<Person>>([
    () => ({ active: random.below(2) === 0 }),
    () => ({ active: true }),
    () => ({ email: emailOf(random) }),
    () => ({ approvalLimit: money(random) }),
    () => ({ lastName: `Last ${random.below(100)}` }),
    () => ({ departmentId: random.of(model.ofCompany(model.departments, companyId)).id }),
    () => ({ bandId: random.of(model.ofCompany(model.bands, companyId)).id }),
  ])();
  const isOwnBand = changed.bandId !== undefined && changed.bandId !== person.bandId && person.id === actor.id;
  const rules = isOwnBand && !actor.isSuperAdmin ? { statuses: [403] } : model.refusalOfChange(actor, person, changed);
  const taken = changed.email === undefined ? undefined : model.refusalOfEmail(id, changed.email);
  return {
    actor,
    path: '/api/users/update',
    body: { id, ...changed },
    due: model.refusalById(actor, companyId, ADMINS, true) ?? rules ?? taken ?? OK,
    apply: () => Object.assign(person, changed),
  };
};

const changeRole: MakeStep = (model, random, actor) => {
  const person = random.of(model.people.values());
  const { id: userId, companyId, roles } = person;
  const role = random.of(ROLES);
  const isGrant = random.below(2) === 0;
  const isLast = !isGrant && role === 'CORPORATE_ADMIN' && roles.has(role);
  // Nobody is asked about the platform role of the person: it stays.
  const leaving = isLast ? model.refusalOfLeaving(actor, { ...person, isSuperAdmin: false }) : undefined;
  return {
    actor,
    path: `/api/users/${isGrant ? 'grant' : 'revoke'}-role`,
    body: { userId, role, companyId },
    due: model.refusalByName(actor, companyId, ADMINS, true) ?? leaving ?? OK,
    apply: () => void (isGrant ? roles.add(role) : roles.delete(role)),
  };
};

const changeCompany: MakeStep = (model, random, actor) => {
  const company = random.of(model.companies.values());
  const active = random.below(4) > 0;
  return {
    actor,
    path: '/api/companies/update',
    body: { id: company.id, active },
    due:
      model.refusalById(actor, company.id, ADMINS, true) ??
      // An administrator may send what is there, and close nothing.
      (actor.isSuperAdmin || active === company.active ? OK : { statuses: [403] }),
    apply: () => {
      company.active = active;
    },
  };
};

const recordBooking: MakeStep = (model, random, actor) => {
  const id = `booking-${random.below(400)}`;
  const known = model.bookings.get(id);
  const user = known ? model.people.get(known.userId) : random.of(model.people.values());
  const { id: userId, companyId, departmentId } = user as Person;
  const cents = random.below(1_000_000);
  const amount = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
  return {
    actor,
    path: '/api/bookings/record',
    body: { bookings: [{ id, companyId, userId, amount }] },
    due: !actor.active ? { statuses: [401] } : actor.isSuperAdmin ? OK : { statuses: [403] },
    apply: () =>
      void model.bookings.set(id, { companyId, userId, cents, departmentId: known?.departmentId ?? departmentId }),
  };
};

const renameSelf: MakeStep = (_model, random, actor) => {
  const firstName = `Own ${random.below(100)}`;
  return {
    actor,
    path: '/api/users/update-profile',
    body: { firstName },
    due: actor.active ? OK : { statuses: [401] },
    apply: () => {
      actor.firstName = firstName;
    },
  };
};

/** How often each kind of step is drawn. */
const STEPS: readonly (readonly [MakeStep, number])[] = [
  [createUnit, 3],
  [updateUnit, 3],
  [deleteUnit, 2],
  [createPerson, 4],
  [updatePerson, 6],
  [changeRole, 4],
  [changeCompany, 1],
  [recordBooking, 4],
  [renameSelf, 1],
];
const DRAWN = STEPS.flatMap(([make, times]) => Array.from({ length: times }, () => make));

/** Draws the next request, by one of all people: of half of the steps by somebody who administers something. */
export function nextStep(model: Organisation, random: Random): Step {
  const all = [...model.people.values()];
  const admins = all.filter(({ roles, isSuperAdmin }) => isSuperAdmin || roles.has('CORPORATE_ADMIN'));
  const actor = random.of(random.below(4) > 0 ? admins : all);
  return random.of(DRAWN)(model, random, actor);
}
