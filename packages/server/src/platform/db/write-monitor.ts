import { randomBytes } from 'node:crypto'
import type pg from 'pg'

import { isFull } from '../disk-full.ts'
import type { Log } from '../log.ts'

const probePeriodMs = 2_000
/** Enough that PostgreSQL has to ask for further pages. */
const probeBytes = 256 * 1024

/** Knows whether changes fail because there is no room for them. */
export type WriteMonitor = {
  /** Rejects as `work` does, and stores the reason. */
  watch<T>(work: Promise<T>): Promise<T>
  canWrite(): boolean
  stop(): void
}

/** Learns of a full disk from the first change that fails by it, and of its end by writing until that goes well. */
export function createWriteMonitor(ownerPool: pg.Pool, log: Log): WriteMonitor {
  let canWrite = true
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  function failed(error: unknown): void {
    if (!isFull(error) || !canWrite || isStopped) return
    canWrite = false
    log.error({ err: error }, 'There is no room for changes in the database')
    probeLater()
  }

  function probeLater(): void {
    timer = setTimeout(() => void probe(), probePeriodMs)
    timer.unref()
  }

  async function probe(): Promise<void> {
    try {
      await ownerPool.query(
        `insert into server_keys (name, sealed) values ('write-probe', $1)
         on conflict (name) do update set sealed = excluded.sealed`,
        [randomBytes(probeBytes)],
      )
      await ownerPool.query(`delete from server_keys where name = 'write-probe'`)
    } catch (error) {
      log.debug({ err: error }, 'There is still no room for changes')
      if (!isStopped) probeLater()
      return
    }
    canWrite = true
    log.info('Changes are possible again')
  }

  return {
    async watch(work) {
      try {
        return await work
      } catch (error) {
        failed(error)
        throw error
      }
    },
    canWrite: () => canWrite,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
