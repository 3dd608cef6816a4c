import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './source-files.ts'

const folder = join(root, 'packages/server/migrations')
const journal: { entries: { idx: number; when: number; tag: string }[] } = JSON.parse(
  readFileSync(join(folder, 'meta/_journal.json'), 'utf8'),
)

test('every migration has its place in the journal, in the order of time', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  expect(files.toSorted()).toEqual(journal.entries.map(({ tag }) => `${tag}.sql`))
  const times = journal.entries.map(({ when }) => when)
  expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
})

test('only the snapshot of the newest migration is kept', () => {
  const newest = String(journal.entries.at(-1)?.idx).padStart(4, '0')
  const snapshots = readdirSync(join(folder, 'meta')).filter((name) => name !== '_journal.json')
  expect(snapshots).toEqual([`${newest}_snapshot.json`])
})
