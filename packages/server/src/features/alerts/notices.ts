import type { AlertMessage, AlertMessageType } from '@bey/contract'
import { durationText, seriesText } from '@bey/contract/alerts/rules'

import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/prepared.ts'
import { enqueue, messageOf } from '../../platform/webhooks/enqueue.ts'
import type { Notice, Notify } from '../notifications/rules/notify.ts'
import { alertNotices } from '../../tables/alerts.ts'
import type { AlertRow } from './store.ts'

type Subject = Pick<AlertRow, 'organizationId' | 'id' | 'name' | 'severity' | 'audience' | 'ownerId'>
type Series = { labels: Record<string, string>; peak: number | null }

type Recipient = { userId: number; role: string; name: string }

/** Members whom an alert is for: its owner, admins, or everyone; everyone as well where the owner has left. */
function audienceOf({ audience, ownerId }: Subject, members: readonly Recipient[]): readonly Recipient[] {
  const chosen = members.filter(({ userId, role }) => {
    if (audience === 'everyone') return true
    return audience === 'owner' ? userId === ownerId : role !== 'MEMBER' && role !== 'VIEWER'
  })
  return chosen.length > 0 ? chosen : members
}

/** Notifies that series fire: one notice for all of them. */
export function firingNotice(subject: Subject, series: readonly Series[], text: string) {
  const places = placesText(series)
  return noticeOf(subject, {
    event: 'alert.firing',
    level: subject.severity === 'critical' ? 'error' : 'warning',
    title: places === '' ? `${subject.name} fires` : `${subject.name} fires: ${places}`,
    detail: text,
  })
}

export function resolvedNotice(subject: Subject, lastedMs: number) {
  return noticeOf(subject, {
    event: 'alert.resolved',
    level: 'success',
    title: `${subject.name} is resolved`,
    detail: `It fired for ${durationText(Math.max(60_000, Math.round(lastedMs / 60_000) * 60_000))}.`,
  })
}

export function lostNotice(subject: Subject, error: string | null) {
  return noticeOf(subject, {
    event: 'alert.firing',
    level: 'warning',
    title: error === null ? `${subject.name} has no data` : `${subject.name} cannot be evaluated`,
    detail: error ?? 'Nothing was measured for at least 3 min, so nobody knows whether it would fire.',
  })
}

export function testNotice(subject: Subject) {
  return noticeOf(subject, {
    event: 'alert.firing',
    level: subject.severity === 'critical' ? 'error' : 'warning',
    title: `Test: ${subject.name} fires`,
    detail: 'Somebody tests the notifications of this alert. Nothing fires.',
  })
}

type AlertNotice = Pick<Notice, 'event' | 'level' | 'title' | 'detail'>

function noticeOf(subject: Subject, text: AlertNotice) {
  return { subject, text }
}

/**
 * Sends a notice to those whom the alert is for and whose rules want it, in the caller's transaction, and keeps who found it
 * in the console; answers the names of those.
 */
export async function sendNotice(
  db: Db,
  notify: Notify,
  { subject, text }: ReturnType<typeof noticeOf>,
  at: Date,
): Promise<string[]> {
  const { organizationId, id, name } = subject
  const members = await membersOf(db, [organizationId])
  const { inApp } = await notify(db, {
    organizationId,
    kind: 'alert',
    ...text,
    href: `/analytics/alerts/${id}`,
    subject: { type: 'alert', id, name },
    concerned: audienceOf(subject, members).map(({ userId }) => userId),
  })
  await db
    .insert(alertNotices)
    .values({ id: uuidv7(), organizationId, alertId: id, at, title: text.title, userIds: inApp })
  return members.filter(({ userId }) => inApp.includes(userId)).map((member) => member.name)
}

/** Sends webhooks that series fired or were resolved, in the caller's transaction. */
export async function sendMessages(
  db: Db,
  { organizationId, id, name, severity }: Subject,
  type: AlertMessageType,
  episodes: readonly Pick<AlertMessage, 'labels' | 'value' | 'firedAt' | 'resolvedAt'>[],
): Promise<void> {
  if (episodes.length === 0) return
  await enqueue(
    db,
    episodes.map((episode) =>
      messageOf(organizationId, type, { alertId: id, name, severity, ...episode } satisfies AlertMessage),
    ),
  )
}

/** `prod-eu, staging and 3 more` by the values of labels that tell the series apart. */
function placesText(series: readonly Series[]): string {
  const names = series.map(({ labels }) => seriesText(labels)).filter((name) => name !== '')
  const rest = names.length - 3
  return `${names.slice(0, 3).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

const membersOf = statement<Recipient>(
  'members_of_alert',
  `select m.user_id as "userId", m.role, u.name from memberships m join users u on u.id = m.user_id
   where m.organization_id = $1 order by u.name`,
)
