import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { platform, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { execPath, pid } from 'node:process'
import { createInterface } from 'node:readline'

import { afterEach, expect, test } from 'vitest'

import { ConfigError } from './errors.ts'
import { isAlive } from './liveness.ts'
import { claimDataDirectory } from './process.ts'

const endings: (() => unknown)[] = []

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

async function newDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'bey-data-'))
  endings.push(() => rm(dir, { recursive: true, force: true }))
  return dir
}

/** Another process that claims the directory and tells how it went. */
async function claimElsewhere(dir: string, as: { uid?: number; gid?: number } = {}) {
  const script = `
    const { claimDataDirectory } = await import(${JSON.stringify(new URL('./process.ts', import.meta.url).href)})
    const claimed = await claimDataDirectory(${JSON.stringify(dir)}, 'http://localhost:7777').catch((error) => error)
    console.log(JSON.stringify(claimed instanceof Error ? { name: claimed.name, message: claimed.message } : { name: 'claimed' }))
    setTimeout(() => undefined, 30_000)`
  const child = spawn(execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
    ...as,
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  endings.push(kill)
  return { ...(JSON.parse(line) as { name: string; message?: string }), kill }
}

test('a second start is refused with the first one’s address, and allowed once that one has died', async () => {
  const dir = await newDir()
  const first = await claimElsewhere(dir)
  expect(first.name).toBe('claimed')
  const second = claimDataDirectory(dir, 'http://localhost:8080')
  await expect(second).rejects.toThrow(ConfigError)
  await expect(second).rejects.toThrow(/http:\/\/localhost:7777/)
  await first.kill()
  const third = await claimDataDirectory(dir, 'http://localhost:8080')
  await third.release()
})

test.runIf(platform() === 'linux')(
  'a holder that was killed and that nobody has collected yet does not block the next start',
  async () => {
    const dir = await newDir()
    // The shell's child ends, and `exec sleep` never collects it: a zombie, as under a PID 1 that reaps late. It ends only
    // after that, or the shell collects it.
    const parent = spawn('/bin/sh', ['-c', 'sleep 1 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    endings.push(() => parent.kill('SIGKILL'))
    const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string]
    const zombie = Number(line)
    const statOf = () => readFile(`/proc/${zombie}/stat`, 'utf8')
    await expect.poll(statOf).toMatch(/\) Z /)
    const ticks = (await statOf()).split(') ')[1]?.split(' ')[19]
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
    const holder = { pid: zombie, startedAt: `${boot}:${ticks}`, address: 'http://localhost:7777' }
    await writeFile(join(dir, 'bey.json'), JSON.stringify(holder))
    expect(isAlive(zombie)).toBe(false)
    await (await claimDataDirectory(dir, 'http://localhost:8080')).release()
  },
)

test('the address can be corrected once it is known', async () => {
  const dir = await newDir()
  const claimed = await claimDataDirectory(dir, 'starting')
  await claimed.setAddress('http://localhost:9999')
  const other = await claimElsewhere(dir)
  expect(other.message).toContain('http://localhost:9999')
  await claimed.release()
  await expect(readFile(join(dir, 'bey.json'))).rejects.toMatchObject({ code: 'ENOENT' })
})

test('of several starts at once on a dead one’s directory one wins', async () => {
  const dir = await newDir()
  await writeFile(join(dir, 'bey.json'), JSON.stringify({ pid: 999_999_999, startedAt: '', address: 'gone' }))
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => claimElsewhere(dir)))
  const names = outcomes.map((each) => each.name).toSorted()
  expect(names).toEqual(['ConfigError', 'ConfigError', 'ConfigError', 'claimed'])
})

test.each([
  ['half written', '{"pid":'],
  ['empty', ''],
  [
    'of a process number that is another program’s by now',
    JSON.stringify({ pid: 1, startedAt: 'before', address: 'x' }),
  ],
  [
    'of our own number before a restart of the machine',
    JSON.stringify({ pid, startedAt: 'before', address: 'x' }),
  ],
])('a lock that is %s is taken over', async (_what, text) => {
  const dir = await newDir()
  await writeFile(join(dir, 'bey.json'), text)
  const claimed = await claimDataDirectory(dir, 'http://localhost:8080')
  expect(JSON.parse(await readFile(join(dir, 'bey.json'), 'utf8'))).toMatchObject({ pid })
  await claimed.release()
})

test('a start that died while taking the directory does not block the next for long', async () => {
  const dir = await newDir()
  await writeFile(join(dir, 'bey.json.taking'), '')
  const claimed = await claimDataDirectory(dir, 'x')
  await claimed.release()
  expect(await readdir(dir)).toEqual(['machine-id'])
})

test('the machine’s id stays', async () => {
  const dir = await newDir()
  const one = await claimDataDirectory(dir, 'a')
  await one.release()
  const two = await claimDataDirectory(dir, 'b')
  await two.release()
  expect(two.machineId).toMatch(/^[0-9a-f]{32}$/)
  expect(two.machineId).toBe(one.machineId)
})

test('folders are made as needed', async () => {
  const dir = join(await newDir(), 'a', 'b')
  await (await claimDataDirectory(dir, 'x')).release()
})

test('a file in the place of the directory is said to be no folder', async () => {
  const file = join(await newDir(), 'file')
  await writeFile(file, '')
  await expect(claimDataDirectory(file, 'x')).rejects.toThrow(/is not a folder.*BEY_DATA_DIR/)
})

test.runIf(platform() === 'linux')('a place where no folder can be made is said to be so', async () => {
  await expect(claimDataDirectory('/proc/bey/data', 'x')).rejects.toThrow(/cannot be written \(ENOENT\)/)
})

test('a full disk is said to be full', async () => {
  // Every write to /dev/full fails with ENOSPC.
  const dir = await newDir()
  await symlink('/dev/full', join(dir, `.probe-${pid}`))
  await expect(claimDataDirectory(dir, 'x')).rejects.toThrow(/disk of the data directory .* is full/)
})

test.runIf(userInfo().uid === 0)('a directory that cannot be written is said to be so', async () => {
  const dir = await newDir()
  await chmod(dir, 0o555)
  const { name, message } = await claimElsewhere(dir, { uid: 65_534, gid: 65_534 })
  expect(name).toBe('ConfigError')
  expect(message).toMatch(/cannot be written \(EACCES\)\. Mend its permissions, or set BEY_DATA_DIR/)
})
