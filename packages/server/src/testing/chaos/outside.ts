import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'

import pg from 'pg'

import { startEmbedded } from '../../platform/db/embedded/supervisor.ts'
import type { Log } from '../../platform/log.ts'
import { startImportable } from '../importable-cluster.ts'

type KubeList = { items: { metadata: { name: string; generation?: number }; spec?: unknown }[] }

/** One node is for pods that name it. */
const nodes = [
  { name: 'control-plane', count: 1 },
  { name: 'worker', count: 2, cpu: '16', memory: '64Gi' },
  { name: 'drained', count: 1, taints: [{ key: 'chaos', value: 'drained', effect: 'NoSchedule' as const }] },
]

/**
 * What steps change outside and nobody kills: a cluster to import, and a database with a table of effects. Both are asked
 * at the end what happened to them.
 */
export async function openOutside(dataDir: string, log: Log) {
  const [cluster, database] = await Promise.all([
    startImportable({ nodes }),
    startEmbedded({ dataDir: join(dataDir, 'effects'), isDurable: false }, log),
  ])
  const overTcp = await proxyTo(database.url)
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  // The server may end before its idle connections do.
  pool.on('error', () => undefined)
  await pool.query('create table effects (run_id text not null, key text not null)')
  const { port } = new URL(cluster.url)

  async function items(path: string): Promise<KubeList['items']> {
    return ((await cluster.call('GET', path)) as KubeList).items
  }

  return {
    kubeconfig: cluster.kubeconfig([{ name: 'chaos', user: cluster.admin() }]),
    databaseUrl: overTcp.url,
    tlsPort: Number(port),
    /** How many rows each step of a run has written, by `run key`. */
    async writes(): Promise<Map<string, number>> {
      const { rows } = await pool.query<{ step: string; count: number }>(
        `select run_id || ' ' || key as step, count(*)::int as count from effects group by run_id, key`,
      )
      return new Map(rows.map(({ step, count }) => [step, count]))
    },
    /** The names of the config maps that are there. */
    async configMaps(): Promise<Set<string>> {
      const found = await items('/api/v1/namespaces/default/configmaps')
      return new Set(found.map(({ metadata }) => metadata.name))
    },
    /** How often the specification of each deployment was changed, by its name. */
    async generations(): Promise<Map<string, number>> {
      const found = await items('/apis/apps/v1/namespaces/default/deployments')
      return new Map(found.map(({ metadata }) => [metadata.name, metadata.generation ?? 0]))
    },
    /** The names of the pods that are there. */
    async pods(): Promise<Set<string>> {
      const found = await items('/api/v1/namespaces/default/pods')
      return new Set(found.map(({ metadata }) => metadata.name))
    },
    /** The jobs that were made, as text with everything that they were given. */
    async jobs(): Promise<string[]> {
      return (await items('/apis/batch/v1/namespaces/default/jobs')).map((job) => JSON.stringify(job.spec))
    },
    async close(): Promise<void> {
      await pool.end()
      overTcp.close()
      await Promise.all([cluster.remove(), database.stop()])
    },
  }
}

export type Outside = Awaited<ReturnType<typeof openOutside>>

/** The embedded server listens on a socket of the file system; steps reach databases over TCP alone. */
async function proxyTo(url: string): Promise<{ url: string; close(): void }> {
  const there = new URL(url)
  const path = join(there.searchParams.get('host') ?? '', `.s.PGSQL.${there.port || 5432}`)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(path)
    near.pipe(far).pipe(near)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  there.searchParams.delete('host')
  there.hostname = '127.0.0.1'
  there.port = String((server.address() as AddressInfo).port)
  return {
    url: there.href,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
