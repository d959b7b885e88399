import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { keyTexts as words } from '../texts.ts';

/** A person's name as a link to their page. @param id null: the actor was a command of the operator */
export function PersonLink({ id }: { id: string | null }) {
  const { client, userId } = useSession();
  const found = useQuery({
    queryKey: ownKey(userId, 'person', id),
    queryFn: ({ signal }) => client.read('/api/users/get', { id: id ?? '' }, signal),
    staleTime: 300_000,
    retry: false,
    enabled: id !== null,
  });
  if (id === null) return words.madeByCommand;
  if (found.isPending) return '…';
  if (!found.data) return words.madeByUnknown;
  const { firstName, lastName } = found.data.data;
  return (
    <Anchor component={Link} href={`/people/${id}`} inherit>
      <bdi>{`${firstName} ${lastName}`}</bdi>
    </Anchor>
  );
}
