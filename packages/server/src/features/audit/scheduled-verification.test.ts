import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Parts } from '../../feature.ts'
import { audit } from '../../platform/audit/audit.ts'
import { linkAudit } from '../../platform/audit/linker.ts'
import { loadSigningKey } from '../../platform/audit/signing-key.ts'
import { realClock } from '../../platform/clock.ts'
import { publishAll } from '../../platform/live/publish.ts'
import { createLog } from '../../platform/log.ts'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { auditNotices } from '../notifications/audit-notices.ts'
import { auditFeature } from './feature.ts'

const database = await testDatabase()
const given = createGiven(database)

test('a chain that breaks is noticed without being asked, and owners and admins are notified once, by mail too', async () => {
  const owner = await given.user()
  const { organizationId } = owner
  const admin = await given.user({ organizationId, role: 'ADMIN' })
  await given.user({ organizationId, role: 'MEMBER' })
  await database.withTenant(organizationId, async (db) => {
    for (let n = 1; n <= 3; n += 1) {
      await audit(db, {
        organizationId,
        actor: { type: 'system', name: 'Bey', email: null },
        via: 'system',
        action: `step.${n}`,
        class: 'update',
      })
    }
  })
  await linkAudit(database)
  const signingKey = await loadSigningKey(database, { key: randomBytes(32), fingerprint: 'f' })
  const onBroken = auditNotices({ publish: publishAll, clock: realClock, baseUrl: 'https://bey.example' })
  const log = createLog({ level: 'fatal' })
  const feature = auditFeature({ database, clock: realClock, log } as Parts, { signingKey, onBroken })
  const hourly = () => feature.retention(new Date())
  const day = async () => {
    await database.ownerPool.query(
      `update audit_verifications set started_at = started_at - interval '25 hours' where organization_id = $1`,
      [organizationId],
    )
    await hourly()
  }
  const notices = async () => {
    const { rows } = await database.ownerPool.query<{ user_id: number; title: string; href: string }>(
      `select user_id, title, href from notifications where organization_id = $1 and kind = 'audit' order by user_id`,
      [organizationId],
    )
    return rows
  }
  await hourly()
  expect(await notices()).toEqual([])
  const client = await database.ownerPool.connect()
  await client.query(`begin; alter table audit_entries disable trigger user;
    update audit_entries set actor_display = 'eve' where organization_id = ${organizationId} and action = 'step.2';
    alter table audit_entries enable trigger user; commit`)
  client.release()
  await day()
  const title = 'The audit log breaks at entry 2'
  const href = '/workspaces/settings/security?tab=audit'
  const both = [owner.id, admin.id].toSorted((a, b) => a - b)
  expect(await notices()).toEqual(both.map((id) => ({ user_id: id, title, href })))
  const { rows: mails } = await database.ownerPool.query<{ text: string }>(
    'select text from mail_outbox where recipient = any ($1)',
    [[owner.email, admin.email]],
  )
  expect(mails).toHaveLength(2)
  expect(mails[0]?.text).toContain('https://bey.example/workspaces/settings/security?tab=audit')
  await day()
  expect(await notices()).toHaveLength(2)
})
