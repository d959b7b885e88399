import { describe } from 'node:test';
import { itHasNoFault } from './accessible.ts';
import { PEOPLE } from './administration-states.ts';
import { openConsole } from './console.ts';

const { open } = await openConsole();

describe('axe-core finds no fault on the pages of people and companies', () => itHasNoFault(open, PEOPLE));
