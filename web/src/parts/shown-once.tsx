import { Alert, Button, Code, Group, Stack } from '@mantine/core';
import { keyTexts as words } from '../texts.ts';
import { useClosingQuestion } from './closing-question.ts';
import { Copied } from './copied.tsx';

/** A secret that cannot be displayed again. */
export function ShownOnce({ label, secret, close }: { label: string; secret: string; close: () => void }) {
  useClosingQuestion(words.loseSecret);
  return (
    <Stack>
      <Alert color="yellow" title={label} role="status">
        {words.once}
      </Alert>
      <Code fz="sm" p="xs">
        <Copied text={secret} label={label} />
      </Code>
      <Group justify="flex-end">
        <Button onClick={close}>{words.done}</Button>
      </Group>
    </Stack>
  );
}
