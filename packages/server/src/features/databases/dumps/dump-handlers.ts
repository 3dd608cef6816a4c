import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { dumpFileName, dumpLimits, dumpRefusal } from '@bey/contract'

import { entryOf } from '../../../platform/act.ts'
import { auditRow, insertAudit } from '../../../platform/audit/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { answer } from '../../../platform/http/answer.ts'
import type { Handlers, TenantCaller } from '../../../platform/http/handlers.ts'
import type { Log } from '../../../platform/log.ts'
import { ConnectionProblem } from '../../../platform/outbound/connection-problem.ts'
import type { DatabaseParts } from '../parts.ts'
import { databaseTarget, existing } from '../present.ts'
import type { DumpProgram } from '../provider.ts'
import { failureOf } from '../sql/open-session.ts'
import { type DatabaseRow, findDatabase } from '../store.ts'
import { chooseProgram } from './choose-program.ts'
import { type DumpPod, openDump } from './open-dump.ts'

type Parts = Pick<DatabaseParts, 'database' | 'providers' | 'credentials' | 'clock'> & { log: Log }

/** A dump that is under way; its stream once it has begun. */
type Turn = { databaseId: string; stream?: Readable }

const hourMs = 3_600_000

/** Logical dumps for download. `stop` ends those that are under way. */
export function databaseDumps(parts: Parts) {
  const { database, providers, clock, log } = parts
  const turns = new Set<Turn>()

  const find = (organizationId: number, id: string) =>
    database.readTenant(organizationId, async (db) => existing(await findDatabase(db, organizationId, id)))

  /** What dumps a database, or why nothing can. */
  async function programFor(row: DatabaseRow): Promise<DumpProgram | DumpPod | { refusal: string }> {
    const refusal = dumpRefusal(row)
    if (refusal !== undefined) return { refusal }
    if (row.provider === 'cnpg') {
      const pod = row.cnpg?.observed?.primary
      return pod ? { pod } : { refusal: 'Its Cluster has no primary at the moment.' }
    }
    if (row.version === null) return { refusal: 'Its server has not said its version yet.' }
    const chosen = chooseProgram(await providers.dumps.programs(), row.version)
    return 'program' in chosen ? chosen.program : chosen
  }

  function takeTurn({ id, name }: DatabaseRow): Turn {
    const ofThis = [...turns].filter(({ databaseId }) => databaseId === id).length
    if (ofThis >= dumpLimits.atOncePerDatabase) {
      throw new AppError(
        'limit_reached',
        `A dump of "${name}" is being downloaded already. Wait for its end.`,
      )
    }
    if (turns.size >= dumpLimits.atOnce) {
      throw new AppError(
        'limit_reached',
        `This server makes ${dumpLimits.atOnce} dumps at a time, and they are under way. Try again later.`,
      )
    }
    const turn = { databaseId: id }
    turns.add(turn)
    return turn
  }

  /** Begins a dump after its intent is in the audit trail: what cannot be recorded is not done. */
  async function begin(caller: TenantCaller, row: DatabaseRow): Promise<Readable> {
    const by = await programFor(row)
    if ('refusal' in by) throw new AppError('conflict', `No dump of "${row.name}" can be made: ${by.refusal}`)
    const turn = takeTurn(row)
    const entry = entryOf(caller, {
      action: 'database.dump',
      class: 'read',
      target: databaseTarget(row),
      diff: { by: 'pod' in by ? `pg_dump in the pod ${by.pod}` : `pg_dump ${by.version}` },
    })
    const intent = auditRow({ ...entry, outcome: 'unknown' })
    const write = (line: typeof intent) =>
      database.withTenant(caller.organizationId, (db) => insertAudit(db, [line]))
    const end = (outcome: 'success' | 'failure') => {
      turns.delete(turn)
      return write(auditRow({ ...entry, outcome, intentId: intent.id }))
    }
    try {
      await write(intent)
      turn.stream = await openDump(parts, row, caller, by)
    } catch (error) {
      await end('failure')
      throw dumpFailure(row, error)
    }
    followToEnd(turn.stream, end)
    // A program that fails at once is answered as an error, not as a download that breaks off.
    await once(turn.stream, 'readable').catch((error: unknown) => {
      throw dumpFailure(row, error)
    })
    return turn.stream
  }

  /** Its end is that of the download: a dump that was not read to its last byte is none. */
  function followToEnd(stream: Readable, end: (outcome: 'success' | 'failure') => Promise<unknown>): void {
    const stopTimer = clock.setTimeout(
      () => stream.destroy(new Error(`The download took longer than ${dumpLimits.maxHours} hours`)),
      dumpLimits.maxHours * hourMs,
    )
    // Whoever reads it sees its errors as well; one that comes before that must not end the process.
    stream.on('error', () => undefined)
    stream.once('close', () => {
      stopTimer()
      end(stream.readableEnded ? 'success' : 'failure').catch((error: unknown) => {
        log.error({ err: error }, 'the end of a dump was not audited')
      })
    })
  }

  const handlers: Handlers<'databases.downloadDump' | 'databases.dumpProgram'> = {
    'databases.dumpProgram': async ({ caller, params }) => {
      const by = await programFor(await find(caller.organizationId, params.id))
      if ('refusal' in by) return { refusal: by.refusal, program: null }
      if ('pod' in by) return { refusal: null, program: { place: 'pod', name: by.pod, version: null } }
      return { refusal: null, program: { place: 'machine', name: by.file, version: by.version } }
    },
    'databases.downloadDump': async ({ caller, params }) => {
      const row = await find(caller.organizationId, params.id)
      const file = dumpFileName(row.name, clock.now())
      return answer(await begin(caller, row), {
        headers: {
          'x-accel-buffering': 'no',
          'content-disposition': `attachment; filename="${file}"`,
        },
      })
    },
  }
  return {
    handlers,
    stop() {
      for (const { stream } of turns) stream?.destroy()
    },
  }
}

/** A failure of the program as an answer; anything else stays what it is. */
function dumpFailure(row: DatabaseRow, error: unknown): unknown {
  if (!(error instanceof ConnectionProblem)) return failureOf(row.name, error)
  return new AppError('conflict', `The dump of "${row.name}" failed: ${error.message}`, { cause: error })
}
