import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

import { z } from 'zod'

import { ConfigError } from '../../platform/errors.ts'
import { DamagedBackup } from './damaged-backup.ts'

/** Of the newest manifest that this Bey writes and reads. */
export const manifestFormat = 1

const part = z.object({
  name: z.string(),
  /** Key in the place. */
  object: z.string(),
  /** Bytes of what was copied, before compression. */
  copiedBytes: z.number(),
  /** Bytes after compression, before encryption, and their SHA-256 (hex). */
  sizeBytes: z.number(),
  sha256: z.string(),
  /** Bytes in the place. */
  storedBytes: z.number(),
})

const manifest = z.object({
  format: z.literal(manifestFormat),
  id: z.string(),
  /** How the database is inside: as files, or as a dump of one that Bey does not run. */
  kind: z.enum(['files', 'dump']),
  /** ISO 8601. The state is that of `consistentAt`, by the clock of the database. */
  startedAt: z.string(),
  consistentAt: z.string(),
  finishedAt: z.string(),
  /** Of Bey. */
  version: z.string(),
  /** Of the server that the files belong to, such as `18.4`. */
  postgresVersion: z.string(),
  /** Times of the migrations that the database has, in their order. */
  migrations: z.array(z.number()),
  /** Of the root key, without which the restored instance opens no secret. */
  rootKeyFingerprint: z.string(),
  /** That root key as a key service wrapped it, so that a restore needs that service and nothing else. */
  wrappedRootKey: z.string().optional(),
  /** Of the key that encrypts the parts: the root key, or that of BEY_BACKUP_KEY. */
  encryptionKeyFingerprint: z.string(),
  /** Where the instance kept its data: paths in the database begin with it. */
  dataDir: z.string(),
  /** Rows of each table just before and just after the moment of the state. */
  rows: z.record(z.string(), z.tuple([z.number(), z.number()])),
  parts: z.array(part),
  /** What of the instance is not inside, and why. */
  excluded: z.array(z.object({ what: z.string(), why: z.string() })),
})

export type Manifest = z.infer<typeof manifest>
export type ManifestPart = z.infer<typeof part>

/** The manifest as it is stored: readable without a key, and signed so that a changed one is noticed. */
export function writeManifest(value: Manifest, key: Buffer): Buffer {
  const text = JSON.stringify(value)
  return Buffer.from(`${JSON.stringify({ manifest: value, signature: signatureOf(text, key) }, null, 2)}\n`)
}

/** A manifest that nobody has verified yet. Throws ConfigError for what is none, and for one of a newer Bey. */
export function parseManifest(bytes: Uint8Array, id: string): { manifest: Manifest; signature: string } {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(bytes).toString())
  } catch (cause) {
    throw damaged(id, cause)
  }
  const head = z
    .object({ signature: z.string(), manifest: z.looseObject({ format: z.number(), version: z.string() }) })
    .safeParse(value)
  if (!head.success) throw damaged(id, head.error)
  const { format, version } = head.data.manifest
  if (format > manifestFormat) {
    throw new ConfigError(
      `The backup ${id} was made by Bey ${version}, which is newer than this one. Restore it with that version.`,
    )
  }
  const parsed = manifest.safeParse(head.data.manifest)
  if (!parsed.success) throw damaged(id, parsed.error)
  return { manifest: parsed.data, signature: head.data.signature }
}

/** Throws ConfigError unless the manifest is the one that was written with this key. */
export function verifyManifest(found: { manifest: Manifest; signature: string }, key: Buffer): void {
  const expected = Buffer.from(signatureOf(JSON.stringify(found.manifest), key))
  const given = Buffer.from(found.signature)
  if (given.length === expected.length && timingSafeEqual(given, expected)) return
  throw damaged(found.manifest.id)
}

function damaged(id: string, cause?: unknown): DamagedBackup {
  return new DamagedBackup(
    `The manifest of the backup ${id} is damaged: it is not what was written there. Restore another backup.`,
    { cause },
  )
}

function signatureOf(text: string, key: Buffer): string {
  const signing = Buffer.from(hkdfSync('sha256', key, '', 'bey-instance-backup-manifest', 32))
  return createHmac('sha256', signing).update(text).digest('hex')
}
