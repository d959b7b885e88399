import assert from 'node:assert/strict';
import { ENTERPRISE, type Json, patchOf, type TestDirectory, USER } from './directory.ts';

export const DEPARTMENTS = ['Sales', 'Research', 'Legal', 'Operations'];

/** A person as the directory has them. */
export interface Entry {
  externalId: string;
  login: string;
  givenName: string;
  familyName: string;
  department: string;
  phone: string;
  isAssigned: boolean;
  /** What orgdesk calls them, as long as the directory thinks that they are there. */
  id: string | undefined;
  isManager: boolean;
}

/** A directory that keeps a company as itself: it looks for people by their login, creates those that are not there, and tells what changes. */
export class SyncedDirectory {
  readonly entries: readonly Entry[];
  readonly #scim: TestDirectory;

  constructor(scim: TestDirectory, size: number) {
    this.#scim = scim;
    this.entries = Array.from({ length: size }, (_, index) => ({
      externalId: `00u${index}`,
      login: `Person.${index}@day.example`,
      givenName: `Given${index}`,
      familyName: `Family${index % 50}`,
      department: DEPARTMENTS[index % DEPARTMENTS.length] ?? '',
      phone: `+9198450${10_000 + index}`,
      isAssigned: false,
      id: undefined,
      isManager: false,
    }));
  }

  resource(entry: Entry): object {
    return {
      schemas: [USER, ENTERPRISE],
      externalId: entry.externalId,
      userName: entry.login,
      name: { givenName: entry.givenName, familyName: entry.familyName },
      displayName: `${entry.givenName} ${entry.familyName}`,
      emails: [{ primary: true, type: 'work', value: entry.login }],
      phoneNumbers: [{ type: 'work', value: entry.phone }],
      active: entry.isAssigned,
      [ENTERPRISE]: { department: entry.department },
    };
  }

  async assign(entry: Entry): Promise<void> {
    entry.isAssigned = true;
    const { body } = await this.#scim.send(
      'GET',
      `/Users?filter=${encodeURIComponent(`userName eq "${entry.login}"`)}`,
    );
    if (body.totalResults > 0) {
      entry.id = body.Resources[0].id;
      await this.push(entry);
      return;
    }
    const created = await this.#scim.send('POST', '/Users', this.resource(entry));
    assert.equal(created.status, 201, JSON.stringify(created.body));
    entry.id = created.body.id;
  }

  async push(entry: Entry): Promise<void> {
    const { status, body } = await this.#scim.send('PUT', `/Users/${entry.id}`, this.resource(entry));
    assert.equal(status, 200, JSON.stringify(body));
  }

  async patch(entry: Entry, ...operations: object[]): Promise<void> {
    const { status, body } = await this.#scim.send('PATCH', `/Users/${entry.id}`, patchOf(...operations));
    assert.equal(status, 200, JSON.stringify(body));
  }

  async remove(entry: Entry): Promise<void> {
    entry.isAssigned = false;
    assert.equal((await this.#scim.send('DELETE', `/Users/${entry.id}`)).status, 204);
    entry.id = undefined;
  }

  /** Asserts that the service has everybody as the directory has them. */
  async assertInStep(): Promise<void> {
    const found = new Map<string, Json>();
    for (let startIndex = 1, total = 1; startIndex <= total; startIndex += 200) {
      const { body } = await this.#scim.send('GET', `/Users?startIndex=${startIndex}&count=200`);
      total = body.totalResults;
      for (const resource of body.Resources) found.set(resource.id, resource);
    }
    const expected = this.entries.filter(({ id }) => id !== undefined);
    assert.equal(found.size, expected.length);
    for (const entry of expected) {
      const {
        userName,
        externalId,
        active,
        name,
        phoneNumbers,
        roles,
        [ENTERPRISE]: enterprise,
      } = found.get(entry.id ?? '');
      assert.deepEqual(
        [userName, externalId, active, name.givenName, name.familyName, phoneNumbers[0].value, enterprise.department],
        [
          entry.login,
          entry.externalId,
          entry.isAssigned,
          entry.givenName,
          entry.familyName,
          entry.phone,
          entry.department,
        ],
      );
      assert.equal(
        roles.some(({ value }: Json) => value === 'MANAGER'),
        entry.isManager,
        entry.login,
      );
    }
  }
}

/** A few at a time, as directories do it. */
export async function each(chosen: readonly Entry[], work: (entry: Entry) => Promise<void>): Promise<void> {
  const left = [...chosen];
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: 4 }, worker));
}
