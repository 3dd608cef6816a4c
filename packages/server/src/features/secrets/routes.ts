import type { RootKey } from '../../platform/crypto/root-key.ts'
import { answer } from '../../platform/http/answer.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import { limitNow } from '../../platform/keys/key-rights.ts'
import { createExport } from './export.ts'
import { createSecretGrants } from './grants.ts'
import { createSecretKeys } from './keys.ts'
import { createImport } from './import.ts'
import type { SecretParts } from './parts.ts'
import { createReveal } from './reveal.ts'
import { createRotateAndRestart, type StartRotationRun } from './rotation-run/rotate-and-restart.ts'
import { createRotation } from './rotation.ts'
import { createSecrets } from './service.ts'
import { createShares } from './shares.ts'
import type { ClusterDoor } from '../kubernetes/connection/ports.ts'
import { createSyncs } from './sync/service.ts'
import { createSecretUsage } from './usage.ts'
import { createSecretVersions } from './versions.ts'

/** Everything that the API does with secrets. */
export function secretRoutes(
  parts: SecretParts,
  rootKey: RootKey,
  clusters: ClusterDoor,
  startRun: StartRotationRun,
): Handlers<`secrets.${Verb}` | `secretShares.${ShareVerb}` | `secretSyncs.${SyncVerb}`> {
  const secrets = createSecrets(parts)
  const versions = createSecretVersions(parts)
  const grants = createSecretGrants(parts)
  const usage = createSecretUsage({ ...parts, clusters })
  const reveal = createReveal(parts)
  const importFile = createImport(parts)
  const exportFile = createExport(parts)
  const shares = createShares(parts)
  const rotation = createRotation(parts)
  const rotateAndRestart = createRotateAndRestart(parts, startRun)
  const keys = createSecretKeys(parts, rootKey)
  const syncs = createSyncs({ ...parts, clusters })
  return {
    'secrets.list': ({ caller, query }) => secrets.list({ ...query, ids: limitNow('secret') }, caller),
    'secrets.get': ({ caller, params }) => secrets.get(params.id, caller),
    'secrets.create': ({ caller, body }) => secrets.create(body, caller),
    'secrets.update': ({ caller, params, body }) => secrets.update(params.id, body, caller),
    'secrets.delete': ({ caller, params }) => secrets.remove(params.id, caller),
    'secrets.restore': ({ caller, params }) => secrets.restore(params.id, caller),
    'secrets.inspect': ({ body }) => secrets.inspect(body.type, body.value),
    'secrets.reveal': ({ caller, params, body }) => reveal(params.id, body, caller),
    'secrets.import': ({ caller, body }) => importFile(body, caller),
    'secrets.export': async ({ caller, body }) => {
      const { text, mediaType, fileName } = await exportFile(body, caller)
      return answer(text, {
        headers: {
          'content-type': mediaType,
          'content-disposition': `attachment; filename="${fileName}"`,
          'cache-control': 'no-store',
        },
      })
    },
    'secrets.rotate': ({ caller, params, body }) => rotation.rotate(params.id, body, caller),
    'secrets.rotateAndRestart': ({ caller, params, body }) => rotateAndRestart(params.id, body, caller),
    'secrets.keys': ({ caller }) => keys.keys(caller),
    'secrets.verify': ({ caller }) => keys.verify(caller),
    'secretShares.list': ({ caller, query }) => shares.list(query, caller),
    'secretShares.create': ({ caller, body }) => shares.create(body, caller),
    'secretShares.open': ({ caller, params }) => shares.open(params.id, caller),
    'secretShares.revoke': ({ caller, params }) => shares.revoke(params.id, caller),
    'secretSyncs.list': ({ caller, params }) => syncs.list(params.id, caller),
    'secretSyncs.create': ({ caller, params, body }) => syncs.create(params.id, body, caller),
    'secretSyncs.update': ({ caller, params, body }) => syncs.update(params.id, params.syncId, body, caller),
    'secretSyncs.resolve': ({ caller, params, body }) =>
      syncs.resolve(params.id, params.syncId, body.how, caller),
    'secretSyncs.remove': ({ caller, params, query }) =>
      syncs.remove(params.id, params.syncId, query.secret, caller),
    'secrets.versions': ({ caller, params }) => versions.list(params.id, caller),
    'secrets.rollback': ({ caller, params, body }) =>
      versions.rollback(params.id, params.version, body, caller),
    'secrets.deleteVersion': ({ caller, params }) => versions.remove(params.id, params.version, caller),
    'secrets.undeleteVersion': ({ caller, params }) => versions.undelete(params.id, params.version, caller),
    'secrets.destroyVersion': ({ caller, params, body }) =>
      versions.destroy(params.id, params.version, body.reason, caller),
    'secrets.grants': ({ caller, params }) => grants.list(params.id, caller),
    'secrets.setGrants': ({ caller, params, body }) => grants.replace(params.id, body.grants, caller),
    'secrets.usage': ({ caller, params }) => usage.usage(params.id, caller),
    'secrets.activity': ({ caller, params, query }) => usage.activity(params.id, query, caller),
  }
}

type Verb =
  | 'list'
  | 'get'
  | 'create'
  | 'update'
  | 'delete'
  | 'restore'
  | 'inspect'
  | 'reveal'
  | 'import'
  | 'export'
  | 'keys'
  | 'rotate'
  | 'rotateAndRestart'
  | 'verify'
  | 'versions'
  | 'rollback'
  | 'deleteVersion'
  | 'undeleteVersion'
  | 'destroyVersion'
  | 'grants'
  | 'setGrants'
  | 'usage'
  | 'activity'

type ShareVerb = 'list' | 'create' | 'open' | 'revoke'
type SyncVerb = 'list' | 'create' | 'update' | 'resolve' | 'remove'
