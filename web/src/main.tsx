import { DirectionProvider, MantineProvider } from '@mantine/core';
import { BASE_PATH } from './base-path.ts';
import './mantine-styles.ts';
import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { pauseBeforeRetry, RequestError } from './api/client.ts';
import { App } from './app.tsx';
import './page.css';
import { logoUrl, useBrand } from './session/brand.ts';
import { consoleConfig } from './session/console-config.ts';
import { ImportDraftsProvider } from './session/import-drafts.tsx';
import { listenForBack } from './session/leaving.ts';
import { takePendingSignIn, takeProviderAnswer } from './session/pending-sign-in.ts';
import { SessionProvider } from './session/session.tsx';
import { PartMissing } from './shell/boundary.tsx';
import { cssVariablesOf, themeOf } from './theme.ts';
import { isRightToLeft, language } from './translate.ts';

/** Maximum milliseconds that the first render waits for the sign-in options, to avoid a flash of incomplete content. */
const DEADLINE_MS = 150;

// Notifies without a timer, so that arrived data is rendered at once.
notifyManager.setScheduler(queueMicrotask);

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // A 4xx would be refused again; a 5xx may succeed on a retry.
      retry: (failures, error) =>
        failures < 1 && error instanceof RequestError && error.status >= 500 && error.retryAfter === undefined,
      refetchInterval: ({ state }) => pauseBeforeRetry(state.error) ?? false,
      refetchOnReconnect: ({ state }) => (state.status === 'error' ? 'always' : true),
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

/** Removes what a link signs in with from the address bar and the history at once, whether it is used or not. */
function takeLinked(name: 'token' | 'sign-in'): string | undefined {
  const value = new URLSearchParams(location.hash.slice(1)).get(name) ?? undefined;
  if (value !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return value;
}

/** Returns the nonce of the page's content security policy, for the style elements that Mantine creates. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}

/** Shows its content in the colour of the product, and the logo as the icon of the tab. */
function Branded({ children }: { children: ReactNode }) {
  const { color, logo } = useBrand();
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon) icon.href = logo === undefined ? ICON : logoUrl(logo);
  }, [logo]);
  return (
    <MantineProvider
      theme={themeOf(color)}
      cssVariablesResolver={cssVariablesOf(color)}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      {children}
    </MantineProvider>
  );
}

/** The icon of a product without a logo. */
const ICON = document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href ?? '';

listenForBack();
document.documentElement.lang = language;
document.documentElement.dir = isRightToLeft ? 'rtl' : 'ltr';
const pending = takePendingSignIn();
const address = takeLinked('sign-in');
const arrival = { linkedToken: takeLinked('token'), providerAnswer: takeProviderAnswer(), pending };
const root = document.getElementById('root');
if (!root) throw new TypeError('The page has no place for the console');
await Promise.race([queries.prefetchQuery(consoleConfig), new Promise((resolve) => setTimeout(resolve, DEADLINE_MS))]);
document.getElementById('frame')?.remove();
createRoot(root, {
  // A PartMissing is displayed, and no fault of the console.
  onCaughtError: (error) => {
    if (!(error instanceof PartMissing)) reportError(error);
  },
}).render(
  <StrictMode>
    <DirectionProvider>
      <QueryClientProvider client={queries}>
        <SessionProvider kept={pending} address={address}>
          <Branded>
            <ImportDraftsProvider>
              <Router base={BASE_PATH}>
                <App arrival={arrival} />
              </Router>
            </ImportDraftsProvider>
          </Branded>
        </SessionProvider>
      </QueryClientProvider>
    </DirectionProvider>
  </StrictMode>,
);
