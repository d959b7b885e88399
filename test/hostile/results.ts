import { headingOf, type ResultsFile } from '../../bench/support/record-section.ts';

const [ATTACKS, MODEL] = ['attacks', 'model'];

export const HOSTILE_RESULTS: ResultsFile = {
  path: 'docs/results/hostile.md',
  head: '# Attacks at full size, and a model beside random requests',
  parts: [ATTACKS, MODEL],
};

export const [ATTACKS_HEADING, MODEL_HEADING] = [headingOf(ATTACKS), headingOf(MODEL)];
