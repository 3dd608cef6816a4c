import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stdin, stdout } from 'node:process'

import { startEmbedded } from '../platform/db/embedded/supervisor.ts'
import { createLog } from '../platform/log.ts'
import { startImportable } from './importable-cluster.ts'
import { scriptedOperator } from '../features/databases/cnpg/testing/scripted-operator.ts'

// A cluster with CloudNativePG for browser tests, in a process of its own with a PostgreSQL of its own: it prints a kubeconfig
// as one line of JSON, and ends with its standard input. Each name that it is given is a Cluster that exists from the start.
const dataDir = await mkdtemp(join(tmpdir(), 'bey-cnpg-'))
const server = await startEmbedded({ dataDir, isDurable: false }, createLog({ level: 'fatal' }))
const superuser = new URL(server.url)
superuser.username = 'postgres'
superuser.pathname = '/postgres'
const socket = join(superuser.searchParams.get('host') ?? '', `.s.PGSQL.${superuser.port}`)
const proxy = createServer((near) => {
  const far = connect(socket)
  near.pipe(far).pipe(near)
  near.on('error', () => far.destroy())
  far.on('error', () => near.destroy())
})
await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
// A server that listens on an address has a port.
const { port } = proxy.address() as AddressInfo
const outside = await startImportable({ forwardedPorts: [port] })
await outside.namespace('shop')
const operator = await scriptedOperator(outside.call, superuser.href, port)
for (const name of process.argv.slice(2)) {
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  await operator.create('shop', name, {
    instances: 2,
    plugins: [
      {
        name: 'barman-cloud.cloudnative-pg.io',
        isWALArchiver: true,
        parameters: { barmanObjectName: 'store' },
      },
    ],
  })
}
const kubeconfig = outside.kubeconfig([{ name: 'prod-eu', user: outside.admin() }])
stdout.write(`${JSON.stringify({ kubeconfig })}\n`)
stdin.resume()
stdin.on('close', () => {
  void (async () => {
    await operator.stop()
    await outside.remove()
    proxy.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  })()
})
