import { startBrowser } from './browser.ts';

const address = process.argv[2] ?? '';
const browser = await startBrowser();
const rows: Record<string, number>[] = [];
for (let i = 0; i < 5; i++) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-IN' });
  const page = await context.newPage();
  const s = await context.newCDPSession(page);
  await s.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(address);
  await page.getByRole('button', { name: 'admin@globex.example' }).waitFor();
  await page.waitForTimeout(300);
  const m = Object.fromEntries((await s.send('Performance.getMetrics')).metrics.map((x) => [x.name, x.value]));
  rows.push(
    Object.fromEntries(
      ['TaskDuration', 'ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration', 'V8CompileDuration'].map((k) => [
        k,
        Math.round((m[k] ?? 0) * 1000),
      ]),
    ),
  );
  await context.close();
}
console.table(rows);
const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
const page = await context.newPage();
const s = await context.newCDPSession(page);
await s.send('Profiler.enable');
await s.send('Profiler.setSamplingInterval', { interval: 200 });
await s.send('Profiler.start');
await page.goto(address);
await page.getByRole('button', { name: 'admin@globex.example' }).waitFor();
const { profile } = (await s.send('Profiler.stop')) as any;
const self = new Map<string, number>();
const byId = new Map(profile.nodes.map((n: any) => [n.id, n]));
profile.samples.forEach((id: number, i: number) => {
  const n: any = byId.get(id);
  const k = `${n.callFrame.functionName}@${n.callFrame.lineNumber}:${n.callFrame.columnNumber}`;
  self.set(k, (self.get(k) ?? 0) + profile.timeDeltas[i] / 1000);
});
console.log([...self].sort((a, b) => b[1] - a[1]).slice(0, 25));
await browser.close();
