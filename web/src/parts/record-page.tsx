import { VisuallyHidden } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Client, RequestError } from '../api/client.ts';
import { ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { pageTexts, texts } from '../texts.ts';
import { type Crumb, Crumbs } from './links.tsx';
import { Failed, Loading, PageHead } from './states.tsx';

interface RecordPageProps<Data> {
  /** The part of the query key that, together with the id, identifies the object. */
  kind: string;
  id: string;
  load: (client: Client, id: string, signal: AbortSignal) => Promise<{ data: Data; version: string }>;
  /** The pages above, which are shown also if the object does not exist. */
  crumbs: (data: Data | undefined) => readonly Crumb[];
  children: (data: Data, version: string) => ReactNode;
}

/** The page of one object in all its states: loading, failed, not found, loaded. */
export function RecordPage<Data>({ kind, id, load, crumbs, children }: RecordPageProps<Data>) {
  const { client, userId } = useSession();
  const found = useQuery({
    queryKey: ownKey(userId, kind, id),
    queryFn: ({ signal }) => load(client, id, signal),
  });
  return (
    <>
      <Crumbs of={crumbs(found.data?.data)} />
      <Shown found={found}>{children}</Shown>
    </>
  );
}

interface ShownProps<Data> {
  found: UseQueryResult<{ data: Data; version: string }>;
  children: RecordPageProps<Data>['children'];
}

function Shown<Data>({ found, children }: ShownProps<Data>) {
  if (found.data) return children(found.data.data, found.data.version);
  if (!found.isError) {
    return (
      <>
        <VisuallyHidden component="h1">{texts.states.loading}</VisuallyHidden>
        <Loading rows={8} />
      </>
    );
  }
  const { error } = found;
  const isNotThere = error instanceof RequestError && [400, 403, 404].includes(error.status);
  if (isNotThere) return <PageHead title={texts.unknown.title} lead={pageTexts.form.notFound} />;
  return <Failed error={error} retry={() => void found.refetch()} />;
}
