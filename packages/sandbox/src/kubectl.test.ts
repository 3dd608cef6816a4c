import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, listAt, textAt } from './json.ts'
import {
  deployment,
  deploymentsPath,
  podsPath,
  testSandbox,
  type TestSandbox,
} from './testing/test-sandbox.ts'

/** A kubectl of 1.30 or newer: the one that BEY_KUBECTL names, or the one on PATH. */
function findKubectl(): string | undefined {
  const path = process.env['BEY_KUBECTL'] || 'kubectl'
  const { stdout, status } = spawnSync(path, ['version', '--client', '-o', 'json'], {
    encoding: 'utf8',
    timeout: 10_000,
  })
  if (status !== 0) return undefined
  const minor = Number.parseInt(textAt(JSON.parse(stdout), 'clientVersion', 'minor') ?? '', 10)
  return minor >= 30 ? path : undefined
}

const kubectl = findKubectl()
process.stdout.write(
  kubectl
    ? `kubectl suite: runs ${kubectl}\n`
    : 'kubectl suite: no kubectl ≥ 1.30 here, replays its requests\n',
)

let sandbox: TestSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.remove())

describe.skipIf(!kubectl)('kubectl itself', () => {
  function run(line: string): Promise<{ out: string; code: number }> {
    const args = ['--kubeconfig', join(sandbox.dir, 'kubeconfig'), '--cache-dir', join(sandbox.dir, 'cache')]
    return new Promise((done) => {
      execFile(kubectl ?? '', [...args, ...line.split(' ')], { timeout: 20_000 }, (error, stdout, stderr) => {
        done({ out: stdout + stderr, code: typeof error?.code === 'number' ? error.code : error ? 1 : 0 })
      })
    })
  }
  const good = async (line: string): Promise<string> => {
    const { out, code } = await run(line)
    expect({ line, code, out: code === 0 ? '' : out }).toEqual({ line, code: 0, out: '' })
    return out
  }

  test('shows the nodes, creates, scales, rolls out, undoes and deletes', async () => {
    expect(await good('get nodes -o wide')).toMatch(/test-worker-1 +Ready +worker/)
    await good('create deployment web --image=nginx:1.29 --replicas=2')
    expect(await good('rollout status deploy/web --timeout=15s')).toContain('successfully rolled out')
    await good('scale deploy web --replicas=3')
    await good('set image deploy/web nginx=nginx:1.30')
    await good('rollout status deploy/web --timeout=15s')
    expect(await good('rollout history deploy/web')).toMatch(/\n1 .*\n2 /)
    await good('rollout undo deploy/web')
    await good('rollout restart deploy/web')
    await good('rollout status deploy/web --timeout=15s')
    expect(await good('get pods -A -o wide')).toMatch(/web-\S+ +1\/1 +Running +0/)
    expect(await good('get deploy web -o jsonpath={.spec.replicas}')).toBe('3')
    expect(await good('describe deploy web')).toContain('ScalingReplicaSet')
    expect(await good('logs deploy/web')).toContain('nginx')
    await good('expose deploy web --port=80')
    await good('label pod -l app=web tier=front')
    await good('annotate deploy web note=x')
    await good('autoscale deploy web --min=2 --max=4')
    await good('delete deploy,svc,hpa web')
    await good('wait --for=delete pod -l app=web --timeout=15s')
  })

  test('applies, diffs and explains', async () => {
    const file = join(sandbox.dir, 'app.json')
    writeFileSync(file, JSON.stringify({ ...deployment('app'), apiVersion: 'apps/v1' }))
    expect(await good(`apply -f ${file}`)).toContain('created')
    expect(await good(`apply -f ${file}`)).toContain('unchanged')
    writeFileSync(file, readFileSync(file, 'utf8').replace('1.29', '1.30'))
    expect((await run(`diff -f ${file}`)).code).toBe(1)
    expect(await good(`apply --dry-run=server -f ${file}`)).toContain('server dry run')
    await good(`apply --server-side --force-conflicts -f ${file}`)
    expect(await good('explain deploy.spec.strategy')).toContain('DeploymentStrategy')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"replicas"', '"replica"'))
    expect((await run(`apply -f ${file}`)).out).toContain('unknown field "spec.replica"')
  })

  test('generates everything that create knows', async () => {
    const lines = [
      'create namespace made',
      'create configmap c --from-literal=a=b',
      'create secret generic s --from-literal=a=b',
      'create serviceaccount robot',
      'create role r --verb=get --resource=pods',
      'create rolebinding rb --role=r --serviceaccount=default:robot',
      'create clusterrole cr --verb=list --resource=nodes',
      'create clusterrolebinding crb --clusterrole=cr --user=jane',
      'create quota q --hard=pods=50',
      'create pdb p --selector=app=x --min-available=1',
      'create priorityclass high --value=100',
      'create ingress i --rule=example.com/*=web:80',
      'create service clusterip svc --tcp=80:8080',
      'create cronjob cj --image=busybox --schedule=@hourly',
      'create job j --image=busybox',
      'create token robot',
    ]
    for (const line of lines) await good(line)
    expect(await good('auth can-i get pods --as=system:serviceaccount:default:robot')).toContain('yes')
    expect((await run('auth can-i list nodes --as=system:serviceaccount:default:robot')).out).toContain('no')
    expect(await good('auth can-i list nodes --as=jane')).toContain('yes')
    await good('wait --for=condition=complete job/j --timeout=15s')
    expect(await good('auth whoami')).toContain('kubernetes-admin')
  })

  test('goes into pods, copies files, looks at figures and drains a node', async () => {
    await good('run box --image=nginx:1.29')
    await good('wait --for=condition=Ready pod/box --timeout=15s')
    expect(await good('exec box -- cat /etc/hostname')).toBe('box\n')
    expect((await run('exec box -- false')).code).toBe(1)
    const file = join(sandbox.dir, 'note.txt')
    writeFileSync(file, 'a note')
    await good(`cp ${file} box:/tmp/note.txt`)
    await good(`cp box:/tmp/note.txt ${file}.back`)
    expect(readFileSync(`${file}.back`, 'utf8')).toBe('a note')
    expect(await good('top nodes')).toMatch(/test-worker-1 +\d+m/)
    expect(await good('top pods')).toContain('box')
    expect(await good('events')).toContain('Started')
    await good('taint node test-worker-1 a=b:PreferNoSchedule')
    await good('drain test-worker-1 --force --ignore-daemonsets --timeout=15s')
    expect(await good('get nodes')).toContain('SchedulingDisabled')
    await good('uncordon test-worker-1')
    expect(await good('api-resources')).toContain('horizontalpodautoscalers')
    expect(await good('version')).toContain('v1.33.4-sandbox')
  })
})

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
