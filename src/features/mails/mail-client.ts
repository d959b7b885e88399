import type { Config } from '../../config/config.ts';

export interface OutgoingMail {
  messageId: string;
  /** Name of the sender. */
  from: string;
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
}

/** What became of an attempt: its code, and whether the server will never take the mail. */
export type Outcome = { isSent: true } | { isSent: false; isFinal: boolean; code: string };

export interface MailClient extends Disposable {
  send(mail: OutgoingMail): Promise<Outcome>;
}

/** Milliseconds to wait for a connection, a greeting and an answer: together less than the lease of a mail. */
const [CONNECT_MS, ANSWER_MS] = [5_000, 10_000];

/** Opens connections to the server of mails; undefined without one. Its package is loaded only then. */
export async function openMailClient(config: Config): Promise<MailClient | undefined> {
  const { smtpUrl, mailFrom = '' } = config;
  if (smtpUrl === undefined) return undefined;
  const { createTransport } = await import('nodemailer');
  const { protocol, hostname: host, port, username, password } = new URL(smtpUrl);
  const isSecure = protocol === 'smtps:';
  const transport = createTransport({
    ...{ pool: true, maxConnections: 5, host: host.replace(/^\[|\]$/g, ''), secure: isSecure },
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    ...(username === ''
      ? {}
      : {
          auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
          // A password is never sent in the open, but to this machine.
          requireTLS: !isSecure && !LOOPBACK.has(host),
        }),
    ...{ connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: ANSWER_MS },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  return {
    async send({ from, ...mail }) {
      try {
        const headers = { 'Auto-Submitted': 'auto-generated' };
        await transport.sendMail({ ...mail, from: { name: from, address: mailFrom }, headers });
        return { isSent: true };
      } catch (error) {
        return { isSent: false, ...failureOf(error) };
      }
    },
    [Symbol.dispose]: () => transport.close(),
  };
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Returns the code of an error without its text, which may have an address. Only a refused recipient or text is final. */
function failureOf(error: unknown): { isFinal: boolean; code: string } {
  const { code, responseCode, response, command } = error as Record<string, unknown>;
  const isOfMail = command === 'RCPT TO' || command === 'DATA' || code === 'EMESSAGE';
  const status = typeof response === 'string' ? /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response)?.[0] : undefined;
  const name = status ?? (typeof code === 'string' && /^E[A-Z]{1,30}$/.test(code) ? code : 'EFAILED');
  return { isFinal: isOfMail && Number(responseCode) >= 500, code: name };
}
