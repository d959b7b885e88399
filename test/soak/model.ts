import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

/** Where the model sends its requests, and as whom. */
interface Surroundings {
  address(): string;
  tokenOf(email: string): Promise<string>;
  receivers: readonly string[];
}

const ADMIN = 'admin@acme.example';
const STAFF = 'super.admin@orgdesk.example';
const WRITERS = [ADMIN, 'manager@acme.example', 'employee@acme.example'];
/** Of each hour. */
const [BOOKINGS, JOINERS] = [5, 2];
const IMPORTED = 300;

// biome-ignore lint/suspicious/noExplicitAny: what comes is JSON.
type Json = any;

/** Sends what comes in an hour, and knows what a service has to have afterwards. */
export async function soakModel({ address, tokenOf, receivers }: Surroundings) {
  let [requests, events, imports] = [0, 0, 0];
  /** The number of the last update of each person that was answered. */
  const written = new Map(WRITERS.map((email) => [email, 0]));
  /** Bookings that were sent, each with its key; false: the answer did not come. */
  const bookings = new Map<string, { body: object; isAnswered: boolean }>();
  const joiners = new Map<string, string>();
  let cursor: string | undefined;

  async function send(token: string, path: string, body?: object | string, headers: object = {}, method = 'POST') {
    requests += 1;
    const isCsv = typeof body === 'string';
    const response = await fetch(address() + path, {
      method: body === undefined ? 'GET' : method,
      headers: {
        authorization: `Bearer ${token}`,
        // When an hour has passed, the service ends those that are idle.
        connection: 'close',
        ...(body !== undefined && { 'content-type': isCsv ? 'text/csv' : 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isCsv ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = text === '' ? undefined : (JSON.parse(text) as Json);
    assert.ok(response.status < 300, `${path}: ${response.status} ${text}`);
    return answer?.data === undefined ? answer : { ...answer, ...(Array.isArray(answer.data) ? {} : answer.data) };
  }
  const as = async (email: string, ...given: [path: string, body?: object | string]) =>
    send(await tokenOf(email), ...given);

  const profile = await as(ADMIN, '/api/users/profile');
  const companyId: string = profile.company.id;
  const made = await as(STAFF, '/api/api-keys/create', { companyId, name: 'Directory', scopes: ['scim'] });
  const key: string = made.key;
  for (const url of receivers) await as(ADMIN, '/api/webhooks/create', { companyId, url });
  const countOf = async () => {
    const { data } = await as(STAFF, '/api/companies/list?limit=100');
    return data.find(({ id }: Json) => id === companyId)._count as { users: number; bookings: number };
  };
  const start = await countOf();
  ({ next: cursor } = await as(ADMIN, '/api/events/list?from=now'));

  const record = async (id: string) => {
    const booking = bookings.get(id) ?? assert.fail();
    await send(await tokenOf(STAFF), '/api/bookings/record', booking.body, { 'idempotency-key': id });
    booking.isAnswered = true;
  };
  function newBooking(): string {
    const id = `soak-${randomUUID()}`;
    const body = { bookings: [{ id, companyId, userId: profile.id, amount: '1.00' }] };
    bookings.set(id, { body, isAnswered: false });
    return id;
  }

  return {
    requests: () => requests,
    events: () => events,
    summary: () =>
      `${bookings.size} bookings, ${joiners.size} joiners, ${imports} imports, ${events} changes of the feed`,
    async hour(hour: number) {
      for (const email of WRITERS) {
        await as(email, '/api/users/update-profile', { addressLine1: `Street ${hour}` });
        written.set(email, hour);
        await as(ADMIN, `/api/users/list?companyId=${companyId}&limit=20`);
      }
      for (let count = 0; count < BOOKINGS; count++) await record(newBooking());
      for (let count = 0; count < JOINERS; count++) {
        const userName = `joiner-${hour}-${count}@acme.example`;
        const name = { givenName: 'Joiner', familyName: String(hour) };
        const { id } = await send(key, '/scim/v2/Users', { userName, name, externalId: `soak-${hour}-${count}` });
        joiners.set(id, userName);
      }
    },
    async importPeople(hour: number) {
      const rows = Array.from({ length: IMPORTED }, (_, index) => `hr-${index}@acme.example,Row,Of hour ${hour}`);
      await as(ADMIN, `/api/users/import?companyId=${companyId}`, `email,firstName,lastName\n${rows.join('\n')}\n`);
      imports += 1;
    },
    /** Sends bookings whose answers do not come, because the service is killed. */
    async sendAndForget() {
      await Promise.allSettled(Array.from({ length: BOOKINGS }, () => record(newBooking())));
    },
    /** Sends again what was not answered, and compares. */
    async check() {
      for (const [id, { isAnswered }] of bookings) if (!isAnswered) await record(id);
      const counts = await countOf();
      assert.equal(counts.bookings, start.bookings + bookings.size, 'each booking is there once');
      assert.equal(counts.users, start.users + joiners.size + (imports > 0 ? IMPORTED : 0), 'people');
      for (const [email, hour] of written) {
        assert.equal((await as(email, '/api/users/profile')).addressLine1, `Street ${hour}`);
      }
      for (;;) {
        const { data, next } = await as(ADMIN, `/api/events/list?after=${cursor}&limit=1000`);
        events += data.length;
        if (next === cursor) break;
        cursor = next;
      }
    },
  };
}
