import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './source-files.ts'

/**
 * `docs/specification-coverage.md` has a table row a sentence: what is specified, and its proof. A proof is
 * `path › title` of a test, several of them apart by `<br>`, or words in italics where there is nothing to run.
 */
const rows = readFileSync(join(root, 'docs/specification-coverage.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (---|Specification)/.test(line))
  .map((line) => {
    const cells = line.slice(2, -2).split(' | ')
    return { sentence: cells.slice(0, -1).join(' | '), proofs: (cells.at(-1) ?? '').split('<br>') }
  })

test('every row of the specification coverage has a proof, or says in italics why it has none', () => {
  expect(rows.length).toBeGreaterThan(300)
  expect(rows.filter((row) => row.proofs.some((proof) => !/^\*.+\*$|^`[^`]+` › .+$/.test(proof)))).toEqual([])
})

test('every test that the coverage names exists and is not skipped', () => {
  const missing = rows.flatMap((row) => row.proofs.filter((proof) => proof.startsWith('`') && !isLive(proof)))
  expect([...new Set(missing)]).toEqual([])
})

const sources = new Map<string, string>()

function isLive(proof: string): boolean {
  const [, path = '', title = ''] = proof.match(/^`([^`]+)` › (.+)$/) ?? []
  const source =
    sources.get(path) ?? (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '')
  sources.set(path, source)
  // The title stands in quotes of its own in the source; one that holds an apostrophe may be escaped there.
  const at = source.replaceAll("\\'", "'").indexOf(title)
  if (at < 0) return false
  const call = source.slice(Math.max(0, at - 40), at)
  return !/\.(skip|todo|fixme)\(\s*['"`]?$/.test(call)
}
