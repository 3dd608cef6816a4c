import { entity, joined } from './entity.ts'

export type SecretEvents = {
  /** A secret was stored, changed, read or deleted. Never carries a value. */
  SECRETS_UPDATE: { secretId: string }
}

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
  subscriptions: {},
  palette: { group: 'Secrets', category: 'Secret', key: 's', suggest: {} },
})
