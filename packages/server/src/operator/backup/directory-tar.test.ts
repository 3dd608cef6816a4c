import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect, onTestFinished, test } from 'vitest'

import { readTar } from '../../providers/databases/tar.ts'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'
import { directoryTar } from './directory-tar.ts'

async function filesOf(tar: AsyncIterable<Uint8Array>): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  await readTar(tar, async ({ name, isDirectory }, content) => {
    const pieces: Uint8Array[] = []
    for await (const piece of content) pieces.push(piece)
    if (!isDirectory) files.set(name, Buffer.concat(pieces).toString())
  })
  return files
}

test('directories are copied with all below them, and what is not there is left out', async () => {
  const root = temporaryDirectory()
  mkdirSync(join(root, 'a', 'inner'), { recursive: true })
  writeFileSync(join(root, 'a', 'one'), 'x'.repeat(2_000_000))
  writeFileSync(join(root, 'a', 'inner', 'two'), '')
  writeFileSync(join(root, 'single'), 'alone')
  const files = await filesOf(directoryTar({ root, paths: ['a', 'single', 'gone'] }))
  expect([...files.keys()].toSorted()).toEqual(['a/inner/two', 'a/one', 'single'])
  expect(files.get('a/one')?.length).toBe(2_000_000)
  expect(files.get('single')).toBe('alone')
})

test('files that replace each other are copied as a set that was there at one moment', async () => {
  const root = temporaryDirectory()
  const dir = join(root, 'sandbox')
  mkdirSync(dir)
  const write = (generation: number) => {
    writeFileSync(join(dir, `log-${generation}`), `of ${generation}`)
    writeFileSync(join(dir, `snapshot-${generation}`), `of ${generation}`)
  }
  write(0)
  const state = { isOver: false }
  // As a sandbox compacts its journal: the new files are there before the old ones go.
  const compacting = (async () => {
    for (let generation = 1; !state.isOver; generation += 1) {
      write(generation)
      await nextTurn()
      for (const kind of ['log', 'snapshot']) rmSync(join(dir, `${kind}-${generation - 1}`))
      // Paced by the file system as the copy is, so that a busy machine slows both.
      for (let look = 0; look < 20; look += 1) await stat(dir)
    }
  })()
  onTestFinished(() => {
    state.isOver = true
    return compacting
  })
  for (let copy = 0; copy < 30; copy += 1) {
    const files = await filesOf(directoryTar({ root, paths: ['sandbox'] }))
    const generations = [...files.keys()].map((name) => Number(name.split('-')[1]))
    const newest = Math.max(...generations)
    expect(files.get(`sandbox/log-${newest}`)).toBe(`of ${newest}`)
    expect(files.get(`sandbox/snapshot-${newest}`)).toBe(`of ${newest}`)
  }
  state.isOver = true
  await compacting
  expect(readdirSync(dir).length).toBeGreaterThan(0)
  expect(readFileSync(join(dir, readdirSync(dir)[0] ?? ''), 'utf8')).toMatch(/^of /)
})
