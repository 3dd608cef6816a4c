import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { chunkPlan } from './chunk-plan.ts'

type Module = { code?: string; imports?: string[]; later?: string[]; isEntry?: boolean }

const src = '/x/packages/console/src'
const pages = [
  'dashboard/dashboard-page',
  'clusters/cluster-detail-page',
  'secrets/secret-list-page',
  'c',
  'd',
  'e',
].map((name) => `${src}/features/${name}.tsx`)
const importedByPages: Record<string, string[]> = {
  'ui/chip.tsx': ['c', 'd', 'e'],
  'ui/table.tsx': ['secret-list-page', 'cluster-detail-page', 'c'],
  'ui/chart.tsx': ['dashboard-page', 'cluster-detail-page'],
  'ui/stat.tsx': ['dashboard-page', 'secret-list-page'],
  'ui/log.tsx': ['cluster-detail-page'],
  'data/secrets.ts': ['secret-list-page', 'c'],
  'features/two.tsx': ['c', 'd'],
  'ui/editor.tsx': ['c', 'd', 'e'],
}
const graph: Record<string, Module> = {
  [`${src}/main.tsx`]: {
    isEntry: true,
    code: `import { statuses } from '@bey/contract'`,
    imports: [`${src}/app/screens.ts`, `${src}/ui/button.tsx`, '/x/packages/contract/src/index.ts'],
  },
  [`${src}/app/screens.ts`]: { later: pages },
  [`${src}/ui/button.tsx`]: {},
  [`${src}/app/overlays.tsx`]: {
    imports: [`${src}/ui/toast.tsx`, `${src}/ui/chip.tsx`, `${src}/ui/button.tsx`],
  },
  [`${src}/ui/toast.tsx`]: {},
  '/x/node_modules/big-editor/index.js': {},
  '/x/packages/contract/src/index.ts': {
    code: `export * from './rules.ts'; export { statuses } from './base/statuses.ts'`,
    imports: ['/x/packages/contract/src/rules.ts', '/x/packages/contract/src/base/statuses.ts'],
  },
  '/x/packages/contract/src/rules.ts': { code: 'export const rules = {}' },
  '/x/packages/contract/src/base/statuses.ts': { code: 'export const statuses = []' },
}
for (const name of Object.keys(importedByPages)) graph[`${src}/${name}`] = {}
graph[`${src}/ui/editor.tsx`] = { imports: ['/x/node_modules/big-editor/index.js'] }
for (const page of pages) {
  const own = Object.entries(importedByPages).flatMap(([name, users]) =>
    users.some((user) => page.endsWith(`/${user}.tsx`)) ? [`${src}/${name}`] : [],
  )
  graph[page] = {
    code: `import { rules } from '@bey/contract'`,
    imports: [`${src}/ui/button.tsx`, '/x/packages/contract/src/index.ts', ...own],
  }
}

test('chunks follow who needs a module', () => {
  const { plugin, chunkOf } = chunkPlan()
  const build = plugin.buildEnd as unknown as (this: object) => void
  build.call({
    getModuleIds: () => Object.keys(graph).values(),
    getModuleInfo: (id: string) => ({
      code: graph[id]?.code ?? '',
      importedIds: graph[id]?.imports ?? [],
      dynamicallyImportedIds: graph[id]?.later ?? [],
      isEntry: graph[id]?.isEntry ?? false,
    }),
    parse: (code: string) => parseSync('module.js', code).program,
  })
  const chunks = Object.fromEntries(Object.keys(graph).map((id) => [id.replace(`${src}/`, ''), chunkOf(id)]))

  // The idle moment alone needs them.
  expect(chunks).toMatchObject({ 'app/overlays.tsx': 'idle', 'ui/toast.tsx': 'idle' })
  // Landing pages: with the dashboard, the dashboard and a cluster, lists, a cluster alone.
  expect(chunks).toMatchObject({
    'ui/stat.tsx': 'start',
    'ui/chart.tsx': 'overview',
    'ui/table.tsx': 'lists',
    'data/secrets.ts': 'lists',
    'ui/log.tsx': 'cluster',
    'features/clusters/cluster-detail-page.tsx': null,
  })
  // Behind an index, where the name that is imported leads: the pages need one, the first moment the other.
  expect(chunks).toMatchObject({
    '/x/packages/contract/src/rules.ts': 'start',
    '/x/packages/contract/src/base/statuses.ts': null,
  })
  // Other pages: three of them, two of them, or one that brings a library of its own.
  expect(chunks).toMatchObject({ 'ui/chip.tsx': 'common', 'features/two.tsx': null, 'ui/editor.tsx': null })
  // There from the start, of one page.
  expect(chunks).toMatchObject({ 'ui/button.tsx': null, 'features/c.tsx': null })
})
