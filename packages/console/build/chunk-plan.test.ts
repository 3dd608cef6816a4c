import { expect, test } from 'vitest'
import { chunkPlan } from './chunk-plan.ts'

type Module = { imports?: string[]; later?: string[]; isEntry?: boolean }

const src = '/x/packages/console/src'
const pages = ['dashboard/dashboard-page', 'b', 'c', 'd', 'e'].map((name) => `${src}/features/${name}.tsx`)
const graph: Record<string, Module> = {
  [`${src}/main.tsx`]: { isEntry: true, imports: [`${src}/app/screens.ts`, `${src}/ui/button.tsx`] },
  [`${src}/app/screens.ts`]: { later: pages },
  [`${src}/ui/button.tsx`]: {},
  [`${src}/app/overlays.tsx`]: {
    imports: [`${src}/ui/toast.tsx`, `${src}/ui/chip.tsx`, `${src}/ui/button.tsx`],
  },
  [`${src}/ui/toast.tsx`]: {},
  [`${src}/ui/chip.tsx`]: {},
  [`${src}/ui/table.tsx`]: {},
  [`${src}/ui/editor.tsx`]: { imports: ['/x/node_modules/big-editor/index.js'] },
  [`${src}/data/clusters.ts`]: {},
  [`${src}/data/secrets.ts`]: {},
  '/x/node_modules/big-editor/index.js': {},
}
for (const [at, page] of pages.entries()) {
  const both =
    at < 2 ? [`${src}/data/clusters.ts`] : at < 4 ? [`${src}/data/secrets.ts`] : [`${src}/ui/chip.tsx`]
  graph[page] = { imports: [`${src}/ui/table.tsx`, `${src}/ui/editor.tsx`, `${src}/ui/button.tsx`, ...both] }
}

test('chunks follow who needs a module', () => {
  const { plugin, chunkOf } = chunkPlan()
  const build = plugin.buildEnd as unknown as (this: object) => void
  build.call({
    getModuleIds: () => Object.keys(graph).values(),
    getModuleInfo: (id: string) => ({
      importedIds: graph[id]?.imports ?? [],
      dynamicallyImportedIds: graph[id]?.later ?? [],
      isEntry: graph[id]?.isEntry ?? false,
    }),
  })
  const chunks = Object.fromEntries(Object.keys(graph).map((id) => [id.replace(`${src}/`, ''), chunkOf(id)]))

  // The idle moment alone needs them.
  expect(chunks).toMatchObject({ 'app/overlays.tsx': 'idle', 'ui/toast.tsx': 'idle' })
  // A page and the idle moment, or three pages.
  expect(chunks).toMatchObject({ 'ui/chip.tsx': 'common', 'ui/table.tsx': 'common' })
  // Two pages share it: one file fewer where one of them is a landing page.
  expect(chunks).toMatchObject({ 'data/clusters.ts': 'common', 'data/secrets.ts': null })
  // There from the start, with a library of its own, of one page.
  expect(chunks).toMatchObject({ 'ui/button.tsx': null, 'ui/editor.tsx': null, 'features/b.tsx': null })
})
