import type { Stats } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../lib/errors.ts';

/**
 * Asserts that this user owns a folder: files written into it by another user, even root, keep its owner from opening them.
 *
 * @param command what was started, such as `orgdesk backup`
 * @param user absent: the effective user of this process; undefined on systems without user ids
 * @throws UserError with the command to use
 */
export async function assertOwner(folder: string, command: string, user = process.geteuid?.()): Promise<void> {
  if (user === undefined) return;
  const { uid, gid } = await lstat(folder);
  if (uid === user) return;
  const owner = await nameOf(uid);
  throw new UserError(
    `${folder} belongs to ${owner}, and this is run by ${await nameOf(user)}: the owner could not open it any more. ` +
      `Nothing was changed. Run it as the owner:\n  ${asOwner({ uid, gid, owner, user })} ${command} …`,
  );
}

function asOwner({ uid, gid, owner, user }: { uid: number; gid: number; owner: string; user: number }): string {
  if (owner === String(uid)) return `setpriv --reuid=${uid} --regid=${gid} --clear-groups`;
  return user === 0 ? `runuser -u ${owner} --` : `sudo -u ${owner} --preserve-env=DATA_DIR`;
}

/**
 * Describes who owns a folder that cannot be opened, and what to try before giving it up.
 *
 * @param user absent: the effective user of this process; undefined on systems without user ids
 */
export async function describeRights(folder: string, user = process.geteuid?.()): Promise<string> {
  if (user === undefined) return '';
  const { uid, mode } = await lstat(folder);
  const owner = await nameOf(uid);
  const rights = `It belongs to ${owner} (${modeOf(mode)}), and this is run by ${await nameOf(user)}.`;
  const foreign = (await filesIn(folder)).find(({ stats }) => stats.uid !== uid || (stats.mode & 0o600) !== 0o600);
  if (foreign === undefined) return rights;
  const of = `${foreign.path} belongs to ${await nameOf(foreign.stats.uid)} (${modeOf(foreign.stats.mode)})`;
  return `${rights} ${of}: try \`chown -R ${owner} ${folder} && chmod -R u+rwX ${folder}\` first, nothing need be lost.`;
}

/** Such as `mode 0700`. */
function modeOf(mode: number): string {
  return `mode ${(mode & 0o777).toString(8).padStart(4, '0')}`;
}

async function filesIn(folder: string): Promise<{ path: string; stats: Stats }[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const found = names.map(async (name) => {
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => undefined);
    return stats === undefined ? [] : [{ path, stats }];
  });
  return (await Promise.all(found)).flat();
}

/** Returns the name of a user, or the number if the system knows no name. */
async function nameOf(uid: number): Promise<string> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const line = users.split('\n').find((each) => each.split(':')[2] === String(uid));
  return line?.split(':', 1)[0] || String(uid);
}
