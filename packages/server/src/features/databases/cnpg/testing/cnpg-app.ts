import type { Socket } from 'node:net'

import { afterAll, expect, inject, vi } from 'vitest'

import { testApp } from '../../../../testing/app.ts'
import { withDatabase } from '../../../../testing/global-setup.ts'
import { importableCluster } from '../../../../testing/importable.ts'
import { postgresProxy } from '../../../../testing/postgres-proxy.ts'
import { databaseApi } from '../../testing/database-api.ts'
import { scriptedOperator } from './scripted-operator.ts'

/** A cluster on which CloudNativePG is played. `hostPrograms` are files of this machine that commands in its pods run. */
export async function playedCluster(hostPrograms: Record<string, string> = {}) {
  const sockets = new Set<Socket>()
  const superuser = new URL(withDatabase(inject('testServerUrl'), 'postgres'))
  superuser.username = 'postgres'
  // The server listens on a socket of files alone.
  const forwardedUrl = await postgresProxy(superuser.href, ({ near, far }) => {
    near.pipe(far)
    far.pipe(near)
    sockets.add(near)
    near.on('close', () => sockets.delete(near))
  })
  const port = Number(new URL(forwardedUrl).port)
  const outside = await importableCluster({ forwardedPorts: [port], hostPrograms })
  await outside.namespace('shop')
  const operator = await scriptedOperator(outside.call, superuser.href, port)
  afterAll(() => operator.stop())
  /** Once the operator says so of a Cluster. */
  const untilPhase = (namespace: string, name: string, phase: string) =>
    vi.waitFor(async () => expect((await operator.read(namespace, name)).status?.phase).toBe(phase), {
      timeout: 60_000,
      interval: 50,
    })
  /** Ends every connection to the server behind the pods, as a pod does that goes. */
  const cutConnections = () => {
    for (const socket of sockets) socket.destroy()
  }
  return { outside, operator, untilPhase, cutConnections }
}

/** What imports such a cluster, as its admin. */
export const importBody = ({ outside }: Pick<Awaited<ReturnType<typeof playedCluster>>, 'outside'>) => ({
  kubeconfig: outside.kubeconfig([{ name: 'prod-eu', user: outside.admin() }]),
  clusters: [{ context: 'prod-eu', title: 'prod-eu' }],
})

/** Bey with such a cluster connected; asked as an admin, whom the cluster lets do everything. */
export async function cnpgApp({
  hostPrograms = {},
  databaseUrl,
}: { hostPrograms?: Record<string, string>; databaseUrl?: string } = {}) {
  const played = await playedCluster(hostPrograms)
  const app = await testApp(databaseUrl === undefined ? {} : { databaseUrl })
  const admin = await app.given.user({ role: 'ADMIN' })
  const api = databaseApi(app, admin)
  const made = await api.ask('POST', '/api/kubernetes/import', importBody(played))
  const clusterId: number = made.body.clusters[0].id
  await vi.waitFor(
    async () =>
      expect((await api.ask('GET', `/api/kubernetes/clusters/${clusterId}`)).body.status).toBe('RUNNING'),
    { timeout: 60_000, interval: 50 },
  )
  return { app, ...played, admin, clusterId, ...api }
}
