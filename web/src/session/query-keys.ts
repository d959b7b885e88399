/** Returns a query key that starts with the user's id, so that no other user gets the cached data. */
export function ownKey(userId: string | undefined, ...key: readonly unknown[]): readonly unknown[] {
  return [userId, ...key];
}

/** Keeps the previous page of a list on screen while the next one loads, unless it belongs to another user. */
export function keepOwn(userId: string | undefined) {
  return <Data>(previous: Data | undefined, query: { queryKey: readonly unknown[] } | undefined) =>
    query?.queryKey[0] === userId ? previous : undefined;
}

export function profileKey(userId: string | undefined): readonly unknown[] {
  return ownKey(userId, 'profile');
}
