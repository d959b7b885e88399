/** What the tabs of this browser tell each other: a token goes from memory to memory, and into no storage. */
type Message = { kind: 'ask' } | { kind: 'token'; token: string } | { kind: 'left' };

/** Milliseconds within which a tab that is there answers, busy as it may be; and for which one is waited for that may not be there. */
const ANSWER_DEADLINE_MS = 5_000;
const GUESS_DEADLINE_MS = 200;

/** A lock that every tab shares in which somebody is signed in: the browser gives it up with the tab. */
const PRESENCE = 'orgdesk.signed-in';

const channel = new BroadcastChannel('orgdesk.session');
const post = (message: Message) => channel.postMessage(message);

/** Asks the other tabs for their token, where nobody is signed in here. Undefined where there is none. */
export async function tokenOfOtherTab(): Promise<string | undefined> {
  // Browsers have locks for pages alone that were loaded securely.
  if (!isSecureContext) return askTabs(GUESS_DEADLINE_MS);
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === PRESENCE) ? askTabs(ANSWER_DEADLINE_MS) : undefined;
}

/** Asks the other tabs for a token in the place of one that is refused. Undefined where none has another one. */
export function otherTokenOfTabs(refused: string): Promise<string | undefined> {
  return askTabs(GUESS_DEADLINE_MS, refused);
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
    post({ kind: 'ask' });
  });
}

/** Tells the other tabs that somebody has signed out. */
export function tellOfLeaving(): void {
  post({ kind: 'left' });
}

/**
 * Answers the other tabs for as long as somebody is signed in here.
 *
 * @param token what is taken at the moment, if any
 * @param left called where somebody signs out of another tab
 * @returns ends it
 */
export function answerTabs(token: () => string | undefined, left: () => void): () => void {
  const hear = ({ data }: MessageEvent<Message>) => {
    const own = token();
    if (data.kind === 'ask' && own !== undefined) post({ kind: 'token', token: own });
    if (data.kind === 'left') left();
  };
  channel.addEventListener('message', hear);
  return () => channel.removeEventListener('message', hear);
}

/** Lets the other tabs know that somebody is signed in here, who can be asked for. @returns ends it */
export function showPresence(): () => void {
  if (!isSecureContext) return () => undefined;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  void navigator.locks.request(PRESENCE, { mode: 'shared' }, () => ended);
  return end;
}
