import assert from 'node:assert/strict';
import type { Target } from './target.ts';

/** Standard deviations by which the ranks of two samples may differ by chance: beyond 4 by chance once in 16,000 times. */
const CHANCE = 4;

/**
 * Whether the time of an answer tells a foreign company from one that does not exist: asked for by turns, so many times each, the
 * times are compared by their ranks (Mann-Whitney).
 */
export async function compareTimes(
  target: Target,
  authorization: string,
  foreign: string,
  samples: number,
): Promise<string> {
  const unknown = '11111111-2222-4333-8444-555555555555';
  const times = new Map<string, number[]>([
    [foreign, []],
    [unknown, []],
  ]);
  for (let number = 0; number < samples; number++) {
    const order = number % 2 === 0 ? [foreign, unknown] : [unknown, foreign];
    for (const companyId of order) {
      const start = performance.now();
      const url = `/api/departments/list?companyId=${companyId}`;
      const { statusCode } = await target.send({ method: 'GET', url, headers: { authorization } });
      times.get(companyId)?.push(performance.now() - start);
      assert.equal(statusCode, 403);
    }
  }
  const [a = [], b = []] = [...times.values()];
  const deviation = rankDeviation(a, b);
  assert.ok(Math.abs(deviation) < CHANCE, `the times differ by ${deviation.toFixed(1)} standard deviations`);
  const median = (values: number[]) => (values.toSorted((x, y) => x - y)[values.length >> 1] ?? 0).toFixed(3);
  return `medians ${median(a)} and ${median(b)} ms, ranks ${Math.abs(deviation).toFixed(1)} standard deviations apart`;
}

/** The deviation of the Mann-Whitney statistic from what equal samples give, in standard deviations. */
function rankDeviation(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((value) => ({ value, isFirst: true })), ...b.map((value) => ({ value, isFirst: false }))];
  all.sort((x, y) => x.value - y.value);
  const ranks = all.reduce((sum, { isFirst }, index) => sum + (isFirst ? index + 1 : 0), 0);
  const statistic = ranks - (a.length * (a.length + 1)) / 2;
  const mean = (a.length * b.length) / 2;
  return (statistic - mean) / Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12);
}
