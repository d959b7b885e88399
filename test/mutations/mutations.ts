import { BOUNDS } from './bounds.ts';
import type { Mutation } from './mutation.ts';
import { VALUES } from './values.ts';
import { WEBHOOKS } from './webhooks.ts';
import { WHO_MAY_DO_WHAT } from './who-may-do-what.ts';

export const MUTATIONS: readonly Mutation[] = [...WHO_MAY_DO_WHAT, ...BOUNDS, ...WEBHOOKS, ...VALUES];
