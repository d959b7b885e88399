/** What is kept of a person's answers stands under their id: nobody else's page finds it. */
export function ownKey(userId: string | undefined, ...key: readonly unknown[]): readonly unknown[] {
  return [userId, ...key];
}

/** While the next page of a list comes, what was before stays on the screen; not what another person saw. */
export function keepOwn(userId: string | undefined) {
  return <Data>(previous: Data | undefined, query: { queryKey: readonly unknown[] } | undefined) =>
    query?.queryKey[0] === userId ? previous : undefined;
}

export function profileKey(userId: string | undefined): readonly unknown[] {
  return ownKey(userId, 'profile');
}
