import assert from 'node:assert/strict';
import { readConfig } from '../../../src/config/config.ts';
import { UserError } from '../../../src/lib/errors.ts';

/** What is wrong with settings, a line each. */
export function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
  } catch (error) {
    assert.ok(error instanceof UserError);
    return error.message.split('\n').slice(1, -1);
  }
  return [];
}
