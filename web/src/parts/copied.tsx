import { ActionIcon } from '@mantine/core';
import { pageTexts } from '../texts.ts';
import { Icon } from './icons.tsx';
import { notify } from './notices.tsx';

/** A text with a copy button. */
export function Copied({ text, label }: { text: string; label: string }) {
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => notify('done', pageTexts.form.copied(label)),
      () => notify('failed', pageTexts.form.notCopied),
    );
  };
  return (
    <span>
      <bdi>{text}</bdi>
      {'\u00A0'}
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={pageTexts.form.copy(label)}
        onClick={copy}
        style={{ verticalAlign: 'middle' }}
      >
        <Icon name="copy" size={14} />
      </ActionIcon>
    </span>
  );
}
