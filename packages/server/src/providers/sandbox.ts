import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { ClusterProvider as ClusterProviderInfo, NodeGroup } from '@bey/contract'

import type { ClusterProvider, PastRecord } from '../features/clusters/provider.ts'
import { StepFailure } from '../platform/engine/step-failure.ts'
import type { Clock } from '../platform/clock.ts'
import { budgetOf, freeDiskBytes, maxSandboxesBeside, refusalOf, sandboxesIn } from './sandbox/budget.ts'
import { installAddons, joinNodes, sandboxGroup, verify } from './sandbox/build-up.ts'
import { takeEnding } from './sandbox/endings.ts'
import {
  directoryOf,
  filesOf,
  freePort,
  historyFile,
  identityFile,
  makeDirectory,
  pastFile,
} from './sandbox/directory-and-port.ts'
import { paceOf } from './sandbox/pace.ts'
import { createProcesses } from './sandbox/processes.ts'
import { faultPort, usageOf, usedIn } from './sandbox/usage.ts'

export type SandboxOptions = {
  /** Absolute; each cluster gets a directory below it. */
  root: string
  /** Names the data directory of this server, to which its sandboxes belong. */
  machineId: string
  /** Divides the simulated time that machines take to boot. */
  speed: number
  clock: Clock
  /** Memory that one sandbox may take, in MiB. */
  memoryMib?: number
  /** Memory that all sandboxes of this machine may take together, in MiB; half of the machine's unless given. */
  budgetMib?: number | undefined
  /** What databases of this machine take out of the same memory; nothing unless given. */
  databaseBytes?: () => Promise<number>
  /** Addresses that admission webhooks of clusters may be called on; none unless given. */
  webhookTargets?: readonly string[]
  /** How long a sandbox may leave a question unanswered; 15 s unless given. */
  silenceMs?: number
  /** The program that a child process runs; the sandbox package's own by default. */
  mainPath?: string
}

const defaultSandboxMemoryMib = 512

const mainOfPackage = () => fileURLToPath(new URL('./main.js', import.meta.resolve('@bey/sandbox')))

/** Clusters that run on this machine as a child process each, with simulated nodes. */
export function createSandboxProvider(options: SandboxOptions): ClusterProvider {
  const { root, machineId, speed, clock } = options
  const budget = budgetOf(options.memoryMib ?? defaultSandboxMemoryMib, options.budgetMib)
  const processes = createProcesses({
    machineId,
    speed,
    clock,
    mainPath: options.mainPath ?? mainOfPackage(),
    limits: budget.limits,
    webhookTargets: options.webhookTargets ?? [],
    silenceMs: options.silenceMs,
  })
  /** One at a time makes a directory, so that two cannot both take the last room. */
  let allocating: Promise<unknown> = Promise.resolve()

  async function room(without?: number) {
    const sandboxes = (await sandboxesIn(root)).filter((id) => id !== without).length
    const databaseBytes = (await options.databaseBytes?.()) ?? 0
    return {
      sandboxes,
      databaseBytes,
      maxSandboxes: maxSandboxesBeside(budget, databaseBytes),
      freeDiskBytes: await freeDiskBytes(root),
      neededDiskBytes: budget.limits.maxDiskBytes,
    }
  }

  async function allocate(clusterId: number, dir: string): Promise<void> {
    const isNew = !existsSync(dir)
    if (isNew) {
      const refusal = refusalOf(await room(clusterId))
      if (refusal !== undefined) throw new StepFailure(refusal)
    }
    await mkdir(dirname(dir), { recursive: true, mode: 0o700 }).catch(() => undefined)
    const problem = await makeDirectory(dir)
    if (problem !== undefined) throw new StepFailure(`The machines have no disk: ${problem}`)
  }

  return {
    id: 'sandbox',
    describe: () => description,

    async capacity() {
      const found = await room()
      return {
        machineBytes: budget.machineBytes,
        budgetBytes: budget.budgetBytes,
        sandboxBytes: budget.limits.memoryBytes,
        sandboxes: found.sandboxes,
        maxSandboxes: found.maxSandboxes,
        freeDiskBytes: found.freeDiskBytes,
        maxDiskBytes: budget.limits.maxDiskBytes,
        maxObjects: budget.limits.maxObjects,
        refusal: refusalOf(found) ?? null,
      }
    },

    async choosePlacement(cluster) {
      const dir = cluster.placement?.dir ?? directoryOf(root, cluster.id)
      return { machineId, dir, port: await freePort(cluster.placement?.port) }
    },

    async machineUsage() {
      const user = await processes.user()
      return { ...(await usedIn(root)), problem: user.kind === 'root' ? user.problem : null }
    },

    usage: usageOf,
    faults: faultPort,

    async allocateMachines(cluster, placement, step) {
      const names = cluster.nodeGroups.map((group) => `${group.count} × ${group.name} (${sizeOf(group)})`)
      step.log(`Allocating ${names.join(', ')} in ${cluster.region}.`)
      const mine = allocating.then(() => allocate(cluster.id, placement.dir))
      allocating = mine.catch(() => undefined)
      await mine
      step.log(`State is kept in ${placement.dir}.`)
      await paceOf(cluster.id, speed).wait('allocate', step)
      step.log(`The control plane will listen on 127.0.0.1:${placement.port}.`)
    },

    async prepare(cluster, placement, { seed, chapters }) {
      const mine = allocating.then(() => allocate(cluster.id, placement.dir))
      allocating = mine.catch(() => undefined)
      await mine
      const history = { seed, nodes: cluster.nodeGroups.map(sandboxGroup), chapters }
      await writeFile(join(placement.dir, historyFile), JSON.stringify(history), { mode: 0o600 })
    },

    async readPast({ dir }) {
      const text = await readFile(join(dir, pastFile), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      // Only the sandbox writes the file, in one piece.
      return text === undefined ? undefined : (JSON.parse(text) as PastRecord)
    },
    forgetPast: ({ dir }) => rm(join(dir, pastFile), { force: true }),

    async startControlPlane(cluster, placement, step) {
      const found = await processes.find(placement).catch(() => undefined)
      if (found !== undefined) {
        step.log(`The control plane runs already as process ${found.pid}.`)
        processes.superviseProcess(cluster.id, found.pid, placement.dir)
        return found
      }
      await processes.stop(cluster.id, filesOf(placement.dir))
      const user = await processes.user()
      if (user.kind === 'root') step.log(user.problem)
      await paceOf(cluster.id, speed).wait('start', step)
      try {
        const live = await processes.launch(cluster, placement, placement.port, step)
        processes.superviseProcess(cluster.id, live.pid, placement.dir)
        step.log(`The control plane of "${cluster.title}" answers at ${live.url} (process ${live.pid}).`)
        return live
      } catch (error) {
        step.signal.throwIfAborted()
        const words = error instanceof Error ? error.message : String(error)
        throw new StepFailure(`The control plane did not start: ${words}`, { cause: error })
      }
    },

    joinNodes: (cluster, live, step) => joinNodes(cluster, live, step, paceOf(cluster.id, speed)),
    installAddons: (cluster, live, step) => installAddons(live, step, paceOf(cluster.id, speed)),
    verify,

    async stopControlPlane(cluster, step) {
      if (cluster.placement === null || !this.isHere(cluster.placement)) {
        step.log('There is no control plane on this machine.')
        return
      }
      step.log(await processes.stop(cluster.id, filesOf(cluster.placement.dir)))
    },

    async removeState(cluster, step) {
      if (cluster.placement === null) {
        step.log('Nothing was kept.')
        return
      }
      const { dir } = cluster.placement
      const { out, err, pid, end } = filesOf(dir)
      const hadState = existsSync(dir)
      await Promise.all([dir, out, err, pid, end].map((path) => rm(path, { recursive: true, force: true })))
      step.log(hadState ? `Removed ${dir}.` : `${dir} was gone already.`)
    },

    async keepRunning(cluster) {
      const { placement } = cluster
      if (placement === null) throw new Error('The cluster has no machine.')
      if (!existsSync(placement.dir)) throw new Error(`Its directory ${placement.dir} is gone.`)
      const found = await processes.find(placement).catch(async (error: unknown) => {
        await processes.endSilent(cluster.id, placement.dir, error)
        return undefined
      })
      if (found !== undefined) {
        processes.superviseProcess(cluster.id, found.pid, placement.dir)
        return found
      }
      const isFirst = !existsSync(join(placement.dir, identityFile))
      const live = await processes.launch(cluster, placement, await freePort(placement.port))
      processes.superviseProcess(cluster.id, live.pid, placement.dir)
      // Prepared with its past, and not started until now.
      if (isFirst) return live
      const cause = await takeEnding(filesOf(placement.dir).end)
      return { ...live, startedBecause: cause ?? 'Its process ended while no server looked after it.' }
    },

    isHere: (placement) => placement.machineId === machineId || existsSync(placement.dir),
    onExit: processes.onExit,
    stopAll: processes.stopAll,
  }
}

function sizeOf(group: NodeGroup): string {
  return `${group.cpuCores} CPU, ${group.memoryBytes / 1024 ** 3} GiB`
}

const gibibyte = 1024 ** 3

const description: Omit<ClusterProviderInfo, 'capacity'> = {
  id: 'sandbox',
  label: 'Sandbox',
  description:
    'A real Kubernetes API on this machine with simulated nodes. Free, ready in seconds, and gone without a trace.',
  regions: ['local', 'eu-central', 'us-east', 'ap-southeast'],
  versions: ['v1.33.4-sandbox'],
  defaultNodeGroups: [
    { name: 'control-plane', count: 1, cpuCores: 2, memoryBytes: 4 * gibibyte },
    { name: 'workers', count: 2, cpuCores: 4, memoryBytes: 16 * gibibyte },
  ],
  maxNodes: 300,
}
