import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const drawn = readFileSync(join(root, 'packages/console/src/features/workflows/graph/step-icon.tsx'), 'utf8')

test.each(['steps', 'definition/templates'])(
  'the console draws every icon that files of %s name',
  (folder) => {
    const directory = join(root, 'packages/server/src/features/workflows', folder)
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    )
    const named = files.flatMap((name) =>
      [...readFileSync(join(directory, name), 'utf8').matchAll(/^\s+icon: '([a-z0-9-]+)'/gm)].map(
        ([, icon]) => icon ?? '',
      ),
    )
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((icon) => !new RegExp(`^  '?${icon}'?: `, 'm').test(drawn))).toEqual([])
  },
)
