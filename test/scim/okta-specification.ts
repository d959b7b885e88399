import { ERROR, type Json, USER } from './directory.ts';

type Comparison = 'equal' | 'notEmpty' | 'hasValue' | 'isNumber' | 'contains';

/** A request of Okta's specification test, with its assertions. */
export interface Step {
  note: string;
  method: 'GET' | 'POST';
  path: string;
  body?: Json;
  headers?: Record<string, string>;
  status: number;
  assertions: readonly (readonly [Comparison, property: string, value?: string])[];
  /** What later steps call a value of the answer. */
  variables?: Readonly<Record<string, string>>;
}

const OKTA = {
  'accept-charset': 'utf-8',
  'content-type': 'application/scim+json; charset=utf-8',
  accept: 'application/scim+json',
  'user-agent': 'OKTA SCIM Integration',
};
const JSON_BODY = { 'content-type': 'application/json', accept: 'application/scim+json; charset=utf-8' };
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const user = (email: string) => ({
  schemas: [USER],
  userName: '{{randomUsername}}',
  name: { givenName: '{{randomGivenName}}', familyName: '{{randomFamilyName}}' },
  emails: [{ primary: true, value: email, type: 'work' }],
  displayName: '{{randomGivenName}} {{randomFamilyName}}',
  active: true,
});

/** The steps of Okta's specification test. */
export const SPECIFICATION: readonly Step[] = [
  {
    note: 'Required Test: Test Users endpoint',
    method: 'GET',
    path: '/Users?count=1&startIndex=1',
    headers: OKTA,
    status: 200,
    assertions: [
      ['notEmpty', 'Resources'],
      ['hasValue', 'schemas', LIST],
      ['isNumber', 'itemsPerPage'],
      ['isNumber', 'startIndex'],
      ['isNumber', 'totalResults'],
      ['notEmpty', 'Resources[0].id'],
      ['notEmpty', 'Resources[0].name.familyName'],
      ['notEmpty', 'Resources[0].name.givenName'],
      ['notEmpty', 'Resources[0].userName'],
      ['notEmpty', 'Resources[0].active'],
      ['notEmpty', 'Resources[0].emails[0].value'],
    ],
    variables: { ISVUserid: 'Resources[0].id' },
  },
  {
    note: 'Required Test: Get Users/{{id}}',
    method: 'GET',
    path: '/Users/{{ISVUserid}}',
    headers: OKTA,
    status: 200,
    assertions: [
      ['notEmpty', 'id'],
      ['notEmpty', 'name.familyName'],
      ['notEmpty', 'name.givenName'],
      ['notEmpty', 'userName'],
      ['notEmpty', 'active'],
      ['notEmpty', 'emails[0].value'],
      ['equal', 'id', '{{ISVUserid}}'],
    ],
  },
  {
    note: 'Required Test: Test invalid User by username',
    method: 'GET',
    path: '/Users?filter=userName eq "{{InvalidUserEmail}}"',
    headers: OKTA,
    status: 200,
    assertions: [
      ['hasValue', 'schemas', LIST],
      ['equal', 'totalResults', '0'],
    ],
  },
  {
    note: 'Required Test: Test invalid User by ID',
    method: 'GET',
    path: '/Users/{{UserIdThatDoesNotExist}}',
    headers: OKTA,
    status: 404,
    assertions: [
      ['notEmpty', 'detail'],
      ['hasValue', 'schemas', ERROR],
    ],
  },
  {
    note: "Required Test: Make sure random user doesn't exist",
    method: 'GET',
    path: '/Users?filter=userName eq "{{randomEmail}}"',
    headers: OKTA,
    status: 200,
    assertions: [
      ['equal', 'totalResults', '0'],
      ['hasValue', 'schemas', LIST],
    ],
  },
  {
    note: 'Required Test: Create Okta user with realistic values',
    method: 'POST',
    path: '/Users',
    headers: JSON_BODY,
    body: user('{{randomEmail}}'),
    status: 201,
    assertions: [
      ['equal', 'active', 'true'],
      ['notEmpty', 'id'],
      ['equal', 'name.familyName', '{{randomFamilyName}}'],
      ['equal', 'name.givenName', '{{randomGivenName}}'],
      ['contains', 'schemas', USER],
      ['equal', 'userName', '{{randomUsername}}'],
    ],
    variables: { idUserOne: 'id', randomUserEmail: 'emails[0].value' },
  },
  {
    note: 'Required Test: Verify that user was created',
    method: 'GET',
    path: '/Users/{{idUserOne}}',
    headers: OKTA,
    status: 200,
    assertions: [
      ['equal', 'userName', '{{randomUsername}}'],
      ['equal', 'name.familyName', '{{randomFamilyName}}'],
      ['equal', 'name.givenName', '{{randomGivenName}}'],
    ],
  },
  {
    note: 'Required Test: Expect failure when recreating user with same values',
    method: 'POST',
    path: '/Users',
    headers: JSON_BODY,
    body: user('{{randomUsername}}'),
    status: 409,
    assertions: [],
  },
  {
    note: 'Required Test: Username Case Sensitivity Check',
    method: 'GET',
    path: '/Users?filter=userName eq "{{randomUsernameCaps}}"',
    headers: OKTA,
    status: 200,
    assertions: [],
  },
  {
    note: 'Optional Test: Verify Groups endpoint',
    method: 'GET',
    path: '/Groups',
    headers: OKTA,
    status: 200,
    assertions: [['notEmpty', 'Resources']],
  },
  {
    note: 'Required Test: Check status 401',
    method: 'GET',
    path: '/Users?filter=userName eq "{{randomUsernameCaps}}"',
    headers: { ...OKTA, authorization: 'non-token' },
    status: 401,
    assertions: [
      ['notEmpty', 'detail'],
      ['equal', 'status', '401'],
      ['hasValue', '', ERROR],
    ],
  },
  {
    note: 'Required Test: Check status 404',
    method: 'GET',
    path: '/Users/00919288221112222',
    headers: OKTA,
    status: 404,
    assertions: [
      ['notEmpty', 'detail'],
      ['equal', 'status', '404'],
      ['hasValue', 'schemas', ERROR],
    ],
  },
];
