import { ENTITIES } from '../../../src/entities/entities.ts';
import type { Entity } from '../../../src/entities/entity.ts';
import type { Change } from '../api/types.ts';
import { titleOf, WORDED, wordsOf } from '../labels.ts';
import { PAGE_TITLES, type PageName, RESOURCES } from '../shell/page-names.ts';

/** How the console shows the objects of an entity. */
interface Shown {
  /** The page with their list; absent: none, or part of another one. */
  list?: PageName;
  /** Whether each object has a page below that. */
  hasOwn?: true;
}

/** Entities that are on pages by hand, or on none: their page does more than list, add, change and delete. */
const BY_HAND: Readonly<Record<string, Shown>> = {
  company: { list: 'companies', hasOwn: true },
  // With the people in them, defaults, spending, a tree.
  department: { list: 'departments' },
  band: { list: 'bands' },
  // A person has a page, with roles; a policy has levels; both say who approves.
  user: { list: 'people', hasOwn: true },
  companyRole: {},
  approvalPolicy: { list: 'policies', hasOwn: true },
  approvalPolicyLevel: {},
  // Programs record bookings; a substitution is on the page of its person.
  booking: {},
  substitution: {},
  // Shown once, confirmed, revoked; delivered, tested; with domains; with the groups of directories.
  apiKey: { list: 'keys' },
  webhook: { list: 'webhooks', hasOwn: true },
  signInConnection: {},
  groupMapping: {},
  // On the page of the person who holds the role.
  roleGrant: {},
};

/** The entities of companies whose pages follow from their descriptions. */
export const DESCRIBED: readonly Entity[] = (ENTITIES as readonly Entity[]).filter(
  ({ name, auditSubject, fields }) =>
    auditSubject?.company === 'companyId' && fields.companyId !== undefined && BY_HAND[name] === undefined,
);

/** The label of each entity in the history. */
export const SUBJECT_LABELS = Object.fromEntries(
  [...WORDED, ...DESCRIBED.map(({ name }) => name)].map((name) => [name, wordsOf(name).label]),
) as Readonly<Record<Change['entity'], string>>;

/** Returns the part of the paths of an entity: `cost-centers`. */
export function pathOfEntity({ file }: Pick<Entity, 'file'>): string {
  return file.replace(/\.csv$/, '');
}

interface PageLink {
  href: string;
  name: string;
}

const linkTo = (entity: Entity): PageLink => {
  const path = pathOfEntity(entity);
  return { href: `/${RESOURCES}/${path}`, name: titleOf(entity.name, path) };
};

/** Returns the lists of the entities without a page by hand. */
export function describedLists(): PageLink[] {
  return DESCRIBED.map(linkTo);
}

/** Returns the page with the objects of an entity; undefined if there is none. */
export function listOf(entity: string): PageLink | undefined {
  const page = BY_HAND[entity]?.list;
  if (page !== undefined) return { href: `/${page}`, name: PAGE_TITLES[page] };
  const described = DESCRIBED.find(({ name }) => name === entity);
  return described && linkTo(described);
}

/** Returns the address of an object's own page; undefined if its entity has none. */
export function ownPage(entity: string, id: string): string | undefined {
  const { list, hasOwn } = BY_HAND[entity] ?? {};
  return hasOwn && `/${list}/${encodeURIComponent(id)}`;
}
