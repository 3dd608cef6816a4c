// What others install Bey with agrees with what Bey reads, and with the tools that read it, where they are found.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readTracing } from '../../packages/server/src/platform/tracing/read-tracing.ts'
import { root } from '../source-files.ts'
import { account, environment } from './image.mjs'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }
const templates = readdirSync(join(root, 'deploy/chart/templates')).map(
  (name) => `deploy/chart/templates/${name}`,
)
const values = parse(read('deploy/chart/values.yaml')) as Record<string, unknown>
const isFound = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

test('every setting that they name is one that Bey reads', () => {
  const documented = new Set(
    ['README.md', 'docs/operations.md'].flatMap((path) =>
      [...read(path).matchAll(/`([A-Z][A-Z_0-9]+)`/g)].map(([, name]) => name),
    ),
  )
  const own = ['NODE_ENV', 'NODE_COMPILE_CACHE', 'PATH']
  const sources = [
    'deploy/compose.yaml',
    'deploy/systemd/bey.service',
    'deploy/systemd/bey.env',
    'deploy/Dockerfile',
  ]
  const named = [...sources, ...templates, 'deploy/chart/values.yaml'].flatMap((path) =>
    [...read(path).matchAll(/\b((?:BEY|OTEL)_[A-Z_0-9]+|DATABASE_URL|HOST|PORT)\b/g)].map(([, name]) => name),
  )
  expect(named.length).toBeGreaterThan(20)
  const unknown = [...named, ...Object.keys(environment)].filter((name) => !documented.has(name ?? ''))
  expect(unknown.filter((name) => !own.includes(name ?? ''))).toEqual([])
})

test('all name the version of the product, and the same account that is not root', () => {
  const chart = parse(read('deploy/chart/Chart.yaml')) as Record<string, unknown>
  expect([chart['version'], chart['appVersion']]).toEqual([version, version])
  expect(read('deploy/compose.yaml')).toContain(`image: bey:${version}\n`)
  expect(read('deploy/Dockerfile')).toContain(`USER ${account}:${account}\n`)
  expect(read('deploy/chart/templates/_helpers.tpl')).toContain(`runAsUser: ${account}\n`)
  for (const [name, value] of Object.entries(environment).filter(([key]) => key !== 'PATH'))
    expect(read('deploy/Dockerfile'), name).toContain(`${name}=${value}`)
})

test('a service of compose is not killed before its steps have ended', () => {
  const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, { stop_grace_period?: string; environment: Record<string, string> }>
  }
  const { web, worker } = compose.services
  expect([web?.environment['BEY_ROLE'], worker?.environment['BEY_ROLE']]).toEqual(['web', 'worker'])
  expect(Number.parseInt(worker?.stop_grace_period ?? '0', 10)).toBeGreaterThan(
    Number(worker?.environment['BEY_DRAIN_SECONDS']),
  )
})

test('the chart and compose send traces where an endpoint is given, by the same settings', () => {
  const wanted = [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'OTEL_SERVICE_NAME',
    'OTEL_TRACES_SAMPLER',
    'OTEL_TRACES_SAMPLER_ARG',
  ]
  const named = [...read('deploy/chart/templates/_helpers.tpl').matchAll(/name: (OTEL_\w+)/g)]
  expect(named.map(([, name]) => name)).toEqual(wanted)
  const { services } = parse(read('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, { environment: Record<string, string> }>
  }
  for (const service of ['web', 'worker']) {
    const environment = services[service]?.environment ?? {}
    expect(Object.keys(environment).filter((name) => name.startsWith('OTEL_'))).toEqual(wanted)
    // What compose sets where .env says nothing: Bey takes it, and makes no traces.
    const defaults = (name: string) => /:-(.*)\}$/.exec(environment[name] ?? '')?.[1]
    expect(readTracing((name) => defaults(name) || undefined)).toBeUndefined()
    const given = (name: string) =>
      name === 'OTEL_EXPORTER_OTLP_ENDPOINT' ? 'http://collector:4318' : defaults(name) || undefined
    expect(readTracing(given)).toMatchObject({ url: 'http://collector:4318/v1/traces', serviceName: 'bey' })
  }
})

test('the values of the chart are checked: without an address or a root key they are refused, and so is a typing error', () => {
  const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(
    JSON.parse(read('deploy/chart/values.schema.json')),
  )
  const needed = { publicUrl: 'https://bey.example.com', existingSecret: 'bey-keys' }
  expect(validate({ ...values, ...needed }), JSON.stringify(validate.errors)).toBe(true)
  expect(validate(values)).toBe(false)
  expect(validate.errors?.map(({ instancePath }) => instancePath)).toEqual(['/publicUrl', '/existingSecret'])
  expect(validate({ ...values, ...needed, databse: { embedded: true } })).toBe(false)
  expect(validate({ ...values, ...needed, env: { 'lower-case': '1' } })).toBe(false)
  expect(validate({ ...values, ...needed, publicUrl: 'https://bey.example.com/console' })).toBe(false)
  expect(validate({ ...values, ...needed, transit: { url: 'vault:8200' } })).toBe(false)
  const traces = (more: object) =>
    validate({ ...values, ...needed, traces: { ...Object(values['traces']), ...more } })
  expect(traces({ endpoint: 'http://collector:4318', sampler: 'traceidratio', ratio: 0.1 })).toBe(true)
  expect([{ endpoint: 'collector:4318' }, { sampler: 'jaeger_remote' }, { ratio: 2 }].map(traces)).toEqual([
    false,
    false,
    false,
  ])
})

test('every value of the chart is used, and every value that is used is there', () => {
  const text = templates.map(read).join('\n')
  const used = [...text.matchAll(/(?:\.Values|\$values)\.(\w+)/g)].map(([, name]) => name)
  expect(new Set(used)).toEqual(new Set(Object.keys(values)))
})

test.skipIf(!isFound('helm'))(
  'helm lints and renders the chart, with a database of its own and without',
  () => {
    const chart = join(root, 'deploy/chart')
    const needed = ['--set', 'publicUrl=https://bey.example.com,existingSecret=bey-keys']
    expect(helm('lint', '--strict', chart, ...needed).status).toBe(0)
    const kinds = (...more: string[]) =>
      parseAllDocuments(helm('template', 'bey', chart, ...needed, ...more).stdout).map((each) =>
        each.get('kind'),
      )
    expect(kinds()).toEqual(
      expect.arrayContaining(['Deployment', 'StatefulSet', 'PodDisruptionBudget', 'NetworkPolicy']),
    )
    const traced = helm('template', 'bey', chart, ...needed, '--set', 'traces.endpoint=http://c:4318')
    expect(traced.stdout.match(/OTEL_EXPORTER_OTLP_ENDPOINT/g)).toHaveLength(2)
    expect(helm('template', 'bey', chart, ...needed).stdout).not.toContain('OTEL_')
    const wrapped = helm(
      'template',
      'bey',
      chart,
      ...needed,
      '--set',
      'transit.url=https://v:8200,transit.privateCa=true',
    )
    expect(wrapped.stdout.match(/name: BEY_SECRET_KEY_WRAPPED$/gm)).toHaveLength(2)
    expect(wrapped.stdout).not.toMatch(/name: BEY_SECRET_KEY$/m)
    expect(wrapped.stdout.match(/mountPath: \/etc\/bey\/transit-ca$/gm)).toHaveLength(2)
    const shared = ['--set', 'sharedWatches.enabled=true,sharedWatches.port=9000']
    const sharing = helm('template', 'bey', chart, ...needed, ...shared).stdout
    expect(sharing.match(/value: "\$\(POD_IP\):9000"/g)).toHaveLength(2)
    expect(sharing).toContain('name: bey-peers')
    expect(helm('template', 'bey', chart, ...needed).stdout).not.toContain('BEY_PEER_ADDRESS')
    expect(kinds('--set', 'database.embedded=true')).not.toContain('Deployment')
    expect(kinds('--set', 'serviceMonitor.enabled=true,ingress.enabled=true')).toEqual(
      expect.arrayContaining(['ServiceMonitor', 'Ingress']),
    )
  },
)

test.skipIf(!isFound('systemd-analyze'))('systemd knows every line of the unit', () => {
  const { stderr } = spawnSync(
    'systemd-analyze',
    ['verify', '--man=no', join(root, 'deploy/systemd/bey.service')],
    {
      encoding: 'utf8',
    },
  )
  // Nothing is installed on this machine.
  expect(stderr.split('\n').filter((line) => line !== '' && !line.includes('is not executable'))).toEqual([])
})

function helm(...args: string[]) {
  return spawnSync('helm', args, { encoding: 'utf8' })
}
