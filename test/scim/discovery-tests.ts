import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Json, newUser, ORGDESK, type TestDirectory, USER } from './directory.ts';

/** What the service tells of what it can. */
export function testDiscovery(directory: TestDirectory): void {
  describe('discovery', () => {
    it('SCIM returns its configuration, resource types and schemas, in a list and by id', async () => {
      const { body: config } = await directory.send('GET', '/ServiceProviderConfig');
      assert.deepEqual(
        [config.patch, config.filter, config.etag, config.bulk.supported, config.sort, config.changePassword],
        [
          { supported: true },
          { supported: true, maxResults: 200 },
          { supported: true },
          false,
          { supported: false },
          { supported: false },
        ],
      );
      const { body: types } = await directory.send('GET', '/ResourceTypes');
      assert.deepEqual(
        types.Resources.map(({ id, endpoint }: Json) => [id, endpoint]),
        [
          ['User', '/Users'],
          ['Group', '/Groups'],
        ],
      );
      const { body: schemas } = await directory.send('GET', '/Schemas');
      assert.equal(schemas.totalResults, 4);
      for (const [path, list] of [
        ['/ResourceTypes', types],
        ['/Schemas', schemas],
      ] as const) {
        for (const document of list.Resources) {
          assert.deepEqual((await directory.send('GET', `${path}/${document.id}`)).body, document);
        }
        assert.equal((await directory.send('GET', `${path}/nothing`)).status, 404);
        assert.equal((await directory.send('GET', `${path}?filter=x`)).status, 403);
      }
    });

    it('the SCIM schemas describe every attribute of a returned user', async () => {
      const { body: user } = await directory.send(
        'POST',
        '/Users',
        newUser({
          externalId: 'described',
          phoneNumbers: [{ value: '+919845000001', type: 'work' }],
          addresses: [{ type: 'work', streetAddress: 'A street', postalCode: '560001' }],
          [ORGDESK]: { dateOfBirth: '1990-05-14', gender: 'F', addressLine2: 'B' },
        }),
      );
      const { body: schemas } = await directory.send('GET', '/Schemas');
      const common = ['schemas', 'id', 'externalId', 'meta'];
      for (const [name, value] of Object.entries<Json>(user)) {
        if (common.includes(name)) continue;
        const extension = schemas.Resources.find(({ id }: Json) => id === name);
        const holder = extension ?? schemas.Resources.find(({ id }: Json) => id === USER);
        const described = extension
          ? extension.attributes
          : [holder.attributes.find((attribute: Json) => attribute.name === name)];
        assert.ok(described[0], name);
        const inside = extension ? described : (described[0].subAttributes ?? []);
        for (const item of [value].flat()) {
          if (typeof item !== 'object') continue;
          for (const key of Object.keys(item))
            assert.ok(
              inside.some((attribute: Json) => attribute.name === key),
              `${name}.${key}`,
            );
        }
      }
    });
  });
}
