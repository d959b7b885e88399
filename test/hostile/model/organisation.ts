/*
 * What docs/administration.md says of companies and people, without a word of the program: what a request is answered with, and what is
 * there afterwards.
 */

export type Role = 'CORPORATE_ADMIN' | 'MANAGER' | 'EMPLOYEE';

export interface Company {
  readonly id: string;
  readonly defaultDepartmentId: string;
  readonly defaultBandId: string;
  active: boolean;
}

export interface Person {
  readonly id: string;
  readonly companyId: string;
  email: string;
  firstName: string;
  lastName: string;
  departmentId: string;
  bandId: string;
  approvalLimit: string;
  active: boolean;
  readonly roles: Set<Role>;
  readonly isSuperAdmin: boolean;
}

/** A department or a band; the code is unique in the company, whatever its case. */
export interface Unit {
  readonly id: string;
  readonly companyId: string;
  name: string;
  code: string;
  /** The budget of a department, or the automatic limit of a band. */
  amount: string;
}

export interface Booking {
  readonly companyId: string;
  readonly userId: string;
  readonly departmentId: string;
  readonly cents: number;
}

export type UnitKind = 'departments' | 'bands';

/** The answer that is due: any of these statuses, and of a 409 its code. */
export interface Due {
  readonly statuses: readonly number[];
  readonly code?: string;
}

export const OK: Due = { statuses: [200] };
const due = (...statuses: number[]): Due => ({ statuses });
const conflict = (code: string): Due => ({ statuses: [409], code });

export class Organisation {
  readonly companies = new Map<string, Company>();
  readonly people = new Map<string, Person>();
  readonly departments = new Map<string, Unit>();
  readonly bands = new Map<string, Unit>();
  readonly bookings = new Map<string, Booking>();

  ofCompany<Item extends { companyId: string }>(items: ReadonlyMap<string, Item>, companyId: string): Item[] {
    return [...items.values()].filter((item) => item.companyId === companyId);
  }

  /** Returns the refusal of whoever may not do something in a company, where the request names it. */
  refusalByName(actor: Person, companyId: string, roles: readonly Role[], supersMay: boolean): Due | undefined {
    if (!actor.active) return due(401);
    if (supersMay && actor.isSuperAdmin) return undefined;
    return this.#holds(actor, companyId, roles) ? undefined : due(403);
  }

  /** The same where it names a thing of the company by its id: without any such role 403, with one elsewhere 404. */
  refusalById(actor: Person, companyId: string, roles: readonly Role[], supersMay: boolean): Due | undefined {
    const refusal = this.refusalByName(actor, companyId, roles, supersMay);
    if (refusal === undefined || !actor.active) return refusal;
    const isClosed = this.companies.get(actor.companyId)?.active !== true;
    if (!roles.some((role) => actor.roles.has(role))) return due(403);
    return isClosed ? due(403, 404) : due(404);
  }

  /** Returns the refusal of a new code or e-mail address that somebody else has. */
  refusalOfTaken(items: Iterable<{ id: string; value: string }>, id: string, value: string): Due | undefined {
    for (const item of items) {
      if (item.id !== id && item.value.toLowerCase() === value.toLowerCase()) return conflict('ALREADY_EXISTS');
    }
    return undefined;
  }

  refusalOfEmail(id: string, email: string): Due | undefined {
    return this.refusalOfTaken(
      [...this.people.values()].map((person) => ({ id: person.id, value: person.email })),
      id,
      email,
    );
  }

  refusalOfCode(kind: UnitKind, unit: Pick<Unit, 'id' | 'companyId' | 'code'>): Due | undefined {
    const units = this.ofCompany(this[kind], unit.companyId);
    return this.refusalOfTaken(
      units.map(({ id, code }) => ({ id, value: code })),
      unit.id,
      unit.code,
    );
  }

  /** Returns the refusal to delete a department or band in which somebody is, or which is the default of its company. */
  refusalOfUse(kind: UnitKind, { id, companyId }: Unit): Due | undefined {
    const company = this.companies.get(companyId);
    const isDefault = company?.defaultDepartmentId === id || company?.defaultBandId === id;
    const field = kind === 'departments' ? 'departmentId' : 'bandId';
    const isUsed = [...this.people.values()].some((person) => person[field] === id);
    return isDefault || isUsed ? conflict('IN_USE') : undefined;
  }

  /** Returns the refusal to change a person, by the rules about people. */
  refusalOfChange(actor: Person, person: Person, changed: Partial<Person>): Due | undefined {
    const differs = (field: 'email' | 'active' | 'approvalLimit') =>
      changed[field] !== undefined && changed[field] !== person[field];
    if (!actor.isSuperAdmin) {
      if (person.isSuperAdmin && (differs('email') || differs('active'))) return due(403);
      if (person.id === actor.id && differs('approvalLimit')) return due(403);
    }
    if (differs('active') && person.active) return this.refusalOfLeaving(actor, person);
    return undefined;
  }

  /** Returns the refusal where the last active administrator would go. */
  refusalOfLeaving(actor: Person, person: Person): Due | undefined {
    if (!person.active) return undefined;
    const others = [...this.people.values()].filter(({ id, active }) => active && id !== person.id);
    if (person.isSuperAdmin && !others.some(({ isSuperAdmin }) => isSuperAdmin)) return conflict('LAST_ADMIN');
    if (actor.isSuperAdmin || !person.roles.has('CORPORATE_ADMIN')) return undefined;
    const isOther = ({ companyId, roles }: Person) => companyId === person.companyId && roles.has('CORPORATE_ADMIN');
    return others.some(isOther) ? undefined : conflict('LAST_ADMIN');
  }

  #holds(actor: Person, companyId: string, roles: readonly Role[]): boolean {
    const isActive = this.companies.get(companyId)?.active === true;
    return actor.companyId === companyId && isActive && roles.some((role) => actor.roles.has(role));
  }
}
