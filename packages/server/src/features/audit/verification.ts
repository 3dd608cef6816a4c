import type { AuditVerification } from '@bey/contract'
import { eq, sql } from 'drizzle-orm'

import { act, type OtherActor, serverItself, type Who } from '../../platform/act.ts'
import type { SigningKey } from '../../platform/audit/signing-key.ts'
import { type ChainVerdict, verifyChain } from '../../platform/audit/verify-chain.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import type { Log } from '../../platform/log.ts'
import { auditVerifications } from '../../tables/audit-verifications.ts'

/** A verification that has not been heard of for so long has died with its process. */
const aliveSeconds = 30

/** Tells anyone who reads the audit log that its chain is broken, in the transaction that records it. */
export type OnBroken = (
  db: Db,
  fault: { organizationId: number; position: number; problem: string },
) => Promise<void>

export type VerificationParts = {
  database: Database
  clock: Clock
  log: Log
  signingKey: SigningKey
  onBroken: OnBroken
}

/** Every chain is verified as a whole once in so many hours. */
const periodHours = 24

export type Verifications = {
  /** Starts one unless one is running, in the background; answers its state. */
  start(asker: Who): Promise<AuditVerification>
  state(organizationId: number): Promise<AuditVerification>
  /** Verifies a chain now, unless that is under way, and waits for the end. */
  check(organizationId: number): Promise<void>
  /** Verifies every chain that was not verified for a day, one after the other. */
  checkDue(): Promise<void>
  /** Waits for those that this process runs. */
  close(): Promise<void>
}

/** Verifications of audit chains: one at a time for each organization, whichever process runs it. */
export function createVerifications(parts: VerificationParts): Verifications {
  const { database, clock, log, signingKey, onBroken } = parts
  const running = new Set<Promise<void>>()
  let isClosed = false

  async function run(asker: Who | OtherActor): Promise<void> {
    const { organizationId } = asker
    const startedMs = clock.monotonicMs()
    const onProgress = (progress: { checked: number; total: number }) =>
      database.withTenant(organizationId, async (db) => {
        await db.update(auditVerifications).set({ ...progress, heartbeatAt: clock.now() })
      })
    const verdict = await verifyChain(database, organizationId, signingKey.publicKeys, onProgress)
    const durationMs = Math.round(clock.monotonicMs() - startedMs)
    await database.withTenant(organizationId, async (db) => {
      const notified = await notifiedPosition(db, organizationId)
      const position = verdict.isIntact ? null : verdict.position
      await db
        .update(auditVerifications)
        .set({
          finishedAt: clock.now(),
          durationMs,
          notifiedPosition: position,
          ...columnsOf(verdict),
        })
        .where(eq(auditVerifications.organizationId, organizationId))
      // Each break is reported once, however often it is found again.
      if (!verdict.isIntact && position !== notified) await onBroken(db, { organizationId, ...verdict })
      await act(db, asker, {
        action: 'audit.verify',
        class: 'read',
        outcome: verdict.isIntact ? 'success' : 'failure',
        target: { type: 'audit', name: 'Audit log' },
        diff: verdict.isIntact
          ? { entries: verdict.entries }
          : { reason: verdict.problem, position: verdict.position },
      })
    })
  }

  function begin(asker: Who | OtherActor): Promise<void> {
    const { organizationId } = asker
    const work = run(asker)
      .catch((error: unknown) =>
        log.warn({ err: error, organizationId }, 'The audit log could not be verified'),
      )
      .finally(() => running.delete(work))
    running.add(work)
    return work
  }

  async function check(organizationId: number): Promise<void> {
    const isStarted = await database.withTenant(organizationId, (db) =>
      claim(db, organizationId, clock.now()),
    )
    if (isStarted) await begin(serverItself(organizationId))
  }

  return {
    check,
    async checkDue() {
      for (const organizationId of await findDue(database)) {
        if (isClosed) return
        await check(organizationId)
      }
    },
    async start(asker) {
      const { organizationId } = asker
      const [isStarted, state] = await database.withTenant(organizationId, async (db) => {
        const started = await claim(db, organizationId, clock.now())
        return [started, await keepReply(db, await stateOf(db, organizationId))] as const
      })
      if (isStarted) void begin(asker)
      return state
    },
    state: (organizationId) => database.readTenant(organizationId, (db) => stateOf(db, organizationId)),
    async close() {
      isClosed = true
      await Promise.all(running)
    },
  }
}

/** Organizations whose chain was not verified for a day; 0 is the server itself, whose log nobody reads in a console. */
async function findDue(database: Pick<Database, 'asSystem'>): Promise<number[]> {
  const { rows } = await database.asSystem('find audit chains to verify', (db) =>
    db.execute<{ id: number }>(sql`
      select h.organization_id as id from audit_heads h
      left join audit_verifications v on v.organization_id = h.organization_id
      where h.organization_id > 0
        and (v.started_at is null or v.started_at < now() - make_interval(hours => ${periodHours}))
      order by v.started_at nulls first, h.organization_id`),
  )
  return rows.map(({ id }) => id)
}

async function notifiedPosition(db: Db, organizationId: number): Promise<number | null> {
  const [row] = await db
    .select({ position: auditVerifications.notifiedPosition })
    .from(auditVerifications)
    .where(eq(auditVerifications.organizationId, organizationId))
    .for('update')
  return row?.position ?? null
}

/** False while another one runs. */
async function claim(db: Db, organizationId: number, now: Date): Promise<boolean> {
  const fresh = {
    startedAt: now,
    heartbeatAt: now,
    finishedAt: null,
    checked: 0,
    total: 0,
    durationMs: 0,
    faultyPosition: null,
    problem: null,
    checkpointAt: null,
    checkpointKeyId: null,
  }
  const rows = await db
    .insert(auditVerifications)
    .values({ organizationId, ...fresh })
    .onConflictDoUpdate({
      target: auditVerifications.organizationId,
      set: fresh,
      setWhere: sql`${auditVerifications.finishedAt} is not null
        or ${auditVerifications.heartbeatAt} < now() - make_interval(secs => ${aliveSeconds})`,
    })
    .returning({ id: auditVerifications.organizationId })
  return rows.length === 1
}

function columnsOf(verdict: ChainVerdict) {
  return {
    checkpointAt: verdict.checkpoint?.at ?? null,
    checkpointKeyId: verdict.checkpoint?.keyId ?? null,
    ...(verdict.isIntact
      ? { checked: verdict.entries, total: verdict.entries }
      : { faultyPosition: verdict.position, problem: verdict.problem }),
  }
}

async function stateOf(db: Db, organizationId: number): Promise<AuditVerification> {
  const { rows } = await db.execute<{ isAlive: boolean; entryId: string | null }>(sql`
    select v.heartbeat_at > now() - make_interval(secs => ${aliveSeconds}) as "isAlive", e.id as "entryId"
    from audit_verifications v
    left join audit_links l on l.organization_id = v.organization_id and l.position = v.faulty_position
    left join audit_entries e on e.organization_id = l.organization_id and e.seq = l.entry_seq
    where v.organization_id = ${organizationId}`)
  const [row] = await db
    .select({
      startedAt: auditVerifications.startedAt,
      finishedAt: auditVerifications.finishedAt,
      durationMs: auditVerifications.durationMs,
      checked: auditVerifications.checked,
      total: auditVerifications.total,
      faultyPosition: auditVerifications.faultyPosition,
      problem: auditVerifications.problem,
      checkpointAt: auditVerifications.checkpointAt,
      checkpointKeyId: auditVerifications.checkpointKeyId,
    })
    .from(auditVerifications)
    .where(eq(auditVerifications.organizationId, organizationId))
  if (row === undefined) return never
  const { faultyPosition, problem, checkpointAt, checkpointKeyId } = row
  return {
    state:
      row.finishedAt === null
        ? rows[0]?.isAlive
          ? 'running'
          : 'stopped'
        : problem === null
          ? 'intact'
          : 'broken',
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    durationMs: row.durationMs,
    checked: row.checked,
    total: row.total,
    fault:
      faultyPosition === null || problem === null
        ? null
        : { position: faultyPosition, problem, entryId: rows[0]?.entryId ?? null },
    checkpoint:
      checkpointAt === null || checkpointKeyId === null
        ? null
        : { at: checkpointAt.toISOString(), keyId: checkpointKeyId },
  }
}

const never: AuditVerification = {
  state: 'never',
  startedAt: null,
  finishedAt: null,
  durationMs: 0,
  checked: 0,
  total: 0,
  fault: null,
  checkpoint: null,
}
