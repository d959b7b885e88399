/** What the tabs of this browser tell each other: a token goes from memory to memory, and into no storage. */
type Message = { kind: 'ask' } | { kind: 'token'; token: string } | { kind: 'left' };

/** Milliseconds for which another tab is waited for. */
const PATIENCE = 200;

const channel = new BroadcastChannel('orgdesk.session');
const post = (message: Message) => channel.postMessage(message);

/** Asks the other tabs for their token; undefined where none has one but `refused`. */
export function tokenOfOtherTab(refused?: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const end = (token?: string) => {
      channel.removeEventListener('message', hear);
      clearTimeout(timer);
      resolve(token);
    };
    const hear = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'token' && data.token !== refused) end(data.token);
    };
    const timer = setTimeout(end, PATIENCE);
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
