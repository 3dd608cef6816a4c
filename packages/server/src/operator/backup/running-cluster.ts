import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'

import type { ClientConfig } from 'pg'

import { isAlive } from '../../platform/liveness.ts'

/** An embedded server that runs now, and how its superuser reaches it. */
export type RunningCluster = { clusterDir: string; connection: ClientConfig }

/** The server that runs on the files of a directory of data; undefined while none does. */
export async function findRunningCluster(dataDir: string): Promise<RunningCluster | undefined> {
  const clusterDir = await realpath(join(dataDir, 'postgres')).catch(() => undefined)
  if (clusterDir === undefined) return undefined
  const lines = (await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  // PostgreSQL's lock file: process, directory, start, port, directory of the socket, …
  const [pid, port, socketDir] = [Number(lines[0]), Number(lines[3]), lines[4]]
  if (socketDir === undefined || socketDir === '' || !(port > 0) || !isAlive(pid)) return undefined
  const password = (await readFile(join(dataDir, 'postgres.password'), 'utf8')).trim()
  return { clusterDir, connection: { host: socketDir, port, user: 'postgres', password } }
}
