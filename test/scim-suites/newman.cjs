// @ts-nocheck: newman is not installed here, and has no types.
// Runs a collection by newman, which stands at the path that is given: what is to be run comes by the standard input.
const { readFileSync } = require('node:fs');

const newman = require(process.argv[2]);

newman.run({ ...JSON.parse(readFileSync(0, 'utf8')), reporters: [] }, (error, { run }) => {
  if (error) throw error;
  const { total, failed } = run.stats.assertions;
  const fallen = run.failures.map(({ source, error: { test, message } }) => ({
    name: `${source?.name}: ${test}`,
    fault: message,
  }));
  process.stdout.write(`${JSON.stringify({ held: total - failed, fallen })}\n`);
});
