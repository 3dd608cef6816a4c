import { expect, test, vi } from 'vitest'
import { importableCluster } from '../../../../testing/importable.ts'
import { sharingServers, type SharingServer } from '../../testing/sharing-servers.ts'

vi.setConfig({ testTimeout: 420_000, hookTimeout: 60_000 })
const patience = { timeout: 60_000, interval: 100 }

const outside = await importableCluster()
const servers = await sharingServers(outside)
const { start, put, configMaps, watchesOf, figure, ownerAmong } = servers

const fromPeer = (server: SharingServer) => figure(server, 'bey_shared_watches{side="from_peer"}')
const connected = (server: SharingServer) => figure(server, 'bey_peers{state="connected"}')
const others = (all: readonly SharingServer[], one: SharingServer) => all.filter((each) => each !== one)

const made: string[] = []
async function make(name: string) {
  made.push(`shared-${name}`)
  await put(name)
}

/** All that was made so far, and it is said to be current. */
const showsAll = (server: SharingServer) =>
  vi.waitFor(async () => expect(await configMaps(server)).toEqual({ names: made, isLive: true }), patience)
const isWatchedOnce = () =>
  vi.waitFor(async () => {
    expect(await watchesOf('configmaps')).toBe(1)
    expect(await watchesOf('pods')).toBe(1)
  }, patience)
const followsBy = (server: SharingServer) =>
  vi.waitFor(async () => expect(await fromPeer(server)).toBeGreaterThan(0), patience)

test('processes show a cluster by one watch of each kind, and go on when the one that watches is killed or held up', async () => {
  const all = [await start(), await start(), await start()] as const
  for (const each of all) await vi.waitFor(async () => expect(await connected(each)).toBe(2), patience)
  await servers.importCluster(all[0])
  for (const each of all) await showsAll(each)
  await isWatchedOnce()
  await make('a')
  for (const each of all) await showsAll(each)
  const frozen = await ownerAmong(all)
  for (const each of others(all, frozen)) await followsBy(each)
  frozen.freeze()
  await make('b')
  for (const each of others(all, frozen)) {
    await showsAll(each)
    expect(await connected(each)).toBe(1)
  }
  frozen.resume()
  await make('c')
  for (const each of all) await showsAll(each)
  for (const each of all) await vi.waitFor(async () => expect(await connected(each)).toBe(2), patience)
  await isWatchedOnce()

  const killed = await ownerAmong(all)
  const left = others(all, killed)
  for (const each of left) await followsBy(each)
  await killed.kill()
  await make('d')
  for (const each of left) await showsAll(each)
  await isWatchedOnce()
  await make('e')
  for (const each of left) await showsAll(each)

  // A cluster that does not answer is said to by the one that watches it and by the one that follows.
  await outside.stop()
  for (const each of left) {
    await vi.waitFor(
      async () => expect(await configMaps(each)).toEqual({ names: made, isLive: false }),
      patience,
    )
  }
  await outside.restart()
  await make('f')
  for (const each of left) await showsAll(each)
  await isWatchedOnce()

  // A process of a version that cannot share watches for itself, and disturbs nobody.
  const older = await start({})
  await showsAll(older)
  await make('g')
  for (const each of [...left, older]) await showsAll(each)
  expect(await watchesOf('configmaps')).toBe(2)
  expect(await fromPeer(older)).toBe(0)
  expect(await older.stop()).toBe(0)
  await isWatchedOnce()
})
