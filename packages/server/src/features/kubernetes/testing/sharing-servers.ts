import { randomBytes } from 'node:crypto'
import { get } from 'node:https'

import pg from 'pg'
import { afterAll, expect, vi } from 'vitest'

import { testDatabaseUrl } from '../../../testing/database.ts'
import type { ImportableCluster } from '../../../testing/importable-cluster.ts'
import { startMain } from '../../../testing/main-child.ts'

const patience = { timeout: 60_000, interval: 100 }

/** `peerId`: by which its peers know it; undefined where it shares nothing. */
export type SharingServer = Awaited<ReturnType<typeof startMain>> & { peerId: string | undefined }

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a reply is its own claim
type Body = Record<string, any>

/** Processes of the product over one database, each of which may share watches, and a cluster that was imported into it. */
export async function sharingServers(outside: ImportableCluster) {
  const databaseUrl = await testDatabaseUrl()
  const env = { DATABASE_URL: databaseUrl, BEY_SECRET_KEY: randomBytes(32).toString('base64') }
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  afterAll(() => database.end())
  const peerIds = new Set<string>()
  let as: Record<string, string> = {}
  let clusterId = 0

  async function ask(
    { url }: Pick<SharingServer, 'url'>,
    method: string,
    path: string,
    body?: object,
  ): Promise<Body> {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: { ...as, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return JSON.parse(text) as Body
  }

  const inCluster = (server: SharingServer, path: string) =>
    ask(server, 'GET', `/api/kubernetes/clusters/${clusterId}${path}`)

  return {
    env,
    ask,
    inCluster,
    /** One after the other, so that each is known by the row that it adds. */
    async start(more: Record<string, string> = { BEY_PEER_ADDRESS: '127.0.0.1:0' }): Promise<SharingServer> {
      const server = await startMain({ ...env, ...more })
      const { rows } = await database.query<{ id: string }>('select id from peers')
      const peerId = rows.find(({ id }) => !peerIds.has(id))?.id
      if (peerId !== undefined) peerIds.add(peerId)
      return { ...server, peerId }
    },

    /** The one of these processes that observes the cluster, and so watches it for all. */
    async ownerAmong(all: readonly SharingServer[]): Promise<SharingServer> {
      return vi.waitFor(async () => {
        const { rows } = await database.query<{ observer: string }>(
          'select observer from cluster_health where lease_until > now()',
        )
        const found = all.find(({ peerId }) => peerId === rows[0]?.observer)
        if (!found) throw new Error('None of these processes observes the cluster')
        return found
      }, patience)
    },

    /** Makes an account and imports the cluster; resolves when it runs. */
    async importCluster(server: SharingServer): Promise<void> {
      const email = `${randomBytes(4).toString('hex')}@example.com`
      const account = { name: 'Ada', email, password: 'difference-engine-1!', organizationName: 'Ada' }
      const { token, user } = await ask(server, 'POST', '/api/auth/signup', account)
      as = { authorization: `Bearer ${token}`, 'x-organization-id': String(user.organizations[0].id) }
      const kubeconfig = outside.kubeconfig([{ name: 'own', user: outside.admin() }])
      const made = await ask(server, 'POST', '/api/kubernetes/import', {
        kubeconfig,
        clusters: [{ context: 'own', title: 'shared' }],
      })
      clusterId = made['clusters'][0].id as number
      await vi.waitFor(async () => expect((await inCluster(server, '')).status).toBe('RUNNING'), patience)
    },

    /** The config maps of the namespace "default" that a process shows, and whether it says that they are current. */
    async configMaps(server: SharingServer) {
      const { objects, isLive } = await inCluster(
        server,
        '/objects/configmaps?namespace=default&search=shared',
      )
      const names = objects.map(({ name }: { name: string }) => name)
      return { names: names.toSorted() as string[], isLive: isLive as boolean }
    },
    put: (name: string) =>
      outside.call('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: `shared-${name}` } }),

    /** Watches of a resource that are open at the cluster, as it says itself. */
    async watchesOf(resource: string): Promise<number> {
      const text = await new Promise<string>((resolve, reject) => {
        const headers = { authorization: `Bearer ${outside.admin().token}` }
        get(new URL('/metrics', outside.url), { ca: outside.caPem, headers, agent: false }, (reply) => {
          let all = ''
          reply.on('data', (chunk) => (all += String(chunk)))
          reply.on('end', () => resolve(all))
        }).on('error', reject)
      })
      const found = text
        .split('\n')
        .filter(
          (line) =>
            line.startsWith('apiserver_longrunning_requests{') &&
            line.includes(`resource="${resource}"`) &&
            line.includes('scope="cluster"') &&
            line.includes('verb="WATCH"'),
        )
      return found.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
    },

    /** A figure of `/metrics` of a process. */
    async figure(server: SharingServer, name: string): Promise<number> {
      const text = await (await fetch(`${server.url}/metrics`)).text()
      const line = text.split('\n').find((each) => each.startsWith(`${name} `))
      return Number(line?.split(' ').at(-1))
    },
  }
}
