import { entity } from './entity.ts'

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
  events: { API_KEYS_UPDATE: { audience: 'organization' } },
  subscriptions: {},
})
