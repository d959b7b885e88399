/** What a browser may keep for this address: by its settings it may refuse to, and what is found there may be anything. */
type Store = 'localStorage' | 'sessionStorage';

/** @returns whether it is kept */
export function keep(store: Store, place: string, value: object): boolean {
  try {
    window[store].setItem(place, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** What is kept at a place, to be looked at with care; undefined where there is nothing that can be read. */
export function kept(store: Store, place: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(window[store].getItem(place) ?? 'null');
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function forget(store: Store, place: string): void {
  try {
    window[store].removeItem(place);
  } catch {
    // Where nothing can be kept there is nothing to forget.
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
