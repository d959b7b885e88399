import { ActionIcon, Group } from '@mantine/core';
import { pageTexts } from '../texts-pages.ts';
import { Icon } from './icons.tsx';
import { tell } from './notices.tsx';

/** A text with a copy button. */
export function Copied({ text, label }: { text: string; label: string }) {
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => tell('done', pageTexts.form.copied(label)),
      () => tell('failed', pageTexts.form.notCopied),
    );
  };
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      <bdi>{text}</bdi>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={pageTexts.form.copy(label)} onClick={copy}>
        <Icon name="copy" size={14} />
      </ActionIcon>
    </Group>
  );
}
