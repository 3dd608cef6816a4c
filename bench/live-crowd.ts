import type { Database } from '../packages/server/src/platform/db/database.ts'
import { publish } from '../packages/server/src/platform/live/publish.ts'
import { createGiven } from '../packages/server/src/testing/given.ts'
import type { BeyServer } from '../tools/bey-server.ts'
import { cpuMs } from './process-figures.ts'

const socketsPerUser = 20
const warmUp = 20
const counted = 100
const atOnce = 50

/**
 * Server CPU of one event to so many sockets of one organization, in milliseconds, and the text that each of them gets;
 * its clients are not counted.
 */
export async function cpuPerEvent(
  database: Database,
  bey: BeyServer,
  sockets: number,
): Promise<{ usedMs: number; text: string }> {
  const given = createGiven(database)
  const { id: organizationId } = await given.organization()
  const users = await Promise.all(
    Array.from({ length: sockets / socketsPerUser }, () => given.user({ organizationId })),
  )
  const waiting = users.flatMap(({ token }) => Array.from({ length: socketsPerUser }, () => token))
  const open: WebSocket[] = []
  let arrived = 0
  let onAll = () => {}
  let last = ''
  const onEvent = (text: string) => {
    last = text
    arrived += 1
    if (arrived === sockets) onAll()
  }
  while (waiting.length > 0) {
    const some = waiting.splice(0, atOnce)
    open.push(...(await Promise.all(some.map((token) => enter(bey.url, token, organizationId, onEvent)))))
  }
  const send = async (progress: number) => {
    arrived = 0
    const all = new Promise<void>((resolve) => (onAll = resolve))
    await database.withTenant(organizationId, (db) =>
      publish(db, {
        organizationId,
        type: 'CLUSTER_PROVISIONING_UPDATE',
        message: 'Join nodes',
        data: {
          clusterId: 4,
          status: 'PROVISIONING',
          error: null,
          workflowId: '019a0000-0000-7000-8000-000000000001',
          runId: '019a0000-0000-7000-8000-000000000002',
          stepName: 'Join nodes',
          progress,
        },
      }),
    )
    await all
  }
  for (let event = 0; event < warmUp; event += 1) await send(event)
  const before = cpuMs(bey.pid)
  for (let event = 0; event < counted; event += 1) await send(event)
  const usedMs = (cpuMs(bey.pid) - before) / counted
  for (const socket of open) socket.close()
  return { usedMs, text: last }
}

function enter(
  url: string,
  token: string,
  organizationId: number,
  onEvent: (text: string) => void,
): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`)
  return new Promise((resolve, reject) => {
    socket.onopen = () =>
      socket.send(JSON.stringify({ type: 'AUTHENTICATE', payload: { token, organizationId } }))
    socket.onclose = ({ code, reason }) => reject(new Error(`The socket was closed: ${code} ${reason}`))
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      if (data.includes('"CLUSTER_PROVISIONING_UPDATE"')) onEvent(data)
      else if (data.includes('"AUTHENTICATED"')) resolve(socket)
    }
  })
}
