import { defineConfig } from 'vite';
import { rolldownOptions } from './vite.config.ts';

/** Builds the page of a report: one script and one style sheet, which the API writes into each report. */
const reportConfig = defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    target: 'es2023',
    // It is built into the folder of the console.
    emptyOutDir: false,
    reportCompressedSize: false,
    rolldownOptions,
    lib: {
      entry: 'src/report/main.tsx',
      formats: ['iife'],
      name: 'report',
      fileName: () => 'report.js',
      cssFileName: 'report',
    },
  },
});

// Vite takes the default export.
// eslint-disable-next-line no-restricted-syntax
export default reportConfig;
