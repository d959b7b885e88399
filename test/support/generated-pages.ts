import { readFileSync } from 'node:fs';
import { OPERATIONS } from '../../src/app/all-operations.ts';
import { SERVICE_RIGHTS } from '../../src/commands/check/service-rights.ts';
import { optionWords, usageOf } from '../../src/commands/command-options.ts';
import { ALL_COMMANDS } from '../../src/commands/commands.ts';
import { sentence } from '../../src/commands/help.ts';
import type { Section, Setting } from '../../src/config/setting.ts';
import { SECTIONS } from '../../src/config/settings-table.ts';
import { DOCUMENTATION } from '../../src/features/documentation/documentation-routes.ts';
import { capacityTable, costTable, plannedAmounts, publicListRatios } from './measured-figures.ts';
import { operationExamples } from './operation-examples.ts';

/** The pages of the documentation that come from the code, by their path. `npm run docs` writes them. */
export const GENERATED_PAGES: Readonly<Record<string, () => string>> = {
  'docs/configuration.md': configurationPage,
  'docs/api.md': apiPage,
  'docs/performance.md': () => withGenerated('docs/performance.md'),
  'docs/deployment.md': () => withGenerated('docs/deployment.md'),
  'deploy/postgres/rights.sql': serviceRights,
  'docs/security.md': () => withGenerated('docs/security.md'),
};

/** Returns the SQL that gives the service's role its rights. */
function serviceRights(): string {
  const path = 'deploy/postgres/rights.sql';
  const [before = ''] = readFileSync(path, 'utf8').split('grant select on ');
  const grants = SERVICE_RIGHTS.map(([right, on]) => wrapped(`grant ${right} on ${on} to orgdesk_service;`));
  return `${before}${grants.join('\n')}\n`;
}

/** Breaks a line of SQL after commas and spaces at 110 characters. */
function wrapped(line: string): string {
  return line.replace(/(.{1,108})(?: |$)/g, (_, part: string, at: number) => (at === 0 ? part : `\n  ${part}`));
}

const NOTICE = '<!-- Written by `npm run docs`: change the code that it comes from. -->';

function configurationPage(): string {
  return page(
    '# Configuration and commands',
    NOTICE,
    'Settings are environment variables; an empty one counts as absent. The start reports all invalid ones with what was expected. ' +
      'A secret may be in a file instead: append `_FILE` to the name of the variable, such as `JWT_SECRET_FILE`. ' +
      'No message repeats a secret.',
    ...SECTIONS.flatMap(({ title, text, settings }) => [
      `## ${title}`,
      ...(text === undefined ? [] : [text]),
      settingsTable(settings),
    ]),
    ...commandsSection(),
  );
}

function settingsTable(settings: Section['settings']): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const { rule, text } = setting;
    return `| \`${name}\` | ${defaultIn(setting)} | ${rule.rule} | ${[text, ...needsOf(setting)].join('; ')} |`;
  });
  return ['| variable | default | value | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function defaultIn({ default: fallback }: Setting): string {
  if (typeof fallback === 'object') return fallback.text;
  return fallback ? `\`${fallback}\`` : '';
}

function needsOf({ onlyWith = [], requires = [], secret }: Setting): string[] {
  const names = (list: readonly string[], word: string) => list.map((name) => `\`${name}\``).join(` ${word} `);
  return [
    ...(onlyWith.length > 0 ? [`only with ${names(onlyWith, 'or')}`] : []),
    ...(requires.length > 0 ? [`needs ${names(requires, 'and')}`] : []),
    ...(secret ? ['a secret'] : []),
  ];
}

function commandsSection(): string[] {
  return [
    '## Commands',
    '`npm run --silent orgdesk -- COMMAND`; with an installed package, `orgdesk COMMAND`. `orgdesk --help` lists the commands, ' +
      '`orgdesk COMMAND --help` describes one, `orgdesk --version` prints the version. ' +
      '`--env-file FILE` reads settings from a file with single, double or no quotes; existing variables take precedence.',
    'A command that writes names its database on standard error. Only `serve` creates an embedded database by default; `migrate`, `import` ' +
      'and `restore` create one if `DATA_DIR` is set.',
    'Only one process at a time can use the embedded database: a running service executes the commands of others. ' +
      'A command that fails ends with 1 and prints the reason on standard error.',
    ...ALL_COMMANDS.flatMap((command) => [
      `### ${command.name}`,
      `\`orgdesk ${usageOf(command)}\``,
      linked([sentence(command.summary), command.details].filter(Boolean).join(' ')),
      ...(command.options === undefined ? [] : [optionsList(command.options)]),
    ]),
  ];
}

/** What is written by hand, and after it the examples. */
function apiPage(): string {
  const written = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const [byHand = ''] = written.split('\n## Each operation\n');
  return page(
    byHand.trimEnd(),
    '## Each operation',
    NOTICE,
    'By `curl` and by [the client](client.md), with an access token or an API key in `TOKEN`:',
    "```ts\nimport { createClient } from 'orgdesk-client';\n\n" +
      "const orgdesk = createClient({ baseUrl: 'http://127.0.0.1:3000', token: process.env.TOKEN });\n```",
    ...operationExamples(),
  );
}

/** Parts of pages that are otherwise written by hand, by the name in their marks. */
const GENERATED: Readonly<Record<string, () => string>> = {
  capacity: capacityTable,
  costs: () => `${plannedAmounts()}\n\n${costTable()}`,
  'public-lists': publicListRatios,
  access: accessRows,
};

function withGenerated(path: string): string {
  const written = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const marked = /^(<!-- generated: ([\w-]+) -->\n)[\s\S]*?^(<!-- \/generated -->)$/gm;
  return written.replace(marked, (_, begin: string, name: string, end: string) => {
    return `${begin}\n${GENERATED[name]?.()}\n\n${end}`;
  });
}

function accessRows(): string {
  const rows = Object.entries(accessTable()).map(([operation, access]) => `| \`${operation}\` | ${access} |`);
  return ['| operation | access |', '|---|---|', ...rows].join('\n');
}

function optionsList(options: NonNullable<(typeof ALL_COMMANDS)[number]['options']>): string {
  return options.map((option) => `- \`--${optionWords(option)}\`: ${option.summary}`).join('\n');
}

/** With links to the pages that are named. */
function linked(text: string): string {
  return text.replace(/\bdocs\/([\w-]+\.md)/g, '[$1]($1)');
}

function page(...blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`;
}

/** Returns the access of each operation by its id: the table of docs/security.md. */
export function accessTable(): Record<string, string> {
  return Object.fromEntries([...OPERATIONS, DOCUMENTATION].map(({ id, access }) => [id, access.name]));
}
