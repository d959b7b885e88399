import { readId } from '../../api/body.ts';
import { assertCompanyVisible } from '../../api/company-row.ts';
import { operation } from '../../api/operation.ts';
import { one, page } from '../../api/output.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { administrators } from '../../auth/callers/access.ts';
import type { SignInConnections } from '../../auth/callers/connections.ts';
import type { Database, Reader } from '../../db/database.ts';
import { signInConnection } from '../../entities/sign-in-connection.ts';
import type { Probe } from './probe.ts';
import {
  ConnectionCreateInput,
  ConnectionIdInput,
  ConnectionListInput,
  ConnectionTestView,
  ConnectionUpdateInput,
  ConnectionView,
} from './sign-in-connections-schemas.ts';
import {
  assertProven,
  listConnections,
  readConnectionUpdate,
  readNewConnection,
  connections as rows,
} from './sign-in-connections-service.ts';

/** Services that the operations use. */
export interface ConnectionSources {
  db: Database;
  connections: SignInConnections;
  probe: Probe;
}

const common = { tag: 'Sign-in connections', access: administrators } as const;
const FOR = 'For Corporate Admins of its company, and for Super Admins.';

const list = operation({
  ...common,
  id: 'signInConnections.list',
  operationId: 'listSignInConnections',
  summary: 'List sign-in connections',
  description: `The identity providers by which the people of a company sign in, oldest first. ${FOR}`,
  methods: ['GET'],
  path: '/api/sign-in-connections/list',
  input: ConnectionListInput,
  output: page(ConnectionView),
  message: 'Sign-in Connections retrieved successfully',
  async handle({ input, scope }, { lists }: { lists: Reader }) {
    await assertCompanyVisible(lists, scope, input.companyId);
    return listConnections(lists, input.companyId, pageRequestOf(input));
  },
});

const get = operation({
  ...common,
  id: 'signInConnections.get',
  operationId: 'getSignInConnection',
  summary: 'Get sign-in connection',
  description: `One connection. ${FOR}`,
  methods: ['GET'],
  path: '/api/sign-in-connections/get',
  etag: 'response',
  errors: ['NOT_FOUND'],
  input: ConnectionIdInput,
  output: one(ConnectionView),
  message: 'Sign-in Connection retrieved successfully',
  handle: ({ input, scope }, { db }: ConnectionSources) => rows.get(db, input.id, scope),
});

const create = operation({
  ...common,
  id: 'signInConnections.create',
  operationId: 'createSignInConnection',
  summary: 'Create sign-in connection',
  description:
    'Lets the people of this company alone sign in through its own identity provider. People with a ' +
    `platform role use the provider of the platform. Idempotent with a client-generated id. ${FOR}`,
  methods: ['POST'],
  path: '/api/sign-in-connections/create',
  writes: true,
  etag: 'response',
  errors: ['ALREADY_EXISTS', 'LIMIT_REACHED'],
  input: ConnectionCreateInput,
  parse: readNewConnection,
  output: one(ConnectionView),
  message: 'Sign-in Connection created successfully',
  async handle(call, sources: ConnectionSources) {
    const { db, connections } = sources;
    const { companyId, domainNames } = call.input;
    await db.transaction((transaction) => assertCompanyVisible(transaction, call.scope, companyId));
    await assertProven(sources, call, { companyId, wanted: domainNames }, call.reply.raw);
    const created = await rows.create(db, call, call.input);
    connections.refresh();
    return created;
  },
});

const update = operation({
  ...common,
  id: 'signInConnections.update',
  operationId: 'updateSignInConnection',
  summary: 'Update sign-in connection',
  description: `Changes the fields that are sent. With If-Match, fails with 412 if it has changed since it was read. ${FOR}`,
  methods: ['POST'],
  path: '/api/sign-in-connections/update',
  writes: true,
  etag: 'If-Match',
  errors: ['NOT_FOUND', 'ALREADY_EXISTS'],
  input: ConnectionUpdateInput,
  parse: readConnectionUpdate,
  output: one(ConnectionView),
  message: 'Sign-in Connection updated successfully',
  async handle(call, sources: ConnectionSources) {
    const { db, connections } = sources;
    const { id, patch } = call.input;
    const { companyId } = await rows.get(db, id, call.scope);
    await assertProven(sources, call, { companyId, wanted: patch.domainNames }, call.reply.raw);
    const updated = await rows.update(db, call, { id, patch });
    connections.refresh();
    return updated;
  },
});

const ofOne = {
  ...common,
  methods: ['POST'],
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
  path: '/api/sign-in-connections/delete',
  etag: 'If-Match',
  errors: ['NOT_FOUND'],
  output: one(ConnectionView),
  message: 'Sign-in Connection deleted successfully',
  async handle(call, { db, connections }: ConnectionSources) {
    const removed = await rows.remove(db, call, call.input.id);
    connections.refresh();
    return removed;
  },
});

const test = operation({
  ...ofOne,
  id: 'signInConnections.test',
  operationId: 'testSignInConnection',
  summary: 'Test sign-in connection',
  description: `Reads the discovery document and the keys of the provider, and returns what they lack. ${FOR}`,
  path: '/api/sign-in-connections/test',
  errors: ['NOT_FOUND'],
  output: one(ConnectionTestView),
  message: 'Sign-in Connection tested successfully',
  async handle({ input: { id }, scope, reply }, { db, probe }: ConnectionSources) {
    return probe.test(await db.transaction((transaction) => rows.get(transaction, id, scope)), reply.raw);
  },
});

export const signInConnectionsOperations = [list, get, create, update, remove, test];
