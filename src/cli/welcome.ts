import type { Config } from '../config.ts';

/** What a newcomer reads when the service has started: what to open, and what to try. */
export function welcomeText({ demoData, databaseUrl, dataDir }: Config, address: string): string {
  const where = databaseUrl === undefined ? `embedded PostgreSQL in ${dataDir}` : 'PostgreSQL server';
  const lines = [
    `orgdesk is ready at ${address} (${where}).`,
    '',
    `  Read the API      ${address}/docs`,
    `  Search cities     curl '${address}/api/cities/list?search=bogota'`,
  ];
  if (demoData) {
    lines.push(
      `  See a profile     curl -H "Authorization: Bearer $(npm run --silent orgdesk -- token employee@acme.example)" ${address}/api/users/profile`,
      `  See companies     curl -H "Authorization: Bearer $(npm run --silent orgdesk -- token super.admin@orgdesk.example)" ${address}/api/companies/list`,
      '',
      '  Demo people: super.admin@orgdesk.example, platform.rm@orgdesk.example, admin@acme.example, manager@acme.example,',
      '  employee@acme.example, inactive@acme.example (deactivated), admin@globex.example',
    );
  }
  lines.push('', '  Ctrl+C stops it.');
  return lines.join('\n');
}
