import { defineConfig, type BuildOptions } from 'vite';

/** The API that a development server of the page forwards its requests to. */
const api = process.env['HOLDFAST_URL'] ?? 'http://127.0.0.1:3400';

/** The options that all builds of the console share. */
export const rolldownOptions: NonNullable<BuildOptions['rolldownOptions']> = {
  onLog: (level, log, report) => {
    // Packages mark parts for the browser; a page without a server of its own has only such parts.
    if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
  },
};

export const viteConfig = defineConfig({
  root: import.meta.dirname,
  build: {
    target: 'es2023',
    // The page's policy allows no inline content but images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
    rolldownOptions,
  },
  server: { proxy: { '/api': { target: api, changeOrigin: false } } },
});

// Vite takes the default export.
// eslint-disable-next-line no-restricted-syntax
export default viteConfig;
