import { audit, type AuditEntry, verifyAudit } from '../packages/server/src/platform/audit/audit.ts'
import { createAuditBatch } from '../packages/server/src/platform/audit/batch.ts'
import { linkAudit } from '../packages/server/src/platform/audit/linker.ts'
import { createGiven } from '../packages/server/src/testing/given.ts'
import { median } from './process-figures.ts'
import { withDatabase } from './with-database.ts'

const entriesPerRound = 3000
const rounds = 5
const writers = 32

/** Audit entries per second of one organization: each in a transaction of its own, standing alone, and linked. */
export async function run(): Promise<void> {
  await withDatabase(async (database) => {
    const { id } = await createGiven(database).organization()
    const batch = createAuditBatch(database)
    const figures: { own: number; alone: number; linked: number }[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const own = await perSecond((n) => database.withTenant(id, (db) => audit(db, entryOf(id, n))))
      const alone = await perSecond((n) => batch.write(entryOf(id, n)))
      const startedAt = performance.now()
      await linkAudit(database)
      const linked = (2 * entriesPerRound) / ((performance.now() - startedAt) / 1000)
      // The first warms up.
      if (round > 0) figures.push({ own, alone, linked })
    }
    const text = (of: (figure: (typeof figures)[number]) => number) =>
      `${median(figures.map(of)).toFixed(0)} entries/s`
    console.log(`  each in a transaction of its own   ${text(({ own }) => own)}`)
    console.log(`  standing alone (goal: 2,000)       ${text(({ alone }) => alone)}`)
    console.log(`  linked into the chain              ${text(({ linked }) => linked)}`)
    const verdict = await database.readTenant(id, (db) => verifyAudit(db, id))
    console.log(`  verified                           ${JSON.stringify(verdict)}`)
  })
}

async function perSecond(write: (n: number) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  let next = 0
  const worker = async () => {
    while (next < entriesPerRound) await write((next += 1))
  }
  await Promise.all(Array.from({ length: writers }, worker))
  return entriesPerRound / ((performance.now() - startedAt) / 1000)
}

function entryOf(organizationId: number, n: number): AuditEntry {
  return {
    organizationId,
    actor: { type: 'user', id: 7, display: 'ada@example.com' },
    via: 'kubectl',
    action: 'kubernetes.patch',
    class: 'update',
    target: { type: 'cluster', id: 12, name: 'blue' },
    ip: '127.0.0.1',
    userAgent: 'kubectl/v1.33.0',
    diff: { verb: 'patch', resource: 'deployments', group: 'apps', namespace: 'default', name: `web-${n}` },
  }
}
