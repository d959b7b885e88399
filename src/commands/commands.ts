import { adminCommand } from './admin-command.ts';
import { auditCommand } from './audit-command.ts';
import { backupCommand } from './backup-command.ts';
import { checkCommand } from './check-command.ts';
import type { Command, CommandUsage, PlainCommand } from './command.ts';
import { eraseCommand } from './erase-command.ts';
import { exportCommand, importCommand, templateCommand } from './folder-commands.ts';
import { geographyCommand } from './geography-command.ts';
import { keyCommand } from './key-command.ts';
import { migrateCommand } from './migrate-command.ts';
import { restoreCommand } from './restore-command.ts';
import { serveCommand } from './serve-command.ts';
import { tokenCommand } from './token-command.ts';

/** Commands on the database. */
export const COMMANDS: readonly Command[] = [
  checkCommand,
  migrateCommand,
  importCommand,
  exportCommand,
  backupCommand,
  restoreCommand,
  adminCommand,
  tokenCommand,
  keyCommand,
  auditCommand,
  eraseCommand,
];

export const ALL_COMMANDS: readonly (CommandUsage | Command | PlainCommand)[] = [
  serveCommand,
  ...COMMANDS,
  templateCommand,
  geographyCommand,
];
