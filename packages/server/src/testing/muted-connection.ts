import { postgresProxy } from './postgres-proxy.ts'

/** Connections that requests are served on; the engine's own changes are left alone. */
const ofRequests = /set role bey_app|insert into "organizations"/
/** A statement that changes something, besides the row of an idempotency key. */
const change = /(?:insert into|update|delete from)\s+"?(?!idempotency_keys)[a-z_]/i

/**
 * A proxy to the test database. Once muted, it still forwards each change and its commit, but no reply: the client never
 * learns that the change was committed.
 */
export async function mutedConnection(url: string) {
  let isMuted = false
  const proxied = await postgresProxy(url, ({ near, far }) => {
    let sent = ''
    let isHeld = false
    let servesRequests = false
    near.on('data', (data) => {
      servesRequests ||= ofRequests.test(data.toString('latin1'))
      if (isMuted && servesRequests && !isHeld) {
        sent = (sent + data.toString('latin1')).slice(-100_000)
        // A commit that nobody waits for may travel with the begin of the next transaction.
        const transactions = sent.split(/\bcommit\0/i)
        sent = transactions.pop() ?? ''
        isHeld = transactions.some((each) => change.test(each))
      }
      far.write(data)
    })
    far.on('data', (data) => {
      if (!isHeld) near.write(data)
    })
  })
  return {
    url: proxied,
    mute() {
      isMuted = true
    },
  }
}
