import { redactText } from '@bey/contract/base/redact-text'

import { statement } from '../../platform/db/prepared.ts'
import type { NoticeProblem } from '../ingress/watch/watch-problems.ts'
import type { Notify } from './rules/notify.ts'

/** Notifies every member of a certificate that ends or is wrong, and of a host that leads nowhere. */
export function ingressNotices(notify: Notify): NoticeProblem {
  return async (db, { id, organizationId, title }, { kind, name, health, href }) => {
    const members = await membersOf(db, [organizationId])
    await notify(db, {
      organizationId,
      kind: 'health',
      event: 'ingress.attention',
      level: health.state === 'degraded' ? 'warning' : 'error',
      title:
        kind === 'Host'
          ? `${name} leads nowhere in ${title}`
          : `The certificate ${name} in ${title} needs attention`,
      detail: health.detail === null ? null : redactText(health.detail),
      href,
      subject: null,
      clusterId: id,
      concerned: members.map(({ userId }) => userId),
    })
  }
}

const membersOf = statement<{ userId: number }>(
  'members_concerned_by_ingress',
  'select user_id as "userId" from memberships where organization_id = $1',
)
