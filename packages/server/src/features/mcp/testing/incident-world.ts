import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Permission } from '@bey/contract'
import { startSandbox } from '@bey/sandbox'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { runningApp } from '../../kubernetes/testing/running-app.ts'
import { type Answering, connectAssistant, httpTransport } from './assistant.ts'

/** Must be in no result: it is the value of a Secret and of an environment variable. */
export const canary = 'canary-7f3a9c'

/** What looks without acting. */
export const reading: Permission[] = [
  'organization.read',
  'clusters.read',
  'kubernetes.read',
  'analytics.read',
]

/** A server with a sandbox in which the second revision of the Deployment shop/api crashes. Call it at the top of a test file. */
export async function incidentWorld() {
  const home = await mkdtemp(join(tmpdir(), 'bey-mcp-'))
  const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 100 })
  afterAll(async () => {
    await sandbox.stop()
    await rm(home, { recursive: true, force: true })
  })
  const { app, given, cluster, call } = await runningApp()
  const owner = await given.user({ role: 'OWNER' })
  const { organizationId } = owner
  const addCluster = () =>
    cluster(organizationId, {
      url: sandbox.url,
      caPem: sandbox.caPem,
      token: sandbox.adminToken,
      impersonate: true,
    })
  const prod = await addCluster()
  const keyWith = (...permissions: Permission[]) => given.apiKey(owner, { permissions })

  async function assistant(token: string, answer?: Answering, headers?: Record<string, string>) {
    const connected = await connectAssistant(httpTransport(app.port, token, headers), answer)
    onTestFinished(() => connected.close())
    return connected
  }

  /** A request to the cluster by its owner. */
  const proxy = (method: string, path: string, body?: object) =>
    call(method, `/api/kubernetes/clusters/${prod.id}/proxy${path}`, {
      token: owner.token,
      organizationId,
      ...(body && {
        headers: {
          'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
        },
        body: JSON.stringify(body),
      }),
    })

  /** Makes an object that nothing needs, and answers the arguments by which tools name it. */
  async function configMap(name: string) {
    await proxy('POST', '/api/v1/namespaces/shop/configmaps', { metadata: { name } })
    return { cluster: prod.title, kind: 'ConfigMap', namespace: 'shop', name }
  }

  /** Entries of the trail about calls of assistants and what they did. */
  async function trail(keyId: string) {
    const { rows } = await app.database.ownerPool.query<{
      action: string
      via: string
      outcome: string
      target_name: string
    }>(
      `select action, via, outcome, target_name, diff from audit_entries
       where organization_id = $1 and actor_id = $2 order by seq`,
      [organizationId, keyId],
    )
    return rows
  }

  beforeAll(async () => {
    const labels = { app: 'api' }
    const container = (image: string) => ({
      name: 'api',
      image,
      env: [
        { name: 'DB_PASSWORD', value: canary },
        { name: 'MODE', value: 'blue' },
      ],
      resources: { requests: { cpu: '50m', memory: '64Mi' } },
    })
    const containers = [container('registry.example.com/api:1.0.0')]
    await proxy('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } })
    await proxy('POST', '/api/v1/namespaces/shop/secrets', {
      metadata: { name: 'db' },
      stringData: { password: canary },
    })
    const made = await proxy('POST', '/apis/apps/v1/namespaces/shop/deployments', {
      metadata: { name: 'api', labels },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    })
    expect(made.status, made.text).toBe(201)
    await proxy('PATCH', '/apis/apps/v1/namespaces/shop/deployments/api', {
      spec: {
        template: {
          metadata: { annotations: { 'sandbox.bey/behavior': 'crash' } },
          spec: { containers: [container('registry.example.com/api:1.1.0')] },
        },
      },
    })
  })

  const api = { cluster: prod.title, kind: 'Deployment', namespace: 'shop', name: 'api' }
  return {
    app,
    given,
    call,
    owner,
    organizationId,
    home,
    prod,
    api,
    addCluster,
    keyWith,
    assistant,
    proxy,
    configMap,
    trail,
  }
}
