import { assertDeclared } from './declared-replies.ts'

// Every reply that a test fetches from a server of Bey is held against the OpenAPI document, whoever fetches it.

const mark = Symbol.for('bey.replies-are-checked')
const plainFetch = globalThis.fetch

async function checkedFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const reply = await plainFetch(input, init)
  const address = input instanceof Request ? input.url : String(input)
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
  if (new URL(address).pathname.startsWith('/api/')) await check(method, address, reply)
  return reply
}

// Setup files run before each test file, and test files share their process.
if (!Reflect.has(plainFetch, mark)) globalThis.fetch = Object.assign(checkedFetch, { [mark]: true })

/** The body of what may be endless, as events are, is left to whoever asked. Throws where the document is wrong. */
async function check(method: string, address: string, reply: Response): Promise<void> {
  const { status, headers } = reply
  const isJson = /[/+]json\b/.test(headers.get('content-type') ?? '')
  const text = isJson ? await reply.clone().text() : ''
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  // A worker answers nothing but its health.
  const isOfNoRoute = typeof body === 'object' && body && Reflect.get(body, 'code') === 'route_not_found'
  if (isOfNoRoute) return
  assertDeclared(method.toUpperCase(), address, { status, headers, text, body })
}
