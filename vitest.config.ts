import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { keepFilesInMemory } from './tools/files-in-memory.ts'

keepFilesInMemory()

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

/** The tests of the server that take longest, in that order: the last ones to begin must not be among them. */
const longest = [
  'src/sweep.test.ts',
  'src/operations.postmaster.test.ts',
  'platform/http/idempotency-crash.test.ts',
  'src/operations.kill.test.ts',
  'src/operations.chaos.test.ts',
  'clusters/import/import.test.ts',
  'embedded/supervisor.test.ts',
  'backups/restore.test.ts',
  'backups/drills.test.ts',
  'cnpg/on-cluster.test.ts',
  'cnpg/cnpg.test.ts',
  'backups/backup-retention.test.ts',
  'secrets/leaks.test.ts',
]

/**
 * Begins with the server, and there with the longest files. Without results of an earlier run Vitest takes the size of a
 * file for its time, and the short texts that kill processes for minutes would come last.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      if (project.name !== 'server') return longest.length + 1
      const index = longest.findIndex((path) => moduleId.endsWith(path))
      return index === -1 ? longest.length : index
    }
    const sorted = await super.sort(files)
    return sorted.sort((one, other) => rank(one) - rank(other))
  }
}

/** Tests of the console that need state of modules as it is at first: of toasts, of the menu, of the icon … */
const withNewModules = [
  'packages/console/src/app/favicon/favicon.test.tsx',
  'packages/console/src/data/version.dom.test.ts',
  'packages/console/src/lib/asked-ahead.dom.test.ts',
  'packages/console/src/ui/menu.test.tsx',
  'packages/console/src/ui/relative-time-held.test.tsx',
  'packages/console/src/ui/toaster.test.tsx',
]
const inDocument = globSync('packages/console/src/**/*.{test.tsx,dom.test.ts}', { cwd: import.meta.dirname })
// A module that another file has loaded is not replaced any more.
const isolated = inDocument.filter(
  (path) =>
    withNewModules.includes(path) ||
    readFileSync(new URL(path, import.meta.url), 'utf8').includes('vi.mock('),
)

const dom = (name: string, include: string[], extra: object = {}) =>
  node(name, include, {
    environment: 'jsdom',
    // As in the browser once its first page is on screen.
    setupFiles: ['packages/console/src/testing/loaded-parts.ts'],
    ...extra,
  })

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Two cores carry three test files at once: several wait for processes that start, stop or are killed.
    maxWorkers: 3,
    projects: [
      node('tools', ['tools/**/*.test.ts', 'bench/**/*.test.ts'], shared),
      node('contract', ['packages/contract/**/*.test.ts'], shared),
      node('client', ['packages/client/**/*.test.ts'], shared),
      node('cli', ['packages/cli/**/*.test.ts'], shared),
      node('sandbox', ['packages/sandbox/**/*.test.ts'], {
        ...shared,
        exclude: ['**/node_modules/**', '**/loading.test.ts'],
      }),
      // Proves when modules are loaded, so nothing may have loaded them before.
      node('loading', ['packages/sandbox/**/loading.test.ts']),
      node('server', ['packages/server/**/*.test.ts'], {
        ...shared,
        setupFiles: [
          'packages/server/src/testing/one-engine.ts',
          'packages/server/src/testing/checked-fetch.ts',
        ],
        globalSetup: ['packages/server/src/testing/global-setup.ts'],
      }),
      node('console', ['packages/console/**/*.test.ts'], {
        ...shared,
        exclude: ['**/node_modules/**', '**/*.dom.test.ts'],
      }),
      dom(
        'console-dom',
        inDocument.filter((path) => !isolated.includes(path)),
        shared,
      ),
      dom('console-dom-isolated', isolated),
    ],
  },
})
