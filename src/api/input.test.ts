import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type TObject, type TSchema, Type } from 'typebox';
import type { FieldProblem } from '../entities/api-error.ts';
import { ApiError } from '../entities/api-error.ts';
import { uuid } from '../entities/values.ts';
import { compileListInput } from './input.ts';
import { optionalPageParameters } from './pagination.ts';

const UUID = '123e4567-e89b-42d3-a456-426614174000';

/** Returns the parsed value of a single optional parameter with this schema. */
function read(schema: TSchema, raw: unknown): unknown {
  return compileListInput(Type.Object({ it: Type.Optional(schema) }))({ it: raw }).it;
}

function problemsOf(schema: TObject, raw: unknown): readonly FieldProblem[] {
  try {
    compileListInput(schema)(raw);
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, 'INVALID_INPUT');
    assert.equal(error.message, error.problems.map(({ message }) => message).join(' '));
    return error.problems;
  }
  return assert.fail(`${JSON.stringify(raw)} is taken`);
}

function assertRefused(schema: TSchema, raw: unknown, code: string, message: string): void {
  const [problem, ...others] = problemsOf(Type.Object({ it: Type.Optional(schema) }), { it: raw });
  assert.deepEqual([problem, others], [{ field: 'it', code, message: `it ${message}.` }, []], JSON.stringify(raw));
}

describe('integers', () => {
  const bounded = Type.Integer({ minimum: 1, maximum: 100 });

  it('the input reader accepts an integer parameter as a number or as digits', () => {
    for (const raw of [7, '7', '007', 7.0]) assert.equal(read(bounded, raw), 7);
    assert.equal(read(Type.Integer(), '-12'), -12);
    assert.equal(read(Type.Integer(), Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
    assert.equal(read(Type.Integer(), '-9007199254740991'), Number.MIN_SAFE_INTEGER);
  });

  it('the input reader returns INVALID_TYPE for an integer in any form other than a number or digits', () => {
    for (const raw of ['7.0', '7.5', 7.5, '1e2', '0x10', '+7', ' 7', '7 ', '٧', 'x', '-', true, {}]) {
      assertRefused(bounded, raw, 'INVALID_TYPE', 'must be a whole number from 1 to 100');
    }
  });

  it('the input reader returns OUT_OF_RANGE with the bounds for an integer beyond its bounds', () => {
    for (const raw of [0, '0', -1, 101, '101', '9'.repeat(400), Number.POSITIVE_INFINITY]) {
      assertRefused(bounded, raw, 'OUT_OF_RANGE', 'must be a whole number from 1 to 100');
    }
    assertRefused(Type.Integer({ minimum: 1 }), 0, 'OUT_OF_RANGE', 'must be a whole number of at least 1');
    assert.equal(read(bounded, 1), 1);
    assert.equal(read(bounded, '100'), 100);
  });

  it('the input reader returns OUT_OF_RANGE for an integer beyond the exact range of JavaScript', () => {
    for (const raw of [2 ** 53, '9007199254740993', '-9007199254740992']) {
      assertRefused(Type.Integer(), raw, 'OUT_OF_RANGE', 'must be a whole number');
    }
  });
});

describe('booleans', () => {
  it('the input reader accepts a boolean as true or false, or as the texts true, false, 1 and 0 in any case', () => {
    for (const raw of [true, 'true', 'True', 'TRUE', '1']) assert.equal(read(Type.Boolean(), raw), true);
    for (const raw of [false, 'false', 'False', 'FALSE', '0']) assert.equal(read(Type.Boolean(), raw), false);
  });

  it('the input reader returns INVALID_TYPE for any other form of a boolean', () => {
    for (const raw of [1, 0, '2', '01', 'yes', 'on', ' true', {}]) {
      assertRefused(Type.Boolean(), raw, 'INVALID_TYPE', 'must be true or false');
    }
  });
});

describe('UUIDs', () => {
  const schema = Type.String({ format: 'uuid' });

  it('the input reader accepts a canonical UUID in either case and returns lower case', () => {
    assert.equal(read(schema, UUID), UUID);
    assert.equal(read(schema, UUID.toUpperCase()), UUID);
  });

  it('the input reader returns INVALID_FORMAT for a UUID that is not in the canonical form', () => {
    for (const raw of [`{${UUID}}`, UUID.replaceAll('-', ''), `${UUID} `, `urn:uuid:${UUID}`, UUID.slice(1), 'x']) {
      assertRefused(schema, raw, 'INVALID_FORMAT', `must be ${uuid.rule}`);
    }
  });
});

describe('texts', () => {
  const schema = Type.String({ maxLength: 3 });

  it('the input reader returns a text parameter unchanged', () => {
    for (const raw of [' a ', '0', 'ABC', '🦉🦉🦉', 'é']) assert.equal(read(schema, raw), raw);
  });

  it('the input reader refuses a text that is too long, cannot be stored, or is not a text', () => {
    for (const raw of ['abcd', '🦉🦉🦉🦉', 'x'.repeat(1000)]) {
      assertRefused(schema, raw, 'TOO_LONG', 'must have at most 3 characters');
    }
    for (const raw of ['\0', 'a\0b', '\ud800', '\udc00a']) {
      assertRefused(schema, raw, 'INVALID_VALUE', 'must not hold NUL or half of a surrogate pair');
    }
    for (const raw of [1, true, {}]) assertRefused(schema, raw, 'INVALID_TYPE', 'must be a text');
  });
});

describe('parameters', () => {
  const schema = Type.Object({
    companyId: Type.String({ format: 'uuid' }),
    search: Type.Optional(Type.String()),
    activeOnly: Type.Optional(Type.Boolean()),
  });
  const check = compileListInput(schema);

  it('the input reader omits parameters that are empty, null, absent or unknown', () => {
    const empty = { search: '', activeOnly: null, more: 1, toString: 'x' };
    assert.deepEqual(check({ companyId: UUID, ...empty }), { companyId: UUID });
  });

  it('the input reader returns REQUIRED for a required parameter that is absent, empty or null', () => {
    const required = [{ field: 'companyId', code: 'REQUIRED', message: 'companyId is required.' }];
    for (const raw of [
      {},
      { companyId: '' },
      { companyId: null },
      undefined,
      null,
      Object.create({ companyId: UUID }),
    ]) {
      assert.deepEqual(problemsOf(schema, raw), required);
    }
  });

  it('the input reader returns DUPLICATE for a parameter that is given twice', () => {
    const [problem] = problemsOf(schema, { companyId: [UUID, UUID] });
    assert.deepEqual(problem, {
      field: 'companyId',
      code: 'DUPLICATE',
      message: 'companyId must be given once, as one value.',
    });
  });

  it('the input reader returns the problems of all parameters at once', () => {
    const codes = problemsOf(schema, { companyId: 'x', search: 1, activeOnly: 'x' }).map(({ code }) => code);
    assert.deepEqual(codes, ['INVALID_FORMAT', 'INVALID_TYPE', 'INVALID_TYPE']);
  });

  it('the input reader reads page and limit only if isPaginationNeeded is true, in any order of the parameters', () => {
    const paged = compileListInput(Type.Object(optionalPageParameters(1000)));
    const given = { page: 'x', limit: ['y'] };
    for (const isPaginationNeeded of [false, 'false', '', null]) {
      const read = paged({ ...given, isPaginationNeeded });
      assert.deepEqual([read.page, read.limit], [undefined, undefined]);
    }
    assert.deepEqual(paged({ limit: '5', isPaginationNeeded: 'true' }), { isPaginationNeeded: true, limit: 5 });
    const problems = problemsOf(Type.Object(optionalPageParameters(1000)), { ...given, isPaginationNeeded: true });
    assert.deepEqual(
      problems.map(({ field }) => field),
      ['page', 'limit'],
    );
  });

  it('the input compiler throws a TypeError for a parameter type that it cannot read', () => {
    assert.throws(() => compileListInput(Type.Object({ it: Type.Array(Type.String()) })), TypeError);
  });

  it('the input compiler throws a TypeError for a schema keyword that it cannot read', () => {
    for (const schema of [
      Type.String({ minLength: 1 }),
      Type.String({ pattern: '^a' }),
      Type.String({ format: 'time' }),
      Type.Integer({ multipleOf: 2 }),
      Type.Integer({ enum: [1, 2] }),
      Type.Boolean({ const: true }),
    ]) {
      assert.throws(() => compileListInput(Type.Object({ it: schema })), /Nothing reads/, JSON.stringify(schema));
    }
  });

  it('the input reader accepts only the values that the schema enumerates', () => {
    const read = compileListInput(Type.Object({ role: Type.String({ enum: ['MANAGER', 'EMPLOYEE'] }) }));
    assert.deepEqual(read({ role: 'MANAGER' }), { role: 'MANAGER' });
    for (const role of ['manager', 'ADMIN', 1, ['MANAGER']]) assert.throws(() => read({ role }), ApiError);
  });
});
