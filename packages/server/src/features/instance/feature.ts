import type { Feature, Parts } from '../../feature.ts'
import type { ServerSeal } from '../../platform/crypto/server-seal.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import type { RootKey } from '../../platform/crypto/root-key.ts'
import type { ReadOnlyMode } from '../../platform/read-only.ts'
import { startBackupRounds } from './backups/rounds.ts'
import type { InstanceBackupRunner } from './backups/runner.ts'
import { createDoctor } from './doctor/service.ts'
import { createInstanceService, type InstanceService } from './service.ts'
import type { InstanceSettings } from './settings.ts'

type InstanceNeeds = {
  serverSeal: ServerSeal
  rootKey: Pick<RootKey, 'fingerprint'>
  version: string
  settings: InstanceSettings
  readOnly: ReadOnlyMode
  /** Undefined: this server makes no backups of itself. */
  backups: InstanceBackupRunner | undefined
  nextBackupTime(schedule: string, after: Date): Date | null
}

export function instanceFeature(
  { database, clock, log, config, live }: Parts,
  { serverSeal, rootKey, version, settings, readOnly, backups, nextBackupTime }: InstanceNeeds,
) {
  const doctor = createDoctor({
    database,
    clock,
    log,
    config,
    settings,
    fingerprint: rootKey.fingerprint,
    version,
    sockets: () => live.figures().connections,
    nextTime: nextBackupTime,
  })
  const rounds =
    backups &&
    startBackupRounds(
      { database, clock, log, config: config.instanceBackup, nextTime: nextBackupTime },
      backups,
    )
  return {
    handlers: instanceRoutes(
      createInstanceService({ database, serverSeal, settings, readOnly, clock, doctor }),
    ),
    close: async () => {
      doctor.stop()
      await rounds?.stop()
    },
  } satisfies Feature
}

function instanceRoutes(
  instance: InstanceService,
): Handlers<
  | 'instance.get'
  | 'instance.health'
  | 'instance.updateGeneral'
  | 'instance.setReadOnly'
  | 'instance.updateSmtp'
  | 'instance.removeSmtp'
  | 'instance.testSmtp'
  | 'instance.updateProvider'
  | 'instance.removeProvider'
> {
  return {
    'instance.get': ({ caller }) => instance.get(caller),
    'instance.health': ({ caller }) => instance.health(caller),
    'instance.updateGeneral': ({ body, caller }) => instance.updateGeneral(body, caller),
    'instance.setReadOnly': ({ body, caller }) => instance.setReadOnly(body, caller),
    'instance.updateSmtp': ({ body, caller }) => instance.updateSmtp(body, caller),
    'instance.removeSmtp': ({ caller }) => instance.removeSmtp(caller),
    'instance.testSmtp': ({ caller }) => instance.testSmtp(caller),
    'instance.updateProvider': ({ params, body, caller }) =>
      instance.updateProvider(params.provider, body, caller),
    'instance.removeProvider': ({ params, caller }) => instance.removeProvider(params.provider, caller),
  }
}
