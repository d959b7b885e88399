/** Items that are looked up at once, at most: more would keep one connection busy that others could share. */
const MOST = 32;

/**
 * Looks up together what is asked for one by one within the same turn of the event loop. A service that is busy takes many
 * requests a turn, and a look-up of ten costs little more than one of one; one that is not waits for nothing.
 *
 * @param lookUp gives what it found, in the order of the items
 */
export function inBatches<Item, Found>(
  lookUp: (items: readonly Item[]) => Promise<readonly Found[]>,
): (item: Item) => Promise<Found> {
  interface Question {
    item: Item;
    resolve: (found: Found) => void;
    reject: (error: unknown) => void;
  }
  let waiting: Question[] = [];

  async function answer(questions: readonly Question[]): Promise<void> {
    try {
      const found = await lookUp(questions.map(({ item }) => item));
      for (const [place, { resolve }] of questions.entries()) resolve(found[place] as Found);
    } catch (error) {
      for (const { reject } of questions) reject(error);
    }
  }

  function answerAll(): void {
    const questions = waiting;
    waiting = [];
    for (let at = 0; at < questions.length; at += MOST) void answer(questions.slice(at, at + MOST));
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(answerAll);
      waiting.push({ item, resolve, reject });
    });
}
