/**
 * Runs checks one after the other, each of which gives what it has seen. The process ends with 1 where one does not hold.
 *
 * @returns rows of a table: the check, whether it held, what was seen
 */
export async function tryChecks(checks: Readonly<Record<string, () => Promise<string>>>): Promise<string[][]> {
  const rows: string[][] = [];
  for (const [name, check] of Object.entries(checks)) {
    try {
      rows.push([name, 'yes', await check()]);
    } catch (error) {
      process.exitCode = 1;
      process.stderr.write(`${name}: ${error instanceof Error ? error.stack : String(error)}\n`);
      rows.push([name, 'no', '']);
    }
  }
  return rows;
}
