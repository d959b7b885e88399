import { Type } from 'typebox';
import { operation } from '../../api/operation.ts';
import { feed, page } from '../../api/output.ts';
import { ChangeGroupView, ChangeView, NamedChangeView } from '../../audit/change-view.ts';
import { cursorOf } from '../../audit/feed-cursor.ts';
import type { Feed } from '../../audit/shared-reads.ts';
import { activeUser } from '../../auth/callers/access.ts';
import { findCallers } from '../../auth/callers/identity-queries.ts';
import type { Writer } from '../../db/database.ts';
import { releaseSlot } from '../../http/connections/in-flight.ts';
import { whenOver } from '../../http/connections/response-over.ts';
import { AuditListInput, EventListInput } from './audit-schemas.ts';
import { followChanges, listTrail } from './audit-service.ts';

/** Dependencies of the change feed. */
export interface FeedSources {
  db: Writer;
  feed: Feed;
}

const CURSOR = { feedId: '6f1f5a3e-0c55-4c55-9d0c-2f6a7f1d8b11', position: '4711', fingerprint: '9f86d081' };
const WHO =
  'People see changes that concern themselves, Corporate Admins also those of their companies, Super Admins all.';

const list = operation({
  id: 'audit.list',
  operationId: 'listAuditTrail',
  tag: 'Audit',
  summary: 'List the audit trail',
  description: `Who changed which fields, newest first. ${WHO} A filter narrows the result, and is never refused.`,
  access: activeUser(findCallers),
  scope: 'events.read',
  input: AuditListInput,
  output: page(Type.Union([NamedChangeView, ChangeGroupView], { title: 'AuditItem' })),
  message: 'Audit trail retrieved successfully',
  // From the primary, so that callers see what they have just changed.
  handle: ({ input, caller }, { db }: { db: Writer }) => listTrail(db, caller, input),
});

const events = operation({
  id: 'events.list',
  operationId: 'listEvents',
  tag: 'Audit',
  summary: 'Follow the changes',
  description: `The changes of the audit trail, each exactly once, in the same order for all clients. ${WHO}`,
  access: activeUser(findCallers),
  scope: 'events.read',
  input: EventListInput,
  output: feed(
    ChangeView,
    Type.String({
      description:
        'Cursor to send as after for the next changes; valid as long as the feed. Equal to after if there is nothing new',
      examples: [cursorOf(CURSOR)],
    }),
  ),
  message: 'Events retrieved successfully',
  errors: ['CURSOR_GONE'],
  handle({ input, caller, request, reply }, { db, feed: changes }: FeedSources) {
    reply.type('application/json');
    const gone = new AbortController();
    // Not after a complete response: nobody waits then, and an abort costs as much as the wait itself.
    whenOver(reply.raw, () => reply.raw.writableFinished || gone.abort());
    const callerNow = async () => (await request.callerNow?.()) ?? caller;
    const waiting = { signal: gone.signal, callerNow, begins: () => releaseSlot(reply.raw) };
    return followChanges({ db, feed: changes }, caller, input, waiting);
  },
});

export const auditOperations = [list, events];
