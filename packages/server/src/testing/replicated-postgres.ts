import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, writeFileSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { kill } from 'node:process'

import pg from 'pg'
import { onTestFinished, vi } from 'vitest'

import { chooseAccount } from '../platform/db/embedded/account.ts'
import { findBinaries } from '../platform/db/embedded/binaries.ts'
import { prepareLayout } from '../platform/db/embedded/layout.ts'
import { spawnPostmaster, stopPostmaster } from '../platform/db/embedded/postmaster.ts'
import { addressOf } from '../platform/db/embedded/start.ts'
import { startEmbedded } from '../platform/db/embedded/supervisor.ts'
import { createLog } from '../platform/log.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const publicDir = '/var/lib/bey'
const waiting = { timeout: 60_000, interval: 50 }

/**
 * A primary and a standby that has all that the primary acknowledged (synchronous replication), behind one address on this machine that
 * leads to the primary, until the test ends.
 */
export async function replicatedPostgres() {
  const [first, second] = [temporaryDirectory(), temporaryDirectory()]
  for (const each of [first, second]) chmodSync(each, 0o755)
  const made = await startEmbedded({ dataDir: first, isDurable: false }, createLog({ level: 'silent' }))
  await made.stop()
  execFileSync('cp', ['-a', join(first, 'postgres'), join(second, 'postgres')])
  copyFileSync(join(first, 'postgres.password'), join(second, 'postgres.password'))

  const account = await chooseAccount()
  const binaries = await findBinaries(account.server?.uid, publicDir)
  const [one, other] = [
    await prepareLayout(first, publicDir, account),
    await prepareLayout(second, publicDir, account),
  ]
  const start = (layout: typeof one, settings: Record<string, string>) =>
    spawnPostmaster(binaries.postgres, layout, account, false, settings)
  const signalFile = join(other.clusterDir, 'standby.signal')
  writeFileSync(signalFile, '')
  if (account.server !== undefined) await chown(signalFile, account.server.uid, account.server.gid)
  const primary = await start(one, { synchronous_standby_names: '*' })
  const standby = await start(other, {
    primary_conninfo: `host=${one.socketDir} port=${one.port} user=postgres password=${one.password}`,
  })
  const isOver = { primary: false }
  void primary.gone.then(() => (isOver.primary = true))
  onTestFinished(async () => {
    if (!isOver.primary) await stopPostmaster(primary)
    await stopPostmaster(standby)
  })
  const ask = async (layout: typeof one, text: string) => {
    const client = new pg.Client({ connectionString: addressOf(layout, 'postgres', 'postgres') })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  await vi.waitFor(async () => {
    const rows = await ask(one, `select sync_state from pg_stat_replication where state = 'streaming'`)
    if (rows[0]?.['sync_state'] !== 'sync') throw new Error('The standby does not follow yet')
  }, waiting)

  const address = await movableAddress(join(one.socketDir, `.s.PGSQL.${one.port}`))
  return {
    url: `postgresql://bey:${encodeURIComponent(one.password)}@127.0.0.1:${address.port}/bey`,
    /** The primary dies with what only it knows; the address leads to the standby from then on, which is promoted later. */
    async loseThePrimary(): Promise<void> {
      kill(primary.pid, 'SIGKILL')
      await primary.gone
      address.lead(join(other.socketDir, `.s.PGSQL.${other.port}`))
    },
    promote: () => ask(other, 'select pg_promote()'),
  }
}

/** An address that leads to one socket, and later to another one: connections to the first break. */
async function movableAddress(from: string) {
  let to = from
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(to)
    near.pipe(far).pipe(near)
    for (const [socket, peer] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => peer.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        peer.destroy()
      })
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    lead(next: string): void {
      to = next
      for (const socket of sockets) socket.destroy()
    },
  }
}
