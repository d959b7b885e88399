import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import {
  DEPENDENCY_STATES,
  type DependencyStates,
  healthByDependency,
} from '../../../src/features/health/health-schemas.ts';
import { addServiceMetrics } from '../../../src/metrics/service-metrics.ts';

const GOOD: Record<string, string> = {
  database: 'up',
  replica: 'up',
  disk: 'ok',
  identityProvider: 'up',
};

/** Returns `orgdesk_dependency_up` of each dependency as a scrape shows it. */
async function scraped(states: DependencyStates): Promise<Map<string, string>> {
  const registry = new Registry();
  const kinds = { find: () => ({ totalItems: 1 }) };
  addServiceMetrics(registry, {
    limitFigures: () => ({ inFlight: 0, refused: {}, dropped: { stalled: 0, network: 0, memory: 0 } }) as never,
    geography: { index: { version: '1', countries: kinds, states: kinds, cities: kinds } },
    readiness: async () => ({ isReady: true, dependencies: healthByDependency(states) }),
    webhooks: { attempts: undefined, figures: async () => ({ oldestUndelivered: 0, switchedOff: 0 }) },
  });
  const text = await registry.getSingleMetricAsString('orgdesk_dependency_up');
  return new Map([...text.matchAll(/dependency="(\w+)"\} (\d)/g)].map(([, name = '', up = '']) => [name, up]));
}

test('the dependency metric is 1 for the good state of a dependency and 0 for any other state', async () => {
  assert.deepEqual(Object.keys(DEPENDENCY_STATES).sort(), Object.keys(GOOD).sort());
  for (const [name, states] of Object.entries(DEPENDENCY_STATES)) {
    for (const state of Object.keys(states)) {
      const up = (await scraped({ ...GOOD, [name]: state } as unknown as DependencyStates)).get(name);
      assert.equal(up, state === GOOD[name] ? '1' : '0', `${name} ${state}`);
    }
  }
});
