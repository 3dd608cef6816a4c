import type { RawReply } from '../../lib/raw-call.ts'

export function headerOf(reply: RawReply, name: string): string | undefined {
  return reply.headers.find(([each]) => each.toLowerCase() === name)?.[1]
}

/** The body with its JSON laid out in lines; anything else as it came. */
export function prettyText(reply: RawReply): string {
  const value = jsonIn(reply)
  return value === undefined ? reply.text : JSON.stringify(value, null, 2)
}

/** What a problem document says, in words: title, detail, and each field that is wrong. */
export function problemIn(reply: RawReply): { title: string; detail: string } | undefined {
  const value = jsonIn(reply)
  if (typeof value !== 'object' || value === null) return undefined
  const text = (key: string): string => {
    const found: unknown = Reflect.get(value, key)
    return typeof found === 'string' ? found : ''
  }
  // Under a cluster's proxy errors are Kubernetes Status objects.
  const title = text('title') || text('reason')
  return title ? { title, detail: text('detail') || text('message') } : undefined
}

function jsonIn(reply: RawReply): unknown {
  if (!/json/i.test(headerOf(reply, 'content-type') ?? '')) return undefined
  try {
    return JSON.parse(reply.text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
