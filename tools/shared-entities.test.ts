import { expect, test } from 'vitest'
import { resolveImport, sourceFiles } from './source-files.ts'

const source = 'packages/console/src/'
const isTest = (path: string) => /\.test\.tsx?$/.test(path)
const files = sourceFiles().filter(({ path }) => path.startsWith(source) && !isTest(path))

/** Who imports each file. */
const importers = new Map<string, Set<string>>()
for (const { path, imports } of files)
  for (const { specifier } of imports) {
    const target = resolveImport(path, specifier)
    if (target === undefined) continue
    const found = importers.get(target) ?? new Set()
    importers.set(target, found.add(path))
  }

/** The one feature that uses a file of `entities`, by itself or through others that only it uses. */
function onlyFeatureOf(path: string, known: ReadonlyMap<string, string>): string | undefined {
  const users = [...(importers.get(path) ?? [])].map(
    (user) => known.get(user) ?? /\/(features\/[^/]+)\//.exec(user)?.[1] ?? 'several',
  )
  const [first] = users
  return first !== 'several' && users.every((user) => user === first) ? first : undefined
}

test('what one feature alone uses lies in that feature, not among what several share', () => {
  const shared = files.map(({ path }) => path).filter((path) => path.startsWith(`${source}entities/`))
  let known = new Map<string, string>()
  for (;;) {
    const next = new Map(
      shared.flatMap((path) => {
        const feature = onlyFeatureOf(path, known)
        return feature === undefined ? [] : [[path, feature] as const]
      }),
    )
    if (next.size === known.size) break
    known = next
  }
  // The palette shows previews of every type by one table.
  const misplaced = [...known].filter(([, feature]) => feature !== 'features/palette')
  expect(misplaced.map(([path, feature]) => `${path} is used by ${feature} alone`)).toEqual([])
})
