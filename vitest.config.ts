import { defineConfig } from 'vitest/config'

/** For what never comes, not for speed: a busy machine takes several times as long as a quiet one. */
const bounds = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 60_000 } } }

/** Files of a worker share what they import: to load zod's schemas, the engine and React anew takes longer than most files. */
const shared = { isolate: false }

const node = (name: string, include: string[], extra: object = {}) => ({
  test: {
    name,
    include,
    environment: 'node',
    ...bounds,
    ...extra,
  },
})

export default defineConfig({
  test: {
    // Two cores carry three test files at once: several wait for processes that start, stop or are killed.
    maxWorkers: 3,
    projects: [
      node('tools', ['tools/**/*.test.ts', 'bench/**/*.test.ts'], shared),
      node('contract', ['packages/contract/**/*.test.ts'], shared),
      node('client', ['packages/client/**/*.test.ts'], shared),
      node('sandbox', ['packages/sandbox/**/*.test.ts'], {
        ...shared,
        exclude: ['**/node_modules/**', '**/loading.test.ts'],
      }),
      // Proves when modules are loaded, so nothing may have loaded them before.
      node('loading', ['packages/sandbox/**/loading.test.ts']),
      node('server', ['packages/server/**/*.test.ts'], {
        ...shared,
        setupFiles: ['packages/server/src/testing/one-engine.ts'],
        globalSetup: ['packages/server/src/testing/global-setup.ts'],
      }),
      node('console', ['packages/console/**/*.test.ts'], {
        ...shared,
        exclude: ['**/node_modules/**', '**/*.dom.test.ts'],
      }),
      {
        test: {
          name: 'console-dom',
          include: ['packages/console/**/*.test.tsx', 'packages/console/**/*.dom.test.ts'],
          environment: 'jsdom',
          // As in the browser once its first page is on screen.
          setupFiles: ['packages/console/src/testing/loaded-parts.ts'],
          ...bounds,
        },
      },
    ],
  },
})
