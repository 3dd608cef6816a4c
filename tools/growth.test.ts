import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './source-files.ts'
import { testSource } from './test-source.ts'

/** `docs/growth.md` has a table row a default, and for each, in the same order, the tests of its switch; in italics what none tests. */
const lines = readFileSync(join(root, 'docs/growth.md'), 'utf8').split('\n')
const rows = lines
  .slice(
    0,
    lines.findIndex((line) => line.startsWith('## ')),
  )
  .filter((line) => line.startsWith('| ') && !line.startsWith('| default |'))
  .map((line) => line.slice(2, -2).split(' | '))
const from = lines.indexOf('## Tests of the switches')
const switches = lines
  .slice(from, lines.indexOf('## A plan to 100,000 people'))
  .filter((line) => line.startsWith('- '))
  .map((line) => /^- (.+?): (.+)$/.exec(line)?.slice(1) ?? [])

test('every default names the limit that was measured, the engine that takes over, and a test of the switch or none', () => {
  expect(rows.length).toBeGreaterThan(8)
  const figures = readFileSync(join(root, 'docs/figures.md'), 'utf8')
  for (const [name = '', limit = '', engine = '', setting = ''] of rows) {
    expect([engine, setting], name).not.toContain('')
    for (const [, bench] of limit.matchAll(/\(`(\w+)`\)/g))
      expect(figures, name).toContain(`## \`npm run bench ${bench}\``)
  }
  expect(switches.map(([setting]) => setting)).toEqual(rows.map(([, , , setting]) => setting))
  for (const [setting, tests = ''] of switches) {
    for (const proof of tests.split('; ').filter((each) => !/^\*.+\.\*$/.test(each))) {
      const [, path = '', title = ''] = /^`([^`]+)` › (.+)$/.exec(proof) ?? []
      expect(testSource(readFileSync(join(root, path), 'utf8'), title), `${setting}: ${proof}`).toBeDefined()
    }
  }
})
