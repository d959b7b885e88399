import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
import { pluginZod } from '@kubb/plugin-zod';

// biome-ignore lint/style/noDefaultExport: kubb reads it.
export default defineConfig({
  root: '.',
  input: { path: '../../openapi.json' },
  output: { path: './generated/kubb', clean: true },
  plugins: [pluginOas(), pluginTs(), pluginZod(), pluginClient()],
});
