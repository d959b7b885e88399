import { execSync } from 'node:child_process';
import { existsSync } from 'node:fs';

// After an install in a clone. Without the packages for development there is nothing to build with: npm ci --omit=dev.
if (existsSync('node_modules/typescript')) execSync('npm run --silent build', { stdio: 'inherit' });
else if (!existsSync('dist/cli.js')) {
  process.stderr.write('Nothing is built, as the packages for development are not installed: npm ci installs them.\n');
}
