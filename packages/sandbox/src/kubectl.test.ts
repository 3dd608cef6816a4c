import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLines } from '../tools/kubectl-commands.ts'
import { findKubectls, KubectlRunner, type Kubectl } from './testing/kubectl.ts'
import { fullPod } from './testing/full-pod.ts'
import { deployment, liveSandbox, type TestSandbox } from './testing/test-sandbox.ts'

const all = findKubectls()
process.stdout.write(
  all.length > 0
    ? `kubectl suite: runs ${all.map((one) => one.version).join(', ')}\n`
    : 'kubectl suite: no kubectl ≥ 1.30 here, its requests are replayed alone\n',
)
const [newest, ...others] = all

let sandbox: TestSandbox
let dir: string

beforeAll(async () => {
  sandbox = await liveSandbox()
  dir = sandbox.dir
})
afterAll(() => sandbox.remove())

type Tools = {
  runner: KubectlRunner
  /** Runs a line that must succeed, and perhaps say something; answers what it said. */
  good(line: string, said?: RegExp | string): Promise<string>
  /** Runs a line that must fail with these words. */
  bad(line: string, said: RegExp | string): Promise<void>
  /** Waits until a rollout is over and the pods that it replaced are gone: kubectl may choose one that is ending. */
  rolledOut(deployment: string, replicas: number, namespace?: string): Promise<void>
}

function toolsFor(kubectl: Kubectl): Tools {
  const runner = new KubectlRunner(kubectl, dir)
  const check = (out: string, said: RegExp | string | undefined) => {
    if (typeof said === 'string') expect(out).toContain(said)
    else if (said) expect(out).toMatch(said)
  }
  const good: Tools['good'] = async (line, said) => {
    const { out, code } = await runner.run(line)
    expect({ line, code, out: code === 0 ? '' : out }).toEqual({ line, code: 0, out: '' })
    check(out, said)
    return out
  }
  return {
    runner,
    good,
    async bad(line, said) {
      const { out, code } = await runner.run(line)
      expect({ line, failed: code !== 0 }).toEqual({ line, failed: true })
      check(out, said)
    },
    async rolledOut(name, replicas, namespace = 'default') {
      await good(`-n ${namespace} rollout status deploy/${name} --timeout=120s`, 'successfully rolled out')
      const pods = async () => {
        const list = await good(`-n ${namespace} get pods -l app=${name} -o name`)
        return list.trim().split('\n').length
      }
      await expect.poll(pods, { timeout: 60_000 }).toBe(replicas)
    },
  }
}

function writeFile(name: string, text: string): string {
  const path = join(dir, name)
  writeFileSync(path, text)
  return path
}

/** What differs between the versions: bodies in protobuf or JSON, streams, and which kinds are read. */
async function core({ version }: Kubectl, { good, bad, runner, rolledOut }: Tools): Promise<void> {
  const ns = `v${version.replace('.', '-')}`
  await good(`create namespace ${ns}`)
  const inside = (line: string, said?: RegExp | string) => good(`-n ${ns} ${line}`, said)
  await good('version', 'v1.33.4-sandbox')
  await good('get nodes -o wide', /test-worker-1 +Ready +worker/)
  await inside('create deployment web --image=nginx:1.29 --replicas=2')
  await inside('create configmap c --from-literal=a=b')
  await inside('expose deploy web --port=80')
  await inside('rollout status deploy/web --timeout=120s', 'successfully rolled out')
  await inside('describe svc web', /Endpoints: +10\.\d+\.\d+\.\d+:80/)
  await inside('describe deploy web', 'ScalingReplicaSet')
  await inside('autoscale deploy web --min=2 --max=4')
  await inside('scale deploy web --replicas=3')
  await inside('set image deploy/web nginx=nginx:1.30')
  await inside('rollout undo deploy/web')
  await rolledOut('web', 3, ns)
  // A container that has just started has not said more yet.
  await inside('logs deploy/web', 'docker-entrypoint')
  await inside('exec deploy/web -- cat /etc/hostname', /^web-/)
  await runner.until(`-n ${ns} port-forward deploy/web :80`, /Forwarding from 127/, async (out) => {
    const port = /127\.0\.0\.1:(\d+)/.exec(out)?.[1]
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
  })
  const file = writeFile(`${ns}.json`, JSON.stringify(deployment('app')))
  await inside(`apply -f ${file}`, 'created')
  await inside(`apply -f ${file}`, 'unchanged')
  await inside(`apply --server-side --force-conflicts -f ${file}`, 'serverside-applied')
  writeFileSync(file, readFileSync(file, 'utf8').replace('1.29', '1.30'))
  await bad(`-n ${ns} diff -f ${file}`, '+')
  await inside('top pods', /web-\S+ +\d+m/)
  await inside('events', 'Scaled up')
  await good('explain deploy.spec.strategy', 'DeploymentStrategy')
  await good('auth whoami', 'kubernetes-admin')
  await inside('create token default', /^ey/)
  await good(`delete namespace ${ns}`, 'deleted')
}

describe.skipIf(others.length === 0)('the older versions of kubectl', () => {
  test.each(others)('$version does what differs from one version to the next', async (kubectl) => {
    await core(kubectl, toolsFor(kubectl))
  })
})

describe.skipIf(!newest)('the newest kubectl, without WebSockets', () => {
  test('runs commands, sends them input and copies files over SPDY', async () => {
    if (!newest) return
    const runner = new KubectlRunner(newest, dir)
    const env = { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false' }
    const run = (line: string) => runner.run(line, env)
    expect(await run('run plain --image=nginx:1.29')).toMatchObject({ code: 0 })
    expect(await run('wait pod/plain --for=condition=Ready --timeout=120s')).toMatchObject({ code: 0 })
    expect(await run("exec plain -- sh -c 'echo over; exit 3'")).toEqual({
      code: 3,
      out: 'over\ncommand terminated with exit code 3\n',
    })
    const copied = writeFile('sent.txt', 'by hand\n')
    expect(await run(`cp ${copied} plain:/tmp/sent.txt`)).toMatchObject({ code: 0 })
    expect(await run('exec plain -- cat /tmp/sent.txt')).toEqual({ code: 0, out: 'by hand\n' })
    expect(await run('delete pod plain --now')).toMatchObject({ code: 0 })
  })
})

describe.skipIf(!newest)('the newest kubectl', () => {
  let tools: Tools
  let good: Tools['good']
  let bad: Tools['bad']
  let runner: KubectlRunner

  beforeAll(() => {
    if (!newest) return
    tools = toolsFor(newest)
    good = tools.good
    bad = tools.bad
    runner = tools.runner
  })

  test('does what differs from one version to the next', async () => {
    if (newest) await core(newest, tools)
  })

  test('shows things in every form, and as they change', async () => {
    await good('create deployment web --image=nginx:1.29 --replicas=2')
    await good('rollout status deploy/web --timeout=120s', 'successfully rolled out')
    await good('get pods -A -o wide', /web-\S+ +1\/1 +Running +0/)
    await good('get deploy web -o yaml', 'terminationMessagePath: /dev/termination-log')
    await good('get deploy web -o jsonpath={.spec.replicas}', /^2$/)
    await good('get pods -l app=web --sort-by=.metadata.name --show-labels', /pod-template-hash=/)
    await good('get pods --field-selector=status.phase=Running -o name', 'pod/web-')
    await good('get all', 'deployment.apps/web')
    await good('describe node test-worker-1', /Allocated resources/)
    // Not by name: then kubectl leaves out the first event of its watch, which may be the one with 3/3.
    const watching = runner.until('get deploy -w', /web +3\/3/)
    await good('scale deploy web --replicas=3')
    await watching
  })

  test('rolls out, pauses, undoes, follows logs and waits', async () => {
    await good('set image deploy/web nginx=nginx:1.30')
    await good('set env deploy/web A=b')
    await good('set resources deploy/web --requests=cpu=10m')
    await good('rollout status deploy/web --timeout=120s')
    await good('rollout history deploy/web', /\n1 .*\n2 /)
    await good('rollout undo deploy/web --to-revision=1')
    await good('rollout pause deploy/web', 'paused')
    await bad('rollout restart deploy/web', "can't restart paused deployment")
    await good('rollout resume deploy/web')
    await good('rollout restart deploy/web')
    await tools.rolledOut('web', 3)
    await runner.until('logs -f deploy/web', /GET \/\S*/)
    await good('run crash --image=crash:1')
    await good(
      `wait --for=jsonpath={.status.containerStatuses[0].lastState.terminated.exitCode}=1 pod/crash --timeout=120s`,
    )
    await good('logs crash --previous', 'panic')
    await good('label pod crash tier=front')
    await good('annotate pod crash note=x')
    await good('patch pod crash --type=merge -p {"metadata":{"labels":{"patched":"yes"}}}', 'patched')
    await good('delete pod crash --now', 'deleted')
    await good('wait --for=delete pod/crash --timeout=120s')
  })

  test('applies, replaces, edits and refuses what is wrong', async () => {
    const file = writeFile('app.json', JSON.stringify(deployment('app')))
    await good(`apply -f ${file}`, 'created')
    await good(`apply --dry-run=server -f ${file}`, 'server dry run')
    await good(`replace -f ${file}`, 'replaced')
    const edited = await runner.run('edit deploy app', { KUBE_EDITOR: 'sed -i s/1.29/1.31/' })
    expect(edited).toMatchObject({ code: 0, out: expect.stringContaining('edited') })
    await good('get deploy app -o jsonpath={.spec.template.spec.containers[0].image}', 'nginx:1.31')
    const wrong = writeFile(
      'wrong.json',
      JSON.stringify(deployment('app')).replace('"replicas"', '"replica"'),
    )
    await bad(`apply -f ${wrong}`, 'unknown field "spec.replica"')
    const typo = writeFile('typo.json', JSON.stringify({ ...deployment('app'), kind: 'Deploymnt' }))
    await bad(`apply -f ${typo}`, 'no matches for kind "Deploymnt" in version "apps/v1"')
    const old = writeFile('old.json', JSON.stringify({ ...deployment('app'), apiVersion: 'apps/v1beta1' }))
    await bad(`apply -f ${old}`, 'no matches for kind "Deployment" in version "apps/v1beta1"')
    const items = ['one', 'two'].map((name) => deployment(name, 0))
    const list = writeFile('list.json', JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
    await good(`apply -f ${list}`, 'deployment.apps/two created')
    await good(`delete -f ${list}`)
    await bad('create deployment app --image=nginx', 'deployments.apps "app" already exists')
    await bad('get deploy nothing', 'deployments.apps "nothing" not found')
    await bad('get nonsense', `the server doesn't have a resource type "nonsense"`)
    await good(`delete -f ${file}`, 'deleted')
  })

  test('generates everything that create knows', async () => {
    for (const line of createLines) await good(line)
    await good('create secret docker-registry d --docker-username=u --docker-password=p --docker-server=s')
    await good('auth can-i get pods --as=system:serviceaccount:default:robot', 'yes')
    await bad('auth can-i list nodes --as=system:serviceaccount:default:robot', 'no')
    await bad('get nodes --as=system:serviceaccount:default:robot', 'cannot list resource "nodes"')
    await good('auth can-i list nodes --as=jane', 'yes')
    await good('auth can-i --list', /\*\.\* /)
    await good('wait --for=condition=complete job/j --timeout=120s')
  })

  test('knows custom kinds as soon as they are defined', async () => {
    const openAPIV3Schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { size: { type: 'integer', maximum: 9 } } } },
    }
    const columns = [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }]
    const version = {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema },
      additionalPrinterColumns: columns,
    }
    const names = { plural: 'boxes', kind: 'Box', shortNames: ['bx'] }
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'boxes.example.com' },
      spec: { group: 'example.com', scope: 'Namespaced', names, versions: [version] },
    }
    await good(`apply -f ${writeFile('crd.json', JSON.stringify(definition))}`)
    await good('wait --for=condition=Established crd/boxes.example.com --timeout=120s')
    const box = { apiVersion: 'example.com/v1', kind: 'Box', metadata: { name: 'b' }, spec: { size: 3 } }
    await good(`apply -f ${writeFile('box.json', JSON.stringify(box))}`, 'created')
    await good('get bx', /NAME +SIZE\nb +3/)
    await good('explain box.spec.size', 'integer')
    await bad(`patch bx b --type=merge -p {"spec":{"size":10}}`, 'should be less than or equal to 9')
    await good('delete crd boxes.example.com')
  })

  test.each([1, 2, 3])('shows all that a short program writes, however soon it ends (%i)', async (round) => {
    const lines = Array.from({ length: 30 }, (_none, i) => `echo line-${i}`).join('; ')
    const run = `run short-${round} -i --rm --restart=Never --image=busybox`
    const said = await good(`${run} -- sh -c '${lines}'`)
    expect(said.match(/^line-\d+/gm)?.length).toBe(30)
    expect(await good(`${run} --command -- echo hello`)).toMatch(/^hello$/m)
  })

  test('copies a pod for debugging with all that it has', async () => {
    const specOf = async (name: string): Promise<unknown> => {
      const { spec } = JSON.parse(await good(`get pod ${name} -o json`))
      delete spec.nodeName
      return spec
    }
    await good(`apply -f ${writeFile('full.json', JSON.stringify(fullPod))}`)
    await good('debug full --copy-to=copied --keep-init-containers=true --set-image=c=nginx')
    expect(await specOf('copied')).toEqual(await specOf('full'))
    await good('delete pod full copied --now --wait=false')
  })

  test('goes into pods, debugs them, copies files and drains a node', async () => {
    await good('run box --image=nginx:1.29')
    await good('wait --for=condition=Ready pod/box --timeout=120s')
    await good('exec box -- cat /etc/hostname', /^box\n$/)
    expect((await runner.run('exec box -- false')).code).toBe(1)
    await good('debug box --image=busybox --container=dbg --target=box -- sleep 600')
    await good(
      `wait --for=jsonpath={.status.ephemeralContainerStatuses[0].state.running} pod/box --timeout=120s`,
    )
    await good('exec box -c dbg -- hostname', 'box')
    mkdirSync(join(dir, 'files'), { recursive: true })
    const file = writeFile('files/note.txt', 'a note')
    await good(`cp ${file} box:/tmp/note.txt`)
    await good(`cp box:/tmp/note.txt ${file}.back`)
    expect(readFileSync(`${file}.back`, 'utf8')).toBe('a note')
    await good('top nodes', /test-worker-1 +\d+m/)
    await good('taint node test-worker-1 a=b:PreferNoSchedule')
    await good('cordon test-worker-2')
    await good('uncordon test-worker-2')
    await good('drain test-worker-1 --force --ignore-daemonsets --timeout=120s')
    await good('get nodes', 'SchedulingDisabled')
    await good('uncordon test-worker-1')
    await good('api-resources', 'horizontalpodautoscalers')
    await good('api-versions', 'metrics.k8s.io/v1beta1')
    await good('get apiservices', /v1beta1\.metrics\.k8s\.io +kube-system\/metrics-server +True/)
    await good('cluster-info', 'is running at')
    const components = await good('get componentstatuses', /scheduler +Healthy +ok/)
    expect(components).toContain('Warning: v1 ComponentStatus is deprecated in v1.19+')
    await good('get --raw /metrics', 'apiserver_request_total')
  })
})
