import { randomBytes } from 'node:crypto'
import { api } from '@bey/contract/api'
import { beforeAll, expect, test, vi } from 'vitest'
import { testApp } from './testing/app.ts'
import { fuzz, type FuzzReply, wrongPartsOf } from './testing/fuzz/fuzz.ts'
import { plantCanary } from './testing/fuzz/plant-canary.ts'
import { sleepDemos } from './testing/sleep-demos.ts'
import type { World } from './testing/sweep.ts'

/** `npm run fuzz -- --inputs 100000 --seed 1` sets these; the suite sends few, always the same. */
const inputs = Number(process.env['BEY_FUZZ_INPUTS'] ?? 4 * Object.keys(api).length)
const seed = Number(process.env['BEY_FUZZ_SEED'] ?? 1)
const only = process.env['BEY_FUZZ_ONLY']
const isLong = process.env['BEY_FUZZ_INPUTS'] !== undefined

const canary = `canary-${randomBytes(8).toString('hex')}`
let errors: string[] = []
const app = await testApp(
  { oauth: { github: { clientId: 'id', clientSecret: 'secret' } }, trustedProxies: ['127.0.0.1'] },
  {
    log: (line) => {
      if (/"level":"(error|fatal)"/.test(line)) errors.push(line)
    },
  },
)
const world: World = { app, organizationId: 0, runningClusterId: 0 }
let foreignId = 0

beforeAll(async () => {
  const { token, organizationId } = await app.given.user({ role: 'OWNER' })
  const body = { title: 'fuzz', provider: 'sandbox' }
  const { body: cluster } = await app.ask('POST', '/api/kubernetes/clusters', { token, organizationId, body })
  await vi.waitFor(
    async () => {
      const reply = await app.ask('GET', `/api/kubernetes/clusters/${cluster.id}`, { token, organizationId })
      if (reply.body.status !== 'RUNNING') throw new Error(reply.text)
    },
    { timeout: 60_000, interval: 50 },
  )
  Object.assign(world, { organizationId, runningClusterId: cluster.id })
  foreignId = await plantCanary(app, canary)
})

test(
  `${inputs} requests made from the contract are answered as it declares, none with a bug or with another organization's`,
  async () => {
    const startedAt = performance.now()
    const { findings, sent, byStatus, succeeded, slowestMs } = await fuzz(world, {
      inputs,
      seed,
      canary,
      foreignId,
      inputsPerEndpoint: isLong ? 24 : 4,
      hasBase: isLong ? () => true : ({ params, method }) => params !== undefined && method === 'GET',
      // Demos start a cluster and databases, which on a busy machine takes longer than a request may.
      // A server that is read-only would refuse all that follows.
      only: (name) =>
        name !== 'instance.setReadOnly' &&
        (only === undefined ? isLong || !name.startsWith('demo.') : name.startsWith(only)),
      takeErrors() {
        const taken = errors
        errors = []
        return taken
      },
      onRound: () => sleepDemos(app.database),
      onFinding({ endpoint, why, input }) {
        if (isLong) process.stderr.write(`${endpoint}: ${why}\n  ${input}\n`)
      },
    })
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
    const statuses = Object.entries(byStatus)
      .map(([digit, count]) => `${count} × ${digit}xx`)
      .join(', ')
    const summary = `seed ${seed}: ${sent} inputs in ${seconds} s (${statuses}), ${succeeded.size} endpoints succeeded, slowest ${slowestMs.toFixed(0)} ms`
    if (isLong) process.stdout.write(`${summary}\n`)
    expect(sent).toBeGreaterThanOrEqual(inputs)
    expect(findings.map(({ endpoint, why, input }) => `${endpoint}: ${why}\n  ${input}`)).toEqual([])
  },
  isLong ? 6 * 3_600_000 : undefined,
)

test('a bug, an undeclared reply, a text of another organization and silence are each noticed', () => {
  const input = { method: 'GET', path: '/api/webhooks' }
  const wrongIn = (reply: Partial<FuzzReply>) => {
    const headers = new Headers({ 'content-type': 'application/json' })
    return wrongPartsOf(input, { status: 200, headers, text: '', ms: 1, isWhole: true, ...reply }, 'canary')
  }
  const list = (webhooks: string) => `{"webhooks":${webhooks},"total":0,"page":1,"limit":50}`
  expect(wrongIn({ text: list('[]') })).toEqual([])
  expect(wrongIn({ text: list('[{}]') })).toEqual([expect.stringContaining('another body than declared')])
  expect(wrongIn({ text: list('["canary"]') })[0]).toContain('another organization')
  expect(wrongIn({ text: '{' })[0]).toContain('cannot be read')
  expect(wrongIn({ status: 500, text: '{}' })[0]).toContain('answered 500')
  expect(wrongIn({ status: 418, text: '{}' })).not.toEqual([])
  expect(wrongIn({ status: 0 })[0]).toContain('no answer in time')
})
