import { type Static, Type } from 'typebox';

/** That the process runs. */
export const Liveness = Type.Object(
  { process: Type.String({ enum: ['up'], examples: ['up'] }) },
  { title: 'Liveness' },
);

/** What the service depends on, each with its state. */
export const Readiness = Type.Object(
  {
    database: Type.String({
      description: 'Whether it answers within two seconds',
      enum: ['up', 'down'],
      examples: ['up'],
    }),
    replica: Type.Optional(
      Type.String({
        description:
          'Where one is configured. behind: it is not known to be recent; down: it does not answer. Lists are read from it while it is up',
        enum: ['up', 'behind', 'down'],
        examples: ['up'],
      }),
    ),
    geography: Type.String({ enum: ['loaded', 'empty'], examples: ['loaded'] }),
    disk: Type.Optional(
      Type.String({
        description: 'Of the embedded database. low: nothing can be written, and reading goes on',
        enum: ['ok', 'low'],
        examples: ['ok'],
      }),
    ),
    identityProvider: Type.Optional(
      Type.String({
        description:
          'Where one is configured. unreachable: its keys are known from before, and tokens are verified with these; ' +
          'no-keys: no token can be verified',
        enum: ['up', 'unreachable', 'no-keys'],
        examples: ['up'],
      }),
    ),
  },
  { title: 'Readiness' },
);
export type Readiness = Static<typeof Readiness>;
