import { mkdirSync, renameSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'

import S3rver from 's3rver'
import { onTestFinished } from 'vitest'

import type { BucketAccess } from '../features/databases/backup-targets/backup-places.ts'
import { createAddressGuard } from '../platform/outbound/address-guard.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import { temporaryDirectory } from './temporary-directory.ts'

export const anyOutbound = createOutbound(createAddressGuard({ kind: 'any' }))

/** An object store with the bucket `backups` on a port of its own, which can be stopped, emptied and given back. */
export async function objectStore() {
  const root = temporaryDirectory()
  const directory = join(root, 'served')
  const bucket = join(directory, 'backups')
  const aside = join(root, 'aside')
  mkdirSync(bucket, { recursive: true })
  const listener: { port: number; server?: S3rver & { httpServer?: Server } } = { port: 0 }
  async function start() {
    const { port } = listener
    listener.server = new S3rver({
      address: '127.0.0.1',
      port,
      directory,
      silent: true,
      configureBuckets: [],
    })
    listener.port = (await listener.server.run()).port
  }
  async function stop() {
    const { server } = listener
    if (server === undefined) return
    delete listener.server
    const closed = server.close()
    server.httpServer?.closeAllConnections()
    await closed
  }
  await start()
  onTestFinished(stop)
  const place: BucketAccess = {
    endpoint: `http://127.0.0.1:${listener.port}`,
    region: 'us-east-1',
    bucket: 'backups',
    prefix: 'bey',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  }
  return {
    place,
    start,
    stop,
    empty() {
      renameSync(bucket, aside)
      mkdirSync(bucket)
    },
    giveBack() {
      rmSync(bucket, { recursive: true })
      renameSync(aside, bucket)
    },
    /** The file that keeps an object, to change it behind the service. */
    fileOf: (key: string) => join(bucket, place.prefix, `${key}._S3rver_object`),
  }
}
