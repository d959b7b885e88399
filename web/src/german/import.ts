import type { english } from '../english/import.ts';

/** Die Texte der Seite, die Personen importiert. */
export const importTexts: typeof english = {
  open: 'Personen importieren',
  title: 'Personen importieren',
  lead: (company) =>
    `Fügt bei ${company} Personen aus einer Tabelle hinzu oder ändert sie. Gesendet wird erst, wenn Sie den Import starten.`,
  file: 'CSV-Datei',
  choose: 'Datei auswählen',
  paste: 'Oder aus einer Tabelle einfügen, mit den Spaltennamen in der ersten Zeile',
  columns: (names) => `Bekannte Spalten: ${names}.`,
  ignored: (names) => `Unbekannte Spalten, die ausgelassen werden: ${names}.`,
  needed: 'Eine Spalte mit der E-Mail-Adresse ist nötig: An ihr werden Personen erkannt.',
  tooMany: (count) =>
    `Diese Seite vergleicht mit bis zu ${count} Personen einer Firma. Für mehr kann der Betreiber orgdesk import verwenden.`,
  summary: (added, changed, same, wrong) =>
    `${added} hinzuzufügen, ${changed} zu ändern, ${same} unverändert, ${wrong} zu berichtigen.`,
  state: 'Was passiert',
  add: 'wird hinzugefügt',
  change: (fields) => `geändert wird: ${fields}`,
  same: 'unverändert',
  wrong: 'zu berichtigen',
  twice: 'Diese Adresse steht auch in einer anderen Zeile.',
  done: 'erledigt',
  unknown: (what) => `Unter diesem Namen oder Code nicht gefunden: ${what}.`,
  run: 'Import starten',
  note: 'Die Zeilen werden nacheinander übernommen, jede für sich. Was nicht gelingt, bleibt in der Liste und lässt sich wiederholen.',
  finished: (done, failed) => `${done} erledigt, ${failed} fehlgeschlagen.`,
  table: 'Zeilen',
};
