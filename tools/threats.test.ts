import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './source-files.ts'
import { testSource } from './test-source.ts'

/** `SECURITY.md` has a table row a threat, whose last cell names tests: `path` › title, several apart by `<br>`. */
const [, threats = ''] = readFileSync(join(root, 'SECURITY.md'), 'utf8').split(/^## Threats$/m)
const rows = threats
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| They try to |'))
  .map((line) => line.slice(2, -2).split(' | '))

const proof = /^`([^`]+)` › (.+)$/

test('every threat has what stands against it, and a test that tries it and is not skipped', () => {
  expect(rows.length).toBeGreaterThan(40)
  const faults = rows.flatMap(([threat = '', defence = '', tests = '', ...more]) => {
    if (defence === '' || tests === '' || more.length > 0) return [`${threat}: three cells are needed`]
    return tests.split('<br>').flatMap((each) => {
      const [, path = '', title = ''] = proof.exec(each) ?? []
      if (path === '') return [`${threat}: ${each} is no test`]
      return testSource(readFileSync(join(root, path), 'utf8'), title) === undefined
        ? [`${threat}: ${path} has no test "${title}" that runs`]
        : []
    })
  })
  expect(faults).toEqual([])
})
