import { api } from '@bey/contract/api'
import type { AppOptions } from './app-options.ts'
import { consoleDir } from './built-files.ts'
import type { Closing } from './closing.ts'
import type { Config } from './config.ts'
import { clusterRootUrl } from './features/kubernetes/proxy/root-path.ts'
import type { Clock } from './platform/clock.ts'
import { uuidv7 } from './platform/crypto/uuid.ts'
import { anonymousLimits, createAnonymousClients } from './platform/http/anonymous-limits.ts'
import { causeChaos } from './platform/http/chaos.ts'
import { trustedProxies } from './platform/http/client-address.ts'
import { createHttp } from './platform/http/server.ts'
import type { Log } from './platform/log.ts'
import { openTracing } from './platform/tracing/open-tracing.ts'
import { workerEndpoints } from './worker-endpoints.ts'

type Options = {
  config: Config
  version: string
  log: Log
  clock: Clock
  closing: Closing
  options: AppOptions
}

/** The HTTP server without endpoints, who its anonymous clients are, and what traces its requests. */
export async function openHttp({ config, version, log, clock, closing, options }: Options) {
  const tracing = await openTracing({ config: config.tracing, version, instanceId: uuidv7(), log })
  if (tracing) closing.add('traces', () => tracing.stop())
  const anonymousClients = createAnonymousClients(clock, { ...anonymousLimits, ...options.anonymousLimits })
  const trustsProxy = trustedProxies(config.trustedProxies)
  const isWorker = config.role === 'worker'
  const http = await createHttp({
    version,
    log,
    trustsProxy,
    anonymousClients,
    tracing,
    isStopping: () => closing.isClosing(),
    rewriteUrl: clusterRootUrl,
    consoleDir: isWorker ? undefined : consoleDir,
    endpoints: isWorker ? workerEndpoints.map((name) => api[name]) : Object.values(api),
  })
  if (config.chaos) causeChaos(http, config.chaos)
  return { http, anonymousClients, trustsProxy, tracing }
}
