/** Web storage may be disabled by the browser's settings, and its content may be anything. */
type Store = 'localStorage' | 'sessionStorage';

interface Stored {
  getItem: (key: string) => string | null;
  setItem: (key: string, value: string) => void;
  removeItem: (key: string) => void;
}

const storeOf = (store: Store) => (globalThis as unknown as Record<Store, Stored>)[store];

/** Stores a value as JSON. @returns whether it could be stored */
export function keep(store: Store, key: string, value: object): boolean {
  try {
    storeOf(store).setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Returns the stored object, which callers have to validate; undefined if there is none that can be read. */
export function kept(store: Store, key: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(storeOf(store).getItem(key) ?? 'null');
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function forget(store: Store, key: string): void {
  try {
    storeOf(store).removeItem(key);
  } catch {
    // Storage is disabled: there is nothing to remove.
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
