import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { companyQuery } from '../session/use-company.ts';
import { pageTexts } from '../texts.ts';
import { SearchBox, useSearch } from './search-box.tsx';

interface CompanyBoxProps {
  label: string;
  placeholder: string;
  /** The id of the chosen company; empty if none is. */
  companyId: string;
  choose: (id: string) => void;
}

/** A combobox that finds a company as the user types, for staff of the platform. */
export function CompanyBox({ companyId, ...props }: CompanyBoxProps) {
  const { client, userId } = useSession();
  const typed = useSearch();
  const query = { limit: 20, page: 1, ...(typed.search && { search: typed.search }) };
  const found = useQuery({
    queryKey: ownKey(userId, 'companies', query),
    queryFn: ({ signal }) => client.get('/api/companies/list', query, signal),
    placeholderData: keepPreviousData,
    enabled: typed.isOpen,
  });
  const chosen = useQuery({ ...companyQuery(client, userId, companyId), enabled: companyId !== '' });
  const companies = [...(chosen.data ? [chosen.data.data] : []), ...(found.data?.data ?? [])];
  const names = new Map(companies.map(({ id, name }) => [id, name]));
  const { nothing } = pageTexts.palette;
  return <SearchBox {...props} nothingFound={nothing} width="12rem" search={typed} names={names} id={companyId} />;
}
