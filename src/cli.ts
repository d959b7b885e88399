#!/usr/bin/env node
import { parseArgs } from 'node:util';
import type { Command, GivenOptions, Output } from './cli/command.ts';
import { optionsOf, usageOf } from './cli/command-options.ts';
import { explainError } from './cli/explain-error.ts';
import { COMMANDS, runCommand } from './cli/run-command.ts';
import { terminalOutput } from './cli/terminal-output.ts';
import { type Config, readConfig } from './config.ts';
import { UserError } from './lib/errors.ts';

const HELP = [
  'Usage: orgdesk COMMAND',
  '',
  `  ${'serve'.padEnd(17)} migrate, load geography and (on the embedded default) demo companies where there are none, then listen`,
  ...COMMANDS.flatMap(({ name, parameters, options = [], summary }) => [
    `  ${[name, ...parameters].join(' ').padEnd(17)} ${summary}`,
    ...options.map((option) => `    --${[option.name, option.value].join(' ').padEnd(13)} ${option.summary}`),
  ]),
  '',
  'Settings are environment variables, described in README.md: PORT, HOST, DATA_DIR, DISK_RESERVE, DATABASE_URL, DATABASE_DIRECT_URL,',
  'DATABASE_REPLICA_URL, DATABASE_MAX_CONNECTIONS, DATABASE_TIMEOUT, WORKERS, DRAIN_DELAY, DEMO_DATA, LOG_LEVEL, METRICS_PORT,',
  'METRICS_HOST, OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_SCOPE, JWKS_URL,',
  'TOKEN_ALGORITHM, JWT_SECRET, TOKEN_ISSUER, TOKEN_AUDIENCE, TOKEN_LIFETIME,',
  'RATE_LIMIT_PUBLIC, RATE_LIMIT_USER, RATE_LIMIT_BAD_TOKENS, TRUST_PROXY, MAX_REQUESTS_UNDER_WAY, CORS_ORIGINS,',
  'and those of OpenTelemetry: OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER, OTEL_SERVICE_NAME and others.',
].join('\n');

async function main(words: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { ...optionsOf(COMMANDS), help: { type: 'boolean', short: 'h' } },
  });
  const { help, ...options } = values;
  const [name, ...rest] = positionals;
  using output = terminalOutput();
  if (help || name === 'help') return output.print(HELP);
  if (name === undefined) throw new UserError(`Which command?\n\n${HELP}`);

  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (!command && name !== 'serve') throw new UserError(`There is no command ${name}.\n\n${HELP}`);
  expectWords(command ?? { name, parameters: [] }, rest, options as GivenOptions);
  const config = readConfig(process.env);
  try {
    await (command ? runCommand(command, rest, options as GivenOptions, config, output) : serveAndExit(config, output));
  } catch (error) {
    throw explainError(error, config);
  }
}

function expectWords(
  command: Pick<Command, 'name' | 'parameters' | 'options'>,
  values: readonly string[],
  given: GivenOptions,
): void {
  const { name, parameters, options = [] } = command;
  const expected = `Expected: orgdesk ${usageOf(command)}`;
  for (const option of Object.keys(given)) {
    if (options.some((known) => known.name === option)) continue;
    throw new UserError(`orgdesk ${name} has no option --${option}. ${expected}`);
  }
  if (values.length !== parameters.length || [...values, ...Object.values(given)].includes('')) {
    throw new UserError(expected);
  }
}

async function serveAndExit(config: Config, output: Output): Promise<void> {
  // Loaded only here: it takes longer to load than most commands take.
  const { serve } = await import('./cli/serve.ts');
  await serve(config, output);
  // All is closed. What a thread still does in the background, such as compressing a list, need not be waited for.
  process.exit();
}

/** What to print: the words of an error that people can mend, the whole stack of any other. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UserError) return error.message;
  const isBadOption = (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
  return isBadOption ? `${error.message}\n\n${HELP}` : (error.stack ?? error.message);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${textOf(error)}\n`);
  process.exitCode = 1;
}
