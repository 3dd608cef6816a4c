import { entity } from '../base/entity.ts'

export type ApiKeyEvents = {
  /** An API key was made, changed, given a new secret, or ended. Never carries a secret. */
  API_KEYS_UPDATE: { apiKeyId: string }
}

export const apiKeyEntity = entity({
  idKind: 'uuid',
  singular: 'API key',
  plural: 'API keys',
  icon: 'key-round',
  paths: {
    list: '/workspaces/settings/api-keys',
    detail: '/workspaces/settings/api-keys/{id}',
    create: '/workspaces/settings/api-keys/create',
  },
  readPermission: 'apiKeys.read',
  statuses: { active: 'quiet', rotating: 'busy', expired: 'quiet', revoked: 'quiet' },
  label: (row: { name: string }) => row.name,
  subtitle: (row: { start: string }) => `${row.start}…`,
  events: {
    API_KEYS_UPDATE: {
      audience: 'organization',
      changedId: 'apiKeyId',
      webhook: {
        name: 'api_key.updated',
        about: 'An API key was made, changed, rotated or revoked. Its secret is never sent.',
        sample: {
          apiKeyId: '019a0000-0000-7000-8000-000000000005',
        } satisfies ApiKeyEvents['API_KEYS_UPDATE'],
      },
    },
  },
  asCode: {
    noun: 'apiKeys',
    create: 'apiKeys.create',
    update: 'apiKeys.update',
    delete: 'apiKeys.revoke',
    without: ['expiresInDays', 'isPersonal'],
    fixed: ['permissions', 'resources'],
    shownOnce: 'token',
    isBuiltIn: ({ status }: { status: string }) => status !== 'active' && status !== 'rotating',
  },
  subscriptions: {},
})
