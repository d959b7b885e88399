import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useSession } from '../session/session.tsx';
import { companyQuery } from '../session/use-company.ts';
import { pageTexts } from '../texts.ts';
import type { Column } from './data-table.tsx';

/** A company's name as a link to its page. @param id null: all companies */
export function CompanyLink({ id }: { id: string | null }) {
  const { client, userId } = useSession();
  const found = useQuery({ ...companyQuery(client, userId, id ?? ''), enabled: id !== null });
  if (id === null) return pageTexts.lists.allCompanies;
  return (
    <Anchor component={Link} href={`/companies/${id}`} inherit>
      <bdi>{found.data?.data.name ?? id}</bdi>
    </Anchor>
  );
}

/** The column that names the company, in a list of all companies. */
export const COMPANY_COLUMN: Column<{ companyId: string | null }> = {
  name: pageTexts.lists.company,
  show: ({ companyId }) => <CompanyLink id={companyId} />,
  text: ({ companyId }) => companyId ?? '',
};
