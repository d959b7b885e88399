import { writeFileSync } from 'node:fs';
import { OPERATIONS } from '../../src/app/all-operations.ts';
import { openApiText } from './openapi.ts';

// `npm run openapi`: writes the published contract anew, from the code.
writeFileSync(new URL('../../openapi.json', import.meta.url), openApiText(OPERATIONS));
