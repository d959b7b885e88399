import { applyCommand, planCommand } from './apply-command.ts';
import type { Command, CommandUsage, PlainCommand } from './command.ts';
import { backupCommand, checkCommand, migrateCommand, restoreCommand } from './database-commands.ts';
import { auditCommand, exportCommand, geographyCommand, templateCommand } from './folder-commands.ts';
import { importCommand } from './import-command.ts';
import {
  adminCommand,
  eraseCommand,
  forgetLinksCommand,
  keyCommand,
  rotateProfileKeyCommand,
  tokenCommand,
} from './people-commands.ts';

/** Usage of `serve`. The implementation in `server/` is imported on demand: loading it takes longer than most commands run. */
const serveCommand: CommandUsage = {
  name: 'serve',
  parameters: [],
  summary: 'migrate, load the demo companies (on the embedded default) if there are none, then listen',
  details: 'SIGTERM or SIGINT (Ctrl+C) stops it, as docs/deployment.md describes.',
};

/** Commands on the database. */
export const COMMANDS: readonly Command[] = [
  checkCommand,
  migrateCommand,
  importCommand,
  exportCommand,
  planCommand,
  applyCommand,
  backupCommand,
  restoreCommand,
  adminCommand,
  tokenCommand,
  keyCommand,
  auditCommand,
  eraseCommand,
  forgetLinksCommand,
  rotateProfileKeyCommand,
];

export const ALL_COMMANDS: readonly (CommandUsage | Command | PlainCommand)[] = [
  serveCommand,
  ...COMMANDS,
  templateCommand,
  geographyCommand,
];
