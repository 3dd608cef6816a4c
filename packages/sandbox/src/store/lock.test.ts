import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { temporaryDirectory } from '../testing/test-sandbox.ts'
import { lockDirectory } from './lock.ts'

let dir: string

beforeEach(() => (dir = temporaryDirectory()))
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const statOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []

function writeLock(pid: number, start: string | undefined): void {
  writeFileSync(join(dir, 'lock'), `${pid} ${start}\n`)
}

test('a directory is given to one at a time, and can be taken again when it is given back', () => {
  const unlock = lockDirectory(dir)
  expect(() => lockDirectory(dir)).toThrow(/in use/)
  unlock()
  lockDirectory(dir)()
})

test('a living process keeps its directory, and one that is gone does not', async () => {
  const child = spawn('sleep', ['60'])
  const pid = child.pid ?? 0
  writeLock(pid, existsSync('/proc/self/stat') ? statOf(pid)[19] : '')
  expect(() => lockDirectory(dir)).toThrow(`in use by process ${pid}`)
  child.kill('SIGKILL')
  await once(child, 'exit')
  lockDirectory(dir)()
})

test.skipIf(!existsSync('/proc/self/stat'))(
  'a process id that was given away again is not the holder',
  () => {
    writeLock(process.ppid, String(Number(statOf(process.ppid)[19]) - 1))
    lockDirectory(dir)()
  },
)

test.skipIf(!existsSync('/proc/self/stat'))(
  'a dead process that nobody has buried is not the holder',
  async () => {
    // The shell becomes a program that knows nothing of its child, which ends only then and stays a zombie.
    const parent = spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    })
    const [, stdout, , ending] = parent.stdio
    if (!stdout || !ending) throw new Error('The shell has no pipes.')
    const [line]: unknown[] = await once(stdout, 'data')
    await vi.waitFor(() => expect(readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n'), 60_000)
    ending.destroy()
    const pid = Number(String(line))
    await vi.waitFor(() => expect(statOf(pid)[0]).toBe('Z'), 60_000)
    writeLock(pid, statOf(pid)[19])
    lockDirectory(dir)()
    parent.kill('SIGKILL')
  },
)
