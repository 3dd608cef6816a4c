import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'

import type { ChildFiles } from './child.ts'

/** Files beside a sandbox's directory, which is the sandbox's own; `lock` is the sandbox's, too. */
export function filesOf(dir: string): ChildFiles {
  return {
    out: `${dir}.out`,
    err: `${dir}.err`,
    end: `${dir}.end`,
    pid: `${dir}.pid`,
    lock: join(dir, 'lock'),
  }
}

/** In a sandbox's directory: the past that it begins with, where it has one. */
export const historyFile = 'history.json'

/** In a sandbox's directory: what it recorded of that past. */
export const pastFile = 'past.json'

/** In a sandbox's directory since its first start. */
export const identityFile = 'identity.json'

export function directoryOf(root: string, clusterId: number): string {
  return join(root, `cluster-${clusterId}`)
}

/** Makes the directory for its owner alone, or answers in words why that is impossible. */
export async function makeDirectory(dir: string): Promise<string | undefined> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    await access(dir, constants.R_OK | constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'EEXIST' || code === 'ENOTDIR') return `a file is in the way of the directory ${dir}.`
    if (code === 'ENOSPC') return `the disk of ${dir} is full.`
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
      return `the directory ${dir} cannot be written.`
    throw error
  }
}

/** A port of the loopback interface that nobody listens on; the wanted one if it is free. */
export async function freePort(wanted: number | undefined): Promise<number> {
  if (wanted !== undefined && (await isFree(wanted))) return wanted
  return listenOnce(0)
}

async function isFree(port: number): Promise<boolean> {
  try {
    await listenOnce(port)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false
    throw error
  }
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port))
    })
  })
}
