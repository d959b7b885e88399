/*
 * A receiver in a process of its own, so that it takes nothing from the process that measures. It sends where it is, and, whenever it
 * is asked, how much has come.
 */
import { startReceiver } from './receiver.ts';

const { url, received } = await startReceiver();
process.on('message', () =>
  process.send?.({
    messages: received.length,
    distinct: new Set(received.map(({ headers }) => headers['webhook-id'])).size,
  }),
);
process.send?.({ url });
process.on('disconnect', () => process.exit());
