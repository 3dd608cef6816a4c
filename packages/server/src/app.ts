import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EndpointName } from '@bey/contract'
import { type Config, isLoopback } from './config.ts'
import { analyticsRoutes } from './features/analytics/routes.ts'
import { createAnalyticsService } from './features/analytics/service.ts'
import { annotationRoutes } from './features/annotations/routes.ts'
import { createAnnotations } from './features/annotations/service.ts'
import { createClusterSummaries } from './features/clusters/cluster-summary.ts'
import { tokenRoutes } from './features/clusters/kubeconfig/token-routes.ts'
import { createTokenService } from './features/clusters/kubeconfig/token-service.ts'
import { clusterRoutes } from './features/clusters/routes.ts'
import { errorLogRoutes } from './features/error-log/routes.ts'
import { createErrorLog } from './features/error-log/service.ts'
import { createSourceMaps } from './features/error-log/source-maps.ts'
import { createKubernetes } from './features/kubernetes/kubernetes.ts'
import { clusterRootUrl } from './features/kubernetes/proxy/root-path.ts'
import { certificateHosts, openServerCertificate } from './platform/certificate/server-certificate.ts'
import { paletteClusters } from './features/clusters/palette.ts'
import { paletteWorkflows } from './features/workflows/palette.ts'
import { paletteRoutes } from './features/palette/routes.ts'
import { workflowRoutes } from './features/workflows/routes.ts'
import { createDataKeys } from './platform/crypto/data-keys.ts'
import { clientAddress, trustedProxies } from './platform/http/client-address.ts'
import { listenTls, type TlsListener } from './platform/http/tls-listener.ts'
import { endAccess } from './platform/live/access-end.ts'
import { sessionAuthenticator } from './platform/live/authenticate.ts'
import { createLive } from './platform/live/live.ts'
import { publishAll } from './platform/live/publish.ts'
import { followRule } from './platform/db/entity-exists.ts'
import { openOperations } from './operations.ts'
import { createAccountService } from './features/auth/account.ts'
import { authRoutes } from './features/auth/routes.ts'
import { createAuthService } from './features/auth/service.ts'
import { godmodeRoutes } from './features/auth/godmode-routes.ts'
import { godmodeStatus } from './features/auth/godmode.ts'
import { createImpersonationService } from './features/auth/impersonation.ts'
import { notificationRoutes } from './features/notifications/routes.ts'
import { healthNotices } from './features/notifications/health-notices.ts'
import { runNotices } from './features/notifications/run-notices.ts'
import { createNotifications } from './features/notifications/service.ts'
import { organizationRoutes } from './features/organizations/routes.ts'
import { createOrganizationService, organizationFounder } from './features/organizations/service.ts'
import { settingsRoutes } from './features/settings/routes.ts'
import { readBuild } from './features/status/build.ts'
import { statusRoutes } from './features/status/routes.ts'
import { startAuditLinker } from './platform/audit/linker.ts'
import { realClock } from './platform/clock.ts'
import { createPasswords } from './platform/crypto/password.ts'
import { checkRootKey, loadRootKey } from './platform/crypto/root-key.ts'
import { type Database, openDatabase } from './platform/db/database.ts'
import { startRetention } from './platform/db/retention.ts'
import type { Handlers } from './platform/http/handlers.ts'
import { causeChaos } from './platform/http/chaos.ts'
import { serveApiReference } from './platform/http/docs/serve.ts'
import { createIdempotency } from './platform/http/idempotency.ts'
import { createKnownDevices } from './platform/http/known-devices.ts'
import { closeHttp, listenHttp, requireFreePort, stopAccepting } from './platform/http/listen.ts'
import { mountEndpoints } from './platform/http/mount.ts'
import { createRateLimiter, type RateLimits, rateLimits } from './platform/http/rate-limits.ts'
import { createHttp } from './platform/http/server.ts'
import { createStrangers, strangerLimits, type StrangerLimits } from './platform/http/stranger-limits.ts'
import { routeUpgrades } from './platform/http/upgrades.ts'
import type { Log } from './platform/log.ts'
import { claimDataDirectory } from './platform/process.ts'
import { type Closing, createClosing } from './closing.ts'

export type App = {
  /** Where browsers find it, e.g. `http://localhost:8080`. */
  address: string
  /** The port that was given by the system where the configuration says 0. */
  port: number
  tlsPort: number
  database: Database
  /** Stops accepting, then sockets, engine, HTTP, and the database last. Safe to call twice. */
  stop(): Promise<void>
}

export type AppOptions = {
  /** Others than the product's, for tests. */
  rateLimits?: Partial<RateLimits>
  strangerLimits?: Partial<StrangerLimits>
}

const repositoryDir = fileURLToPath(new URL('../../../', import.meta.url))
const consoleDir = join(repositoryDir, 'packages/console/dist')
/** Beside the console, not within it: what is there is not served. */
const sourceMapsDir = join(repositoryDir, 'packages/console/source-maps')

/**
 * Opens everything in order and listens. Throws ConfigError with a sentence that says what to mend; what was
 * opened until then is closed again.
 */
export async function createApp(config: Config, log: Log, options: AppOptions = {}): Promise<App> {
  const closing = createClosing(log)
  try {
    return await openAll(config, log, options, closing)
  } catch (error) {
    await closing.close()
    throw error
  }
}

async function openAll(config: Config, log: Log, options: AppOptions, closing: Closing): Promise<App> {
  const clock = realClock
  /** What is known only once it listens. */
  const open: { https?: TlsListener } = {}

  // Platform. What is opened first is closed last.
  const dataDirectory = await claimDataDirectory(config.dataDir, localAddress(config, config.port))
  closing.add('data directory', () => dataDirectory.release())
  await requireFreePort('PORT', config.host, config.port)
  await requireFreePort('BEY_TLS_PORT', config.host, config.tlsPort)
  const rootKey = await loadRootKey(config.secretKey, config.dataDir)
  const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir }, log)
  closing.add('database', () => database.close())
  closing.add('audit trail', startAuditLinker({ database, clock, log }))
  await checkRootKey(database, rootKey)
  const build = await readBuild(repositoryDir, consoleDir)
  const strangers = createStrangers(clock, { ...strangerLimits, ...options.strangerLimits })
  const trustsProxy = trustedProxies(config.trustedProxies)
  const http = await createHttp({
    log,
    trustsProxy,
    strangers,
    isStopping: () => closing.isClosing(),
    rewriteUrl: clusterRootUrl,
    consoleDir,
  })
  if (config.chaos) causeChaos(http, config.chaos)
  const certificate = await openServerCertificate(
    { database, rootKey, clock, log },
    certificateHosts(config.publicUrl),
  )
  closing.add('certificate', async () => certificate.stop())
  closing.add('http', async () => {
    await closeHttp(http)
    open.https?.closeAll()
  })

  // Features.
  const operations = await openOperations({
    database,
    dataKeys: createDataKeys(rootKey),
    publish: publishAll,
    clock,
    log,
    version: build.version,
    dataDir: config.dataDir,
    machineId: dataDirectory.machineId,
    sandboxSpeed: config.sandboxSpeed,
    sandboxLimits: {
      memoryMib: config.sandboxMemoryMib,
      budgetMib: config.sandboxBudgetMib,
      webhookTargets: config.sandboxWebhooks,
    },
    address: localAddress(config, config.port),
    onRunMove: runNotices({ publish: publishAll, clock }),
    onClusterGone: (db, _organizationId, clusterId) => endAccess(db, { kind: 'cluster', clusterId }),
  })
  const { workflows, clusters } = operations
  closing.add('engine', () => operations.stop())
  const { engine } = operations
  const stopRetention = startRetention({
    database,
    forgetRuns: (runIds) => engine.forget(runIds),
    clock,
    log,
  })
  closing.add('retention', stopRetention)
  const live = await createLive({
    database,
    clock,
    log,
    version: build.version,
    publicUrl: config.publicUrl,
    authenticate: sessionAuthenticator(database),
    strangers,
    canFollow: followRule(database),
  })
  live.expand('CLUSTERS_UPDATE', (organizationId) => clusters.expand(organizationId))
  const kubernetes = createKubernetes({
    database,
    live,
    clusters: createClusterSummaries(database),
    connect: clusters.connect,
    setReachability: (...reached) => clusters.setReachability(...reached),
    publishClusters: (db, organizationId) => publishAll(db, [{ organizationId, type: 'CLUSTERS_UPDATE' }]),
    onHealthMove: healthNotices({ publish: publishAll, clock }),
    clock,
    log,
  })
  closing.add('kubernetes', () => kubernetes.close())
  closing.add('sockets', () => live.close())
  const errorLog = createErrorLog({
    database,
    publish: publishAll,
    sourceMaps: createSourceMaps(sourceMapsDir),
    clock,
  })
  live.expand('ERRORS_UPDATE', (organizationId) => errorLog.expand(organizationId))
  const devices = createKnownDevices({
    rootKey: rootKey.key,
    isSecure: config.publicUrl?.startsWith('https:') === true,
    now: () => clock.now(),
  })
  const passwords = createPasswords(config.argon2)
  const foundOrganization = organizationFounder((db, organizationId) =>
    workflows.ensureBuiltIns(db, organizationId),
  )
  const onSessionEnded = (sessionId: string) => live.closeSession(sessionId)
  const { developerEmail } = config
  const auth = createAuthService({
    database,
    passwords,
    clock,
    signup: config.signup,
    developerEmail,
    foundOrganization,
    onSessionEnded,
  })
  const godmode = godmodeStatus(config)
  const impersonation = createImpersonationService({
    database,
    clock,
    status: godmode,
    developerEmail,
    isLoopback,
  })
  await impersonation.endLeftovers()
  const organizations = createOrganizationService({
    database,
    found: foundOrganization,
    userOf: (id) => auth.userOf(id),
  })

  const handlers: Handlers<EndpointName> = {
    ...statusRoutes({
      database,
      build,
      clock,
      isProduction: config.isProduction,
      reference: await serveApiReference(http, build.version),
    }),
    ...authRoutes(
      auth,
      createAccountService({ database, passwords, developerEmail, onSessionEnded }),
      godmode,
      devices,
    ),
    ...godmodeRoutes(impersonation),
    ...settingsRoutes(database),
    ...organizationRoutes(organizations),
    ...clusterRoutes(clusters, operations.sandboxes),
    ...tokenRoutes(
      createTokenService({
        database,
        clock,
        address: () => ({
          publicUrl: config.publicUrl,
          tlsPort: open.https?.port ?? config.tlsPort,
          trusted: certificate.trusted(),
        }),
      }),
    ),
    ...workflowRoutes(workflows),
    ...kubernetes.handlers,
    ...analyticsRoutes(createAnalyticsService({ database, ...kubernetes, clock })),
    ...paletteRoutes(database, { cluster: paletteClusters, workflow: paletteWorkflows }),
    ...annotationRoutes(createAnnotations({ database, publicUrl: config.publicUrl })),
    ...errorLogRoutes(errorLog),
    ...notificationRoutes(createNotifications({ database, publish: publishAll, clock })),
  }
  mountEndpoints(http, handlers, {
    database,
    strangers,
    rateLimiter: createRateLimiter({ limits: { ...rateLimits, ...options.rateLimits }, clock, devices }),
    idempotency: createIdempotency(database, clock, log),
  })

  // Every upgrade of a connection, on both listeners: /ws, and exec, attach and port-forward of the proxy.
  routeUpgrades(http.server, [live.upgrade, kubernetes.upgrade], {
    addressOf: clientAddress(trustsProxy),
    strangers,
  })

  const port = await listenHttp(http, config)
  closing.add('listener', async () => stopAccepting(http.server))
  const https = await listenTls(http, certificate, {
    host: config.host,
    port: config.tlsPort,
    strangers,
  })
  open.https = https
  closing.add('HTTPS listener', async () => https.stopAccepting())
  const address = localAddress(config, port)
  await dataDirectory.setAddress(address)
  return { address, port, tlsPort: https.port, database, stop: () => closing.close() }
}

function localAddress(config: Config, port: number): string {
  if (config.publicUrl !== undefined) return config.publicUrl
  const host = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(config.host) ? 'localhost' : config.host
  return `http://${host}:${port}`
}
