/** Maximum bytes of a body with a group: 10,000 members in the form of a response. */
export const GROUP_BODY_LIMIT = 4 * 1024 * 1024;
