import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Connections that requests are served on; the engine's own changes are left alone. */
const ofRequests = /set role bey_app|insert into "organizations"/
/** A statement that changes something, besides the row of an idempotency key. */
const change = /(?:insert into|update|delete from)\s+"?(?!idempotency_keys)[a-z_]/i

/**
 * A proxy to the test database. Once muted, it still forwards each change and its commit, but no reply: the client never
 * learns that the change was committed.
 */
export async function mutedConnection(url: string) {
  const there = new URL(url)
  const sockets = new Set<Socket>()
  let isMuted = false
  const way = createServer((near) => {
    const far = connect(join(there.searchParams.get('host') ?? '', `.s.PGSQL.${there.port || 5432}`))
    let sent = ''
    let isHeld = false
    let servesRequests = false
    near.on('data', (data) => {
      servesRequests ||= ofRequests.test(data.toString('latin1'))
      if (isMuted && servesRequests && !isHeld) {
        sent = (sent + data.toString('latin1')).slice(-100_000)
        const isCommit = /\bcommit\0/i.test(sent)
        if (isCommit) isHeld = change.test(sent)
        if (isCommit) sent = ''
      }
      far.write(data)
    })
    far.on('data', (data) => {
      if (!isHeld) near.write(data)
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((done) => way.listen(0, '127.0.0.1', done))
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    way.close()
  })
  const here = new URL(url)
  here.searchParams.delete('host')
  here.hostname = '127.0.0.1'
  here.port = String((way.address() as AddressInfo).port)
  return {
    url: here.href,
    mute() {
      isMuted = true
    },
  }
}
