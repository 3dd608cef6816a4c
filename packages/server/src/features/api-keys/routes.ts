import { allPermissions, type CallOutput } from '@bey/contract'
import type { Handlers, TenantCaller } from '../../platform/http/handlers.ts'
import { mayDo } from '../../platform/keys/key-rights.ts'
import type { createKeyTest } from './key-test.ts'
import type { ApiKeyService } from './service.ts'

type Names =
  | 'apiKeys.list'
  | 'apiKeys.get'
  | 'apiKeys.create'
  | 'apiKeys.update'
  | 'apiKeys.rotate'
  | 'apiKeys.revoke'
  | 'apiKeys.test'
  | 'credential.get'

export function apiKeyRoutes(keys: ApiKeyService, test: ReturnType<typeof createKeyTest>): Handlers<Names> {
  return {
    'apiKeys.list': ({ caller, query }) => keys.list(caller, query),
    'apiKeys.get': ({ caller, params }) => keys.get(caller, params.id),
    'apiKeys.create': ({ caller, body }) => keys.create(caller, body),
    'apiKeys.update': ({ caller, params, body }) => keys.update(caller, params.id, body),
    'apiKeys.rotate': ({ caller, params, body }) => keys.rotate(caller, params.id, body.overlapHours),
    'apiKeys.revoke': async ({ caller, params }) => {
      await keys.revoke(caller, params.id)
      return null
    },
    'apiKeys.test': ({ caller, body }) => test(caller, body.token),
    'credential.get': async ({ caller }) => credentialOf(caller),
  }
}

/** Who a request acts for, and what it may do. */
function credentialOf(caller: TenantCaller): CallOutput<'credential.get'> {
  const { user, organizationId, organizationName, role, key, ip } = caller
  return {
    kind: key ? 'api_key' : 'session',
    user: { id: user.id, name: user.name, email: user.email },
    organization: { id: organizationId, name: organizationName },
    role,
    permissions: allPermissions.filter((permission) => mayDo({ role, key }, permission)),
    key: key
      ? {
          id: key.id,
          name: key.name,
          isPersonal: key.isPersonal,
          resources: [...key.resources],
          expiresAt: key.expiresAt?.toISOString() ?? null,
        }
      : null,
    address: ip,
  }
}
