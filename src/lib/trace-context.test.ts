import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTraceContext, traceHeaders } from './trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const PARENT = `00-${TRACE}-${SPAN}-01`;

const stateOf = (tracestate: string) => readTraceContext({ traceparent: PARENT, tracestate })?.state;

test('the trace context is read and written in the same form', () => {
  for (const headers of [
    { traceparent: PARENT },
    { traceparent: `00-${TRACE}-${SPAN}-00`, tracestate: 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7' },
    { traceparent: `00-${TRACE}-${SPAN}-03`, tracestate: 'fw529a3039@dt=FfAAAABFHtcc9e' },
  ]) {
    assert.deepEqual(traceHeaders(readTraceContext(headers)), headers);
  }
  assert.deepEqual(readTraceContext({ traceparent: PARENT }), {
    traceId: TRACE,
    spanId: SPAN,
    flags: 1,
    state: undefined,
  });
  assert.deepEqual(traceHeaders(undefined), {});
});

test('a trace context of a later version is read as far as possible and written in version 00', () => {
  for (const traceparent of [`cc-${TRACE}-${SPAN}-01`, `cc-${TRACE}-${SPAN}-01-what-the-future-brings`]) {
    assert.deepEqual(traceHeaders(readTraceContext({ traceparent })), { traceparent: PARENT });
  }
  const unknownFlags = readTraceContext({ traceparent: `00-${TRACE}-${SPAN}-ff` });
  assert.deepEqual(traceHeaders(unknownFlags), { traceparent: `00-${TRACE}-${SPAN}-03` });
});

test('a malformed traceparent header is ignored', () => {
  for (const traceparent of [
    '',
    'x',
    TRACE,
    `${PARENT}-`,
    `${PARENT}-00`,
    `${PARENT}, ${PARENT}`,
    `${PARENT}0`,
    ` ${PARENT}`,
    `ff-${TRACE}-${SPAN}-01`,
    `0-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}`,
    `cc-${TRACE}-${SPAN}-01.x`,
    `00_${TRACE}_${SPAN}_01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${SPAN}-0g`,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
    `00-${TRACE}0-${SPAN}-01`,
    '0'.repeat(8_000),
  ]) {
    assert.equal(readTraceContext({ traceparent }), undefined, traceparent);
  }
  assert.equal(readTraceContext({}), undefined);
  assert.equal(readTraceContext({ traceparent: [PARENT] }), undefined);
  assert.equal(readTraceContext({ tracestate: 'a=b' }), undefined);
});

test('a malformed tracestate header is omitted, and the trace continues', () => {
  for (const state of [
    '',
    ' ',
    ',',
    'a',
    '=b',
    'a=',
    'A=b',
    '1a=b',
    'a=b,a=c',
    'a=b=c',
    'a=b\u00e9',
    'a=b\u0000',
    'a@1=b',
    `a=${'x'.repeat(257)}`,
    Array.from({ length: 33 }, (_, number) => `a${number}=b`).join(),
    `a=b,${'c'.repeat(600)}=d`,
    `a=${'x '.repeat(300)}`,
  ]) {
    assert.equal(stateOf(state), undefined, state);
    assert.equal(readTraceContext({ traceparent: PARENT, tracestate: state })?.traceId, TRACE);
  }
  assert.equal(stateOf('a=b ,\t, c=d e!'), 'a=b,c=d e!');
  assert.equal(stateOf('1a@b=c'), '1a@b=c');
});
