import type { MailKind, MailLanguage } from '../../entities/mail.ts';
import { escapeHtml } from '../../lib/escape-html.ts';

/** What a text is filled with. */
export interface Facts {
  product: string;
  /** First name of whoever gets it. */
  name: string;
  /** Of the platform: the product. */
  company: string;
  /** Name of what it is about. */
  subject: string;
  from: string;
  until: string;
}

type Text = readonly [subject: string, sentence: string, link: string];

/** Texts by language and kind, with facts in braces; `hello` and `why` begin and end each. */
const TEXTS: Readonly<Record<MailLanguage, Readonly<Record<MailKind, Text> & { hello: string; why: string }>>> = {
  en: {
    hello: 'Hello {name},',
    why: 'You get this mail because you have an account at {product}.',
    INVITATION: [
      'Your account at {product}',
      '{company} has made an account for you at {product}. Sign in with the address to which this mail was sent.',
      'Sign in',
    ],
    ADDED: [
      'You were added to {company}',
      'You were added to {company} at {product}. You sign in as before.',
      'Open {product}',
    ],
    SUBSTITUTE: [
      'You decide for {subject}',
      'You decide for {subject} at {company}, from {from} until {until}.',
      'Open {product}',
    ],
    KEY_EXPIRES: [
      'The API key {subject} expires',
      'The API key {subject} of {company} ends on {until}. Make a new one before, and use it instead.',
      'Open the API keys',
    ],
    WEBHOOK_OFF: [
      'The webhook {subject} was switched off',
      'The webhook {subject} of {company} was switched off, as its receiver has failed. Nothing is lost: switch it on when the receiver works again.',
      'Open the webhooks',
    ],
    DIRECTORY_REFUSED: [
      'The directory {subject} was refused',
      'Some of what the directory {subject} of {company} sent today was refused. The history tells what and why.',
      'Open the history',
    ],
  },
  de: {
    hello: 'Guten Tag {name},',
    why: 'Sie erhalten diese E-Mail, weil Sie ein Konto bei {product} haben.',
    INVITATION: [
      'Ihr Konto bei {product}',
      '{company} hat für Sie ein Konto bei {product} angelegt. Melden Sie sich mit der Adresse an, an die diese E-Mail ging.',
      'Anmelden',
    ],
    ADDED: [
      'Sie gehören jetzt zu {company}',
      'Sie wurden bei {product} zu {company} hinzugefügt. Sie melden sich an wie bisher.',
      '{product} öffnen',
    ],
    SUBSTITUTE: [
      'Sie entscheiden für {subject}',
      'Sie entscheiden bei {company} für {subject}, vom {from} bis zum {until}.',
      '{product} öffnen',
    ],
    KEY_EXPIRES: [
      'Der API-Schlüssel {subject} läuft ab',
      'Der API-Schlüssel {subject} von {company} endet am {until}. Legen Sie vorher einen neuen an, und verwenden Sie diesen.',
      'API-Schlüssel öffnen',
    ],
    WEBHOOK_OFF: [
      'Der Webhook {subject} wurde ausgeschaltet',
      'Der Webhook {subject} von {company} wurde ausgeschaltet, weil sein Empfänger versagt hat. Nichts ist verloren: Schalten Sie ihn ein, wenn der Empfänger wieder antwortet.',
      'Webhooks öffnen',
    ],
    DIRECTORY_REFUSED: [
      'Das Verzeichnis {subject} wurde abgewiesen',
      'Ein Teil dessen, was das Verzeichnis {subject} von {company} heute gesendet hat, wurde abgewiesen. Der Verlauf sagt, was und warum.',
      'Verlauf öffnen',
    ],
  },
  fr: {
    hello: 'Bonjour {name},',
    why: 'Vous recevez cet e-mail parce que vous avez un compte chez {product}.',
    INVITATION: [
      'Votre compte chez {product}',
      '{company} a créé un compte pour vous chez {product}. Connectez-vous avec l’adresse à laquelle cet e-mail a été envoyé.',
      'Se connecter',
    ],
    ADDED: [
      'Vous faites maintenant partie de {company}',
      'Vous avez été ajouté(e) à {company} chez {product}. Vous vous connectez comme avant.',
      'Ouvrir {product}',
    ],
    SUBSTITUTE: [
      'Vous décidez pour {subject}',
      'Vous décidez pour {subject} chez {company}, du {from} au {until}.',
      'Ouvrir {product}',
    ],
    KEY_EXPIRES: [
      'La clé d’API {subject} expire',
      'La clé d’API {subject} de {company} prend fin le {until}. Créez-en une nouvelle avant cette date, et remplacez-la.',
      'Ouvrir les clés d’API',
    ],
    WEBHOOK_OFF: [
      'Le webhook {subject} a été désactivé',
      'Le webhook {subject} de {company} a été désactivé, car son destinataire ne répond pas. Rien n’est perdu : réactivez-le quand le destinataire fonctionne à nouveau.',
      'Ouvrir les webhooks',
    ],
    DIRECTORY_REFUSED: [
      'L’annuaire {subject} a été refusé',
      'Une partie de ce que l’annuaire {subject} de {company} a envoyé aujourd’hui a été refusée. L’historique dit quoi et pourquoi.',
      'Ouvrir l’historique',
    ],
  },
};

/** Where the link of a mail leads. */
const PATHS: Readonly<Partial<Record<MailKind, string>>> = {
  KEY_EXPIRES: 'keys',
  WEBHOOK_OFF: 'webhooks',
  DIRECTORY_REFUSED: 'history',
};

/** Returns the subject and the body of a mail, as plain text and as HTML. @param publicUrl of the console */
export function mailTexts(
  kind: MailKind,
  language: MailLanguage,
  { publicUrl, address, ...facts }: Facts & { publicUrl: string; address: string },
): { subject: string; text: string; html: string } {
  const { hello, why, [kind]: own } = TEXTS[language];
  const [subject, ...sentences] = [own[0], hello, own[1], own[2], why].map((text) => filled(text, facts));
  const [greeting = '', sentence = '', label = '', reason = ''] = sentences;
  const path = kind === 'INVITATION' ? `#${new URLSearchParams({ 'sign-in': address })}` : (PATHS[kind] ?? '');
  const link = `${publicUrl.replace(/\/$/, '')}/${path}`;
  const paragraphs = [greeting, sentence, `<a href="${escapeHtml(link)}">${escapeHtml(label)}</a>`, reason];
  const html = paragraphs.map((part, nth) => `<p>${nth === 2 ? part : escapeHtml(part)}</p>`).join('\n');
  return {
    subject: subject ?? '',
    text: [greeting, sentence, `${label}: ${link}`, reason].join('\n\n'),
    html: `<!doctype html><html lang="${language}"><body>\n${html}\n</body></html>`,
  };
}

function filled(text: string, facts: Facts): string {
  return text.replace(/\{(\w+)\}/g, (_, name: keyof Facts) => harmless(facts[name]));
}

/** Returns a name on one line, in which no program finds a link. */
function harmless(name: string): string {
  const line = name.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.replace(/(?<=\S)[.:/@](?=\S)/g, '$&\u2060');
}
