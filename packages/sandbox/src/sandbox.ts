import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { watchForAbandonment } from './abandonment.ts'
import { limitStorage } from './admission/storage-limits.ts'
import { webhookTargets } from './admission/webhook-targets.ts'
import { adminHandler } from './http/admin.ts'
import { startServer } from './http/server.ts'
import type { Certificates } from './http/certificates.ts'
import type { Cluster } from './api/context.ts'
import { Resources } from './api/resources.ts'
import { installAddons } from './addons/addons.ts'
import { bootstrap } from './bootstrap.ts'
import { systemClock } from './clock.ts'
import { EventRecorder } from './controllers/event-recorder.ts'
import { runControllers } from './controllers/all.ts'
import { textAt } from './json.ts'
import { Endings } from './nodes/endings.ts'
import { joinNodes } from './nodes/machines.ts'
import { FlowLog } from './network/flow-log.ts'
import { createPower } from './nodes/node-power.ts'
import { defaultNodes, type NodeGroup, type SandboxOptions } from './options.ts'
import { seededRandom } from './random.ts'
import { Registry } from './registry/registry.ts'
import { createFaults, readFaults } from './scenarios/faults.ts'
import { lockDirectory } from './store/lock.ts'
import { Store } from './store/store.ts'

export type Sandbox = {
  url: string
  caPem: string
  adminToken: string
  /** A kubeconfig, as YAML, for the administrator. */
  kubeconfig(): string
  addNodes(groups: NodeGroup[]): Promise<void>
  /** What kube-system has on a real cluster; resolves when all of it is ready. */
  installAddons(): Promise<void>
  /** Saves the state and gives the directory back. */
  stop(): Promise<void>
}

/** What stays the same over restarts of one sandbox. */
type Identity = Certificates & {
  name: string
  region: string
  seed: number
  adminToken: string
  signingKey: string
  port: number
}

function readIdentity(path: string): Identity | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  const value: unknown = JSON.parse(text)
  if (textAt(value, 'adminToken') === undefined)
    throw new Error(`The file ${path} is not a sandbox's identity.`)
  // Only this module writes the file.
  return value as Identity
}

function writePrivate(path: string, text: string): void {
  writeFileSync(`${path}.tmp`, text, { mode: 0o600 })
  renameSync(`${path}.tmp`, path)
}

async function makeIdentity(options: SandboxOptions, nowMs: number): Promise<Identity> {
  // Loaded only now: a sandbox that has its certificates does without these libraries.
  const { makeCertificates } = await import('./http/certificates.ts')
  const name = options.name ?? 'sandbox'
  const hosts = [
    ...new Set([
      'localhost',
      '127.0.0.1',
      '::1',
      options.host ?? '127.0.0.1',
      'kubernetes',
      'kubernetes.default.svc',
    ]),
  ]
  return {
    ...(await makeCertificates(name, hosts, nowMs)),
    name,
    region: options.region ?? 'local',
    seed: options.seed ?? randomBytes(4).readUInt32LE(),
    adminToken: randomBytes(32).toString('base64url'),
    signingKey: randomBytes(32).toString('base64url'),
    port: 0,
  }
}

function kubeconfigOf({ name, caPem, adminToken }: Identity, url: string): string {
  const certificate = Buffer.from(caPem).toString('base64')
  // Names are quoted: a cluster may be called "true".
  const quoted = JSON.stringify(name)
  const user = JSON.stringify(`${name}-admin`)
  return `apiVersion: v1
kind: Config
clusters:
  - name: ${quoted}
    cluster:
      server: ${url}
      certificate-authority-data: ${certificate}
users:
  - name: ${user}
    user:
      token: ${adminToken}
contexts:
  - name: ${quoted}
    context:
      cluster: ${quoted}
      user: ${user}
current-context: ${quoted}
`
}

// Not `recursive`: that never returns where a parent, such as /proc, takes no directories.
function makeDirectory(dir: string): void {
  if (existsSync(dir)) return
  if (dirname(dir) !== dir) makeDirectory(dirname(dir))
  try {
    mkdirSync(dir, { mode: 0o700 })
  } catch (error) {
    throw new Error(`The directory ${dir} cannot be made.`, { cause: error })
  }
}

/**
 * Starts a Kubernetes-compatible control plane with simulated nodes, from what `dir` holds or anew. Throws when the
 * directory cannot be written or belongs to a living process, or when the port is taken.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  return (await openSandbox(options)).sandbox
}

/** The same, with the cluster itself, for what is written into it from within this process. */
export async function openSandbox(options: SandboxOptions): Promise<{ sandbox: Sandbox; cluster: Cluster }> {
  const { dir } = options
  makeDirectory(dir)
  const unlock = lockDirectory(dir)
  try {
    return await start(options, dir, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

async function start(
  options: SandboxOptions,
  dir: string,
  unlock: () => void,
): Promise<{ sandbox: Sandbox; cluster: Cluster }> {
  const clock = options.clock ?? systemClock
  const identityPath = join(dir, 'identity.json')
  const known = readIdentity(identityPath)
  const identity = known ?? (await makeIdentity(options, clock.now()))
  const store = new Store(dir, clock)
  const registry = new Registry()
  const random = seededRandom(identity.seed + store.revision)
  const resources = new Resources(store, registry, clock, random, identity.seed)
  const recorder = new EventRecorder(resources, clock)
  const powerPath = join(dir, 'stopped-nodes.json')
  const power = createPower(readStopped(powerPath))
  power.onChange(() => writePrivate(powerPath, JSON.stringify(power.off())))
  const cluster: Cluster = {
    name: identity.name,
    region: identity.region,
    version: options.kubernetesVersion ?? 'v1.33.4-sandbox',
    speed: Math.max(0.001, options.speed ?? 1),
    seed: identity.seed,
    caPem: identity.caPem,
    authority: identity.caKeyPem ? { caPem: identity.caPem, caKeyPem: identity.caKeyPem } : undefined,
    signingKey: identity.signingKey,
    startedAtMs: clock.now(),
    limits: {
      maxStoredBytes: options.maxStoredBytes ?? Infinity,
      maxObjects: options.maxObjects ?? Infinity,
    },
    apiDelay: { ms: 0 },
    webhookTargets: webhookTargets(options.webhookTargets ?? []),
    forwardedPorts: options.forwardedPorts ?? [],
    hostPrograms: options.hostPrograms ?? {},
    clock,
    random,
    store,
    registry,
    resources,
    recorder,
    endings: new Endings(),
    flows: new FlowLog(),
    power,
    report: (error) => {
      process.stderr.write(
        `sandbox ${identity.name}: ${error instanceof Error ? error.stack : String(error)}\n`,
      )
    },
  }
  const { claimWithinMs, onAbandoned = () => undefined } = options
  let claim: () => void = () => undefined
  const faultsPath = join(dir, 'faults.json')
  const faults = createFaults(cluster, power, readFaults(faultsPath), (active) =>
    writePrivate(faultsPath, JSON.stringify(active)),
  )
  const admin = adminHandler(cluster, power, faults, identity.adminToken, () => claim())
  const server = await startServer(cluster, {
    ...identity,
    host: options.host ?? '127.0.0.1',
    port: options.port || identity.port,
    isPortNegotiable: !options.port,
    admin,
  })
  identity.port = server.port
  writePrivate(identityPath, JSON.stringify(identity))
  bootstrap(cluster, server.port)
  limitStorage(cluster, cluster.limits)
  if (!known) joinNodes(cluster, options.nodes ?? defaultNodes)
  const controllers = runControllers(cluster, power)
  recorder.start()
  store.flush()
  const kubeconfig = kubeconfigOf(identity, server.url)
  writePrivate(join(dir, 'kubeconfig'), kubeconfig)
  const abandonment = watchForAbandonment(clock, dir, claimWithinMs, onAbandoned)
  claim = abandonment.claim
  let stopping: Promise<void> | undefined
  const sandbox: Sandbox = {
    url: server.url,
    caPem: identity.caPem,
    adminToken: identity.adminToken,
    kubeconfig: () => kubeconfig,
    addNodes: (groups) => {
      joinNodes(cluster, groups)
      store.flush()
      return Promise.resolve()
    },
    installAddons: () => installAddons(cluster),
    stop() {
      stopping ??= (async () => {
        abandonment.stop()
        recorder.stop()
        for (const controller of controllers) controller.stop()
        await server.stop()
        await store.close()
        unlock()
      })()
      return stopping
    },
  }
  return { sandbox, cluster }
}

function readStopped(path: string): string[] {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return Array.isArray(value) ? value.map(String) : []
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
