import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { request as httpsRequest } from 'node:https'
import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { createApp } from '../../../app.ts'
import { readConfig } from '../../../config.ts'
import { createDataKeys } from '../../../platform/crypto/data-keys.ts'
import { fingerprintOf } from '../../../platform/crypto/root-key.ts'
import { createLog } from '../../../platform/log.ts'
import { clusterConnections, type ImportedConnection } from '../../../tables/cluster-connections.ts'
import { testDatabaseUrl } from '../../../testing/database.ts'
import { assertDeclared } from '../../../testing/declared-replies.ts'
import { createGiven, testArgon2 } from '../../../testing/given.ts'
import type { ClusterConnection } from '../connection/ports.ts'

export type Reply = {
  status: number
  headers: IncomingHttpHeaders
  text: string
  json: () => Record<string, unknown>
}

type CallOptions = {
  token?: string
  organizationId?: number
  headers?: Record<string, string>
  body?: string
  ca?: string
}

/** The whole server on free ports and a database of its own. Call it at the top of a test file. */
export async function runningApp() {
  const secretKey = randomBytes(32)
  const dataDir = await mkdtemp(join(tmpdir(), 'bey-kubernetes-'))
  const databaseUrl = await testDatabaseUrl()
  const config = {
    ...readConfig({}),
    port: 0,
    tlsPort: 0,
    dataDir,
    databaseUrl,
    secretKey,
    argon2: testArgon2,
    sandboxSpeed: 1000,
    // So that a test can say where it calls from.
    trustedProxies: ['127.0.0.1', '::1'],
  }
  const app = await createApp(config, createLog({ level: 'fatal' }))
  afterAll(async () => {
    await app.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const given = createGiven(app.database)
  const dataKeys = createDataKeys({ key: secretKey, fingerprint: fingerprintOf(secretKey) })

  /** A cluster that runs and is reached at `connection`, kept by another machine, so that nobody here restarts it. */
  async function cluster(organizationId: number, connection: ClusterConnection) {
    const made = await given.cluster({ organizationId, status: 'RUNNING', version: 'v1.33.0' })
    await app.database.withTenant(organizationId, async (db) => {
      const tokenSealed = await dataKeys.seal(
        db,
        organizationId,
        connection.token,
        `cluster-token:${made.id}`,
      )
      const { url, caPem } = connection
      const place = { machineId: 'another', dir: '/nowhere', port: 1, pid: 1 }
      await db
        .insert(clusterConnections)
        .values({ clusterId: made.id, organizationId, url, caPem, tokenSealed, ...place })
    })
    return made
  }

  /** A cluster that was imported and runs: its certificates are not Bey's. */
  async function importedCluster(organizationId: number, { url, caPem, token }: ClusterConnection) {
    const made = await given.cluster({ organizationId, status: 'RUNNING', version: 'v1.33.0' })
    const text = JSON.stringify({ url, caPem, token })
    const imported: ImportedConnection = {
      context: 'prod',
      credential: 'token',
      isVerified: true,
      tlsServerName: null,
      proxy: null,
      actsAs: null,
      impersonates: true,
      namespace: null,
      chosenNamespaces: null,
      credentialsExpireAt: null,
    }
    await app.database.withTenant(organizationId, async (db) => {
      const context = `cluster-credentials:${made.id}`
      const credentialsSealed = await dataKeys.seal(db, organizationId, text, context)
      await db
        .insert(clusterConnections)
        .values({ clusterId: made.id, organizationId, url, caPem, credentialsSealed, imported })
    })
    return made
  }

  function begin(method: string, url: string, options: CallOptions = {}) {
    const sent = httpsRequest(url.startsWith('https:') ? url : `https://localhost:${app.tlsPort}${url}`, {
      method,
      agent: false,
      // Whose certificate it is, is what the tests of kubeconfigs look at.
      ...(options.ca ? { ca: options.ca } : { rejectUnauthorized: false }),
      headers: {
        ...(options.token && { authorization: `Bearer ${options.token}` }),
        ...(options.organizationId && { 'x-organization-id': String(options.organizationId) }),
        ...options.headers,
      },
    })
    sent.end(options.body)
    return sent
  }

  async function call(method: string, url: string, options: CallOptions = {}): Promise<Reply> {
    const [answer] = (await once(begin(method, url, options), 'response')) as [IncomingMessage]
    let text = ''
    for await (const chunk of answer) text += String(chunk)
    const status = answer.statusCode ?? 0
    if (url.startsWith('/api/')) {
      const mediaType = answer.headers['content-type'] ?? ''
      const headers = new Headers({ 'content-type': mediaType })
      const body: unknown = text !== '' && /[/+]json\b/.test(mediaType) ? JSON.parse(text) : undefined
      assertDeclared(method, url, { status, headers, text, body })
    }
    return {
      status,
      headers: answer.headers,
      text,
      json: () => JSON.parse(text) as Record<string, unknown>,
    }
  }

  /** For another server process on the same database. */
  const environment = { DATABASE_URL: databaseUrl, BEY_SECRET_KEY: secretKey.toString('base64') }
  return { app, given, cluster, importedCluster, call, begin, environment }
}
