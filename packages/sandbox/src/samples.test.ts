import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { isObject, type JsonObject, textAt } from './json.ts'
import { testSandbox } from './testing/test-sandbox.ts'

const folder = new URL('../../console/src/entities/kubernetes/samples/', import.meta.url)
const sandbox = await testSandbox()
afterAll(() => sandbox.remove())

/** Where objects of each kind are written, as the API server lists its resources. */
const paths = new Map<string, string>()
for (const root of ['api/v1', 'apis/apps/v1', 'apis/batch/v1', 'apis/policy/v1', 'apis/autoscaling/v2'])
  await learn(root)
for (const root of ['apis/networking.k8s.io/v1', 'apis/rbac.authorization.k8s.io/v1']) await learn(root)

async function learn(root: string): Promise<void> {
  const { body } = await sandbox.call('GET', `/${root}`)
  for (const { kind, name } of body['resources'] as { kind: string; name: string }[])
    if (!name.includes('/')) paths.set(`${root.replace(/^apis?\//, '')} ${kind}`, `/${root}/|${name}`)
}

function pathOf(object: JsonObject): string {
  const { apiVersion, kind, metadata } = object as { apiVersion: string; kind: string; metadata: JsonObject }
  const [root = '', resource = ''] = paths.get(`${apiVersion} ${kind}`)?.split('|') ?? []
  return metadata['namespace'] === undefined
    ? `${root}${resource}`
    : `${root}namespaces/${textAt(object, 'metadata', 'namespace')}/${resource}`
}

/** Everything of the cluster that a sample could leave behind outside its namespace. */
async function others(): Promise<string[]> {
  const lists = ['/api/v1/namespaces', '/api/v1/persistentvolumes', '/api/v1/pods']
  const names: string[] = []
  for (const path of lists) {
    const { body } = await sandbox.call('GET', path)
    for (const { metadata } of body['items'] as { metadata: { name: string } }[])
      names.push(`${path}/${metadata.name}`)
  }
  return names.toSorted()
}

test.for(readdirSync(folder).filter((name) => name.endsWith('.yaml')))(
  '%s is accepted object by object, and leaves nothing when its namespace is removed',
  async (file) => {
    const before = await others()
    const objects = parseAllDocuments(readFileSync(new URL(file, folder), 'utf8'))
      .map((document): unknown => document.toJS())
      .filter(isObject)
    for (const object of objects) {
      const { code, text } = await sandbox.call('POST', pathOf(object), object)
      expect(code, `${textAt(object, 'kind')}: ${text}`).toBe(201)
    }
    const namespace = `sample-${file.replace('.yaml', '')}`
    await sandbox.until(
      `/api/v1/namespaces/${namespace}/pods`,
      (body) => (body['items'] as unknown[]).length > 0,
    )
    await sandbox.call('DELETE', `/api/v1/namespaces/${namespace}`)
    await sandbox.until('/api/v1/namespaces', (body) =>
      (body['items'] as { metadata: { name: string } }[]).every(
        ({ metadata }) => metadata.name !== namespace,
      ),
    )
    await sandbox.until('/api/v1/persistentvolumes', (body) => (body['items'] as unknown[]).length === 0)
    expect(await others()).toEqual(before)
  },
)
