import assert from 'node:assert/strict';

/** What a scrape brought: the figures by the name of their series, such as `up{job="orgdesk"}`, and the types by metric. */
export interface Scrape {
  figures: ReadonlyMap<string, number>;
  types: ReadonlyMap<string, string>;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = `[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"`;
const SERIES = new RegExp(`^(${NAME}(?:\\{${LABEL}(?:,${LABEL})*\\})?) (\\S+)$`);
const COMMENT = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`);

/** Reads the text format of Prometheus, and fails on what is not of it: each series stands once, below the type of its metric. */
export function parseScrape(text: string): Scrape {
  assert.ok(text.endsWith('\n'));
  const figures = new Map<string, number>();
  const types = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, kind, metric = '', rest = ''] = COMMENT.exec(line) ?? [];
    if (kind === 'TYPE') {
      assert.ok(!types.has(metric), line);
      types.set(metric, rest);
    }
    if (kind !== undefined) continue;
    const [, series = '', figure = ''] = SERIES.exec(line) ?? assert.fail(`This is no series: ${line}`);
    assert.ok(!figures.has(series), `This series stands twice: ${line}`);
    const name = series.split('{', 1)[0] ?? '';
    assert.ok(types.has(name) || types.get(name.replace(/_(?:bucket|sum|count)$/, '')) !== undefined, line);
    assert.ok(/^(?:[+-]?Inf|NaN)$/i.test(figure) || Number.isFinite(Number(figure)), line);
    figures.set(series, Number(figure.replace('+Inf', 'Infinity')));
  }
  return { figures, types };
}
