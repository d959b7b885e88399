import type { CommandUsage } from './command.ts';

/** Usage of `serve`. The implementation in `server/` is imported on demand: loading it takes longer than most commands run. */
export const serveCommand: CommandUsage = {
  name: 'serve',
  parameters: [],
  summary: 'migrate, load the demo companies (on the embedded default) where there are none, then listen',
  details: 'SIGTERM or SIGINT (Ctrl+C) stops it; docs/deployment.md tells how.',
};
