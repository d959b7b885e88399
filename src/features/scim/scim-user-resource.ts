import type { Resource } from './canonical.ts';
import { CORE_USER, ENTERPRISE_USER, ORGDESK_USER } from './scim-attributes.ts';
import type { ScimUserRow } from './scim-users-queries.ts';

/** A person as a resource, but for `meta`. What has no value is left out. */
export function userResource(row: ScimUserRow): Resource {
  const { firstName, lastName, phone, phoneType, addressLine1, pincode } = row;
  const fullName = `${firstName} ${lastName}`;
  return present({
    schemas: [CORE_USER, ENTERPRISE_USER, ORGDESK_USER],
    id: row.id,
    externalId: row.externalId,
    userName: row.email,
    name: { givenName: firstName, familyName: lastName, formatted: fullName },
    displayName: fullName,
    active: row.active,
    emails: [{ value: row.workEmail ?? row.email, type: 'work', primary: true }],
    // Not called primary: whichever the directory sends later is to take its place.
    phoneNumbers: phone === null ? null : [{ value: phone, type: phoneType ?? 'work' }],
    addresses:
      addressLine1 === null && pincode === null
        ? null
        : [present({ type: 'work', streetAddress: addressLine1, postalCode: pincode })],
    roles: row.roles.length === 0 ? null : row.roles.map((value) => ({ value })),
    [ENTERPRISE_USER]: { department: row.department },
    [ORGDESK_USER]: present({
      bandCode: row.bandCode,
      approvalLimit: row.approvalLimit,
      clientType: row.clientType,
      dateOfBirth: row.dateOfBirth,
      gender: row.gender,
      addressLine2: row.addressLine2,
    }),
  });
}

function present(values: Resource): Resource {
  const kept: Resource = {};
  for (const name in values) if (values[name] !== null) kept[name] = values[name];
  return kept;
}

/** What a resource says of a person, each by the name of its attribute; undefined where it says nothing. */
export interface Said {
  userName: string | undefined;
  externalId: string | undefined;
  active: boolean | undefined;
  givenName: string | undefined;
  familyName: string | undefined;
  workEmail: string | undefined;
  phone: string | undefined;
  phoneType: string | undefined;
  streetAddress: string | undefined;
  postalCode: string | undefined;
  department: string | undefined;
  bandCode: string | undefined;
  approvalLimit: string | undefined;
  clientType: string | undefined;
  dateOfBirth: string | undefined;
  gender: string | undefined;
  addressLine2: string | undefined;
  roles: readonly string[] | undefined;
}

interface Item {
  value?: string;
  type?: string;
  primary?: boolean;
  streetAddress?: string;
  postalCode?: string;
}

/** Reads a resource whose names and values are canonical. */
export function readResource(resource: Resource): Said {
  const said = resource as Partial<Omit<Said, 'roles'>> & {
    name?: { givenName?: string; familyName?: string };
    emails?: readonly Item[];
    phoneNumbers?: readonly Item[];
    addresses?: readonly Item[];
    roles?: readonly Item[];
  };
  const enterprise = (resource[ENTERPRISE_USER] ?? {}) as Partial<Said>;
  const own = (resource[ORGDESK_USER] ?? {}) as Partial<Said>;
  const phone = phoneOf(said.phoneNumbers?.filter(({ value }) => value !== undefined) ?? []);
  const address = workOf(said.addresses ?? []);
  const roles = said.roles?.flatMap(({ value }) => (value === undefined ? [] : [value]));
  return {
    ...{ userName: said.userName, externalId: said.externalId, active: said.active },
    ...{ givenName: said.name?.givenName, familyName: said.name?.familyName },
    workEmail: workOf(said.emails?.filter(({ value }) => value !== undefined) ?? [])?.value,
    ...{ phone: phone?.value, phoneType: phone?.type },
    ...{ streetAddress: address?.streetAddress, postalCode: address?.postalCode },
    department: enterprise.department,
    ...{ bandCode: own.bandCode, approvalLimit: own.approvalLimit, clientType: own.clientType },
    ...{ dateOfBirth: own.dateOfBirth, gender: own.gender, addressLine2: own.addressLine2 },
    roles: roles?.length === 0 ? undefined : roles,
  };
}

const isType = (wanted: string) => (item: Item) => item.type?.toLowerCase() === wanted;

/** Of addresses: that for work, else the primary, else one that is not said to be for anything. */
function workOf(items: readonly Item[]): Item | undefined {
  const work = items.filter(isType('work'));
  return (
    work.find(({ primary }) => primary) ??
    work[0] ??
    items.find(({ primary }) => primary) ??
    items.find(({ type }) => type === undefined)
  );
}

function phoneOf(items: readonly Item[]): Item | undefined {
  return items.find(({ primary }) => primary) ?? items.find(isType('work')) ?? items.find(isType('mobile')) ?? items[0];
}
