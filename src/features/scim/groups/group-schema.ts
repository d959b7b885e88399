import { commonAttributes, complex, type Schema, text } from '../protocol/schema.ts';

/** Maximum bytes of a body with a group: 10,000 members in the form of a response. */
export const GROUP_BODY_LIMIT = 4 * 1024 * 1024;

/** Maximum members in one list of a request. */
const MAX_MEMBERS = 20_000;

export const GROUP_SCHEMA: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'A group of the directory; three are the roles in the company',
  attributes: [
    ...commonAttributes({}),
    text('displayName', 'The name of the group, unique in the directory', { required: true, field: 'displayName' }),
    complex(
      'members',
      'The people in the group',
      [
        text('value', 'The id of a user', { caseExact: true }),
        { name: '$ref', type: 'reference', description: 'The address of the user', readOnly: true },
        text('type', 'User', { readOnly: true }),
        text('display', 'The name of the user', { readOnly: true }),
      ],
      { max: MAX_MEMBERS, large: true },
    ),
  ],
};
