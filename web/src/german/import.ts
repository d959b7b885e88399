import type { english } from '../english/import.ts';

/** Die Texte der Seite, die Personen hereinholt. */
export const importTexts: typeof english = {
  open: 'Personen hereinholen',
  title: 'Personen hereinholen',
  lead: (company) =>
    `Fügt ${company} aus einer Tabelle Personen hinzu oder ändert sie. Nichts wird gesandt, bevor Sie es sagen.`,
  file: 'Eine CSV-Datei',
  paste: 'Oder aus einer Tabelle einfügen, mit den Namen der Spalten in der ersten Zeile',
  columns: (names) => `Diese Spalten sind bekannt: ${names}.`,
  ignored: (names) => `Ausgelassen, weil unbekannt: ${names}.`,
  needed: 'Eine Spalte mit der E-Mail-Adresse wird gebraucht: An ihr werden Personen erkannt.',
  tooMany: (count) =>
    `Diese Seite vergleicht mit bis zu ${count} Personen einer Firma. Der Betreiber kann orgdesk import benutzen.`,
  summary: (added, changed, same, wrong) =>
    `${added} hinzuzufügen, ${changed} zu ändern, ${same} wie sie sind, ${wrong} mit etwas zu beheben.`,
  state: 'Was geschieht',
  add: 'wird hinzugefügt',
  change: (fields) => `ändert: ${fields}`,
  same: 'bleibt, wie es ist',
  wrong: 'zu beheben',
  twice: 'Diese Adresse steht noch in einer anderen Zeile.',
  done: 'getan',
  unknown: (what) => `Unter diesem Namen oder Code gibt es nichts: ${what}.`,
  run: 'All das tun',
  note: 'Jede Zeile wird für sich getan, eine nach der anderen: Der Dienst kennt hier kein „alles oder nichts“. Was nicht ging, bleibt in der Liste und lässt sich wieder versuchen.',
  finished: (done, failed) => `${done} getan, ${failed} nicht.`,
  table: 'Zeilen',
};
