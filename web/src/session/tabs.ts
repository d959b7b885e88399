/** What the tabs of this browser tell each other: a token goes from memory to memory, and into no storage. */
type Message = { kind: 'ask'; refused?: string | undefined } | { kind: 'token'; token: string } | { kind: 'left' };

/** Milliseconds within which a tab that is there answers, busy as it may be; and for which one is waited for that may not be there. */
const ANSWER_DEADLINE_MS = 5_000;
const GUESS_DEADLINE_MS = 200;

/** A lock that every tab shares in which somebody is signed in: the browser gives it up with the tab. */
const PRESENCE = 'orgdesk.signed-in';
/** The same of tabs that can get a new token by a refresh token. */
const RENEWING = 'orgdesk.renewing';
/** Milliseconds: a tab that renews asks the provider first. */
const RENEWAL_DEADLINE_MS = 10_000;

const channel = new BroadcastChannel('orgdesk.session');
const post = (message: Message) => channel.postMessage(message);

/** Asks the other tabs for their token, where nobody is signed in here. Undefined where there is none. */
export async function tokenOfOtherTab(): Promise<string | undefined> {
  // Browsers have locks for pages alone that were loaded securely.
  if (!isSecureContext) return askTabs(GUESS_DEADLINE_MS);
  return (await isHeld(PRESENCE)) ? askTabs(ANSWER_DEADLINE_MS) : undefined;
}

async function isHeld(lock: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === lock);
}

/** Asks the other tabs for a token in the place of one that is refused, which one of them may renew. Undefined where none has another one. */
export async function otherTokenOfTabs(refused: string): Promise<string | undefined> {
  const canBeRenewed = isSecureContext && (await isHeld(RENEWING));
  return askTabs(canBeRenewed ? RENEWAL_DEADLINE_MS : GUESS_DEADLINE_MS, refused);
}

function askTabs(deadline: number, refused?: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const end = (token?: string) => {
      channel.removeEventListener('message', hear);
      clearTimeout(timer);
      resolve(token);
    };
    const hear = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'token' && data.token !== refused) end(data.token);
    };
    const timer = setTimeout(end, deadline);
    channel.addEventListener('message', hear);
    post({ kind: 'ask', refused });
  });
}

/** Tells the other tabs that somebody has signed out. */
export function tellOfLeaving(): void {
  post({ kind: 'left' });
}

/** What a tab does for the others. */
interface TabDuties {
  /** What is taken at the moment, if any. */
  token: () => string | undefined;
  /** Called where another tab was refused the very token of this one, which is to be renewed if it can be. */
  renew: (refused: string) => Promise<unknown>;
  /** Called where somebody signs out of another tab. */
  left: () => void;
}

/** Answers the other tabs for as long as somebody is signed in here. @returns ends it */
export function answerTabs({ token, renew, left }: TabDuties): () => void {
  const tell = (refused?: string) => {
    const own = token();
    if (own !== undefined && own !== refused) post({ kind: 'token', token: own });
  };
  const hear = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'left') left();
    if (data.kind !== 'ask') return;
    const { refused } = data;
    if (refused === undefined || token() !== refused) tell(refused);
    else
      renew(refused).then(
        () => tell(refused),
        () => undefined,
      );
  };
  channel.addEventListener('message', hear);
  return () => channel.removeEventListener('message', hear);
}

/** Lets the other tabs know that somebody is signed in here, who can be asked for. @returns ends it */
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
