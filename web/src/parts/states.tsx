import { Alert, Button, Group, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useMediaQuery, useTimeout } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { explain, pauseBeforeRetry, RequestError } from '../api/client.ts';
import { useBrand } from '../session/brand.ts';
import { t } from '../translate.ts';

/** Returns whether the window is as narrow as a phone, where what is long is folded. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
}

/** The placeholder of content that is loading. */
export function Loading({ rows = 5 }: { rows?: number }) {
  return (
    <Stack gap="sm" aria-busy="true">
      <VisuallyHidden role="status">{t('Loading …')}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={44} radius="md" />
      ))}
    </Stack>
  );
}

/** {@link Loading} of a whole page, with a heading for those who listen. */
export function LoadingPage() {
  return (
    <>
      <VisuallyHidden component="h1" id="title">
        {t('Loading …')}
      </VisuallyHidden>
      <Loading rows={8} />
    </>
  );
}

/** {@link Loading} after a delay, for content that usually arrives sooner. */
export function LoadingLate({ rows }: { rows: number }) {
  const [isLate, setLate] = useState(false);
  useTimeout(() => setLate(true), 300, { autoInvoke: true });
  return isLate && <Loading rows={rows} />;
}

/** The placeholder of content that failed to load, with the reason and a retry. */
export function Failed({ error, retry }: { error: Error; retry: () => void }) {
  const reference = error instanceof RequestError ? error.requestId : undefined;
  return (
    <Alert color="red" title={t('This could not be loaded')} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {explain(error)} {pauseBeforeRetry(error) !== undefined && t('It will be tried again automatically.')}
        </Text>
        {reference !== undefined && (
          <Text size="xs" c="dimmed">
            {t('Reference: {id}', { id: reference })}
          </Text>
        )}
        <Button size="xs" variant="default" onClick={retry}>
          {t('Try again')}
        </Button>
      </Stack>
    </Alert>
  );
}

interface PendingProps {
  of: { isError: boolean; error: Error | null; isPending: boolean; refetch: () => unknown };
  /** Rows of the placeholder; absent: that of a whole page. */
  rows?: number;
}

/** The placeholder of content that is read: while it loads, and if it failed to; nothing once it is there. */
export function Pending({ of: { isError, error, isPending, refetch }, rows }: PendingProps) {
  if (isError && error) return <Failed error={error} retry={() => void refetch()} />;
  return isPending && (rows === undefined ? <LoadingPage /> : <Loading rows={rows} />);
}

/** The placeholder of an empty list. */
export function Nothing({ title, hint, children }: { title: string; hint?: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap={4} py="xl" role="status">
      <Text fw={600}>{title}</Text>
      {hint !== undefined && (
        <Text size="sm" c="dimmed" ta="center">
          {hint}
        </Text>
      )}
      {children}
    </Stack>
  );
}

interface PageHeadProps {
  title: string;
  /** Whether it heads a part of a page, which has its own title. */
  isPart?: boolean;
  lead?: ReactNode;
  children?: ReactNode;
}

/** The head of a page: its title, also that of the window, and its lead. */
export function PageHead({ title, isPart = false, lead, children }: PageHeadProps) {
  const brand = useBrand();
  return (
    <Group justify="space-between" align="flex-end" mb="lg" gap="sm">
      <div>
        {!isPart && <title>{`${title} · ${brand.name}`}</title>}
        <Title
          {...(!isPart && { id: 'title' })}
          order={isPart ? 2 : 1}
          size={isPart ? 'h3' : 'h2'}
          tabIndex={-1}
          data-heading={!isPart || undefined}
        >
          <bdi>{title}</bdi>
        </Title>
        {lead !== undefined && <Text c="dimmed">{lead}</Text>}
      </div>
      {children && (
        <Group gap="sm" align="center">
          {children}
        </Group>
      )}
    </Group>
  );
}
