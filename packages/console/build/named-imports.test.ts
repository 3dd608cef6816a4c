import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { namedImports } from './named-imports.ts'

const index = '/x/packages/contract/src/index.ts'
const icons = '/x/node_modules/lucide-react/dist/esm/lucide-react.mjs'
const bell = '/x/node_modules/lucide-react/dist/esm/icons/bell.mjs'
const src = '/x/packages/contract/src'
const modules: Record<string, { code: string; importedIds: string[] }> = {
  [index]: {
    code: `export * from './runs.ts'; export { role, role as part } from './roles.ts'`,
    importedIds: [`${src}/runs.ts`, `${src}/roles.ts`],
  },
  [`${src}/runs.ts`]: {
    code: `export const runs = []; export function start() {}; export { retry } from './retry.ts'`,
    importedIds: [`${src}/retry.ts`],
  },
  [`${src}/retry.ts`]: {
    code: 'export class Retry {}; const retry = new Retry(); export { retry }',
    importedIds: [],
  },
  [`${src}/roles.ts`]: { code: `export const role = 'OWNER'`, importedIds: [] },
  [icons]: {
    code: `export { default as Bell, default as BellIcon } from './icons/bell.mjs'`,
    importedIds: [bell],
  },
  [bell]: { code: 'export default {}', importedIds: [] },
}

function importsOf(code: string, importedIds: string[]): readonly string[] {
  const all: typeof modules = { ...modules, '/x/page.ts': { code, importedIds } }
  return namedImports(
    (id) => all[id] ?? null,
    (text) => parseSync('module.js', text).program,
  )('/x/page.ts')
}

test.each([
  ['a constant', `import { runs } from '@bey/contract'`, [`${src}/runs.ts`]],
  ['a function by another name', `import { start as begin } from '@bey/contract'`, [`${src}/runs.ts`]],
  ['what an index hands on by another name', `import { part } from '@bey/contract'`, [`${src}/roles.ts`]],
  ['what a module behind it hands on', `import { retry } from '@bey/contract'`, [`${src}/retry.ts`]],
  ['what a module hands on itself', `export { role } from '@bey/contract'`, [`${src}/roles.ts`]],
  // What cannot be followed leads to everything.
  ['all of it', `import * as contract from '@bey/contract'`, [index]],
  ['all of it, handed on', `export * from '@bey/contract'`, [index]],
  ['a name that nothing declares', `import { missing } from '@bey/contract'`, [index]],
])('follows %s to the module that declares it', (_, code, expected) => {
  expect(importsOf(code, [index])).toEqual(expected)
})

test('keeps other imports, and follows each index by itself', () => {
  const code = `import { Bell } from 'lucide-react'; import { role } from '@bey/contract'; import './style.css'`
  expect(importsOf(code, [icons, index, '/x/style.css'])).toEqual(['/x/style.css', bell, `${src}/roles.ts`])
})
