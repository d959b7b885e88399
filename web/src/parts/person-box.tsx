import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { approvalTexts as words } from '../texts.ts';
import { SearchBox, useSearch } from './search-box.tsx';

interface PersonBoxProps {
  companyId: string;
  label: string;
  placeholder: string;
  /** The id of the chosen person; empty if none is. */
  userId: string;
  /** The name of the chosen person, if known; otherwise it is requested. */
  name?: string | undefined;
  choose: (id: string) => void;
}

/** A combobox that finds a person of the company as the user types. */
export function PersonBox({ companyId, userId, name, ...props }: PersonBoxProps) {
  const { client, userId: caller } = useSession();
  const typed = useSearch();
  const query = { companyId, limit: 20, ...(typed.search && { search: typed.search }) };
  const found = useQuery({
    queryKey: ownKey(caller, 'people', query),
    queryFn: ({ signal }) => client.get('/api/users/list', query, signal),
    placeholderData: keepPreviousData,
    enabled: typed.isOpen,
  });
  const chosen = useQuery({
    queryKey: ownKey(caller, 'person', userId),
    queryFn: ({ signal }) => client.read('/api/users/get', { id: userId }, signal),
    enabled: userId !== '' && name === undefined,
  });
  const people = [...(chosen.data ? [chosen.data.data] : []), ...(found.data?.data ?? [])];
  const names = new Map(people.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]));
  if (userId !== '' && name !== undefined) names.set(userId, name);
  const { nobodyFound } = words;
  return <SearchBox {...props} nothingFound={nobodyFound} width="16rem" search={typed} names={names} id={userId} />;
}
