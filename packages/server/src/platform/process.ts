import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, open, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pid } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

import { ConfigError } from './errors.ts'
import { isAlive, processState } from './liveness.ts'

export type DataDirectory = {
  path: string
  /** Names this machine's data directory for good: sandboxes belong to it. */
  machineId: string
  /** Records where this process listens; a second start names that address. */
  setAddress(address: string): Promise<void>
  release(): Promise<void>
}

type Holder = { pid: number; startedAt: string; address: string }

const lockName = 'bey.json'
/** How long a start waits for another one to look at the lock. */
const gateMaxMs = 3_000
const minFreeBytes = 64 * 1024 * 1024

/**
 * Makes the data directory and takes it for this process alone. Throws ConfigError when it cannot be written,
 * the disk is full, or a living process holds it (naming that one's address). A dead one's lock is taken over.
 */
export async function claimDataDirectory(path: string, address: string): Promise<DataDirectory> {
  await makeWritable(path)
  await take(path, { pid, startedAt: await startOf(pid), address })
  return {
    path,
    machineId: await keepMachineId(path),
    setAddress: async (next) => replace(path, { pid, startedAt: await startOf(pid), address: next }),
    async release() {
      const holder = await readHolder(path)
      if (holder?.pid === pid) await rm(join(path, lockName), { force: true })
    },
  }
}

async function makeWritable(path: string): Promise<void> {
  try {
    await makeFolders(path)
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    const probe = join(path, `.probe-${pid}`)
    await writeFile(probe, 'x')
    await rm(probe)
    const { bavail, bsize } = await statfs(path)
    if (bavail * bsize < minFreeBytes) throw full(path)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    if (code === 'ENOSPC') throw full(path, error)
    const why = code === 'ENOTDIR' || code === 'EEXIST' ? 'is not a folder' : `cannot be written (${code})`
    throw new ConfigError(
      `The data directory ${path} ${why}. Mend its permissions, or set BEY_DATA_DIR to a folder that this user can write.`,
      { cause: error },
    )
  }
}

/** Node's own recursive mkdir never returns where a parent exists and refuses with ENOENT, as /proc does. */
async function makeFolders(path: string): Promise<void> {
  if (await isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path && !(await isFolder(parent))) await makeFolders(parent)
  await mkdir(path, { mode: 0o755 })
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

function full(path: string, cause?: unknown): ConfigError {
  return new ConfigError(
    `The disk of the data directory ${path} is full. Free some space, or set BEY_DATA_DIR to another disk.`,
    { cause },
  )
}

async function take(path: string, holder: Holder): Promise<void> {
  const gate = join(path, `${lockName}.taking`)
  const deadline = performance.now() + gateMaxMs
  while (!(await openGate(gate))) {
    if (performance.now() > deadline) {
      // Whoever held the gate died in the few milliseconds inside it.
      await rm(gate, { force: true })
    }
    await sleep(20)
  }
  // Under an exclusive lock: of several starts that find the lock of a dead process, one takes it and the others see it
  // held.
  try {
    const found = await readHolder(path)
    if (found !== undefined && (await isRunning(found))) {
      throw new ConfigError(
        `Bey already runs on the data directory ${path}: ${found.address} (process ${found.pid}). Open that, stop it first, or set BEY_DATA_DIR to another folder.`,
      )
    }
    await replace(path, holder)
  } finally {
    await rm(gate, { force: true })
  }
}

async function openGate(gate: string): Promise<boolean> {
  try {
    await (await open(gate, 'wx')).close()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

async function replace(path: string, holder: Holder): Promise<void> {
  const file = join(path, lockName)
  await writeFile(`${file}.next`, JSON.stringify(holder))
  await rename(`${file}.next`, file)
}

async function readHolder(path: string): Promise<Holder | undefined> {
  const text = await readFile(join(path, lockName), 'utf8').catch(() => '')
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null) return undefined
    const { pid: holderPid, startedAt, address } = parsed as Partial<Holder>
    if (typeof holderPid !== 'number') return undefined
    return { pid: holderPid, startedAt: startedAt ?? '', address: address ?? 'address unknown' }
  } catch (error) {
    // Written only in part when the machine stopped.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

async function isRunning(holder: Holder): Promise<boolean> {
  if (holder.pid === pid || !isAlive(holder.pid)) return false
  // After a restart of the machine the number may belong to another program.
  return holder.startedAt === (await startOf(holder.pid))
}

/** When a process began, in ticks since boot, with the boot's id; empty where there is no /proc. */
async function startOf(of: number): Promise<string> {
  const ticks = processState(of)?.startTicks ?? ''
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  return ticks === '' ? '' : `${boot.trim()}:${ticks}`
}

async function keepMachineId(path: string): Promise<string> {
  const file = join(path, 'machine-id')
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim()
  if (/^[0-9a-f]{32}$/.test(kept)) return kept
  const made = randomBytes(16).toString('hex')
  await writeFile(file, `${made}\n`)
  return made
}
