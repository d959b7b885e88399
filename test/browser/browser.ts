import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Browser, chromium, type Page, type Route } from 'playwright-core';
import type { WorkerMessage } from '../support/test-messages.ts';

/** Debian's browsers: that without windows takes about half of the processor for a page. */
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;
/** Where it is. */
export const CHROMIUM = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path)) ?? PLACES[0];
/** Without a window, and without what it would ask the network for by itself. */
export const QUIET = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Milliseconds after which a page is taken to hang; the machine may be busy. */
const DEADLINE_MS = Number(process.env.BROWSER_DEADLINE_MS ?? 240_000);

/** The browser that the test files of this process share. */
let shared: Promise<Browser> | undefined;

/**
 * Starts a browser, or in a process of the runner returns the one that its files share: to close it is to close its contexts. Ends the
 * process with what is missing where there is none to start.
 */
export async function startBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    process.stderr.write(
      `There is no Chromium at ${CHROMIUM}. On Debian, as root: apt-get update && apt-get install -y chromium-headless-shell. Elsewhere: set CHROMIUM to its path.\n`,
    );
    process.exit(1);
  }
  if (process.send === undefined) return launch();
  shared ??= launch().then(keep);
  return shared;
}

const launch = () => chromium.launch({ executablePath: CHROMIUM, args: QUIET });

/** Keeps a browser until the runner has no more files. A crash is no fault of the file that uses it: it is reported to the runner. */
function keep(browser: Browser): Browser {
  const close = browser.close.bind(browser);
  const report = () => {
    shared = undefined;
    const interrupted: WorkerMessage = { type: 'interrupted', reason: 'its browser has crashed' };
    process.send?.(interrupted);
  };
  browser.once('disconnected', report);
  process.once('disconnect', () => {
    browser.off('disconnected', report);
    void close();
  });
  browser.close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  };
  return browser;
}

export interface Visit {
  page: Page;
  /** What the page's console and its policy complained of. */
  complaints: string[];
  /** Addresses outside of the service that were asked. */
  foreign: string[];
}

export interface VisitOptions {
  width?: number;
  colorScheme?: 'light' | 'dark';
  locale?: string;
  /** A telephone, which has no pointer but a finger. */
  isPhone?: boolean;
  /** Other origins that may be asked. */
  allowed?: readonly string[];
  /** The page's own deadlines of five seconds and more are a minute and more: the machine may be busy. */
  isPatient?: boolean;
}

/** Lengthens the deadlines of a page. */
const BE_PATIENT = `{
  const { setTimeout } = window;
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const longer = (milliseconds) => (milliseconds < 5000 ? milliseconds : milliseconds * 12);
  window.setTimeout = (run, milliseconds = 0) => setTimeout(run, longer(milliseconds));
  AbortSignal.timeout = (milliseconds) => timeout(longer(milliseconds));
}`;

/** A page of a browser without a past: what it asks of other hosts and what it complains of is noted. */
export async function visit(
  browser: Browser,
  address: string,
  {
    width = 1280,
    colorScheme = 'light',
    locale = 'en-IN',
    allowed = [],
    isPatient = false,
    isPhone = false,
  }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme,
    locale,
    hasTouch: isPhone,
    isMobile: isPhone,
  });
  if (isPatient) await context.addInitScript(BE_PATIENT);
  const page = await context.newPage();
  const [complaints, foreign]: [string[], string[]] = [[], []];
  page.setDefaultTimeout(DEADLINE_MS);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // That a request was refused or got no answer is what some tests are about.
    if (message.type() === 'error' && !/status of [45]\d\d|net::ERR_/.test(message.text())) {
      complaints.push(message.text());
    }
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      throw new Error(`The policy of the page forbids it: ${violatedDirective} ${blockedURI}`);
    });
  });
  page.on('request', (request) => {
    const url = request.url();
    const isOwn = url.startsWith(`${address}/`) || /^(?:data|blob|about):/.test(url);
    if (!isOwn && !allowed.some((origin) => url.startsWith(`${origin}/`))) foreign.push(url);
  });
  return { page, complaints, foreign };
}

/** Looks at a visited page and closes it. Fails with what the page showed; fails too if it asked other hosts or complained. */
export async function lookAt(visited: Visit, look: (page: Page) => Promise<unknown>): Promise<void> {
  const { page, complaints, foreign } = visited;
  try {
    await look(page);
  } catch (error) {
    const shown = await page.locator('body').innerText({ timeout: 10_000 }).catch(String);
    throw new Error(`${page.url()} showed:\n${shown}`, { cause: error });
  }
  // Requests under way are answered no more.
  for (const tab of page.context().pages()) await tab.unrouteAll({ behavior: 'ignoreErrors' });
  assert.deepEqual([foreign, complaints], [[], []], 'other hosts, complaints of the page');
  await page.context().close();
}

/**
 * Answers a page's requests to a URL: `times` of them, or until the returned function is called; later ones pass. The
 * route stays: when Playwright removes the last one, Chromium may lose a request under way.
 */
export async function intercept(
  page: Page,
  url: string | RegExp,
  answer: (route: Route) => Promise<unknown>,
  times = Number.POSITIVE_INFINITY,
): Promise<() => void> {
  let left = times;
  await page.route(url, (route) => (left-- > 0 ? answer(route) : route.fallback()));
  return () => {
    left = 0;
  };
}

/** Waits until what is read of a page equals what is expected; fails with what it was at last. */
export async function assertBecomes<T>(read: () => Promise<T>, expected: T, message?: string): Promise<void> {
  for (const began = performance.now(); performance.now() - began < DEADLINE_MS; await setTimeout(20)) {
    if (isDeepStrictEqual(await read(), expected)) return;
  }
  assert.deepEqual(await read(), expected, message);
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong with a page once its colours no longer change, by the named rules or by all, each with the elements concerned. */
export async function accessibilityFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Evaluated by the browser's own hand, which the page's policy does not bind.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  return page.evaluate(async (values) => {
    // Two frames: a transition begins with the one after the change.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
    const { axe } = window as unknown as {
      axe: {
        run(
          options: object,
        ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run({
      resultTypes: ['violations'],
      ...(values && { runOnly: { type: 'rule', values } }),
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.slice(0, 260)}`),
    );
  }, rules);
}
