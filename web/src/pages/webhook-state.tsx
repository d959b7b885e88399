import { Badge, Stack, Text } from '@mantine/core';
import type { Webhook } from '../api/types.ts';
import { formatMoment } from '../format.ts';
import { webhookTexts as words } from '../texts.ts';

/** Returns whether a webhook is on, off or failing, in a word. */
export function webhookStateOf({ active, failedAttempts }: Webhook): string {
  if (!active) return words.off;
  return failedAttempts > 0 ? words.failing : words.on;
}

/** The state of a webhook: on, or why and until when it is off or failing. */
export function WebhookState({ of: webhook }: { of: Webhook }) {
  const { active, disabledReason, failedAttempts, nextAttemptAt } = webhook;
  if (active && failedAttempts === 0) return words.on;
  return (
    <Stack gap={2}>
      <Badge variant="light" miw="max-content" color="red">
        {webhookStateOf(webhook)}
      </Badge>
      {disabledReason !== null && <Text size="sm">{disabledReason}</Text>}
      {nextAttemptAt !== null && <Text size="sm">{words.nextAttempt(formatMoment(nextAttemptAt))}</Text>}
    </Stack>
  );
}
