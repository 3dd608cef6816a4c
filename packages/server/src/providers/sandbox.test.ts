import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, getuid, kill } from 'node:process'
import { fileURLToPath } from 'node:url'

import { afterEach, expect, test, vi } from 'vitest'

import type { ClusterProvider, ProviderCluster, ProviderStep } from '../features/clusters/provider.ts'
import { realClock } from '../platform/clock.ts'
import { isAlive } from '../platform/liveness.ts'
import { createSandboxProvider, type SandboxOptions } from './sandbox.ts'

const roots: string[] = []
const providers: ClusterProvider[] = []

async function make(root?: string, machineId = 'm1', more: Partial<SandboxOptions> = {}) {
  const dir = root ?? (await mkdtemp(join(tmpdir(), 'bey-sandbox-')))
  if (root === undefined) roots.push(dir)
  const provider = createSandboxProvider({ root: dir, machineId, speed: 1000, clock: realClock, ...more })
  providers.push(provider)
  return { provider, root: dir }
}

afterEach(async () => {
  await Promise.all(providers.splice(0).map((provider) => provider.stopAll()))
  await Promise.all(roots.splice(0).map((root) => rm(root, { recursive: true, force: true, maxRetries: 5 })))
})

function recorder() {
  const lines: string[] = []
  const abort = new AbortController()
  const step: ProviderStep = {
    log: (message) => lines.push(message),
    progress: () => undefined,
    signal: abort.signal,
    sleep: (durationMs) => new Promise((resolve) => setTimeout(resolve, durationMs)),
  }
  return { step, lines, abort }
}

const cluster: ProviderCluster = {
  id: 7,
  organizationId: 1,
  title: 'demo',
  region: 'local',
  version: 'v1.33.4-sandbox',
  nodeGroups: [
    { name: 'control-plane', count: 1, cpuCores: 2, memoryBytes: 4 * 1024 ** 3 },
    { name: 'workers', count: 2, cpuCores: 4, memoryBytes: 16 * 1024 ** 3 },
  ],
  placement: null,
}

async function allocate(provider: ClusterProvider, known: ProviderCluster, step: ProviderStep) {
  const placement = await provider.choosePlacement(known)
  await provider.allocateMachines(known, placement, step)
  return placement
}

async function provision(provider: ClusterProvider) {
  const { step, lines } = recorder()
  const placement = await allocate(provider, cluster, step)
  const live = await provider.startControlPlane({ ...cluster, placement }, placement, step)
  await provider.joinNodes(cluster, live, step)
  await provider.installAddons(cluster, live, step)
  const result = await provider.verify(cluster, live, step)
  return { placement, live, result, lines }
}

test('provisioning starts a process, and its log tells addresses, processes, nodes and pods', async () => {
  const { provider } = await make()
  const { placement, live, result, lines } = await provision(provider)
  expect(result).toEqual({ version: 'v1.33.4-sandbox', nodeCount: 3 })
  expect(isAlive(live.pid)).toBe(true)
  expect((await stat(placement.dir)).mode & 0o777).toBe(0o700)
  expect((await stat(`${placement.dir}.out`)).mode & 0o777).toBe(0o600)
  const log = lines.join('\n')
  expect(log).toContain('Allocating 1 × control-plane (2 CPU, 4 GiB), 2 × workers (4 CPU, 16 GiB) in local.')
  expect(log).toContain(`answers at ${live.url} (process ${live.pid}).`)
  expect(log).toMatch(/Node demo-workers-2 joined with address 10\.0\.0\.\d+ and is ready \(3 of 3\)\./)
  expect(log).toMatch(/(\d+) of \1 pods of kube-system are ready\./)
  expect(log).toMatch(/Installed coredns, .*metrics-server/)
  expect(log).not.toContain(live.token)
})

test('each step done again, as after a crash, finds what is there and changes nothing', async () => {
  const { provider, root } = await make()
  const first = await provision(provider)
  const { provider: next } = await make(root)
  const { step, lines } = recorder()
  const known = { ...cluster, placement: first.placement }
  expect(await allocate(next, known, step)).toMatchObject({ dir: first.placement.dir })
  expect(await next.startControlPlane(known, first.placement, step)).toEqual(first.live)
  await next.joinNodes(known, first.live, step)
  await next.installAddons(known, first.live, step)
  expect(await next.verify(known, first.live, step)).toEqual(first.result)
  expect(lines).toContain(`The control plane runs already as process ${first.live.pid}.`)
  expect(lines).toContain('3 of 3 nodes have joined already.')
})

test('a process whose server died is adopted: same process, same address', async () => {
  const { provider, root } = await make()
  const { placement, live } = await provision(provider)
  const { provider: next } = await make(root)
  expect(await next.keepRunning({ ...cluster, placement })).toEqual(live)
})

test('a process whose server died before it could note it is adopted, or stopped with the cluster', async () => {
  const { provider, root } = await make()
  const { placement, live } = await provision(provider)
  const known = { ...cluster, placement }
  await rm(`${placement.dir}.pid`)
  const { provider: next } = await make(root)
  const { step, lines } = recorder()
  expect(await next.startControlPlane(known, placement, step)).toEqual(live)
  expect(lines).toEqual([`The control plane runs already as process ${live.pid}.`])
  await next.stopControlPlane(known, step)
  expect(lines.at(-1)).toBe(`Process ${live.pid} stopped.`)
  expect(isAlive(live.pid)).toBe(false)
})

test('of two processes for one cluster, the one that took the directory first is adopted', async () => {
  const { provider } = await make()
  const { step } = recorder()
  const placement = await allocate(provider, cluster, step)
  const known = { ...cluster, placement }
  // As when a server is killed right after it started the process, and the next one repeats the step at once.
  const [one, other] = await Promise.all([
    provider.startControlPlane(known, placement, step),
    provider.startControlPlane(known, placement, step),
  ])
  expect(one).toEqual(other)
  await provider.stopControlPlane(known, step)
  expect(isAlive(one.pid)).toBe(false)
})

test('a process that died is noticed and started again with its port, its token and its nodes', async () => {
  const { provider } = await make()
  const { placement, live } = await provision(provider)
  const exited = new Promise<string>((resolve) =>
    provider.onExit((id, reason) => resolve(`${id}: ${reason}`)),
  )
  kill(live.pid, 'SIGKILL')
  expect(await exited).toBe(
    `7: Process ${live.pid} was ended by the signal SIGKILL, as by the system when memory runs out.`,
  )
  const again = await provider.keepRunning({ ...cluster, placement: { ...placement, port: live.port } })
  expect(again.pid).not.toBe(live.pid)
  expect(again.startedBecause).toContain(`Process ${live.pid} was ended by the signal SIGKILL`)
  expect({ ...again, pid: 0, startedBecause: undefined }).toEqual({ ...live, pid: 0 })
  expect((await provider.verify(cluster, again, recorder().step)).nodeCount).toBe(3)
})

test('deletion stops the process and leaves nothing behind, and can be done twice', async () => {
  const { provider } = await make()
  const { placement, live } = await provision(provider)
  const known = { ...cluster, placement }
  for (let time = 1; time <= 2; time += 1) {
    const { step, lines } = recorder()
    await provider.stopControlPlane(known, step)
    await provider.removeState(known, step)
    expect(lines[0]).toBe(time === 1 ? `Process ${live.pid} stopped.` : 'No process was running.')
  }
  expect(isAlive(live.pid)).toBe(false)
  for (const path of [
    placement.dir,
    `${placement.dir}.out`,
    `${placement.dir}.err`,
    `${placement.dir}.pid`,
  ]) {
    expect(existsSync(path)).toBe(false)
  }
})

test('a file in the way of the directory fails the allocation in words, and goes well once it is gone', async () => {
  const { provider, root } = await make()
  const path = join(root, 'cluster-7')
  await writeFile(path, '')
  await expect(allocate(provider, cluster, recorder().step)).rejects.toThrow(
    `The machines have no disk: a file is in the way of the directory ${path}.`,
  )
  await rm(path)
  await provision(provider)
})

test('a port that was taken meanwhile fails the start in words; the next allocation takes another', async () => {
  const { provider } = await make()
  const { step } = recorder()
  const placement = await allocate(provider, cluster, step)
  const squatter = await listen(placement.port)
  await expect(provider.startControlPlane({ ...cluster, placement }, placement, step)).rejects.toThrow(
    new RegExp(`^The control plane did not start: .*port.*${placement.port}`, 'i'),
  )
  const other = await allocate(provider, { ...cluster, placement }, step)
  expect(other.port).not.toBe(placement.port)
  await provider.startControlPlane({ ...cluster, placement: other }, other, step)
  await new Promise((resolve) => squatter.close(resolve))
})

test('a process that never answers is cut short by a cancel', async () => {
  const { provider } = await make()
  const { step, abort } = recorder()
  const placement = await allocate(provider, cluster, step)
  const slow = createSandboxProvider({
    root: placement.dir,
    machineId: 'm1',
    speed: 1000,
    clock: realClock,
    mainPath: fileURLToPath(new URL('./testing/silent.ts', import.meta.url)),
  })
  const starting = slow.startControlPlane({ ...cluster, placement }, placement, step)
  await vi.waitUntil(() => existsSync(`${placement.dir}.pid`), { timeout: 60_000 })
  abort.abort(new Error('Cancelled by Ada'))
  await expect(starting).rejects.toThrow('Cancelled by Ada')
  await slow.stopControlPlane({ ...cluster, placement }, recorder().step)
})

test('a process that is silent is ended, and why is said to anyone who listens and at its next start', async () => {
  const { provider } = await make(undefined, 'm1', { silenceMs: 2000 })
  const { placement, live } = await provision(provider)
  const reasons: string[] = []
  provider.onExit((id, reason) => reasons.push(`${id}: ${reason}`))
  // Alive, and yet it answers nobody: as when it is busy for ever.
  kill(live.pid, 'SIGSTOP')
  const again = await provider.keepRunning({ ...cluster, placement })
  const cause = `Process ${live.pid} was ended because it was silent: It did not answer within 2 s`
  expect(again.startedBecause).toBe(cause)
  expect(reasons).toContain(`7: ${cause}`)
  expect(again.pid).not.toBe(live.pid)
  expect(isAlive(live.pid)).toBe(false)
})

test('what was stopped with its server is back with its state, and says why it was started again', async () => {
  const { provider, root } = await make()
  const { placement, live } = await provision(provider)
  await provider.stopAll()
  expect(isAlive(live.pid)).toBe(false)
  const { provider: next } = await make(root)
  const again = await next.keepRunning({ ...cluster, placement: { ...placement, port: live.port } })
  expect(again).toMatchObject({
    url: live.url,
    startedBecause: 'Bey was stopped, and its sandboxes with it.',
  })
  expect((await next.verify(cluster, again, recorder().step)).nodeCount).toBe(3)
})

test.runIf(platform() === 'linux')('a sandbox inherits no setting of the server', async () => {
  env['BEY_SECRET_KEY'] = 'the root key of all secrets'
  env['DATABASE_URL'] = 'postgres://owner:password@localhost/bey'
  try {
    const { provider } = await make()
    const { live } = await provision(provider)
    const inherited = (await readFile(`/proc/${live.pid}/environ`, 'utf8'))
      .split('\0')
      .filter((each) => each !== '')
    expect(inherited).toEqual(['NODE_ENV=production'])
  } finally {
    delete env['BEY_SECRET_KEY']
    delete env['DATABASE_URL']
  }
})

test.runIf(getuid?.() === 0)(
  'where the server is root its sandboxes are a user who owns their directory only',
  async () => {
    const { provider, root } = await make()
    await chmod(root, 0o700)
    const { placement, live } = await provision(provider)
    const uids =
      /^Uid:\s+(.*)$/m.exec(await readFile(`/proc/${live.pid}/status`, 'utf8'))?.[1]?.split('\t') ?? []
    expect(new Set(uids)).toEqual(new Set([String((await stat(placement.dir)).uid)]))
    expect(uids[0]).not.toBe('0')
    // One that was made as root, by an earlier release, is given to that user with everything in it.
    await provider.stopAll()
    for (const name of await readdir(placement.dir)) await chown(join(placement.dir, name), 0, 0)
    await chown(placement.dir, 0, 0)
    const { provider: next } = await make(root)
    const again = await next.keepRunning({ ...cluster, placement })
    expect((await next.verify(cluster, again, recorder().step)).nodeCount).toBe(3)
    expect((await stat(join(placement.dir, 'identity.json'))).uid).toBe(Number(uids[0]))
  },
)

test('a machine takes as many sandboxes as its budget has memory for, and says so to the next', async () => {
  const { provider, root } = await make(undefined, 'm1', { memoryMib: 256, budgetMib: 512 })
  const { step } = recorder()
  const all = await Promise.allSettled([1, 2, 3].map((id) => allocate(provider, { ...cluster, id }, step)))
  expect(all.map((each) => each.status).toSorted()).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  const refusal =
    'This machine has memory for 2 sandboxes, which all exist. Delete one, or set BEY_SANDBOX_BUDGET_MIB to more memory.'
  const refused = all.findIndex((each) => each.status === 'rejected') + 1
  expect(all[refused - 1]).toMatchObject({ reason: { message: refusal } })
  expect(await provider.capacity?.()).toMatchObject({ sandboxes: 2, maxSandboxes: 2, refusal })
  // Done again, as after a crash, a step finds its own place.
  const [kept = 0, removed = 0] = [1, 2, 3].filter((id) => id !== refused)
  const placementOf = (id: number) => ({ machineId: 'm1', port: 0, dir: join(root, `cluster-${id}`) })
  await allocate(provider, { ...cluster, id: kept, placement: placementOf(kept) }, step)
  await provider.removeState({ ...cluster, id: removed, placement: placementOf(removed) }, step)
  await allocate(provider, { ...cluster, id: refused }, step)
})

test('what a cancelled allocation made is removed by what was recorded before it', async () => {
  const { provider, root } = await make()
  const { step, abort } = recorder()
  const placement = await provider.choosePlacement(cluster)
  expect(existsSync(placement.dir)).toBe(false)
  const allocating = provider.allocateMachines(cluster, placement, step)
  await vi.waitUntil(() => existsSync(placement.dir), { timeout: 60_000, interval: 1 })
  abort.abort(new Error('Cancelled by Ada'))
  await allocating.catch(() => undefined)
  await provider.removeState({ ...cluster, placement }, recorder().step)
  expect(await readdir(root)).toEqual([])
})

function listen(port: number): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
