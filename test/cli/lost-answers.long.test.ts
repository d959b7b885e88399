import { after, it } from 'node:test';
import { loseAnswers } from '../administration/long/lost-answers.ts';
import { openDemoCommandLine } from '../support/demo-command-line.ts';

/** `npm run long -- administration` does many more. */
const ROUNDS = 4;

const demo = await openDemoCommandLine();
const { commandLine } = demo;
const settings = { ...demo.settings, LOG_LEVEL: 'warn' };

after(() => demo[Symbol.asyncDispose]());

it(`a create repeated after its answer was lost creates one entity, ${ROUNDS} times`, async () => {
  await loseAnswers(commandLine, settings, ROUNDS);
});
