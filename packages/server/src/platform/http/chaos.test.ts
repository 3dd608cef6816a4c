import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { causeChaos } from './chaos.ts'
import { answerProblem } from './problem.ts'

const log = createLog({ level: 'fatal', isPretty: false })

function serve(percent: number, seed = 1) {
  const app = fastify()
  app.setErrorHandler((error, request, reply) => answerProblem(error, request, reply, log))
  causeChaos(app, { percent, seed })
  app.all('/*', async () => 'done')
  return async (url: string, method: 'GET' | 'POST' = 'GET') => (await app.inject({ url, method })).statusCode
}

async function outcomes(seed: number) {
  const ask = serve(50, seed)
  const codes: number[] = []
  for (let i = 0; i < 12; i += 1) codes.push(await ask('/api/things', i % 2 ? 'POST' : 'GET'))
  return codes
}

test('the same seed and requests meet the same fate, and some succeed', async () => {
  const [one, again] = await Promise.all([outcomes(7), outcomes(7)])
  expect(again).toEqual(one)
  expect(one).toContain(200)
  expect(one.filter((code) => code >= 400).length).toBeGreaterThan(2)
})

test('at 100 every API request fails, but none as 401 or 404', async () => {
  const ask = serve(100)
  const codes = await Promise.all(Array.from({ length: 40 }, (_, i) => ask('/api/x', i % 2 ? 'POST' : 'GET')))
  expect(new Set(codes)).toEqual(new Set([500, 503, 429, 409]))
})

test.each([
  '/health',
  '/',
  '/assets/index.js',
  '/version.json',
  '/api/docs',
  '/api/kubernetes/clusters/1/proxy/api',
])('%s is spared', async (url) => {
  const ask = serve(100)
  for (let i = 0; i < 5; i += 1) expect(await ask(url)).toBe(200)
})
