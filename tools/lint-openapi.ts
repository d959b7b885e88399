import { createConfig, formatProblems, getTotals, lint } from '@redocly/openapi-core';

// Part of `npm run check`: the published contract by redocly's strictest rules, as those see it who make clients from it.
const config = await createConfig({ extends: ['recommended-strict'] });
const problems = await lint({ ref: 'openapi.json', config });
if (problems.length > 0) {
  formatProblems(problems, { totals: getTotals(problems), version: '' });
  process.exitCode = 1;
}
