import type { FastifyReply } from 'fastify';
import type { Operation } from '../../api/operation.ts';
import type { CallerAccess } from '../../auth/callers/access.ts';
import type { KeyCaller } from '../../auth/callers/api-keys.ts';
import type { Caller } from '../../auth/callers/roles.ts';
import type { Database } from '../../db/database.ts';
import { type PatchStep, readPatch } from './protocol/patch.ts';
import type { Projection } from './protocol/projection.ts';
import type { Schema } from './protocol/schema.ts';
import {
  type Directory,
  idOf,
  projectionOf,
  type ScimCall,
  type ScimServices,
  scimOperation,
} from './scim-operation.ts';

/** The verb of each operation, as its summary has it. */
const VERBS = {
  list: 'List',
  search: 'Search',
  get: 'Get',
  create: 'Create',
  replace: 'Replace',
  patch: 'Change',
  delete: 'Delete',
} as const;

/** What users and groups do differently. */
interface ResourceKind<Key extends KeyCaller, Read, Written> {
  /** The last part of its path and of its names, such as `User`; in the plural with an s. */
  name: string;
  noun: string;
  schemas: readonly Schema[];
  /** Returns the directory with the schemas that a PATCH needs; absent: `schemas` are enough. */
  withSchemas?(db: Database, directory: Directory, body: unknown): Promise<Directory>;
  bodyLimit?: number;
  descriptions: Readonly<Record<keyof typeof VERBS, string>>;
  /** Reads the key of a list; absent: it is read on its own. */
  listAccess?: CallerAccess<Caller, Key>;
  list(call: ScimCall<Key>): Promise<FastifyReply>;
  search(call: ScimCall): Promise<FastifyReply>;
  get(db: Database, directory: Directory, id: string): Promise<Read>;
  create(db: Database, directory: Directory, body: object): Promise<Written>;
  replace(db: Database, directory: Directory, id: string, body: object): Promise<Written>;
  patch(db: Database, directory: Directory, id: string, steps: readonly PatchStep[]): Promise<Written>;
  /** Deletes a resource, and notes in the response what that left. */
  remove(call: ScimCall, id: string): Promise<void>;
  patchedStatus(call: ScimCall): number;
  send(call: ScimCall, status: number, read: Read, projection: Projection): FastifyReply;
  /** Reports what a write left out, and returns the resource. */
  report(call: ScimCall, written: Written): Read;
}

/** Declares the operations of a kind of resource (RFC 7644, section 3). */
export function resourceOperations<Key extends KeyCaller, Read, Written>(
  kind: ResourceKind<Key, Read, Written>,
): Operation<ScimServices>[] {
  const { name, noun, descriptions, listAccess, bodyLimit } = kind;
  const path = `/${name}s`;
  const named = (operation: keyof typeof VERBS) => {
    const isOfMany = operation === 'list' || operation === 'search';
    return {
      id: `scim.${noun}s.${operation}`,
      operationId: `${operation}Scim${name}${isOfMany ? 's' : ''}`,
      summary: `${VERBS[operation]} ${isOfMany ? `${noun}s` : `a ${noun}`}`,
      description: descriptions[operation],
    };
  };
  const writing = (operation: keyof typeof VERBS) => {
    return {
      ...named(operation),
      path: `${path}/:id`,
      writes: true,
      ...(bodyLimit === undefined ? {} : { bodyLimit }),
    };
  };
  const sendWritten = async (call: ScimCall, status: number, write: () => Promise<Written>): Promise<FastifyReply> => {
    const projection = projectionOf(call.request);
    return kind.send(call, status, kind.report(call, await write()), projection);
  };
  return [
    scimOperation<Key>({ ...named('list'), path, ...(listAccess && { access: listAccess }), handle: kind.list }),
    scimOperation({ ...named('search'), methods: ['POST'], path: `${path}/.search`, handle: kind.search }),
    scimOperation({
      ...named('get'),
      path: `${path}/:id`,
      async handle(call) {
        const read = await kind.get(call.db, call.directory, idOf(call.request, noun));
        return kind.send(call, 200, read, projectionOf(call.request));
      },
    }),
    scimOperation({
      ...writing('create'),
      path,
      handle: (call) => sendWritten(call, 201, () => kind.create(call.db, call.directory, call.request.body as object)),
    }),
    scimOperation({
      ...writing('replace'),
      methods: ['PUT'],
      handle(call) {
        const { db, directory, request } = call;
        const id = idOf(request, noun);
        return sendWritten(call, 200, () => kind.replace(db, directory, id, request.body as object));
      },
    }),
    scimOperation({
      ...writing('patch'),
      methods: ['PATCH'],
      async handle(call) {
        const { db, request } = call;
        const id = idOf(request, noun);
        const directory = (await kind.withSchemas?.(db, call.directory, request.body)) ?? call.directory;
        const changes = readPatch(request.body, directory.schemas ?? kind.schemas);
        return sendWritten(call, kind.patchedStatus(call), () => kind.patch(db, directory, id, changes));
      },
    }),
    scimOperation({
      ...named('delete'),
      methods: ['DELETE'],
      path: `${path}/:id`,
      writes: true,
      async handle(call) {
        await kind.remove(call, idOf(call.request, noun));
        return call.reply.code(204).send();
      },
    }),
  ];
}
