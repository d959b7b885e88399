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
  unknown: (what) => `Unter diesem Namen oder Code nicht gefunden: ${what}.`,
  ambiguous: (what) => `Mehrdeutig: ${what}. Bitte den Code angeben.`,
  nobody: (names) => `Niemand hat diese Adresse. Um die Person hinzuzufügen, fehlt: ${names}.`,
  leavesRole: 'Die Rolle bleibt: Sie wird nur bei neuen Personen übernommen.',
  leaveOut: (line) => `Zeile ${line} auslassen`,
  cell: (column, line) => `${column}, Zeile ${line}`,
  doubled: (names) => `Diese Spalten kommen mehrfach vor: ${names}. Bitte jeweils nur eine behalten.`,
  guessed:
    'Diese Datei ist nicht in UTF-8. Sie wurde als Windows-1252 gelesen, wie Excel sie schreibt: Bitte prüfen Sie die Umlaute.',
  faults: {
    unclosed: 'Ein Anführungszeichen dieser Zeile ist nicht geschlossen. Bitte die Datei korrigieren.',
    quote:
      'In einer Zelle dieser Zeile steht ein Anführungszeichen. Die ganze Zelle in Anführungszeichen setzen und jedes innere verdoppeln.',
    return: 'Ein Zeilenumbruch dieser Zeile gehört nicht zu CSV. Bitte mit gewöhnlichen Zeilenenden speichern.',
    cells: 'Diese Zeile hat eine andere Zahl von Zellen als die erste. Zellen mit Komma brauchen Anführungszeichen.',
  },
  run: 'Import starten',
  note: 'Entweder werden alle Zeilen übernommen oder keine.',
  tooManyLines: (count) => `Auf einmal lassen sich bis zu ${count} Zeilen übernehmen: Bitte teilen Sie die Tabelle.`,
  nothingDone: (why) => `Es wurde nichts hinzugefügt oder geändert. ${why || 'Der Grund steht in den Zeilen.'}`,
  finished: (done) => `Fertig: ${done} Zeilen.`,
  table: 'Zeilen',
};
