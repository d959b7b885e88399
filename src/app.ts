import type { IncomingMessage, RequestListener } from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import { authenticate, enforceAccessTable } from './auth/authentication.ts';
import { findCallers } from './auth/caller-queries.ts';
import { firstSignIn } from './auth/first-sign-in.ts';
import type { ConsoleFiles } from './console/console-files.ts';
import { consoleRoutes } from './console/console-routes.ts';
import { signInOffer } from './console/sign-in-offer.ts';
import type { Context } from './context.ts';
import { shareReads } from './db/shared-reads.ts';
import { documentationRoutes } from './documentation/documentation-routes.ts';
import { describeRoutes } from './documentation/openapi.ts';
import { approvalPoliciesRoutes } from './features/approval-policies/approval-policies-routes.ts';
import { auditRoutes } from './features/audit/audit-routes.ts';
import { companiesRoutes } from './features/companies/companies-routes.ts';
import { departmentsRoutes } from './features/departments/departments-routes.ts';
import { geographyRoutes } from './features/geography/geography-routes.ts';
import type { Geography } from './features/geography/geography-store.ts';
import { findReadyPlaces } from './features/geography/ready-places.ts';
import { healthRoutes } from './features/health/health-routes.ts';
import { isReady, readinessOf } from './features/health/readiness.ts';
import { findProfiles } from './features/profile/profile-queries.ts';
import { profileRoutes } from './features/profile/profile-routes.ts';
import { allowOrigins } from './http/cors.ts';
import type { CountExchange } from './http/count-exchange.ts';
import { handleErrors } from './http/error-handler.ts';
import { compileListInput, validateWith } from './http/input.ts';
import { acceptJsonBodies } from './http/json-body.ts';
import { createLimits } from './http/limits.ts';
import { PaginationSchema } from './http/pagination.ts';
import { sendReadyAnswers } from './http/ready-answers.ts';
import { checkRequests } from './http/request-checks.ts';
import { createLog, logRequests } from './http/request-log.ts';
import { SERVER_OPTIONS } from './http/server-options.ts';
import { inBatches } from './lib/in-batches.ts';
import { measureRequests } from './metrics/measured-requests.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Tracing } from './tracing/open-tracing.ts';

export type AppContext = Pick<
  Context,
  'config' | 'db' | 'replica' | 'verifyToken' | 'signToken' | 'identityProvider'
> & {
  geography: Geography;
  /** The built pages of the console; absent: the API alone. */
  consoleFiles?: ConsoleFiles;
  /** Aborted where the service is to stop: it says that it is not ready, and goes on. */
  stop?: AbortSignal;
  /** Where several processes serve together: what each has counted towards the limits. */
  counts?: CountExchange;
  /** Absent: nothing is counted. */
  metrics?: Metrics | undefined;
  /** Absent: nothing has a span. */
  tracing?: Tracing | undefined;
};

const PROVIDER_FAILED = 'The identity provider did not answer as it should: keys that are known stay in use';

const REPLICA_CHANGED = 'The state of the replica: while it is not up, lists are read from the primary';

/** Builds the service: what every request passes, then the features, each in the scope of those who may call it. */
export async function buildApp(context: AppContext): Promise<FastifyInstance> {
  const { config, replica, verifyToken, identityProvider, geography, stop, metrics, tracing } = context;
  const db = tracing?.traceStatements(context.db) ?? context.db;
  const batched = tracing?.inBatches ?? inBatches;
  const app = Fastify(SERVER_OPTIONS);
  const log = createLog(config.logLevel);
  const measured = metrics && measureRequests(app, metrics.requests);
  const spans = tracing?.traceRequests(app);
  logRequests(app, log);
  const limits = createLimits(config, context.counts);
  handleErrors(app);
  allowOrigins(app, config.corsOrigins);
  checkRequests(app);
  acceptJsonBodies(app);
  enforceAccessTable(app);
  app.setValidatorCompiler(validateWith(compileListInput));
  app.addSchema(PaginationSchema);
  await describeRoutes(app);

  const signIn = identityProvider && firstSignIn(db, identityProvider);
  app.addHook('onReady', async () => identityProvider?.start((error) => app.log.warn({ err: error }, PROVIDER_FAILED)));
  app.addHook('onClose', async () => identityProvider?.[Symbol.dispose]());
  app.addHook('onReady', async () => replica?.start((state) => app.log.warn({ replica: state }, REPLICA_CHANGED)));

  const lookAround = readinessOf({ db, replica, geography, identityProvider });
  app.register(async (scope) => {
    healthRoutes(scope, { lookAround, stop });
  });
  app.register(async (scope) => {
    scope.addHook('onRequest', (request, _reply, done) => {
      limits.countPublic(request.raw);
      done();
    });
    documentationRoutes(scope);
    consoleRoutes(scope, { files: context.consoleFiles, identityProvider, offer: signInOffer(context) });
    geographyRoutes(scope, { geography, enter: limits.enter });
  });
  app.register(async (scope) => {
    const callerOf = authenticate(scope, {
      verifyToken,
      findCaller: batched((owners) => findProfiles(db, owners)),
      signIn,
      limits,
    });
    profileRoutes(scope, { db, callerOf });
  });
  app.register(async (scope) => {
    const callerOf = authenticate(scope, {
      verifyToken,
      findCaller: batched((owners) => findCallers(db, owners)),
      signIn,
      limits,
    });
    // Nothing that a caller writes shows in these: what does (profile, audit trail, feed) and the callers come from the primary.
    const lists = shareReads(replica ?? db);
    companiesRoutes(scope, { db: lists });
    approvalPoliciesRoutes(scope, { db: lists, callerOf });
    departmentsRoutes(scope, { db: lists, callerOf });
    auditRoutes(scope, { db, callerOf });
  });
  await app.ready();
  metrics?.watch({
    poolFigures: db.poolFigures,
    limitFigures: limits.figures,
    geography,
    readiness: async () => {
      const states = await lookAround();
      return { isReady: isReady(states) && !stop?.aborted, states };
    },
  });
  let listener: RequestListener = app.routing;
  if (measured) listener = measured.around(listener);
  if (spans) listener = spans(listener);
  // Neither logged, nor traced, nor open to pages of other origins: those answers come through the hooks.
  else if (!log.isLevelEnabled('info') && config.corsOrigins.length === 0) {
    const find = (request: IncomingMessage) => findReadyPlaces(geography, request);
    listener = sendReadyAnswers(app.server, { find, count: limits.countPublic, sent: measured?.addReady }, listener);
  }
  if (listener !== app.routing) app.server.removeAllListeners('request').on('request', listener);
  return app;
}
