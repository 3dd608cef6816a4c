import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, listAt, textAt } from './json.ts'
import { deploymentsPath, liveSandbox, podsPath, type TestSandbox } from './testing/test-sandbox.ts'

let sandbox: TestSandbox

beforeAll(async () => {
  sandbox = await liveSandbox()
})
afterAll(() => sandbox.remove())

describe('the requests that kubectl sends', () => {
  // Recorded from `kubectl create deployment replayed --image=nginx:1.29 --replicas=2`, 1.33.
  const createBody =
    '6b3873000a150a07617070732f7631120a4465706c6f796d656e7412c5010a290a087265706c6179656412001a0022002a003200380042005a0f0a0361707012087265706c61796564128901080212110a0f0a0361707012087265706c617965641a6a0a210a0012001a0022002a003200380042005a0f0a0361707012087265706c61796564124512270a056e67696e78120a6e67696e783a312e32392a0042006a007200800100880100900100a201001a00320042004a0052005800600068008201008a01009a0100c2010022020a00280038001a0c0800100018002000280038001a002200'

  test('a protobuf body is understood, and answered in JSON', async () => {
    const reply = await sandbox.call(
      'POST',
      `${deploymentsPath}?fieldManager=kubectl-create&fieldValidation=Strict`,
      Buffer.from(createBody, 'hex'),
      {
        'content-type': 'application/vnd.kubernetes.protobuf',
        accept: 'application/vnd.kubernetes.protobuf,application/json',
      },
    )
    expect(reply.code).toBe(201)
    expect(reply.headers['content-type']).toBe('application/json')
    expect(at(reply.body, 'spec', 'template', 'spec', 'containers')).toMatchObject([
      { name: 'nginx', image: 'nginx:1.29', imagePullPolicy: 'IfNotPresent' },
    ])
    const cut = await sandbox.call('POST', deploymentsPath, Buffer.from(createBody.slice(0, 200), 'hex'), {
      'content-type': 'application/vnd.kubernetes.protobuf',
    })
    expect(cut.code).toBe(400)
  })

  test('discovery names itself to the letter, and OpenAPI documents can be kept for ever', async () => {
    const type = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
    const { body, headers } = await sandbox.call('GET', '/apis', undefined, {
      accept: `${type},application/json`,
    })
    expect(headers['content-type']).toBe(type)
    expect(listAt(body, 'items').map((item) => textAt(item, 'metadata', 'name'))).toContain('metrics.k8s.io')
    const index = await sandbox.call('GET', '/openapi/v3')
    const url = textAt(index.body, 'paths', 'apis/apps/v1', 'serverRelativeURL') ?? ''
    const document = await sandbox.call('GET', url)
    expect(document.headers['cache-control']).toContain('immutable')
    expect(at(document.body, 'components', 'schemas', 'io.k8s.v1.DeploymentSpec', 'required')).toEqual([
      'selector',
      'template',
    ])
    expect((await sandbox.call('GET', '/openapi/v2')).code).toBe(404)
    const v2 = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
    const empty = await sandbox.call('GET', '/openapi/v2', undefined, { accept: v2 })
    expect(empty.headers['content-type']).toBe(v2.replace('@', '.'))
    expect(empty.text).toContain('Kubernetes')
  })

  test('a table has the columns of a real server', async () => {
    const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
    const { body } = await sandbox.call('GET', '/api/v1/nodes?limit=500', undefined, { accept: table })
    const names = listAt(body, 'columnDefinitions').map((column) => textAt(column, 'name'))
    expect(names.slice(0, 5)).toEqual(['Name', 'Status', 'Roles', 'Age', 'Version'])
    expect(listAt(listAt(body, 'rows')[0], 'cells').slice(0, 3)).toEqual([
      'test-control-plane-1',
      'Ready',
      'control-plane',
    ])
  })

  test('a watch goes on from a list without a gap, and ends when its time is up', async () => {
    const { body } = await sandbox.call('GET', podsPath)
    const version = textAt(body, 'metadata', 'resourceVersion')
    const watching = sandbox.call(
      'GET',
      `${podsPath}?watch=true&resourceVersion=${version}&allowWatchBookmarks=true&timeoutSeconds=1`,
    )
    await sandbox.call('POST', podsPath, {
      metadata: { name: 'seen' },
      spec: { nodeName: 'nowhere', containers: [{ name: 'a', image: 'b' }] },
    })
    await sandbox.call('DELETE', `${podsPath}/seen?gracePeriodSeconds=0`)
    const lines = (await watching).text
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
    const types = lines
      .filter((line) => textAt(line, 'object', 'metadata', 'name') === 'seen')
      .map((line) => textAt(line, 'type'))
    expect(types).toEqual(['ADDED', 'DELETED'])
    expect(textAt(lines.at(-1), 'type')).toBe('BOOKMARK')
  })
})
