/** Isolates a text within a sentence, so that its writing direction does not affect its surroundings (Unicode UAX #9, 2.4.2). */
export function isolated(text: string): string {
  return `\u2068${text.replace(/[\u2066-\u2069]/g, '')}\u2069`;
}
