import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

interface ListedPerson {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  approvalLimit: string;
  roles: string[];
  active: boolean;
  department: { id: string };
}

interface Answer<Data> {
  success: boolean;
  data: Data;
  /** Of a list. */
  pagination?: { totalItems: number };
}

/** The API of the service behind the console. */
export function apiOf(address: string) {
  /** Posts a body, an object as JSON and a text as CSV, or gets where there is none. */
  async function send(path: string, token: string | undefined, body?: object | string): Promise<Response> {
    const isCsv = typeof body === 'string';
    const request = {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        'content-type': isCsv ? 'text/csv' : 'application/json',
        // A kept connection may end on a busy machine while a request is on its way.
        connection: 'close',
      },
      ...(body === undefined ? {} : { body: isCsv ? body : JSON.stringify(body) }),
    };
    let response = await fetch(`${address}${path}`, request);
    // On a busy machine the imports of other files take long; a 503 has changed nothing.
    while (response.status === 503) {
      await sleep(1_000);
      response = await fetch(`${address}${path}`, request);
    }
    return response;
  }

  async function answerTo<Data>(
    path: string,
    token: string | undefined,
    body?: object | string,
  ): Promise<Answer<Data>> {
    const answer = (await (await send(path, token, body)).json()) as Answer<Data>;
    assert.equal(answer.success, true, `${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** The data of the answer. */
  async function ask<Data>(path: string, token: string | undefined, body?: object | string): Promise<Data> {
    return (await answerTo<Data>(path, token, body)).data;
  }

  async function statusOf(path: string, token: string): Promise<number> {
    return (await send(path, token)).status;
  }

  /** The first hit of a search in the caller's own company. */
  async function personLike(search: string, token: string): Promise<ListedPerson | undefined> {
    const { companyId } = await ask<{ companyId: string }>('/api/users/profile', token);
    const [person] = await ask<ListedPerson[]>(`/api/users/list?companyId=${companyId}&search=${search}`, token);
    return person;
  }
  return { answerTo, ask, statusOf, personLike };
}
