import { Type } from 'typebox';
import { ChangeView } from '../../src/audit/change-view.ts';
import { AUDITED_ENTITIES } from '../../src/entities/entities.ts';
import { TEST_TYPE } from '../../src/features/webhooks/messages.ts';
import { type Components, componentName, exampleOf, type Schema } from './components.ts';

/** What can happen to each entity, and what to some alone. */
const ACTIONS = ['added', 'changed', 'removed'];
const FURTHER_EVENTS = ['user.erased', 'company.refused', 'user.searched'];

const header = (name: string, description: string) => ({
  in: 'header',
  name,
  required: true,
  description,
  schema: { type: 'string' },
});
const SIGNED = [
  header('webhook-id', 'Id of the message, the same for each attempt'),
  header('webhook-timestamp', 'Time of the attempt, in seconds since 1970'),
  header('webhook-signature', 'Signatures of the body by Standard Webhooks, separated by blanks'),
];

/** Describes each message that the service sends to a webhook. */
export function webhookMessages(shared: Components): Record<string, object> {
  const events = [
    ...AUDITED_ENTITIES.flatMap((entity) => ACTIONS.map((action) => `${entity}.${action}`)),
    ...FURTHER_EVENTS,
  ];
  const testData = Type.Object({ webhookId: Type.String({ format: 'uuid' }) });
  return Object.fromEntries([
    ...events.map((type) => [type, message(type, ChangeView, `Sent after a change: \`${type}\``, shared)]),
    [TEST_TYPE, message(TEST_TYPE, testData, 'Sent by webhooks/test', shared)],
  ]);
}

function message(type: string, data: typeof ChangeView | object, description: string, shared: Components) {
  const name = componentName(type);
  const [entity = '', action = ''] = type.split('.');
  const whole = Type.Object(
    {
      type: Type.String({ enum: [type] }),
      timestamp: Type.String({ format: 'date-time', description: 'When it happened' }),
      data: data as typeof ChangeView,
    },
    { title: `${name}Event` },
  ) as Schema;
  const change = { ...(exampleOf(ChangeView as Schema) as object), entity, action };
  const example = {
    type,
    timestamp: '2026-01-31T09:30:00.000Z',
    data: type === TEST_TYPE ? { webhookId: '7a1f0c52-3b6d-4e8f-9a20-1c2d3e4f5a6b' } : change,
  };
  return {
    post: {
      operationId: `on${name}`,
      tags: ['Webhooks'],
      summary: `Receive ${type}`,
      description: `${description}. Verify the signature of the raw body before anything else, see docs/audit.md.`,
      security: [],
      parameters: SIGNED,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              ...shared.given({ ...whole, properties: { ...whole.properties, data: shared.schema(data as Schema) } }),
            },
            example,
          },
        },
      },
      responses: {
        '2XX': { description: 'Received: the next message follows' },
        '4XX': { description: 'Not received: it is sent again later' },
      },
    },
  };
}
