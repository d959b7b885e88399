import type { Mutation } from './mutation.ts';

const ADDRESSES = 'src/lib/public-addresses.ts';

export const WEBHOOKS: readonly Mutation[] = [
  {
    rule: 'nothing is sent to an address that is not public',
    file: ADDRESSES,
    found: "plain.range() === 'unicast' && ",
    replaced: '',
    tests: ['webhooks/addresses'],
  },
  {
    rule: 'a name is looked up before a connection',
    file: ADDRESSES,
    found: 'permitsPrivate || found.every(',
    replaced: 'permitsPrivate || family === 0 || found.every(',
    tests: ['webhooks/addresses'],
  },
  {
    rule: 'a name server has three seconds',
    file: 'src/lib/resolve-host.ts',
    found: 'setTimeout(() => resolver.cancel(), DEADLINE_MS)',
    replaced: 'setTimeout(() => resolver.cancel(), 100 * DEADLINE_MS)',
    tests: ['webhooks/resolve-host'],
  },
  {
    rule: 'a name without an address is told as one that is not public',
    file: ADDRESSES,
    found: 'const isPermitted =',
    replaced: 'if (found.length === 0) throw new ForbiddenHostError(hostname, true);\n  const isPermitted =',
    tests: ['webhooks/public-addresses'],
  },
  {
    rule: 'of one company few names are looked up at once',
    file: 'src/features/webhooks/webhook-targets.ts',
    found: 'running: 4, waiting: 16',
    replaced: 'running: 400, waiting: 16',
    tests: ['webhooks/slow-names'],
  },
  {
    rule: 'a look-up holds no slot',
    file: 'src/features/webhooks/webhook-targets.ts',
    found: 'withoutSlot(response, look)',
    replaced: 'look()',
    tests: ['webhooks/slow-names'],
  },
  {
    rule: 'a test of a webhook holds no slot',
    file: 'src/features/webhooks/webhook-targets.ts',
    found: 'withoutSlot(response, () => tests(webhookId, work))',
    replaced: 'tests(webhookId, work)',
    tests: ['webhooks/slow-names'],
  },
  {
    rule: 'a company that is sent nothing has its turn',
    file: 'src/features/webhooks/lease-queries.ts',
    found: '(of_company = 1 or of_all <=',
    replaced: '(of_all <=',
    tests: ['webhooks/leases'],
  },
  {
    rule: 'companies have equal shares of what is sent',
    file: 'src/features/webhooks/lease-queries.ts',
    found: 'order by of_company, position',
    replaced: 'order by position',
    tests: ['webhooks/leases'],
  },
  {
    rule: 'many slow webhooks are sent to at once',
    file: 'src/features/webhooks/send-webhooks.ts',
    found: 'MAX_IN_FLIGHT = 400',
    replaced: 'MAX_IN_FLIGHT = 64',
    tests: ['webhooks/leases'],
  },
  {
    rule: 'a process sends no webhook twice at once',
    file: 'src/features/webhooks/lease-queries.ts',
    found: 'and not exists (select from held where held.id = progress.webhook_id)',
    replaced: '',
    tests: ['webhooks/leases'],
  },
  {
    rule: 'a lease is renewed while changes are passed over',
    file: 'src/features/webhooks/deliver-changes.ts',
    found: 'if (next.isAll || stop.aborted) return;\n      await renew(context, webhook.id, state);',
    replaced: 'if (next.isAll || stop.aborted) return;',
    tests: ['webhooks/leases'],
  },
  {
    rule: 'a lease is looked at before an attempt',
    file: 'src/features/webhooks/deliver-changes.ts',
    found: 'if (clock() - state.renewedAt > RENEW_AFTER_MS)',
    replaced: 'if (clock() < 0)',
    tests: ['webhooks/leases'],
  },
  {
    rule: 'so many secrets sign',
    file: 'src/features/webhooks/webhooks-service.ts',
    found: '= [10, 24]',
    replaced: '= [100, 24]',
    tests: ['webhooks/webhooks'],
  },
];
