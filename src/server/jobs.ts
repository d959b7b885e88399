import type { Logger } from 'pino';
import type { Context } from '../app/context.ts';
import { keepRemovingOldChanges } from '../audit/remove-old-changes.ts';
import { isDatabaseUnavailable } from '../db/database-errors.ts';
import { removeOldFields } from '../features/fields/fields-service.ts';
import { openMailClient } from '../features/mails/mail-client.ts';
import { tendMails } from '../features/mails/queue-mails.ts';
import { sendMails } from '../features/mails/send-mails.ts';
import { lookAtDomains } from '../features/sign-in-connections/domain-proofs.ts';
import { removeOldTravellers } from '../features/travellers/remove-old-travellers.ts';
import { sendWebhooks } from '../features/webhooks/send-webhooks.ts';
import { openWebhookClient } from '../features/webhooks/webhook-client.ts';
import { hourly } from '../lib/hourly.ts';
import { hostResolver, queryTexts } from '../lib/resolve-host.ts';

/** Starts what an instance does beside its answers, until disposed. @param webhookAttempts counts those that are made */
export async function startJobs(
  { config, db }: Pick<Context, 'config' | 'db'>,
  log: Logger,
  webhookAttempts: { delivered: number; failed: number },
): Promise<AsyncDisposable> {
  // A warning without stack while the database is unavailable: the readiness reports that too, and the job is retried.
  const failed = (message: string) => (error: unknown) =>
    isDatabaseUnavailable(error) ? log.warn({ reason: String(error) }, message) : log.error({ err: error }, message);
  const mailClient = await openMailClient(config);
  const client = openWebhookClient({ permitsPrivate: config.webhookPrivateTargets, resolveHost: hostResolver() });
  const jobs = [
    hourly(async () => {
      for (const proof of await lookAtDomains(db, { resolveTexts: queryTexts }))
        log.warn(proof, 'The DNS record of a domain is gone: after seven days its company loses it');
    }, failed('The records of domains could not be looked at: it is tried again')),
    hourly(
      () => removeOldTravellers(db, config),
      failed('Old data of travellers could not be removed: it is tried again'),
    ),
    hourly(() => removeOldFields(db), failed('Inactive fields could not be removed: it is tried again')),
  ];
  if (config.auditRetention !== undefined) {
    const retention = keepRemovingOldChanges(db, {
      days: config.auditRetention,
      onRemoved: (changes) => log.info({ changes }, 'Old changes were removed from the audit trail'),
      onHeld: (webhooks) => log.warn({ webhooks }, 'Changes older than AUDIT_RETENTION are kept for these webhooks'),
      onError: failed('Old changes could not be removed from the audit trail: it is tried again'),
    });
    jobs.push(retention);
  }
  if (config.webhooks) {
    const sender = sendWebhooks(db, {
      client,
      onError: failed('Webhooks could not be sent to: they are tried again'),
      onAttempt: (outcome) => {
        webhookAttempts[outcome] += 1;
      },
    });
    jobs.push(sender);
  }
  if (mailClient !== undefined || config.mailEvents) {
    const onError = failed('Mails could not be sent: they are tried again');
    const onFailure = (mail: object) => log.warn(mail, 'A mail could not be sent');
    const sender = sendMails(db, {
      client: mailClient,
      product: config.brandName,
      settings: config,
      onError,
      onFailure,
    });
    jobs.push(
      sender,
      hourly(() => tendMails(db, mailClient === undefined), onError),
    );
  }
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(jobs.map((job) => job[Symbol.asyncDispose]()));
      client[Symbol.dispose]();
      mailClient?.[Symbol.dispose]();
    },
  };
}
