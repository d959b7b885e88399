import { describe } from 'node:test';
import { itHasNoFault } from './accessible.ts';
import { openConsole } from './console.ts';
import { LISTS } from './states.ts';

const { open } = await openConsole();

describe('axe-core finds no fault on the lists', () => itHasNoFault(open, LISTS));
