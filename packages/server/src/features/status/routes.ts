import { arch, platform, version as nodeVersion } from 'node:process'
import type { Database } from '../../platform/db/database.ts'
import type { ReadOnlyMode } from '../../platform/read-only.ts'
import { answer } from '../../platform/http/answer.ts'
import { diskIsFull } from '../../platform/disk-full.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ApiReference } from '../../platform/http/docs/serve.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import type { Build } from './build.ts'

export type StatusRouteNames =
  | 'status.health'
  | 'status.server'
  | 'status.version'
  | 'status.openapi'
  | 'status.docs'

const unavailable = (state: 'down' | 'full', reason: string) =>
  answer({ status: 'unavailable' as const, database: state, reason }, { status: 503 })

const apiVersion = 'v1'

export function statusRoutes(options: {
  database: Database
  build: Build
  clock: Clock
  isProduction: boolean
  reference: ApiReference
  readOnly: Pick<ReadOnlyMode, 'state'>
}): Handlers<StatusRouteNames> {
  const { database, build, clock } = options
  const startedAtMs = clock.monotonicMs()
  return {
    'status.health': async () => {
      if (!database.isUp()) return unavailable('down', 'The database does not answer.')
      if (!database.canWrite()) return unavailable('full', diskIsFull)
      return { status: 'ok', database: 'up' }
    },
    'status.server': async () => ({
      status: 'ok',
      version: build.version,
      deploymentId: build.deploymentId,
      apiVersion,
      uptime: Math.floor((clock.monotonicMs() - startedAtMs) / 1000),
      goVersion: '',
      runtimeVersion: `Node.js ${nodeVersion}`,
      os: platform,
      arch,
      readOnly: options.readOnly.state() ?? null,
    }),
    'status.version': async () => ({
      version: build.version,
      deploymentId: build.deploymentId,
      gitCommit: build.gitCommit,
      gitBranch: build.gitBranch,
      buildTimestamp: build.builtAt.toISOString(),
      environment: options.isProduction ? 'production' : 'development',
      apiVersion,
    }),
    'status.openapi': async () => options.reference.openApi(),
    'status.docs': async () => options.reference.page(),
  }
}
