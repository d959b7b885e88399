/** Bytes of a body with a person. */
export const USER_BODY_LIMIT = 512 * 1024;
/** Bytes of a body with a group: 10,000 members as they are answered. */
export const GROUP_BODY_LIMIT = 4 * 1024 * 1024;
