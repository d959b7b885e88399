import { Badge, Stack, Text } from '@mantine/core';
import type { Webhook } from '../api/types.ts';
import { formatMoment } from '../format.ts';
import { webhookTexts as words } from '../texts-keys.ts';

/** Returns in a word whether a webhook is on, off or fails. */
export function webhookStateOf({ active, failedAttempts }: Webhook): string {
  if (!active) return words.off;
  return failedAttempts > 0 ? words.failing : words.on;
}

/** Whether a webhook is on, and if it is not or fails, why and until when. */
export function WebhookState({ of: webhook }: { of: Webhook }) {
  const { active, disabledReason, failedAttempts, nextAttemptAt } = webhook;
  const color = active && failedAttempts === 0 ? 'green' : 'red';
  return (
    <Stack gap={2}>
      <Badge variant="light" miw="max-content" color={color}>
        {webhookStateOf(webhook)}
      </Badge>
      {disabledReason !== null && <Text size="sm">{disabledReason}</Text>}
      {nextAttemptAt !== null && <Text size="sm">{words.nextAttempt(formatMoment(nextAttemptAt))}</Text>}
    </Stack>
  );
}
