import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { otlpCollector } from '../../testing/otlp-collector.ts'
import { createLog } from '../log.ts'
import { openTracing } from './open-tracing.ts'
import { readTracing } from './read-tracing.ts'
import { currentSpan, inSpan, traced, type Tracing } from './tracing.ts'

async function opened(env: Record<string, string> = {}) {
  const collector = await otlpCollector()
  onTestFinished(() => collector.stop())
  const lines: string[] = []
  const config = readTracing(
    (name) =>
      ({
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_BSP_SCHEDULE_DELAY: '10',
        OTEL_EXPORTER_OTLP_TIMEOUT: '300',
        ...env,
      })[name],
  )
  const log = createLog({ level: 'info', write: (line) => void lines.push(line) })
  const tracing = (await openTracing({ config, version: '1', instanceId: 'one', log })) as Tracing
  onTestFinished(() => tracing.stop())
  return { collector, tracing, lines }
}

const spans = (tracing: Tracing, count: number) => {
  for (let index = 0; index < count; index += 1) tracing.start('work', {}).end()
}

test.each(['hangs', 'refuses'] as const)(
  'a collector that %s costs spans, one line of the log, and no work its time',
  async (mode) => {
    const { collector, tracing, lines } = await opened()
    collector.state.mode = mode
    // Each time many more than the queue takes, all at once: nothing in between can wait for the collector.
    await vi.waitFor(
      () => {
        spans(tracing, 5_000)
        expect(collector.requests.length).toBeGreaterThan(8)
      },
      { timeout: 60_000, interval: 50 },
    )
    await vi.waitFor(() => expect(lines).toHaveLength(1), { timeout: 30_000 })
    expect(lines[0]).toContain('does not take them')
    collector.state.mode = 'takes'
    await vi.waitFor(
      () => {
        spans(tracing, 1)
        expect(lines).toHaveLength(2)
      },
      { timeout: 30_000, interval: 20 },
    )
    expect(lines[1]).toContain('takes traces again')
    // Of at least 45,000 spans those that waited when it came back.
    expect(collector.spans.length).toBeLessThan(6_000)
  },
)

test('a collector that is away keeps a server from stopping for 2 s at most', async () => {
  const { collector, tracing } = await opened({ OTEL_EXPORTER_OTLP_TIMEOUT: '60000' })
  collector.state.mode = 'hangs'
  spans(tracing, 1)
  await tracing.stop()
})

test('work after its span has ended is in no span', async () => {
  const { collector, tracing } = await opened()
  const span = tracing.start('request', { kind: 'server' })
  await inSpan(span, async () => {
    await traced('inside', {}, async () => undefined)
    span.end()
    expect(currentSpan()).toBeUndefined()
    await traced('outside', {}, async () => undefined)
  })
  await tracing.stop()
  expect(collector.spans.map(({ name }) => name).toSorted()).toEqual(['inside', 'request'])
})

test('work that fails marks its span, without the text of its error', async () => {
  const { collector, tracing } = await opened()
  const span = tracing.start('request', {})
  const failing = inSpan(span, () => traced('inside', {}, () => Promise.reject(new Error('canary'))))
  await expect(failing).rejects.toThrow('canary')
  span.end()
  await tracing.stop()
  expect(collector.spans.find(({ name }) => name === 'inside')?.status).toMatchObject({ code: 2 })
  expect(collector.bodies.join('')).not.toContain('canary')
})

test('every process decides alike whether a run is sampled', async () => {
  const env = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.3' }
  const [one, other] = [await opened(env), await opened(env)]
  const ids = Array.from({ length: 400 }, (_, index) => `0190${index.toString(16).padStart(28, '7')}`)
  const sampled = ids.filter((id) => one.tracing.isSampled(id))
  expect(ids.filter((id) => other.tracing.isSampled(id))).toEqual(sampled)
  expect((await opened({ OTEL_TRACES_SAMPLER: 'always_off' })).tracing.isSampled(ids[0] ?? '')).toBe(false)
})

test('the standard variables are read, and nonsense is refused without repeating an address', () => {
  const read = (env: Record<string, string>) => readTracing((name) => env[name])
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' }
  expect(read({})).toBeUndefined()
  expect(read({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeUndefined()
  expect(read({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined()
  expect(read({ OTEL_SERVICE_NAME: 'x' })).toBeUndefined()
  expect(read(endpoint)).toMatchObject({
    url: 'http://127.0.0.1:4318/v1/traces',
    serviceName: 'bey',
    sampler: 'always_on',
    isParentBased: true,
  })
  expect(
    read({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c.example/own',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b,other=1',
      OTEL_SERVICE_NAME: 'console',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    }),
  ).toMatchObject({
    url: 'https://c.example/own',
    headers: { 'x-key': 'a b', other: '1' },
    serviceName: 'console',
    sampler: 'traceidratio',
    ratio: 0.25,
    isParentBased: false,
  })
  for (const url of ['canary', 'ftp://canary', 'http://canary/?a=b'])
    expect(() => read({ OTEL_EXPORTER_OTLP_ENDPOINT: url })).toThrow(
      /^(?!.*canary).*OTEL_EXPORTER_OTLP_ENDPOINT/,
    )
  expect(() => read({ ...endpoint, OTEL_TRACES_SAMPLER: 'jaeger_remote' })).toThrow(
    'parentbased_traceidratio',
  )
  expect(() => read({ ...endpoint, OTEL_TRACES_SAMPLER_ARG: '2' })).toThrow('from 0 to 1')
  expect(() => read({ ...endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: '1s' })).toThrow('milliseconds')
  expect(() => read({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'canary' })).toThrow('name=value')
})

test('where no collector is named, nothing of OpenTelemetry is loaded with the server', async () => {
  const loadedWith = async (config: string) => {
    const code = `
      import { registerHooks } from 'node:module'
      const loaded = []
      registerHooks({
        resolve(name, context, next) {
          const found = next(name, context)
          if (/opentelemetry.(sdk|exporter|otlp|resources)/.test(found.url)) loaded.push(name)
          return found
        },
      })
      const { openTracing } = await import(${JSON.stringify(new URL('open-tracing.ts', import.meta.url).href)})
      await import(${JSON.stringify(new URL('../../app.ts', import.meta.url).href)})
      await openTracing({ config: ${config}, version: '1', instanceId: '1', log: {} })
      console.log(loaded.length)
      process.exit(0)`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
    return Number(stdout)
  }
  expect(await loadedWith('undefined')).toBe(0)
  const config = readTracing((name) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })[name])
  expect(await loadedWith(JSON.stringify(config))).toBeGreaterThan(3)
})
