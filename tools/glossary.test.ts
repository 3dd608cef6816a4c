import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sourceFiles } from './source-files.ts'

const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
const refused = [...(/refused by `npm test`:\n([^]*)$/.exec(glossary)?.[1] ?? '').matchAll(/`(\w+)`/g)].map(
  ([, name]) => name ?? '',
)

test('no name in the code is one of those that the glossary refuses', () => {
  expect(refused.length).toBeGreaterThan(10)
  const declared = new RegExp(`\\b(?:function|const|let|class|type|interface)\\s+(${refused.join('|')})\\b`)
  const found = sourceFiles().flatMap(({ path, text }) => {
    const name = declared.exec(text)?.[1]
    return name === undefined ? [] : [`${path}: ${name}`]
  })
  expect(found).toEqual([])
})

test('the glossary explains each word once', () => {
  const words = [...glossary.matchAll(/^\| ([^|]+?) \|/gm)]
    .flatMap(([, cell = '']) => cell.split(', '))
    .filter((word) => !/^(word|name|-+)$/.test(word))
  expect(words.filter((word, i) => words.indexOf(word) !== i)).toEqual([])
})
