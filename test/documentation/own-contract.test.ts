import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { openAdministration } from '../administration/administration.ts';
import { directoryFor } from '../scim/directory.ts';
import { assertRefused, dataOf } from '../support/answers.ts';
import type { Person } from '../support/people.ts';

const administration = await openAdministration();
const { api, home, other, admin, superAdmin, post, add } = administration;
after(() => administration[Symbol.asyncDispose]());

let published: string;
before(async () => {
  published = (await api.app.inject('/openapi.json')).body;
  for (const field of [
    { entity: 'user', key: 'shoeSize', type: 'INTEGER', label: 'Shoe size', readableBy: 'SELF' },
    { entity: 'user', key: 'shirt', type: 'CHOICE', choices: ['S', 'M'], label: 'Shirt', readableBy: 'ADMIN' },
    { entity: 'booking', key: 'trip', type: 'TEXT', pattern: '[A-Z]+', label: 'Trip' },
    ...['company', 'department', 'band', 'approvalPolicy'].map((entity) => {
      return { entity, key: 'site', type: 'URL', label: 'Site' };
    }),
  ]) {
    dataOf(await post(admin, 'fields/create', { companyId: home.id, ...field }));
  }
});

const ask = (url: string, headers: Record<string, string> = {}) => api.app.inject({ url, headers });
const as = async ({ email }: Person) => ({ authorization: `Bearer ${await api.tokenFor(email)}` });
const schemasFor = async (person: Person, query = '') =>
  (await ask(`/openapi.json${query}`, await as(person))).json().components.schemas;

it('/openapi.json names the fields of the caller’s company in answers and bodies', async () => {
  const schemas = await schemasFor(admin);
  const { shoeSize, shirt } = schemas.User.properties.fields.properties;
  assert.deepEqual([shoeSize.title, shoeSize.type], ['Shoe size', 'integer']);
  assert.deepEqual(shirt, { title: 'Shirt', type: 'string', enum: ['S', 'M'] });
  const sent = schemas.UpdateUserBody.properties.fields;
  assert.equal(sent.additionalProperties, false);
  assert.deepEqual(sent.properties.shirt, { title: 'Shirt', type: ['string', 'null'], enum: ['S', 'M', null] });
  const booked = schemas.RecordBookingsBody.properties.bookings.items.properties.fields;
  assert.equal(booked.properties.trip.pattern, '^(?:[A-Z]+)$');
  for (const name of ['CompanyDetail', 'CreateDepartmentBody', 'Band', 'ApprovalPolicyDetail']) {
    assert.equal(schemas[name].properties.fields.properties.site.format, 'uri', name);
  }
});

it('/openapi.json names what a person may read, and what a key or a Super Admin asks for by companyId', async () => {
  const employee = await schemasFor(await add());
  assert.deepEqual(Object.keys(employee.User.properties.fields.properties), ['shoeSize']);
  const ofOther = await schemasFor(superAdmin, `?companyId=${other.id}`);
  assert.equal(ofOther.User.properties.fields.properties, undefined);
  const asked = await schemasFor(superAdmin, `?companyId=${home.id}`);
  assert.deepEqual(Object.keys(asked.User.properties.fields.properties), ['shirt', 'shoeSize']);
  const { key } = await directoryFor(api, home);
  const older = (await ask('/openapi-3.0.json', { authorization: `Bearer ${key}` })).json();
  assert.equal(older.components.schemas.User.properties.fields.properties.shoeSize.type, 'integer');
});

it('/openapi.json stays as it is for the public, and refuses other companies and bad tokens', async () => {
  const { body, headers } = await ask('/openapi.json');
  assert.equal(body, published);
  assert.match(String(headers.vary), /Authorization/);
  const own = await ask('/openapi.json', await as(admin));
  assert.equal(own.headers['cache-control'], 'no-store');
  assertRefused(await ask(`/openapi.json?companyId=${other.id}`, await as(admin)), 403, 'COMPANY_FORBIDDEN');
  assertRefused(await ask(`/openapi.json?companyId=${home.id}`), 401, 'AUTHENTICATION_REQUIRED');
  const nonsense = { authorization: 'Bearer nonsense' };
  assert.equal((await ask('/openapi.json', nonsense)).body, published);
  assertRefused(await ask(`/openapi.json?companyId=${home.id}`, nonsense), 401, 'INVALID_TOKEN');
  assertRefused(await ask('/openapi.json?companyId=x', await as(admin)), 400, 'INVALID_INPUT', ['companyId']);
});
