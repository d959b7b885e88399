import { writeFileSync } from 'node:fs';
import { openApiText } from '../../src/documentation/documentation-routes.ts';
import { buildBareApp } from './bare-app.ts';

// `npm run openapi`: writes the published contract anew, from the code.
await using bare = await buildBareApp();
writeFileSync(new URL('../../openapi.json', import.meta.url), openApiText(bare.app));
