import type { Feature, Parts } from '../../feature.ts'
import type { ServerSeal } from '../../platform/crypto/server-seal.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import { startBackupRounds } from './backups/rounds.ts'
import type { InstanceBackupRunner } from './backups/runner.ts'
import { createInstanceService, type InstanceService } from './service.ts'
import type { InstanceSettings } from './settings.ts'

type InstanceNeeds = {
  serverSeal: ServerSeal
  settings: InstanceSettings
  /** Undefined: this server makes no backups of itself. */
  backups: InstanceBackupRunner | undefined
  nextBackupTime(schedule: string, after: Date): Date | null
}

export function instanceFeature(
  { database, clock, log, config }: Parts,
  { serverSeal, settings, backups, nextBackupTime }: InstanceNeeds,
) {
  const rounds =
    backups &&
    startBackupRounds(
      { database, clock, log, config: config.instanceBackup, nextTime: nextBackupTime },
      backups,
    )
  return {
    handlers: instanceRoutes(createInstanceService({ database, serverSeal, settings })),
    close: async () => rounds?.stop(),
  } satisfies Feature
}

function instanceRoutes(
  instance: InstanceService,
): Handlers<
  | 'instance.get'
  | 'instance.updateGeneral'
  | 'instance.updateSmtp'
  | 'instance.removeSmtp'
  | 'instance.testSmtp'
  | 'instance.updateProvider'
  | 'instance.removeProvider'
> {
  return {
    'instance.get': ({ caller }) => instance.get(caller),
    'instance.updateGeneral': ({ body, caller }) => instance.updateGeneral(body, caller),
    'instance.updateSmtp': ({ body, caller }) => instance.updateSmtp(body, caller),
    'instance.removeSmtp': ({ caller }) => instance.removeSmtp(caller),
    'instance.testSmtp': ({ caller }) => instance.testSmtp(caller),
    'instance.updateProvider': ({ params, body, caller }) =>
      instance.updateProvider(params.provider, body, caller),
    'instance.removeProvider': ({ params, caller }) => instance.removeProvider(params.provider, caller),
  }
}
