import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EndpointName } from '@bey/contract'
import type { Config } from './config.ts'
import { authRoutes } from './features/auth/routes.ts'
import { createAuthService } from './features/auth/service.ts'
import { godmodeStatus } from './features/auth/godmode.ts'
import { organizationRoutes } from './features/organizations/routes.ts'
import { createOrganizationService, organizationFounder } from './features/organizations/service.ts'
import { readBuild } from './features/status/build.ts'
import { statusRoutes } from './features/status/routes.ts'
import { realClock } from './platform/clock.ts'
import { createPasswords } from './platform/crypto/password.ts'
import { checkRootKey, loadRootKey } from './platform/crypto/root-key.ts'
import { type Database, openDatabase } from './platform/db/database.ts'
import type { Handlers } from './platform/http/handlers.ts'
import { serveApiReference } from './platform/http/docs/serve.ts'
import { createIdempotency } from './platform/http/idempotency.ts'
import { listenHttp, stopAccepting } from './platform/http/listen.ts'
import { mountEndpoints } from './platform/http/mount.ts'
import { createRateLimiter, type RateLimits, rateLimits } from './platform/http/rate-limits.ts'
import { createHttp } from './platform/http/server.ts'
import { routeUpgrades } from './platform/http/upgrades.ts'
import type { Log } from './platform/log.ts'
import { claimDataDirectory } from './platform/process.ts'
import { type Closing, createClosing } from './closing.ts'

export type App = {
  /** Where browsers find it, e.g. `http://localhost:8080`. */
  address: string
  /** The port that was given by the system where the configuration says 0. */
  port: number
  database: Database
  /** Stops accepting, then sockets, engine, HTTP, and the database last. Safe to call twice. */
  stop(): Promise<void>
}

export type AppOptions = {
  /** Others than the product's, for tests. */
  rateLimits?: Partial<RateLimits>
}

/** Endpoints whose feature has not landed yet; goes when it is empty. */
type NotBuilt = Exclude<EndpointName, `auth.${string}` | `organizations.${string}` | `status.${string}`>

const repositoryDir = fileURLToPath(new URL('../../../', import.meta.url))
const consoleDir = join(repositoryDir, 'packages/console/dist')

/**
 * Opens everything in order and listens. Throws ConfigError with a sentence that says what to mend; what was
 * opened until then is closed again.
 */
export async function createApp(config: Config, log: Log, options: AppOptions = {}): Promise<App> {
  const closing = createClosing(log)
  try {
    return await open(config, log, options, closing)
  } catch (error) {
    await closing.close()
    throw error
  }
}

async function open(config: Config, log: Log, options: AppOptions, closing: Closing): Promise<App> {
  const clock = realClock

  // Platform. What is opened first is closed last.
  const dataDirectory = await claimDataDirectory(config.dataDir, localAddress(config, config.port))
  closing.add('data directory', () => dataDirectory.release())
  const rootKey = await loadRootKey(config.secretKey, config.dataDir)
  const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir }, log)
  closing.add('database', () => database.close())
  await checkRootKey(database, rootKey)
  const build = await readBuild(repositoryDir, consoleDir)
  const http = await createHttp({
    log,
    isBehindProxy: config.publicUrl !== undefined,
    isStopping: () => closing.isClosing(),
    consoleDir,
  })
  closing.add('http', () => http.close())

  // Features.
  const passwords = createPasswords(config.argon2)
  const foundOrganization = organizationFounder(async () => undefined)
  const auth = createAuthService({
    database,
    passwords,
    clock,
    signup: config.signup,
    foundOrganization,
    onSessionEnded: () => undefined,
  })
  const organizations = createOrganizationService({
    database,
    found: foundOrganization,
    userOf: (id) => auth.userOf(id),
  })

  const handlers: Handlers<Exclude<EndpointName, NotBuilt>> = {
    ...statusRoutes({
      database,
      build,
      clock,
      isProduction: config.isProduction,
      reference: await serveApiReference(http, build.version),
    }),
    ...authRoutes(auth, godmodeStatus(config)),
    ...organizationRoutes(organizations),
  }
  mountEndpoints(http, handlers, {
    database,
    rateLimiter: await createRateLimiter(http, { ...rateLimits, ...options.rateLimits }),
    idempotency: createIdempotency(database, clock),
  })

  // Every upgrade of a connection, on both listeners: /ws, and exec, attach and port-forward of the proxy.
  routeUpgrades(http.server, [])

  const port = await listenHttp(http, config)
  closing.add('listener', () => stopAccepting(http.server))
  const address = localAddress(config, port)
  await dataDirectory.setAddress(address)
  return { address, port, database, stop: () => closing.close() }
}

function localAddress(config: Config, port: number): string {
  if (config.publicUrl !== undefined) return config.publicUrl
  const host = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(config.host) ? 'localhost' : config.host
  return `http://${host}:${port}`
}
