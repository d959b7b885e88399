import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const QUIET = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** Starts the browser. Ends the process with what is missing, and how to get it, where there is none. */
export async function startBrowser(): Promise<Browser> {
  if (existsSync(CHROMIUM)) return chromium.launch({ executablePath: CHROMIUM, args: QUIET });
  process.stderr.write(
    `There is no Chromium at ${CHROMIUM}. On Debian: apt-get install -y chromium. Elsewhere: set CHROMIUM to its path.\n`,
  );
  process.exit(1);
}

export interface Visit {
  page: Page;
  /** What the page's console and its policy complained of. */
  complaints: string[];
  /** Addresses outside of the service that were asked. */
  foreign: string[];
}

/** A page of a browser without a past: what it asks of other hosts and what it complains of is noted. */
export async function visit(
  browser: Browser,
  address: string,
  { width = 1280, colorScheme = 'light' as 'light' | 'dark', allowed = [] as string[] } = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, locale: 'en-IN' });
  const page = await context.newPage();
  const [complaints, foreign]: [string[], string[]] = [[], []];
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // That a request was refused is what some tests are about.
    if (message.type() === 'error' && !/status of 4\d\d|ERR_FAILED|status of 503/.test(message.text()))
      complaints.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !/^(?:data|blob|about):/.test(url) && !allowed.some((one) => url.startsWith(one)))
      foreign.push(url);
  });
  return { page, complaints, foreign };
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong with a page as it stands, each with the elements concerned. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Evaluated by the browser's own hand, which the page's policy does not bind.
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.slice(0, 260)}`),
    );
  });
}
