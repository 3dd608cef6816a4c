import type { EndpointName } from '@bey/contract'
import { type Config, isLoopback } from './config.ts'
import { createClusterSummaries } from './features/clusters/cluster-summary.ts'
import {
  belongingsOf,
  closeFeatures,
  expandBy,
  type Feature,
  handlersOf,
  inventoryOf,
  paletteOf,
  type Parts,
  retentionsOf,
  sourcesOf,
  workflowsOf,
} from './feature.ts'
import { analyticsFeature } from './features/analytics/feature.ts'
import { annotationsFeature } from './features/annotations/feature.ts'
import { asCodeFeature } from './features/as-code/feature.ts'
import { auditFeature } from './features/audit/feature.ts'
import { apiKeysFeature } from './features/api-keys/feature.ts'
import { authFeature } from './features/auth/feature.ts'
import { clustersFeature } from './features/clusters/feature.ts'
import { databasesFeature } from './features/databases/feature.ts'
import { databaseProofs } from './features/databases/backups/proofs-for-steps.ts'
import { databaseOpener } from './features/databases/sql/open-for-step.ts'
import { errorLogFeature } from './features/error-log/feature.ts'
import { figuresFeature } from './features/figures/feature.ts'
import { kubernetesFeature } from './features/kubernetes/feature.ts'
import { ingressFeature } from './features/ingress/feature.ts'
import { instanceFeature } from './features/instance/feature.ts'
import { createInstanceSettings, presets } from './features/instance/settings.ts'
import { meteringFeature } from './features/billing/meters/feature.ts'
import { mcpFeature } from './features/mcp/feature.ts'
import { membersFeature } from './features/members/feature.ts'
import { networksFeature } from './features/networks/feature.ts'
import { alertsFeature } from './features/alerts/feature.ts'
import { billingFeature } from './features/billing/feature.ts'
import { boardsFeature } from './features/boards/feature.ts'
import { reportsFeature } from './features/reports/feature.ts'
import { metricsFeature } from './features/metrics/feature.ts'
import { notificationsFeature } from './features/notifications/feature.ts'
import { organizationsFeature } from './features/organizations/feature.ts'
import { paletteFeature } from './features/palette/feature.ts'
import { policiesFeature } from './features/policies/feature.ts'
import { resourcesFeature } from './features/resources/feature.ts'
import { createCredentials, newPassword } from './features/secrets/credentials.ts'
import { secretsFeature } from './features/secrets/feature.ts'
import { relationsFeature } from './features/relations/feature.ts'
import { settingsFeature } from './features/settings/feature.ts'
import { statusFeature } from './features/status/feature.ts'
import { webhooksFeature } from './features/webhooks/feature.ts'
import { workflowsFeature } from './features/workflows/feature.ts'
import { certificateHosts, openServerCertificate } from './platform/certificate/server-certificate.ts'
import { createDataKeys } from './platform/crypto/data-keys.ts'
import { clientAddress } from './platform/http/client-address.ts'
import type { TlsListener } from './platform/http/tls-listener.ts'
import { endAccess } from './platform/live/access-end.ts'
import { createKeyAccess } from './platform/keys/key-access.ts'
import { openOperations } from './operations.ts'
import { approvalNotices } from './features/notifications/approval-notices.ts'
import { auditNotices } from './features/notifications/audit-notices.ts'
import { healthNotices, moveOfCluster } from './features/notifications/health-notices.ts'
import { ingressNotices } from './features/notifications/ingress-notices.ts'
import { createNotify } from './features/notifications/rules/notify.ts'
import { runNotices } from './features/notifications/run-notices.ts'
import { secretNotices } from './features/notifications/secret-notices.ts'
import { webhookNotices } from './features/notifications/webhook-notices.ts'
import { signInNotices } from './features/notifications/sign-in-notices.ts'
import { organizationFounder } from './features/organizations/service.ts'
import { readBuild } from './features/status/build.ts'
import { createRefusals } from './platform/audit/refusals.ts'
import { realClock } from './platform/clock.ts'
import type { Database } from './platform/db/database.ts'
import { startRetention } from './platform/db/retention.ts'
import type { Handlers } from './platform/http/handlers.ts'
import { serveApiReference } from './platform/http/docs/serve.ts'
import { createIdempotency } from './platform/http/idempotency.ts'
import { createKnownDevices } from './platform/http/known-devices.ts'
import { closeHttp } from './platform/http/listen.ts'
import { mountEndpoints } from './platform/http/mount.ts'
import { createRateLimiter, rateLimits } from './platform/http/rate-limits.ts'
import { createWaits } from './platform/http/waiting/waits.ts'
import { holdUpgrades } from './platform/http/read-only-upgrades.ts'
import { routeUpgrades } from './platform/http/upgrades.ts'
import type { Log } from './platform/log.ts'
import { openReadOnlyMode } from './platform/read-only.ts'
import { openMail } from './platform/mail/mail.ts'
import { openMetrics } from './platform/metrics/metrics.ts'
import { createAddressGuard } from './platform/outbound/address-guard.ts'
import { createOutbound } from './platform/outbound/outbound.ts'
import { openBackupPlaces } from './providers/backup-stores/places.ts'
import { type Closing, createClosing } from './closing.ts'
import { openDatabaseServers } from './database-servers.ts'
import { openInstanceBackups } from './instance-backups.ts'
import { openLiveHub } from './live-hub.ts'
import { localAddress } from './local-address.ts'
import { consoleDir, repositoryDir, sourceMapsDir } from './built-files.ts'
import { organizationHealth } from './organization-health.ts'
import { publishEvents, publishHealthMove } from './publish-events.ts'
import { openDemo } from './open-demo.ts'
import type { AppOptions } from './app-options.ts'
import { openHttp } from './open-http.ts'
import { openListeners } from './open-listeners.ts'
import { joinPeers, openStorage } from './storage.ts'
import { only, workerEndpoints } from './worker-endpoints.ts'

export type App = {
  /** Where browsers find it, e.g. `http://localhost:8080`. */
  address: string
  /** Signs in to the demo, once and on this machine; undefined unless the configuration asks for it. */
  demoAddress: string | undefined
  /** The port that was given by the system where the configuration says 0; `tlsPort` is 0 where there is none. */
  port: number
  tlsPort: number
  database: Database
  /** Stops accepting, then sockets, engine, HTTP, and the database last. Safe to call twice. */
  stop(): Promise<void>
}

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

async function openAll(environment: Config, log: Log, options: AppOptions, closing: Closing): Promise<App> {
  const clock = realClock
  let config = environment
  /** What is known only later, and closed all the same. */
  const open: { https?: TlsListener; features?: readonly Feature[]; port?: number } = {}

  // Platform. What is opened first is closed last.
  const isWorker = config.role === 'worker'
  const { isDurable, connectWithinMs } = options
  const storage = await openStorage({ config, clock, log, closing, isDurable, connectWithinMs })
  const { dataDirectory, rootKey, database, signingKey, serverSeal } = storage
  const settings = createInstanceSettings({ database, serverSeal, environment })
  // What is stored takes the place of what the environment leaves open, as of this start.
  config = { ...environment, publicUrl: (await settings.publicUrl()).value }
  const build = await readBuild(repositoryDir, consoleDir)
  const readOnly = await openReadOnlyMode({ database, clock, log })
  closing.add('read-only mode', () => readOnly.stop())
  const { version } = build
  const opened = await openHttp({ config, version, log, clock, closing, options })
  const { http, anonymousClients, trustsProxy, tracing } = opened
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
  const publish = publishEvents
  const dataKeys = createDataKeys(rootKey)
  const notify = createNotify({ publish, clock })
  const { machineId } = dataDirectory
  const outbound = createOutbound(createAddressGuard(config.outbound))
  const servers = openDatabaseServers({ ...storage, config, machineId, outbound, clock, isDurable, log })
  closing.add('database servers', () => servers.providers.embedded.stopAll(), 10_000)
  const databaseAccess = {
    providers: servers.providers,
    credentials: createCredentials({ database, dataKeys, clock }),
  }
  const operations = await openOperations({
    database,
    dataKeys,
    publish,
    clock,
    log,
    tracing,
    isReadOnly: readOnly.isOn,
    version,
    dataDir: config.dataDir,
    machineId,
    sandboxSpeed: config.sandboxSpeed,
    sandboxLimits: {
      memoryMib: config.sandboxMemoryMib,
      budgetMib: config.sandboxBudgetMib,
      webhookTargets: config.sandboxWebhooks,
      databaseBytes: servers.reservedBytes,
    },
    outbound: config.outbound,
    role: config.role,
    drainMs: config.drainMs,
    address: localAddress(config, config.port),
    onRunMove: runNotices(notify),
    openDatabase: databaseOpener({ database, ...databaseAccess }),
    databaseProofs: ({ startRun }) => databaseProofs({ database, workflows: { startRun } }),
    onApproval: approvalNotices({ publish, clock }),
    isMailConfigured: async () => (await settings.mail()) !== undefined,
    onClusterGone: (db, _organizationId, clusterId) => endAccess(db, { kind: 'cluster', clusterId }),
  })
  const { workflows, clusters, actorOf } = operations
  closing.add('engine', () => operations.stop(), config.drainMs)
  const metrics = await openMetrics({ database, clock, log, remote: config.metrics })
  closing.add('metrics', () => metrics.stop())
  const mail = openMail({ database, settings: settings.mail, dataDir: config.dataDir, clock, log })
  closing.add('mail', () => mail.stop())
  const peers = await joinPeers({ ...storage, config, clock, log, closing })
  closing.add('features', () => closeFeatures(open.features ?? []))
  const limits = { ...rateLimits, ...options.rateLimits }
  const keyAccess = createKeyAccess({ database, clock, log, requestsPerMinute: limits.requestsPerUser })
  closing.add('API keys', () => keyAccess.close())
  const refusals = createRefusals({ database, clock, log })
  closing.add('refusals', () => refusals.stop())
  const live = await openLiveHub({ database, clock, log, version, config, keyAccess, anonymousClients })
  const parts: Parts = {
    database,
    live,
    publish,
    clock,
    log,
    metrics,
    mail,
    outbound,
    keyAccess,
    refusals,
    config,
  }
  const summaries = createClusterSummaries(database)
  const noticeHealth = healthNotices(notify)
  const kubernetes = kubernetesFeature(parts, {
    summaries,
    agents: operations.agents,
    ...clusters,
    peers,
    startRun: workflows.startRun,
    publishClusters: (db, organizationId) => publish(db, [{ organizationId, type: 'CLUSTERS_UPDATE' }]),
    onHealthMove: async (db, move) => {
      await noticeHealth(db, moveOfCluster(move))
      await publishHealthMove(db, move)
    },
  })
  const clusterDoor = { ...summaries, connect: clusters.connect, send: kubernetes.send }
  servers.useClusters(kubernetes.databaseClusters)
  closing.add('sockets', () => live.close())
  const devices = createKnownDevices({
    rootKey: rootKey.key,
    isSecure: config.publicUrl?.startsWith('https:') === true,
    now: () => clock.now(),
  })
  const foundOrganization = organizationFounder((db, id) => workflows.ensureBuiltIns(db, id))
  const address = () => ({
    publicUrl: config.publicUrl,
    tlsPort: open.https?.port ?? config.tlsPort,
    trusted: certificate.trusted(),
  })
  const reference = await serveApiReference(http, build.version)
  const auth = await authFeature(parts, {
    devices,
    isLoopback,
    foundOrganization,
    serverSeal,
    settings,
    labels: presets,
    onNewDevice: signInNotices(parts),
    localAddress: localAddress(config, config.port),
  })
  const curves = metricsFeature(parts, { ...databaseAccess, clusters: clusterDoor })
  const resources = resourcesFeature(parts, () => inventoryOf(open.features ?? []))
  const demo = openDemo(parts, { operations, kubernetes, auth, features: () => open.features ?? [] })
  const features = [
    statusFeature(parts, { build, reference, readOnly }),
    figuresFeature(parts, {
      http,
      readOnly,
      engine: () => operations.engine().state(),
      sharing: kubernetes.sharedWatches,
      isLoopback,
    }),
    auth,
    settingsFeature(parts),
    instanceFeature(parts, { settings, readOnly, ...openInstanceBackups(parts, { ...storage, version }) }),
    organizationsFeature(parts, {
      found: foundOrganization,
      userOf: auth.userOf,
      forgetRuns: (runIds) => operations.engine().forget(runIds),
    }),
    membersFeature(parts, {
      rootKey,
      devices,
      register: auth.register,
      belongings: () => belongingsOf(open.features ?? []),
      address: () => localAddress(config, open.port ?? config.port),
    }),
    auditFeature(parts, {
      signingKey,
      onBroken: auditNotices({ publish, clock, baseUrl: localAddress(config, config.port) }),
    }),
    policiesFeature(parts),
    asCodeFeature(parts, http),
    apiKeysFeature(parts),
    clustersFeature(parts, { ...operations, address, openStreams: kubernetes.openStreams }),
    workflowsFeature(parts, {
      workflows,
      dataKeys,
      stepTypes: operations.stepTypes,
      secretsOf: operations.secretsOf,
      forgetRuns: (runIds) => operations.engine().forget(runIds),
    }),
    kubernetes,
    analyticsFeature(parts, {
      ...kubernetes,
      ...organizationHealth(database, clock),
      runs: workflows.runs,
      readMetrics: curves.readAll,
    }),
    curves,
    secretsFeature(parts, {
      dataKeys,
      rootKey,
      clusters: clusterDoor,
      startRun: workflows.startRun,
      startWorkflow: workflows.startWorkflowRun,
      onNotice: secretNotices(notify),
    }),
    databasesFeature(
      parts,
      { ...databaseAccess, newPassword, dataKeys, noticeHealth, workflows, machineId, actorOf },
      await openBackupPlaces(parts, machineId),
    ),
    webhooksFeature(parts, {
      dataKeys,
      onDisabled: webhookNotices(parts),
      baseUrl: () => localAddress(config, open.port ?? config.port),
    }),
    networksFeature(parts, {
      clusters: clusterDoor,
      cache: kubernetes.cache,
      workflows,
      access: servers.networkAccess(database),
      bindSteps: operations.bindNetworks,
      openPort: kubernetes.databaseClusters.openPort,
      noticeHealth,
    }),
    meteringFeature(parts, http, { ...kubernetes, addNode: clusters.addNode }),
    ingressFeature(parts, { ...kubernetes, clusters: clusterDoor, notice: ingressNotices(notify) }),
    resources,
    alertsFeature(parts, { ...curves, notify, matches: resources.matches }),
    boardsFeature(parts, curves.query),
    billingFeature(parts, { notify, version }),
    reportsFeature(parts, { version, features: () => open.features ?? [] }),
    annotationsFeature(parts),
    demo,
    errorLogFeature(parts, sourceMapsDir),
    notificationsFeature(parts, dataKeys),
    relationsFeature(parts, () => sourcesOf(open.features ?? []), resources.matches),
    mcpFeature(parts, { http, version }),
  ]
  open.features = features
  await operations.start(workflowsOf(features))
  closing.add('retention', startRetention({ database, retentions: retentionsOf(features), clock, log }))
  const palette = paletteFeature(parts, paletteOf(features))
  expandBy(live, features)
  const handlers: Handlers<EndpointName> = { ...handlersOf(features), ...palette.handlers }
  const waits = createWaits({ clock, position: live.position })
  closing.add('waits', async () => waits.close())
  mountEndpoints(http, isWorker ? only(handlers, workerEndpoints) : handlers, {
    database,
    keyAccess,
    refusals,
    anonymousClients,
    rateLimiter: createRateLimiter({ limits, clock, devices, keyAccess }),
    idempotency: createIdempotency(database, rootKey, clock, log),
    clock,
    waits,
    readOnly,
    position: live.position,
  })

  // Every upgrade of a connection, on both listeners: /ws, and exec, attach and port-forward of the proxy.
  routeUpgrades(http.server, isWorker ? [] : [live.upgrade, holdUpgrades(kubernetes.upgrade, readOnly)], {
    addressOf: clientAddress(trustsProxy),
    anonymousClients,
  })

  const port = await openListeners({ http, config, certificate, anonymousClients, closing, open })
  const origin = localAddress(config, port)
  await dataDirectory.setAddress(origin)
  const demoAddress = config.demo ? `${origin}/demo/visit#${await demo.issueVisit()}` : undefined
  const tlsPort = open.https?.port ?? 0
  return { address: origin, demoAddress, port, tlsPort, database, stop: () => closing.close() }
}
