import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../../src/config/config.ts';
import { problemsOf } from './settings-problems.ts';

const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
const tracesUrl = (env: Record<string, string>) => readConfig(env).tracing?.url;

test('metrics are served on the loopback address unless METRICS_HOST is set', () => {
  assert.deepEqual(readConfig({ METRICS_PORT: '9464' }).metrics, { port: 9464, host: '127.0.0.1' });
  assert.deepEqual(readConfig({ METRICS_PORT: '9464', HOST: '0.0.0.0' }).metrics?.host, '127.0.0.1');
  assert.deepEqual(readConfig({ METRICS_PORT: '0', PORT: '0' }).metrics, { port: 0, host: '127.0.0.1' });
  assert.equal(readConfig({ METRICS_PORT: '', METRICS_HOST: '' }).metrics, undefined);
});

test('METRICS_PORT is refused if it equals PORT', () => {
  const asPort = 'as PORT is: expected another one, as metrics are not for the public';
  assert.deepEqual(problemsOf({ METRICS_PORT: '3000' }), [`  METRICS_PORT is "3000", ${asPort}`]);
  assert.deepEqual(problemsOf({ PORT: '80', METRICS_PORT: '80' }), [`  METRICS_PORT is "80", ${asPort}`]);
  assert.deepEqual(problemsOf({ METRICS_PORT: '70000', METRICS_HOST: '::1' }), [
    '  METRICS_PORT is "70000": expected a whole number from 0 to 65535',
  ]);
  assert.deepEqual(problemsOf({ METRICS_HOST: '::1' }), ['  METRICS_HOST is set: expected only with METRICS_PORT']);
});

test('the variables of OpenTelemetry switch tracing on and off', () => {
  const url = 'http://127.0.0.1:4318/v1/traces';
  assert.equal(tracesUrl(COLLECTOR), url);
  assert.equal(tracesUrl({ OTEL_TRACES_EXPORTER: 'otlp' }), 'http://localhost:4318/v1/traces');
  assert.equal(
    tracesUrl({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example/tenant/' }),
    'https://otel.example/tenant/v1/traces',
  );
  assert.equal(
    tracesUrl({ ...COLLECTOR, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://a.example/t' }),
    'https://a.example/t',
  );
  assert.equal(tracesUrl({ ...COLLECTOR, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_SDK_DISABLED: 'false' }), url);
  const ofTraces = { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
  assert.equal(tracesUrl({ ...COLLECTOR, ...ofTraces }), url);
  for (const off of [
    { OTEL_TRACES_EXPORTER: 'none' },
    { OTEL_SDK_DISABLED: 'true' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
  ]) {
    assert.equal(tracesUrl({ ...COLLECTOR, ...off }), undefined);
  }
  assert.equal(tracesUrl({ OTEL_SERVICE_NAME: 'orgdesk', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }), undefined);
});

test('an unsupported exporter, endpoint or protocol of tracing is refused', () => {
  assert.deepEqual(problemsOf({ OTEL_TRACES_EXPORTER: 'zipkin' }), [
    '  OTEL_TRACES_EXPORTER is "zipkin": expected one of otlp, none',
  ]);
  assert.deepEqual(problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }), [
    '  OTEL_EXPORTER_OTLP_ENDPOINT is "collector:4317": expected an address such as http://127.0.0.1:4318',
  ]);
  for (const protocol of ['grpc', 'http/protobuf']) {
    assert.deepEqual(problemsOf({ ...COLLECTOR, OTEL_EXPORTER_OTLP_PROTOCOL: protocol }), [
      `  OTEL_EXPORTER_OTLP_PROTOCOL is "${protocol}": expected http/json, the one that is spoken here`,
    ]);
  }
});
