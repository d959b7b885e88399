import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type TObject, type TSchema, Type } from 'typebox';
import { ApiError } from '../entities/api-error.ts';
import type { FieldProblem } from '../entities/field-problem.ts';
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

  it('come as numbers or digits', () => {
    for (const raw of [7, '7', '007', 7.0]) assert.equal(read(bounded, raw), 7);
    assert.equal(read(Type.Integer(), '-12'), -12);
    assert.equal(read(Type.Integer(), Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
    assert.equal(read(Type.Integer(), '-9007199254740991'), Number.MIN_SAFE_INTEGER);
  });

  it('are refused in any other form', () => {
    for (const raw of ['7.0', '7.5', 7.5, '1e2', '0x10', '+7', ' 7', '7 ', '٧', 'x', '-', true, {}]) {
      assertRefused(bounded, raw, 'INVALID_TYPE', 'must be a whole number from 1 to 100');
    }
  });

  it('are held to their bounds, which the message names', () => {
    for (const raw of [0, '0', -1, 101, '101', '9'.repeat(400), Number.POSITIVE_INFINITY]) {
      assertRefused(bounded, raw, 'OUT_OF_RANGE', 'must be a whole number from 1 to 100');
    }
    assertRefused(Type.Integer({ minimum: 1 }), 0, 'OUT_OF_RANGE', 'must be a whole number of at least 1');
    assert.equal(read(bounded, 1), 1);
    assert.equal(read(bounded, '100'), 100);
  });

  it('are refused where they have been rounded already', () => {
    for (const raw of [2 ** 53, '9007199254740993', '-9007199254740992']) {
      assertRefused(Type.Integer(), raw, 'OUT_OF_RANGE', 'must be a whole number');
    }
  });
});

describe('booleans', () => {
  it('are true and false, and as texts true, false, 1 and 0 in any case', () => {
    for (const raw of [true, 'true', 'True', 'TRUE', '1']) assert.equal(read(Type.Boolean(), raw), true);
    for (const raw of [false, 'false', 'False', 'FALSE', '0']) assert.equal(read(Type.Boolean(), raw), false);
  });

  it('are nothing else', () => {
    for (const raw of [1, 0, '2', '01', 'yes', 'on', ' true', {}]) {
      assertRefused(Type.Boolean(), raw, 'INVALID_TYPE', 'must be true or false');
    }
  });
});

describe('UUIDs', () => {
  const schema = Type.String({ format: 'uuid' });

  it('are taken in the canonical form, in either case, and given in lower case', () => {
    assert.equal(read(schema, UUID), UUID);
    assert.equal(read(schema, UUID.toUpperCase()), UUID);
  });

  it('are refused in any other form', () => {
    for (const raw of [`{${UUID}}`, UUID.replaceAll('-', ''), `${UUID} `, `urn:uuid:${UUID}`, UUID.slice(1), 'x']) {
      assertRefused(schema, raw, 'INVALID_FORMAT', `must be ${uuid.rule}`);
    }
  });
});

describe('texts', () => {
  const schema = Type.String({ maxLength: 3 });

  it('are given as they are', () => {
    for (const raw of [' a ', '0', 'ABC', '🦉🦉🦉', 'é']) assert.equal(read(schema, raw), raw);
  });

  it('are refused where they are too long, hold what cannot be stored, or are no texts', () => {
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

  it('that are empty, null or absent are left out, and so are unknown ones', () => {
    const empty = { search: '', activeOnly: null, more: 1, toString: 'x' };
    assert.deepEqual(check({ companyId: UUID, ...empty }), { companyId: UUID });
  });

  it('that are required are missed: absent, empty or null', () => {
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

  it('that come twice are refused', () => {
    const [problem] = problemsOf(schema, { companyId: [UUID, UUID] });
    assert.deepEqual(problem, {
      field: 'companyId',
      code: 'DUPLICATE',
      message: 'companyId must be given once, as one value.',
    });
  });

  it('that are written as lists are refused, whatever they hold and whether they are read or not', () => {
    for (const name of ['companyId[]', 'companyId[0]', 'companyId[a]', 'companyId[0][id]']) {
      for (const given of [{ [name]: UUID }, { companyId: UUID, [name]: '' }, { companyId: UUID, [name]: [UUID] }]) {
        const problems = problemsOf(schema, given);
        assert.deepEqual(problems, [
          { field: 'companyId', code: 'DUPLICATE', message: 'companyId must be given once, as one value.' },
        ]);
      }
    }
    const paged = Type.Object(optionalPageParameters(1000));
    assert.deepEqual(
      problemsOf(paged, { 'limit[]': '10' }).map(({ field }) => field),
      ['limit'],
    );
    assert.deepEqual(check({ companyId: UUID, 'other[]': 'x', ']': 'x', '[]': 'x' }), { companyId: UUID });
  });

  it('that are wrong are returned all at once', () => {
    const codes = problemsOf(schema, { companyId: 'x', search: 1, activeOnly: 'x' }).map(({ code }) => code);
    assert.deepEqual(codes, ['INVALID_FORMAT', 'INVALID_TYPE', 'INVALID_TYPE']);
  });

  it('that depend on another are read only where that one is true, in any order', () => {
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

  it('of a type that nobody reads make the service refuse to start', () => {
    assert.throws(() => compileListInput(Type.Object({ it: Type.Array(Type.String()) })), TypeError);
  });

  it('of a schema with a keyword that nobody reads make the service refuse to start', () => {
    for (const schema of [
      Type.String({ minLength: 1 }),
      Type.String({ pattern: '^a' }),
      Type.String({ format: 'date' }),
      Type.Integer({ multipleOf: 2 }),
      Type.Integer({ enum: [1, 2] }),
      Type.Boolean({ const: true }),
    ]) {
      assert.throws(() => compileListInput(Type.Object({ it: schema })), /Nothing reads/, JSON.stringify(schema));
    }
  });

  it('are one of the values that the schema lists, where it lists them', () => {
    const read = compileListInput(Type.Object({ role: Type.String({ enum: ['MANAGER', 'EMPLOYEE'] }) }));
    assert.deepEqual(read({ role: 'MANAGER' }), { role: 'MANAGER' });
    for (const role of ['manager', 'ADMIN', 1, ['MANAGER']]) assert.throws(() => read({ role }), ApiError);
  });
});
