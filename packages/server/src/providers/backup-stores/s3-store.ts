import { Readable } from 'node:stream'

import type { S3Client } from '@aws-sdk/client-s3'

import type { BucketAccess } from '../../features/databases/backup-targets/backup-places.ts'
import type { ObjectStore } from '../../features/databases/backups/backup-store.ts'
import { BackupStoreProblem } from '../../platform/backups/backup-store-problem.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { checkStore } from './check-store.ts'
import { counted } from './counted.ts'
import { requireKey } from './object-key.ts'
import { endpointOf, openS3Client } from './s3-client.ts'
import { s3Problem } from './s3-problem.ts'

/** Of a multipart upload, which has at most 10,000: an object has up to 156 GiB. Two parts are held in memory. */
const partBytes = 16 * 1024 * 1024
const partsAtOnce = 2

/**
 * Keeps objects in a bucket of Amazon S3 or of a service that speaks its protocol. An object appears when all of it was
 * uploaded; what a failed upload left is given up.
 */
export function s3Store(place: BucketAccess, outbound: Outbound): ObjectStore {
  const text = `${place.bucket}${place.prefix === '' ? '' : `/${place.prefix}`} at ${endpointOf(place).host}`
  const nameOf = (key: string) => (place.prefix === '' ? key : `${place.prefix}/${key}`)
  let opening: Promise<S3Client> | undefined
  const client = () => (opening ??= openS3Client(place, outbound))

  async function orProblem<T>(work: () => Promise<T>, key?: string): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw s3Problem(error, place, key)
    }
  }

  const store: Omit<ObjectStore, 'check'> = {
    place: text,

    async put(key, source, signal) {
      const name = nameOf(requireKey(key))
      const { bytes, sizeBytes } = counted(source)
      const tracked = trackFailure(bytes)
      try {
        await upload(await client(), place.bucket, name, tracked.bytes, signal)
      } catch (error) {
        signal.throwIfAborted()
        const failure = tracked.failure()
        // What the source failed with says more than the upload that it broke off.
        throw failure === undefined ? s3Problem(error, place) : failure.error
      }
      return { storedBytes: sizeBytes() }
    },

    async get(key, signal) {
      const { GetObjectCommand } = await import('@aws-sdk/client-s3')
      const command = new GetObjectCommand({ Bucket: place.bucket, Key: nameOf(requireKey(key)) })
      return orProblem(async () => {
        const { Body, ContentLength } = await (await client()).send(command, { abortSignal: signal })
        if (!(Body instanceof Readable)) throw new Error('The body of an object is not a stream')
        return read(Body, ContentLength, signal, place, key)
      }, key).catch((error: unknown) => {
        signal.throwIfAborted()
        throw error
      })
    },

    async *list(prefix) {
      const { paginateListObjectsV2 } = await import('@aws-sdk/client-s3')
      const cut = nameOf('').length
      try {
        const pages = paginateListObjectsV2(
          { client: await client() },
          { Bucket: place.bucket, Prefix: nameOf(prefix) },
        )
        for await (const { Contents = [] } of pages) {
          for (const { Key, Size, LastModified } of Contents) {
            if (Key === undefined || LastModified === undefined) continue
            yield { key: Key.slice(cut), sizeBytes: Size ?? 0, modifiedAt: LastModified }
          }
        }
      } catch (error) {
        throw s3Problem(error, place)
      }
    },

    async remove(key) {
      const { DeleteObjectCommand } = await import('@aws-sdk/client-s3')
      const command = new DeleteObjectCommand({ Bucket: place.bucket, Key: nameOf(requireKey(key)) })
      await orProblem(async () => (await client()).send(command))
    },
  }
  return { ...store, check: () => checkStore(store) }
}

async function upload(
  client: S3Client,
  bucket: string,
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  const { Upload } = await import('@aws-sdk/lib-storage')
  const abortController = new AbortController()
  const abort = () => abortController.abort()
  signal.addEventListener('abort', abort, { once: true })
  const Body = Readable.from(bytes, { objectMode: false })
  try {
    await new Upload({
      client,
      params: { Bucket: bucket, Key: name, Body },
      partSize: partBytes,
      queueSize: partsAtOnce,
      leavePartsOnError: false,
      abortController,
    }).done()
  } finally {
    signal.removeEventListener('abort', abort)
    Body.destroy()
  }
}

/** Remembers what a source failed with: the upload reports it in words of its own. */
function trackFailure(source: AsyncIterable<Uint8Array>) {
  let failure: { error: unknown } | undefined
  async function* pass(): AsyncGenerator<Uint8Array> {
    try {
      yield* source
    } catch (error) {
      failure = { error }
      throw error
    }
  }
  return { bytes: pass(), failure: () => failure }
}

async function* read(
  body: Readable,
  expectedBytes: number | undefined,
  signal: AbortSignal,
  place: BucketAccess,
  key: string,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    const chunks: AsyncIterable<Buffer> = body
    for await (const chunk of chunks) {
      bytes += chunk.length
      yield chunk
    }
  } catch (error) {
    signal.throwIfAborted()
    throw s3Problem(error, place)
  }
  if (expectedBytes !== undefined && bytes !== expectedBytes) {
    throw new BackupStoreProblem('unavailable', `${endpointOf(place).host} broke off while it sent ${key}.`)
  }
}
