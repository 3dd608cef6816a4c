import { expect } from 'vitest'

import type { GivenUser } from '../../../testing/given.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a reply is its own claim
export type Body = any

/** Asks a server that runs as a process of its own, wherever it listens after it was killed; refusals fail the test. */
export function processApi(bey: { url(): string }, { token, organizationId }: GivenUser) {
  return async (method: string, path: string, body?: object): Promise<Body> => {
    const reply = await fetch(`${bey.url()}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'x-organization-id': String(organizationId),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const content: Body = await reply.json()
    expect(reply.status, JSON.stringify(content)).toBeLessThan(300)
    return content
  }
}
