import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './source-files.ts'

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)))
const documents = files.filter((path) => path.endsWith('.md') && !path.includes('node_modules'))

/** Names of files in documents that are examples, and of files that are made at run time. */
const examples = /<|…|\*|widgets?|\bx\.|^https?:|NNN/

/** Whether the repository has such a path: whole, or as the end of one, or without `src`, as documents shorten it. */
function exists(path: string): boolean {
  const inSource = path.replace(/^(contract|client|sandbox|server|console)\/(?!src\/)/, '$1/src/')
  return files.some((file) => [path, inSource].some((each) => file === each || file.endsWith(`/${each}`)))
}

test('every source file that a document names exists', () => {
  const missing = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8').replaceAll(/https?:\S+/g, '')
    const named = [...text.matchAll(/[\w@./<>*…-]*[\w>*]\.(?:tsx?|mjs|sql|css)\b/g)].map(([path]) => path)
    return named
      .filter((path) => !examples.test(path) && !exists(path.replace(/^\.?\//, '')))
      .map((path) => `${document}: ${path}`)
  })
  expect(missing).toEqual([])
})

test('every link of a document leads to a file', () => {
  const broken = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8')
    return [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(root, normalize(join(dirname(document), target)))))
      .map((target) => `${document}: ${target}`)
  })
  expect(broken).toEqual([])
})

test('every command of npm that a document names exists', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const unknown = documents.flatMap((document) =>
    [...readFileSync(join(root, document), 'utf8').matchAll(/npm run ([\w:-]+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !Object.hasOwn(scripts, name))
      .map((name) => `${document}: npm run ${name}`),
  )
  expect(unknown).toEqual([])
})
