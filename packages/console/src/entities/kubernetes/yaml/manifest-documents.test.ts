import { expect, test } from 'vitest'
import { maxDocuments, parseManifest } from './manifest-documents.ts'

const pod = (name: string) => `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n`
const firstProblem = (text: string) => {
  const [problem] = parseManifest(text).problems
  if (!problem) throw new Error('no problem was found')
  return { ...problem, line: text.slice(0, problem.from).split('\n').length }
}

test('several documents and JSON are read, empty ones are left out', () => {
  const json = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"shop"}}'
  const { documents, problems } = parseManifest(`---\n${pod('a')}---\n# nothing\n---\n${json}\n`)
  expect(problems).toEqual([])
  expect(documents.map(({ kind, name, namespace }) => `${kind} ${namespace}/${name}`)).toEqual([
    'Pod /a',
    'ConfigMap shop/c',
  ])
})

test('a tab is named at its line', () => {
  expect(firstProblem('apiVersion: v1\nkind: Pod\nmetadata:\n\tname: a\n')).toMatchObject({
    line: 4,
    message: 'YAML does not allow a tab here. Indent with spaces.',
  })
})

test('a duplicate key is named at its second line', () => {
  expect(firstProblem(`${pod('a')}kind: Service\n`)).toMatchObject({
    line: 5,
    message: 'The key "kind" is here a second time. Keep one of the two.',
  })
})

test('anchors work; aliases that represent gigabytes do not', () => {
  expect(parseManifest(`${pod('a')}x: &x {a: 1}\ny: *x\n`).problems).toEqual([])
  const levels = ['a: &a [x,x,x,x,x,x,x,x,x]']
  for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh']) {
    levels.push(`${to}: &${to} [${Array.from({ length: 9 }, () => `*${from}`).join(',')}]`)
  }
  expect(firstProblem(pod('a') + levels.join('\n'))).toMatchObject({
    message: expect.stringContaining('aliases of this document represent too much data'),
  })
})

test('what is missing is said: apiVersion, kind, a name', () => {
  expect(firstProblem('kind: Pod\n').message).toContain('apiVersion is missing')
  expect(firstProblem('apiVersion: v1\n').message).toContain('kind is missing')
  expect(firstProblem('apiVersion: v1\nkind: Pod\n').message).toContain('no metadata.name')
  expect(firstProblem('- 1\n').message).toContain('no Kubernetes object')
})

test('500 documents and more than 3 MB are refused at the place where to split', () => {
  const many = Array.from({ length: 500 }, (_, index) => pod(`p${index}`)).join('---\n')
  const problem = firstProblem(many)
  expect(problem.message).toBe(
    `This manifest has 500 documents; at most ${maxDocuments} are applied at once. Split it here.`,
  )
  expect(problem.line).toBe(maxDocuments * 5)
  expect(firstProblem(`a: ${'x'.repeat(3_100_000)}`).message).toContain('This text has 3.1 MB')
})

test('the same object twice is one too many', () => {
  expect(firstProblem(`${pod('a')}---\n${pod('a')}`).message).toBe(
    'Pod "a" is in this manifest twice. Keep one of the two.',
  )
})
