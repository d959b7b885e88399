import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { anyone } from '../auth/callers/access.ts';
import { operation } from './operation.ts';
import { one } from './output.ts';

const described = {
  id: 'things.get',
  operationId: 'getThing',
  tag: 'Things',
  summary: 'A thing',
  description: 'A thing',
  path: '/api/things/get',
  methods: ['GET'],
  message: 'Thing retrieved successfully',
  access: anyone,
  output: one(Type.Object({})),
} as const;
const input = Type.Object({ id: Type.String() });
const handle = () => ({});

test('an operation with a parse function but without an input schema does not compile', () => {
  const parse = (raw: unknown) => raw;
  // Parsed without a schema: the route would never call it.
  // @ts-expect-error
  const withoutInput = operation({ ...described, parse, handle });
  // @ts-expect-error
  const undefinedInput = operation({ ...described, input: undefined, parse, handle });
  assert.deepEqual([withoutInput.input, undefinedInput.input], [undefined, undefined]);
  assert.equal(operation({ ...described, input, parse, handle }).parse, parse);
  assert.equal(operation({ ...described, input, handle }).input, input);
  assert.equal(operation({ ...described, handle }).input, undefined);
});
