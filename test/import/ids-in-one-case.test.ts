import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestDatabase } from '../support/test-database.ts';
import { type CsvRow, contents, importFiles, problemLines, validFiles } from './folders.ts';

describe('import: ids', () => {
  it('an import treats UUIDs in either letter case as the same id, also for policies and bookings', async () => {
    const letters = (number: number) => `ABCDEF00-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const [policy, level, role, booked] = [letters(1), letters(2), letters(3), letters(4)];
    const files = {
      ...validFiles,
      'company-roles.csv': [{ ...validFiles['company-roles.csv'][0], id: role }],
      'approval-policies.csv': [{ ...validFiles['approval-policies.csv'][0], id: policy }],
      'approval-policy-levels.csv': [
        { ...validFiles['approval-policy-levels.csv'][0], id: level, policyId: policy.toLowerCase() },
      ],
      'bookings.csv': [{ ...validFiles['bookings.csv'][0], id: booked }],
    };
    await using db = await openTestDatabase();
    await importFiles(db, files);
    const before = await contents(db);
    const { approval_policies: policies, approval_policy_levels: levels, company_roles: roles, bookings } = before;
    assert.deepEqual(
      [policies, levels, roles, bookings].map((rows) => rows?.map((row) => row.id)),
      [policy, level, role, booked].map((written) => [written.toLowerCase()]),
    );
    const lowered = Object.fromEntries(
      Object.entries(files).map(([file, rows]) => [
        file,
        rows.map((row: CsvRow) =>
          Object.fromEntries(
            Object.entries(row).map(([column, value]) => [
              column,
              value.startsWith('ABCDEF') ? value.toLowerCase() : value.replace(/^abcdef/, 'ABCDEF'),
            ]),
          ),
        ),
      ]),
    );
    for (const again of [lowered, files]) {
      const counts = Object.values(await importFiles(db, again)).flatMap((each) => each.slice(0, 2));
      assert.ok(counts.every((count) => count === 0));
      assert.deepEqual(await contents(db), before);
    }
    const both = [policy, policy.toLowerCase()].map((each) => ({
      ...validFiles['approval-policies.csv'][0],
      id: each,
    }));
    assert.match((await problemLines({ ...files, 'approval-policies.csv': both })).join(), /approval-policies\.csv:3/);
  });
});
