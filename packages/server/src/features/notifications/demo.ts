import { randomUUID } from 'node:crypto'
import type { DemoPart } from '../../platform/demo.ts'
import { notifications } from '../../tables/notifications.ts'

const hourMs = 3_600_000

/** What the visitor would have been notified of before: some of it read. */
export const notificationsDemo: DemoPart = async (db, { organizationId, owner, now }) => {
  const ago = (hours: number) => new Date(now.getTime() - hours * hourMs)
  const rows = [
    {
      kind: 'run',
      level: 'error',
      title: 'Clean up orphaned volumes failed for the third time',
      href: '/workflows/runs',
      hours: 10,
      isRead: false,
    },
    {
      kind: 'webhook',
      level: 'warning',
      title: 'Chat of the team was not reached 3 times',
      href: '/workspaces/settings/webhooks',
      hours: 6,
      isRead: false,
    },
    {
      kind: 'run',
      level: 'success',
      title: 'Replace a node completed',
      href: '/workflows/runs',
      hours: 49,
      isRead: true,
    },
    {
      kind: 'account',
      level: 'info',
      title: 'Ines Okafor joined',
      href: '/workspaces/members',
      hours: 72,
      isRead: true,
    },
  ] as const
  await db.insert(notifications).values(
    rows.map(({ kind, level, title, href, hours, isRead }) => ({
      organizationId,
      userId: owner.id,
      id: randomUUID(),
      kind,
      level,
      title,
      detail: 'Seeded with the demo',
      href,
      at: ago(hours),
      readAt: isRead ? ago(hours - 1) : null,
    })),
  )
}
