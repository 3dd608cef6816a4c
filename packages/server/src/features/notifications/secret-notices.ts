import type { OnSecretNotice } from '../secrets/expiry.ts'
import type { Notify } from './rules/notify.ts'

/** Notifies the managers of a secret of its expiry and of failed rotations. */
export function secretNotices(notify: Notify): OnSecretNotice {
  return async (db, { organizationId, secretId, level, title, detail, userIds }) => {
    await notify(db, {
      organizationId,
      kind: 'secret',
      event: 'secret.attention',
      level,
      title,
      detail,
      href: `/secrets/${secretId}`,
      subject: null,
      concerned: [...userIds],
    })
  }
}
