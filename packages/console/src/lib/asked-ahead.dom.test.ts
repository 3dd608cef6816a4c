import { expect, test } from 'vitest'
import { replyAskedAhead } from './asked-ahead.ts'

function asked(path: string, reply: Promise<Response>) {
  window.beyAskedAhead = new Map([[path, { token: 'secret', organizationId: '7', reply }]])
}
const mine = { headers: { authorization: 'Bearer secret', 'x-organization-id': '7' } }

test('a reply asked for ahead is taken once', async () => {
  asked('/api/secrets', Promise.resolve(new Response('first')))
  await expect(replyAskedAhead('/api/secrets', mine)?.then((reply) => reply.text())).resolves.toBe('first')
  expect(replyAskedAhead('/api/secrets', mine)).toBeUndefined()
})

test('it is not taken by another organization, another session, another path or a change', () => {
  const others: [string, RequestInit][] = [
    ['/api/secrets', { headers: { ...mine.headers, 'x-organization-id': '8' } }],
    ['/api/secrets', { headers: { ...mine.headers, authorization: 'Bearer other' } }],
    ['/api/secrets?page=2', mine],
    ['/api/secrets', { ...mine, method: 'POST' }],
  ]
  for (const [path, init] of others) {
    asked('/api/secrets', Promise.resolve(new Response('first')))
    expect(replyAskedAhead(path, init)).toBeUndefined()
  }
})

test('a failed reply and an aborted call reject as a request does', async () => {
  asked('/api/secrets', Promise.reject(new TypeError('Failed to fetch')))
  await expect(replyAskedAhead('/api/secrets', mine)).rejects.toThrow('Failed to fetch')
  const leaving = new AbortController()
  asked('/api/secrets', new Promise(() => undefined))
  const reply = replyAskedAhead('/api/secrets', { ...mine, signal: leaving.signal })
  leaving.abort(new Error('The page was left.'))
  await expect(reply).rejects.toThrow('The page was left.')
})
