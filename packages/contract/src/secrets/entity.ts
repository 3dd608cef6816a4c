import { expiryNoticeDays } from './rules.ts'
import { entity, joined } from '../base/entity.ts'

export type SecretEvents = {
  /** A secret was stored, changed, read or deleted. Never carries a value. */
  SECRETS_UPDATE: { secretId: string }
}

/** The data of a message about a secret that expires. */
export type SecretExpiringMessage = { secretId: string; expiresAt: string; hasExpired: boolean }

export const secretEntity = entity({
  idKind: 'uuid',
  singular: 'secret',
  plural: 'secrets',
  icon: 'key-round',
  paths: { list: '/secrets', detail: '/secrets/{id}', create: '/secrets/create' },
  readPermission: 'secrets.read',
  statuses: {
    active: 'quiet',
    disabled: 'warn',
    pending_deletion: 'warn',
    deleted: 'quiet',
    expiring: 'warn',
    lapsed: 'warn',
  },
  label: (row: { name: string }) => row.name,
  subtitle: (row: { typeLabel: string; description: string }) => joined([row.typeLabel, row.description]),
  events: {
    SECRETS_UPDATE: {
      audience: 'organization',
      changedId: 'secretId',
      webhook: {
        name: 'secret.updated',
        about: 'A secret was stored, changed, read or deleted. Its value is never sent.',
        sample: {
          secretId: '019a0000-0000-7000-8000-000000000003',
        } satisfies SecretEvents['SECRETS_UPDATE'],
      },
    },
  },
  asCode: {
    noun: 'secrets',
    create: 'secrets.create',
    update: 'secrets.update',
    delete: 'secrets.delete',
    without: ['value', 'encoding'],
    fixed: ['type'],
    detail: { endpoint: 'secrets.get' },
    isBuiltIn: ({ status }: { status: string }) => status === 'pending_deletion',
    givenValue: 'value',
  },
  subscriptions: {},
  messages: [
    {
      name: 'secret.expiring',
      about: `A secret expires: sent ${expiryNoticeDays.filter((days) => days > 0).join(', ')} days ahead, and when it has expired.`,
      sample: {
        secretId: '019a0000-0000-7000-8000-000000000003',
        expiresAt: '2026-11-29T10:00:00.000Z',
        hasExpired: false,
      } satisfies SecretExpiringMessage,
    },
  ],
  palette: { group: 'Secrets', category: 'Secret', key: 's', suggest: {} },
})
