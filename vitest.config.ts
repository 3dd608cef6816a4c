import { defineConfig } from 'vitest/config'

/** For what never comes, not for speed: a busy machine takes several times as long as a quiet one. */
const bounds = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 10_000 } } }

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
      node('tools', ['tools/**/*.test.ts', 'bench/**/*.test.ts']),
      node('contract', ['packages/contract/**/*.test.ts']),
      node('client', ['packages/client/**/*.test.ts']),
      node('sandbox', ['packages/sandbox/**/*.test.ts']),
      node('server', ['packages/server/**/*.test.ts'], {
        globalSetup: ['packages/server/src/testing/global-setup.ts'],
      }),
      {
        test: {
          name: 'console',
          include: ['packages/console/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          ...bounds,
        },
      },
    ],
  },
})
