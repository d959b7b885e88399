import { CORE_GROUP, complex, type Schema, text } from './attribute.ts';

/** Maximum members in one list of a request. */
export const MAX_MEMBERS = 20_000;

/** The schema of a group. */
export const GROUP_SCHEMA: Schema = {
  id: CORE_GROUP,
  name: 'Group',
  description: 'A role in the company',
  attributes: [
    text('displayName', 'The name of the group, which stays', { required: true }),
    complex(
      'members',
      'The people who hold the role',
      [
        text('value', 'The id of a user', { caseExact: true }),
        { name: '$ref', type: 'reference', description: 'The address of the user', readOnly: true },
        text('type', 'User', { readOnly: true }),
        text('display', 'The name of the user', { readOnly: true }),
      ],
      { max: MAX_MEMBERS },
    ),
  ],
};
