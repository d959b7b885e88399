import { writeFileSync } from 'node:fs';
import { GENERATED_PAGES } from './generated-pages.ts';

// `npm run docs`: writes the pages of the documentation anew that come from the code.
for (const [path, text] of Object.entries(GENERATED_PAGES)) {
  writeFileSync(new URL(`../../${path}`, import.meta.url), text());
}
