import { Badge, Stack, Text } from '@mantine/core';
import type { Webhook } from '../api/types.ts';
import { webhookTexts as words } from '../texts-keys.ts';

/** Whether a webhook is on, and if not why. */
export function WebhookState({ of: { active, disabledReason } }: { of: Webhook }) {
  return (
    <Stack gap={2}>
      <Badge variant="light" miw="max-content" color={active ? 'green' : 'red'}>
        {active ? words.on : words.off}
      </Badge>
      {disabledReason !== null && <Text size="sm">{disabledReason}</Text>}
    </Stack>
  );
}
