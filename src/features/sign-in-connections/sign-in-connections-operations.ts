import { Type } from 'typebox';
import { changesOf, readId, throwIfInvalid } from '../../api/body.ts';
import { assertCompanyVisible } from '../../api/company-row.ts';
import type { RemovalSources } from '../../api/crud.ts';
import { operationsOf } from '../../api/crud-operations.ts';
import { companyIdParameter } from '../../api/list-schemas.ts';
import { operation } from '../../api/operation.ts';
import { one, page, whole } from '../../api/output.ts';
import { administrators } from '../../auth/callers/access.ts';
import type { SignInConnections } from '../../auth/callers/connections.ts';
import { MAX_REFUSALS, tryToken } from '../../auth/callers/first-sign-in.ts';
import { claimNames } from '../../auth/tokens/token-form.ts';
import { problemOf } from '../../entities/api-error.ts';
import { signInConnection } from '../../entities/sign-in-connection.ts';
import { ForeignAddressesView, listForeignAddresses } from './foreign-addresses.ts';
import { forgetLinks, listRefusals, readTest } from './links-and-refusals.ts';
import type { Probe } from './probe.ts';
import { agreedAtOnce, findShared, readSharing, setAgreement } from './shared-connections.ts';
import {
  ConnectionCreateInput,
  ConnectionIdInput,
  ConnectionTestInput,
  ConnectionTestView,
  ConnectionUpdateInput,
  ConnectionView,
  LinksView,
  RefusalView,
  SharedConnectionView,
  SharingInput,
} from './sign-in-connections-schemas.ts';
import {
  assertProven,
  readConnectionUpdate,
  readNewConnection,
  connections as rows,
} from './sign-in-connections-service.ts';

/** Services that the operations use. */
export interface ConnectionSources extends RemovalSources {
  connections: SignInConnections;
  /** The issuer of the platform's own tokens. */
  platformIssuer: string;
  probe: Probe;
}

const common = { tag: 'Sign-in connections', access: administrators } as const;
const writing = { ...common, writes: true, output: one(ConnectionView) } as const;
const FOR = 'For Corporate Admins of its company, and for Super Admins.';
const FOR_SHARED = 'For Corporate Admins of the company that it is shared with, and for Super Admins.';

const { list, get } = operationsOf(rows, {
  output: one(ConnectionView),
  reads: { access: administrators },
  writes: { access: administrators },
});

const create = operation({
  ...writing,
  id: 'signInConnections.create',
  operationId: 'createSignInConnection',
  summary: 'Create sign-in connection',
  description:
    'Lets the people of this company alone sign in through its own identity provider. People with a ' +
    `platform role use the provider of the platform. Idempotent with a client-generated id. ${FOR}`,
  etag: 'response',
  errors: ['ALREADY_EXISTS', 'LIMIT_REACHED'],
  input: ConnectionCreateInput,
  parse: readNewConnection,
  message: 'Sign-in Connection created successfully',
  async handle(call, sources: ConnectionSources) {
    const { db, connections } = sources;
    const { companyId, domainNames } = call.input;
    assertOtherIssuer(call.input.issuer, sources);
    await assertCompanyVisible(db, call.scope, companyId);
    await assertProven(sources, call, { companyId, wanted: domainNames }, call.reply.raw);
    const created = await rows.create(db, call, agreedAtOnce(call, call.input));
    connections.refresh(created.id);
    return created;
  },
});

const update = operation({
  ...writing,
  id: 'signInConnections.update',
  operationId: 'updateSignInConnection',
  summary: 'Update sign-in connection',
  description: `Changes the fields that are sent. With If-Match, fails with 412 if it has changed since it was read. ${FOR}`,
  etag: 'If-Match',
  errors: ['NOT_FOUND', 'ALREADY_EXISTS'],
  input: ConnectionUpdateInput,
  parse: readConnectionUpdate,
  withoutUnchanged: (given, { scope }, { db }: ConnectionSources) =>
    changesOf(signInConnection, given, async (id) => {
      // Claims are given as a whole: each that is left out is demanded no more. A Super Admin agrees for companies that are there already.
      const { demandedClaims: _, sharedWith: __, ...shown } = await rows.get(db, id, scope);
      return shown;
    }),
  message: 'Sign-in Connection updated successfully',
  async handle(call, sources: ConnectionSources) {
    const { db, connections } = sources;
    const { id, patch } = call.input;
    assertOtherIssuer(patch.issuer, sources);
    const { companyId } = await rows.get(db, id, call.scope);
    await assertProven(sources, call, { companyId, wanted: patch.domainNames }, call.reply.raw);
    const updated = await rows.update(db, call, { id, patch: agreedAtOnce(call, patch) });
    connections.refresh(id);
    return updated;
  },
});

/** Asserts that a connection is not by the provider of the platform, whose tokens need none. @throws ApiError `INVALID_INPUT` */
function assertOtherIssuer(issuer: unknown, { platformIssuer }: Pick<ConnectionSources, 'platformIssuer'>): void {
  if (issuer !== platformIssuer) return;
  const rule = 'is the provider of the platform, by which people sign in without a connection';
  throwIfInvalid([problemOf('issuer', 'INVALID_VALUE', rule)]);
}

const ofOne = {
  ...common,
  writes: true,
  input: ConnectionIdInput,
  parse: (raw: unknown) => readId(signInConnection, raw),
} as const;

const remove = operation({
  ...ofOne,
  id: 'signInConnections.delete',
  operationId: 'deleteSignInConnection',
  summary: 'Delete sign-in connection',
  description: `Returns the deleted connection. The links of its accounts to people end. ${FOR}`,
  etag: 'If-Match',
  errors: ['NOT_FOUND'],
  output: one(ConnectionView),
  message: 'Sign-in Connection deleted successfully',
  async handle(call, sources: ConnectionSources) {
    const removed = await rows.remove(sources, call, call.input.id);
    sources.connections.refresh(call.input.id);
    return removed;
  },
});

const refusals = operation({
  ...common,
  id: 'signInConnections.refusals',
  operationId: 'listSignInRefusals',
  summary: 'Refusals of a connection',
  description: `Why tokens of its provider were refused: the last ${MAX_REFUSALS} reasons, newest first. ${FOR}`,
  errors: ['NOT_FOUND'],
  input: ConnectionIdInput,
  parse: ofOne.parse,
  output: whole(RefusalView, {}),
  message: 'Refusals retrieved successfully',
  async handle({ input: { id }, scope }, { db }: ConnectionSources) {
    await rows.get(db, id, scope);
    return { items: await listRefusals(db, id), beside: {} };
  },
});

const forget = operation({
  ...ofOne,
  id: 'signInConnections.forgetLinks',
  operationId: 'forgetSignInLinks',
  summary: 'Forget the links of a connection',
  description:
    'Ends the links of all accounts of its provider to people: the next sign-in with their verified e-mail address ' +
    `creates a new link, as after a new app registration at the provider. ${FOR}`,
  errors: ['NOT_FOUND'],
  output: one(LinksView),
  message: 'Links forgotten successfully',
  async handle(call, { db }: ConnectionSources) {
    const connection = await rows.get(db, call.input.id, call.scope);
    return { links: await forgetLinks(db, call, connection) };
  },
});

const foreign = operation({
  ...common,
  id: 'signInConnections.foreignAddresses',
  operationId: 'listForeignAddresses',
  summary: 'List addresses of another company',
  description:
    'The domains of a company of which people of others have addresses, and those of others of which its own people do: they keep them, ' +
    'and nobody gets a new one. For Corporate Admins, and for Super Admins.',
  input: Type.Object({ companyId: companyIdParameter }),
  output: whole(ForeignAddressesView, {}),
  message: 'Foreign Addresses retrieved successfully',
  async handle({ input: { companyId }, scope }, { db }: ConnectionSources) {
    await assertCompanyVisible(db, scope, companyId);
    return { items: await listForeignAddresses(db, companyId), beside: {} };
  },
});

const test = operation({
  ...ofOne,
  input: ConnectionTestInput,
  parse: readTest,
  id: 'signInConnections.test',
  operationId: 'testSignInConnection',
  summary: 'Test sign-in connection',
  description:
    'Reads the discovery document and the keys of the provider, and returns what they lack, and what a given token ' +
    `would do. ${FOR}`,
  errors: ['NOT_FOUND'],
  output: one(ConnectionTestView),
  message: 'Sign-in Connection tested successfully',
  async handle({ input: { id, token }, scope, reply }, { db, probe, connections }: ConnectionSources) {
    const connection = await rows.get(db, id, scope);
    return probe.test(connection, reply.raw, async () => {
      const connected = token === undefined ? undefined : await connections.find(id, 'any');
      if (token === undefined || connected === undefined) return undefined;
      return { ...(await tryToken(db, connected, token)), claims: claimNames(token) };
    });
  },
});

const shared = operation({
  ...common,
  id: 'signInConnections.shared',
  operationId: 'listSharedSignInConnections',
  summary: 'List shared sign-in connections',
  description: `The connections of other companies that are shared with this one. ${FOR_SHARED}`,
  input: Type.Object({ companyId: companyIdParameter }),
  output: whole(SharedConnectionView, {}),
  message: 'Shared Sign-in Connections retrieved successfully',
  async handle({ input: { companyId }, scope }, { db }: ConnectionSources) {
    await assertCompanyVisible(db, scope, companyId);
    return { items: await findShared(db, companyId), beside: {} };
  },
});

const sharing = {
  ...common,
  writes: true,
  errors: ['NOT_FOUND'],
  input: SharingInput,
  parse: readSharing,
  output: one(SharedConnectionView),
} as const;

const agree = operation({
  ...sharing,
  id: 'signInConnections.agreeSharing',
  operationId: 'agreeToShareSignInConnection',
  summary: 'Agree to share a connection',
  description:
    'Lets the people of this company sign in by a connection that another company shares with it, with what they hold in this company ' +
    `alone; those with a platform role or a role elsewhere use the provider of the platform. ${FOR_SHARED}`,
  message: 'Sharing agreed successfully',
  handle: (call, { db }: ConnectionSources) => setAgreement(db, call, true),
});

const leave = operation({
  ...sharing,
  id: 'signInConnections.leaveSharing',
  operationId: 'leaveSharedSignInConnection',
  summary: 'Leave a shared connection',
  description: `Ends an agreement: from the next request on, nobody of this company is signed in by that connection. ${FOR_SHARED}`,
  message: 'Sharing left successfully',
  handle: (call, { db }: ConnectionSources) => setAgreement(db, call, false),
});

export const signInConnectionsOperations = [
  list({
    id: 'signInConnections.list',
    description: `The identity providers by which the people of a company sign in, oldest first. ${FOR}`,
    output: page(ConnectionView),
  }),
  get({ id: 'signInConnections.get', description: `One connection. ${FOR}` }),
  create,
  update,
  remove,
  test,
  refusals,
  forget,
  foreign,
  shared,
  agree,
  leave,
];
