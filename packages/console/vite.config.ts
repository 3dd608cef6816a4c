import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { changelog } from './build/changelog.ts'
import { docs } from './build/docs/plugin.ts'
import { componentNames } from './build/component-names.ts'
import { compressed } from './build/compressed.ts'
import { fontPreload } from './build/font-preload.ts'
import { chunkPlan } from './build/chunk-plan.ts'
import { landingPlan } from './build/landing-pages.ts'
import { keepSourceMaps } from './build/source-maps.ts'
import { themeStyle } from './build/theme-style.ts'

const plan = chunkPlan()
const api = process.env['BEY_DEV_API'] ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    componentNames(),
    react(),
    tailwind(),
    themeStyle(),
    fontPreload(),
    landingPlan(),
    changelog(),
    docs(),
    plan.plugin,
    keepSourceMaps(),
    compressed(),
  ],
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    // The first paint needs one style sheet, not one per route.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: {
      // Whatever understands the build's syntax understands modulepreload.
      polyfill: false,
      // The first page carries the names of what is preloaded: only the large chunks are worth theirs.
      resolveDependencies: (_, chunks, { hostType }) =>
        hostType === 'html' ? chunks : chunks.filter((chunk) => /\/(start|lists|common)-/.test(chunk)),
    },
    sourcemap: 'hidden',
    reportCompressedSize: false,
    rolldownOptions: {
      // The layers above every page import once more, on purpose, what others load when it is needed.
      checks: { ineffectiveDynamicImport: false },
      treeshake: {
        // Their indexes then do not tie to the first page what only a later one needs, such as the live socket.
        moduleSideEffects: [{ test: /[\\/]packages[\\/](client|contract)[\\/]/, sideEffects: false }],
      },
      output: {
        codeSplitting: {
          groups: [
            // What every page needs, apart from our own code, so that a release does not invalidate it.
            {
              name: 'framework',
              test: /rolldown[\\/]runtime|node_modules[\\/](react|react-dom|scheduler|use-sync-external-store|@tanstack[\\/](react-router|router-core|history|react-query|query-core|react-store|store))[\\/]/,
              priority: 4,
            },
            // What the first page of any route needs of ours.
            { name: 'core', tags: ['$initial'], priority: 3 },
            // The editor of text, which only pages with a text to edit need.
            {
              name: 'editor',
              test: /node_modules[\\/](@codemirror|@lezer|crelt|style-mod|w3c-keyname|@marijn)[\\/]|src[\\/]ui[\\/]code-editor[\\/]/,
              priority: 3,
            },
            // What the first idle moment and several pages share: a few files instead of fifty.
            { name: plan.chunkOf, debugName: 'plan', includeDependenciesRecursively: false, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': { target: api, ws: true },
      '/health': api,
      '/version.json': api,
      '/ws': { target: api.replace(/^http/, 'ws'), ws: true },
    },
  },
})
