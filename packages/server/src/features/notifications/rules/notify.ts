import type { EntityType, NotificationEvent, NotificationKind, NotificationLevel } from '@bey/contract'
import { notificationBounds, notificationRuleBounds } from '@bey/contract/notifications/rules'

import type { Clock } from '../../../platform/clock.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { statement } from '../../../platform/db/prepared.ts'
import type { Publish } from '../../workflows/ports.ts'
import { decide, type Decision, type Happening, type Rule } from './decide.ts'

/** Something that members of an organization may want to know. */
export type Notice = Omit<Happening, 'severity'> & {
  organizationId: number
  kind: NotificationKind
  level: NotificationLevel
  event: NotificationEvent
  title: string
  /** Without secrets. */
  detail: string | null
  /** A path of the console. */
  href: string
  subject: { type: EntityType; id: string; name: string } | null
}

/** Answers who finds it in the console's list, and where else it is sent. */
export type Notify = (db: Db, notice: Notice) => Promise<Decision>

/** Lists a notice for those whom the rules name and queues what is sent elsewhere, in the caller's transaction. */
export function createNotify({ publish, clock }: { publish: Publish; clock: Clock }): Notify {
  return async (db, notice) => {
    const { organizationId } = notice
    const now = clock.now()
    const rules = await rulesInForce(db, [organizationId])
    const memberIds = async () => (await membersOf(db, [organizationId])).map(({ userId }) => userId)
    const decision = await decide(rules, { ...notice, severity: severityOf(notice.level) }, now, memberIds)
    await list(db, notice, decision.inApp, now)
    await queue(db, notice, decision.sent, now)
    await publish(
      db,
      decision.inApp.map((userId) => ({
        organizationId,
        type: 'NOTIFICATIONS_UPDATE' as const,
        data: { userId },
      })),
    )
    return decision
  }
}

/** Whether an organization has rules, without which only those whom it concerns are notified. */
export async function hasRules(db: Db, organizationId: number): Promise<boolean> {
  return (await rulesInForce(db, [organizationId])).length > 0
}

function severityOf(level: NotificationLevel) {
  return level === 'error' || level === 'warning' ? level : 'info'
}

async function list(db: Db, notice: Notice, userIds: readonly number[], now: Date): Promise<void> {
  if (userIds.length === 0) return
  const { organizationId, kind, level, title, detail, href, subject } = notice
  await insertNotices(db, [
    organizationId,
    kind,
    level,
    title.slice(0, notificationBounds.maxTitle),
    detail?.slice(0, notificationBounds.maxDetail) ?? null,
    href,
    subject?.type ?? null,
    subject?.id ?? null,
    subject?.name ?? null,
    now,
    uuidv7(),
    [...userIds],
  ])
}

async function queue(db: Db, notice: Notice, sent: Decision['sent'], now: Date): Promise<void> {
  const { organizationId, event, title, detail, href, subject } = notice
  const repeatKey = `${event}:${subject?.type ?? ''}:${subject?.id ?? href}`
  for (const { ruleId, userId, channelId, dueAt } of sent) {
    await insertDelivery(db, [
      organizationId,
      uuidv7(),
      ruleId,
      channelId,
      userId,
      event,
      severityOf(notice.level),
      title.slice(0, notificationBounds.maxTitle),
      detail?.slice(0, notificationBounds.maxDetail) ?? null,
      href,
      repeatKey,
      now,
      dueAt,
    ])
  }
}

const rulesInForce = statement<Rule>(
  'notification_rules_in_force',
  `select id, user_id as "userId", events, min_severity as "minSeverity", whose, cluster_ids as "clusterIds",
     workflow_ids as "workflowIds", in_app as "inApp", mail, channel_ids as "channelIds",
     quiet_from as "quietFrom", quiet_to as "quietTo", time_zone as "timeZone", digest, muted_until as "mutedUntil"
   from notification_rules where organization_id = $1 and is_enabled order by created_at, id`,
)

const membersOf = statement<{ userId: number }>(
  'members_to_notify',
  'select user_id as "userId" from memberships where organization_id = $1',
)

// Memberships are held, so that none can go between this and the check of the foreign key. Ids are unique for their user
// alone.
const insertNotices = statement(
  'notification_of_notice',
  `insert into notifications
    (organization_id, user_id, id, kind, level, title, detail, href, subject_type, subject_id, subject_name, at)
  select m.organization_id, m.user_id, $11, $2, $3, $4, $5, $6, $7, $8, left($9, 200), $10
  from memberships m where m.organization_id = $1 and m.user_id = any ($12::int[])
  for key share of m`,
)

// What waits to be sent already is counted; what was sent lately is sent again after a while only.
const insertDelivery = statement(
  'notification_delivery',
  `with waiting as (
    update notification_deliveries d set count = d.count + 1, at = $12, title = $8, detail = $9
    where d.organization_id = $1 and d.rule_id = $3 and d.repeat_key = $11 and d.sent_at is null
      and d.channel_id is not distinct from $4::uuid and d.user_id is not distinct from $5::int
    returning d.id
  )
  insert into notification_deliveries
    (organization_id, id, rule_id, channel_id, user_id, event, severity, title, detail, href, repeat_key, at, due_at)
  select $1, $2, $3, $4::uuid, $5::int, $6, $7, $8, $9, $10, $11, $12,
    greatest($13::timestamptz, (
      select max(d.sent_at) + interval '${notificationRuleBounds.repeatMinutes} minutes' from notification_deliveries d
      where d.organization_id = $1 and d.rule_id = $3 and d.repeat_key = $11
        and d.channel_id is not distinct from $4::uuid and d.user_id is not distinct from $5::int))
  where not exists (select from waiting)
    and ($4::uuid is null or exists (select from notification_channels c where c.organization_id = $1 and c.id = $4::uuid))`,
)
