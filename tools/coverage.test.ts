import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mutations } from './mutations/table.ts'
import { root } from './source-files.ts'
import { testSource, withoutFormatting } from './test-source.ts'

/**
 * `docs/specification-coverage.md` has a table row a sentence: what is specified, and its proof. A proof is
 * `path` › title of a test › `assertion`, `assertion`; several of them stand apart by `<br>`. Words in italics say why
 * there is nothing to run, or what a proof leaves open: the latter begin with "Partly:".
 */
const [table = '', partList = '', brokenList = ''] = readFileSync(
  join(root, 'docs/specification-coverage.md'),
  'utf8',
).split(/^## Proved (?:in part|by breaking the code)$/m)
const rows = table
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (---|Specification \|)/.test(line))
  .map((line) => {
    const cells = line.slice(2, -2).split(' | ')
    return { sentence: cells.slice(0, -1).join(' | '), proofs: (cells.at(-1) ?? '').split('<br>') }
  })

const testProof = /^`([^`]+)` › (.+?) › (`[^`]+`(?:, `[^`]+`)*)$/

test('every row of the specification coverage has a proof, or says in italics why it has none', () => {
  expect(rows.length).toBeGreaterThan(300)
  expect(
    rows.filter(({ proofs }) => proofs.some((proof) => !/^\*.+\*$/.test(proof) && !testProof.test(proof))),
  ).toEqual([])
  // What a proof leaves open belongs to a proof.
  expect(rows.filter(({ proofs }) => proofs.every((proof) => proof.startsWith('*Partly:')))).toEqual([])
})

test('every test that the coverage names exists, is not skipped and holds the assertions that are quoted', () => {
  const faults = rows.flatMap(({ proofs }) =>
    proofs.filter((proof) => proof.startsWith('`')).flatMap((proof) => faultsOf(proof)),
  )
  expect([...new Set(faults)]).toEqual([])
})

test('the rows that are proved in part are listed at the end', () => {
  const listed = partList.split('\n').filter((line) => line.startsWith('- '))
  const notes = rows.flatMap(({ sentence, proofs }) =>
    proofs.filter((proof) => proof.startsWith('*Partly: ')).map((note) => ({ sentence, note })),
  )
  expect(listed.map((line) => line.slice(line.indexOf('…: ') + 3))).toEqual(
    notes.map(({ note }) => note.slice('*Partly: '.length, -1)),
  )
  for (const [index, line] of listed.entries()) {
    const beginning = line.slice(2, line.indexOf('…: ')).trimEnd()
    expect(notes[index]?.sentence.startsWith(beginning), beginning).toBe(true)
  }
})

test('every way to break the code still applies, names a row and its test, and was tried', () => {
  expect(mutations.length).toBeGreaterThanOrEqual(60)
  for (const { row, file, from, to, test: path, title } of mutations) {
    const source = readFileSync(join(root, file), 'utf8')
    expect(source.split(from).length - 1, `${file}: ${from}`).toBe(1)
    expect(to).not.toBe(from)
    expect(
      rows.some(({ sentence }) => sentence.startsWith(row)),
      row,
    ).toBe(true)
    expect(testSource(readFileSync(join(root, path), 'utf8'), title), `${path} › ${title}`).toBeDefined()
  }
  const tried = brokenList.split('\n').filter((line) => line.startsWith('- '))
  expect(tried).toEqual(
    mutations.map(({ row, file, test: path, title }) => `- ${row}…: \`${file}\` → \`${path}\` › ${title}`),
  )
})

test('an assertion of another test of the same file, or of a skipped one, is no proof', () => {
  const source = [
    "const table = ['shared']",
    "test('one', () => {\n  expect(a).toBe(\n    1,\n  )\n})",
    "test.each(table)('two', () => {\n  expect(b).toBe(2)\n})",
    'function helper() {\n  expect(c).toBe(3)\n}',
    "test.skip('three', () => {\n  expect(d).toBe(4)\n})",
  ].join('\n\n')
  const text = withoutFormatting(testSource(source, 'one') ?? '')
  for (const own of ['expect(a).toBe(1)', "['shared']", 'expect(c).toBe(3)'])
    expect(text).toContain(withoutFormatting(own))
  for (const foreign of ['expect(b)', 'expect(d)']) expect(text).not.toContain(foreign)
  expect(testSource(source, 'two')).toContain('expect(b).toBe(2)')
  expect([testSource(source, 'three'), testSource(source, 'four')]).toEqual([undefined, undefined])
})

const sources = new Map<string, string>()

function faultsOf(proof: string): string[] {
  const [, path = '', title = '', quotes = ''] = testProof.exec(proof) ?? []
  const file = join(root, path)
  const source = sources.get(path) ?? (existsSync(file) ? readFileSync(file, 'utf8') : '')
  sources.set(path, source)
  const own = testSource(source, title)
  if (own === undefined) return [`${path} has no test "${title}" that runs`]
  const text = withoutFormatting(own)
  return quotes
    .slice(1, -1)
    .split('`, `')
    .filter((quote) => !text.includes(withoutFormatting(quote)))
    .map((quote) => `${path} › ${title} does not hold ${quote}`)
}
