import type { CallOutput, OauthProvider } from '@bey/contract'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/handlers.ts'
import type { InstanceSettings } from '../instance/settings.ts'
import { auditAccount } from './account-audit.ts'
import { loadUser } from './load-user.ts'
import { deleteLink, linksOf } from './oauth/store.ts'
import { presentPasskey } from './passkeys/service.ts'
import { passkeysOf } from './passkeys/store.ts'
import { countRecoveryCodes, totpOf } from './two-factor/store.ts'
import { hasPassword, requireAdmissionStays, requireAnotherWay } from './ways-in.ts'

export type SecurityService = {
  get(caller: Caller): Promise<CallOutput<'account.security'>>
  /** Throws `not_found`, and `conflict` where it is the only way to sign in. */
  unlink(provider: OauthProvider, caller: Caller): Promise<null>
}

/** What secures the caller's own account. */
export function createSecurityService(options: {
  database: Pick<Database, 'asSystem'>
  developerEmail: string | undefined
  settings: Pick<InstanceSettings, 'provider'>
  labels: Record<OauthProvider, { label: string }>
}): SecurityService {
  const { database, developerEmail, settings, labels } = options
  const system = <T>(work: (db: Db) => Promise<T>) =>
    database.asSystem('read and change ways to sign in', work)

  return {
    async get(caller) {
      const userId = caller.user.id
      const { links, totp, ...found } = await system(async (db) => ({
        hasPassword: await hasPassword(db, userId),
        totp: await totpOf(db, userId),
        recoveryCodesLeft: await countRecoveryCodes(db, userId),
        passkeys: (await passkeysOf(db, userId)).map(presentPasskey),
        links: await linksOf(db, userId),
      }))
      const linkedAccounts = []
      for (const link of links) {
        const provider = link.provider as OauthProvider
        linkedAccounts.push({
          provider,
          label: (await settings.provider(provider)).value?.label ?? labels[provider].label,
          display: link.display,
          createdAt: link.createdAt.toISOString(),
          lastUsedAt: link.lastUsedAt?.toISOString() ?? null,
        })
      }
      return {
        ...found,
        totp: totp?.confirmedAt ? { confirmedAt: totp.confirmedAt.toISOString() } : null,
        linkedAccounts,
      }
    },

    unlink: (provider, caller) =>
      system(async (db) => {
        const user = await loadUser(db, caller.user.id, developerEmail)
        const display = await deleteLink(db, user.id, provider)
        if (display === undefined)
          throw new AppError('not_found', 'You have linked no account of this provider.')
        await requireAnotherWay(db, user.id)
        await requireAdmissionStays(db, user.id)
        const diff = { provider, account: display }
        await auditAccount(db, user, caller, { action: 'user.unlink_account', diff })
        return null
      }),
  }
}
