import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../source-files.ts'
import { emptied } from './emptied.mjs'
import { notesOf, releaseNotes } from './notes.mjs'
import { isProductFile, isUnread, productFiles } from './product-files.mjs'

const files = productFiles(root)

test('the product has what its server reads, and nothing of its tests', () => {
  expect(files).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'package-lock.json',
      'packages/console/package.json',
      'packages/sandbox/generated/schemas.json',
      'packages/server/migrations/0000_baseline.sql',
      'packages/server/src/main.ts',
    ]),
  )
  expect(
    files.filter((path) => /\.test\.|\/testing\/|\/node_modules\/|^e2e|^bench|^tools/.test(path)),
  ).toEqual([])
  expect(isProductFile('packages/console/src/main.tsx')).toBe(false)
  expect(isProductFile('packages/server/src/testing/chaos-command.ts')).toBe(false)
})

test('whatever a file of the product imports is part of it', () => {
  const known = new Set(files)
  const missing = files
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      const imported = [...text.matchAll(/^(?:import|export)\b(?! type)[^;]*? from '(\.[^']+)'/gm)].map(
        ([, to]) => to,
      )
      const late = [...text.matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, to]) => to)
      return [...imported, ...late]
        .map((to) => normalize(join(dirname(path), to ?? '')))
        .filter((to) => existsSync(join(root, to)) && !known.has(to))
        .map((to) => `${path} imports ${to}`)
    })
  expect(missing).toEqual([])
})

test('of the packages of npm only what nobody reads is left out', () => {
  for (const name of ['index.d.ts', 'index.d.mts', 'index.js.map', 'README.md'])
    expect(isUnread(name), name).toBe(true)
  for (const name of ['index.js', 'LICENSE.md', 'NOTICE.md', 'package.json', 'data.sql'])
    expect(isUnread(name), name).toBe(false)
})

test('the notes of a release are its section of the changelog, with the way back', () => {
  const changelog = '# Changelog\n\n## [0.2.0] – 2027-01-01\n\n### Added\n\n- More\n\n## [0.1.0]\n\n- Old\n'
  expect(notesOf(changelog, '0.2.0')).toBe('### Added\n\n- More')
  expect(() => notesOf(changelog, '0.3.0')).toThrow('CHANGELOG.md has no section for 0.3.0.')
  expect(releaseNotes(changelog, '0.2.0', ['0001_b.sql', '0000_a.sql'])).toContain('migration 0001_b when')
})

test('whatever the console is built with is there without the packages of the tests', () => {
  const folder = join(root, 'packages/console')
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>
  }
  const sources = readdirSync(join(folder, 'build'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('.test.'))
    .map((path) => join(folder, 'build', path))
  const missing = [...sources, join(folder, 'vite.config.ts')].flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/^import (?!type)[^;]*? from '([^.'][^']*)'/gm)]
      .map(([, name = '']) => name.replace(/^((?:@[^/]+\/)?[^/]+).*$/, '$1'))
      .filter((name) => !name.startsWith('node:') && !(name in dependencies))
      .map((name) => `${path.slice(folder.length)}: ${name}`),
  )
  expect(missing).toEqual([])
})

test('a folder with the files of somebody else is left as it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bey-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'letter.txt'), 'mine')
  expect(() => emptied(folder, 'SHA256SUMS')).toThrow('were not made by this command')
  expect(readdirSync(folder)).toEqual(['letter.txt'])
  writeFileSync(join(folder, 'SHA256SUMS'), '')
  emptied(folder, 'SHA256SUMS')
  expect(readdirSync(folder)).toEqual([])
})
