/** A message between the tabs of this browser. Tokens go from memory to memory, and never into storage. */
type Message =
  | { kind: 'ask'; refused?: string | undefined }
  | { kind: 'token'; token: string }
  | { kind: 'failed'; refused: string }
  | { kind: 'left' };

/** Milliseconds to wait for a tab that is known to exist, however busy, and for one that may not exist. */
const ANSWER_DEADLINE_MS = 5_000;
const GUESS_DEADLINE_MS = 200;

/** The lock that tabs with a signed-in user share; the browser releases it with the tab. */
const PRESENCE = 'orgdesk.signed-in';
/** The lock that tabs with a refresh token share. */
const RENEWING = 'orgdesk.renewing';
/** Milliseconds that the provider has to renew a token; the tabs that wait for it have some more. */
export const PROVIDER_DEADLINE_MS = 8_000;
const RENEWAL_DEADLINE_MS = PROVIDER_DEADLINE_MS + ANSWER_DEADLINE_MS;

const channel = new BroadcastChannel('orgdesk.session');
const post = (message: Message) => channel.postMessage(message);

/** Asks the other tabs for their token; undefined if none has one. */
export async function tokenOfOtherTab(): Promise<string | undefined> {
  // Web Locks exist only in secure contexts.
  if (!isSecureContext) return askTabs(GUESS_DEADLINE_MS);
  return (await isHeld(PRESENCE)) ? askTabs(ANSWER_DEADLINE_MS) : undefined;
}

async function isHeld(lock: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === lock);
}

/**
 * Asks the other tabs for a token to replace a refused one, which one of them may renew; undefined if none has another.
 * Rejects if the provider failed that tab: its refresh token may still be valid.
 */
export async function otherTokenOfTabs(refused: string): Promise<string | undefined> {
  const canBeRenewed = isSecureContext && (await isHeld(RENEWING));
  return askTabs(canBeRenewed ? RENEWAL_DEADLINE_MS : GUESS_DEADLINE_MS, refused);
}

function askTabs(deadline: number, refused?: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      channel.removeEventListener('message', hear);
      clearTimeout(timer);
      settle();
    };
    const hear = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'token' && data.token !== refused) end(() => resolve(data.token));
      if (data.kind === 'failed' && data.refused === refused)
        end(() => reject(new Error('The provider failed another tab')));
    };
    const timer = setTimeout(() => end(() => resolve(undefined)), deadline);
    channel.addEventListener('message', hear);
    post({ kind: 'ask', refused });
  });
}

/** Tells the other tabs that the user has signed out. */
export function announceSignOut(): void {
  post({ kind: 'left' });
}

/** The callbacks by which a tab answers the others. */
interface TabDuties {
  /** Returns the token that is valid now; undefined without one. */
  token: () => string | undefined;
  /** Called when another tab was refused this tab's token: it is to be renewed if possible. */
  renew: (refused: string) => Promise<unknown>;
  /** Called when the user signs out in another tab. */
  left: () => void;
}

/** Answers the other tabs while a user is signed in here. @returns a function that stops it */
export function answerTabs({ token, renew, left }: TabDuties): () => void {
  const reply = (refused?: string) => {
    const own = token();
    if (own !== undefined && own !== refused) post({ kind: 'token', token: own });
  };
  const hear = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'left') left();
    if (data.kind !== 'ask') return;
    const { refused } = data;
    if (refused === undefined || token() !== refused) reply(refused);
    else
      renew(refused).then(
        () => reply(refused),
        () => post({ kind: 'failed', refused }),
      );
  };
  channel.addEventListener('message', hear);
  return () => channel.removeEventListener('message', hear);
}

/** Holds the locks that tell other tabs of a signed-in user here. @returns a function that releases them */
export function showPresence(canRenew: boolean): () => void {
  if (!isSecureContext) return () => undefined;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  for (const lock of canRenew ? [PRESENCE, RENEWING] : [PRESENCE])
    void navigator.locks.request(lock, { mode: 'shared' }, () => ended);
  return end;
}
