import type { CommandUsage } from './command.ts';

/** What `serve` does is in `server/`, which is loaded for it alone: that takes longer than most commands take. */
export const serveCommand: CommandUsage = {
  name: 'serve',
  parameters: [],
  summary: 'migrate, load geography and (on the embedded default) demo companies where there are none, then listen',
  details: 'SIGTERM or SIGINT (Ctrl+C) stops it; docs/deployment.md tells how.',
};
