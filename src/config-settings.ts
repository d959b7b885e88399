export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads one setting: the fallback where it is absent or empty, or wrong. */
export type SettingReader = <Value>(
  name: string,
  fallback: Value,
  expected: string,
  parse: (text: string) => Value | undefined,
) => Value;

/** Settings whose value is not repeated on the screen. */
const SECRETS: ReadonlySet<string> = new Set(['JWT_SECRET', 'DATABASE_URL']);

/** @param problems gets a line for each setting that is wrong: what it holds and what is expected */
export function settingReader(env: Environment, problems: string[]): SettingReader {
  return (name, fallback, expected, parse) => {
    const text = env[name];
    if (text === undefined || text === '') return fallback;
    const value = parse(text);
    if (value !== undefined) return value;
    const shown = SECRETS.has(name) ? '(not shown here)' : `is ${JSON.stringify(text)}`;
    problems.push(`  ${name} ${shown}: expected ${expected}`);
    return fallback;
  };
}

/** Reads a whole number in decimal digits, both bounds included. */
export function wholeNumber(minimum: number, maximum: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= minimum && value <= maximum ? value : undefined;
  };
}
