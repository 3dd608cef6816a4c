// @vitest-environment node
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { filterReleases, plainText } from '../src/lib/changelog.ts'
import { parseChangelog } from './parse-changelog.ts'

const text = `# Changelog

All notable changes, newest first.

## [1.1.0] – unreleased

### Added

- A list of \`secrets\` that
  never shows a **value**.

### Security

- See [the note](https://example.com/x), or [the file](./SECURITY.md).

## [1.0.0] - 2026-11-21

### Fixed

- Nothing is lost.
`

const releases = parseChangelog(text)

test('versions, dates, kinds and changes are read, lines of a change joined', () => {
  expect(releases.map(({ version, date }) => [version, date])).toEqual([
    ['1.1.0', undefined],
    ['1.0.0', '2026-11-21'],
  ])
  expect(releases[0]?.groups).toEqual([
    {
      kind: 'Added',
      changes: [
        [
          { text: 'A list of ' },
          { text: 'secrets', look: 'code' },
          { text: ' that never shows a ' },
          { text: 'value', look: 'strong' },
          { text: '.' },
        ],
      ],
    },
    {
      kind: 'Security',
      changes: [
        [
          { text: 'See ' },
          { text: 'the note', href: 'https://example.com/x' },
          { text: ', or ' },
          { text: 'the file' },
          { text: '.' },
        ],
      ],
    },
  ])
})

test.each([
  ['## [1.0.0] – 21 Nov 2026', 'a date'],
  ['## [1.0.0]\n\n### New', 'a kind of change'],
  ['## [1.0.0]\n\nSome words.', 'neither version'],
])('%j is refused with its line', (broken, why) => {
  expect(() => parseChangelog(broken)).toThrow(new RegExp(`CHANGELOG.md:\\d+: ${why}`))
})

test('a search keeps the changes that hold every word, and no release without one', () => {
  expect(filterReleases(releases, 'LOST nothing', undefined).map((each) => each.version)).toEqual(['1.0.0'])
  expect(
    filterReleases(releases, '', 'Added').flatMap((each) => each.groups.map((group) => group.kind)),
  ).toEqual(['Added'])
  expect(filterReleases(releases, 'elephant', undefined)).toEqual([])
})

test('the project’s own changelog is one of this shape, and its newest version is the one that is built', () => {
  const own = parseChangelog(readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8'))
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  expect(own[0]?.version).toBe(version)
  expect(
    own[0]?.groups
      .flatMap((group) => group.changes)
      .map(plainText)
      .join(''),
  ).not.toMatch(/[`*]{2}|\]\(/)
})
