import { createWriteStream } from 'node:fs'
import { chown, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { decompressed } from '../../features/databases/backups/compressed.ts'
import { verified } from '../../features/databases/backups/digest.ts'
import type { BackupStore } from '../../features/databases/backups/backup-store.ts'
import { readTar } from '../../providers/databases/tar.ts'
import { DamagedBackup } from './damaged-backup.ts'
import type { Manifest, ManifestPart } from './manifest.ts'
import { readPart } from './stored-backups.ts'

type Owner = { uid: number; gid: number } | undefined

type Source = {
  store: Pick<BackupStore, 'get'>
  manifest: Pick<Manifest, 'id' | 'parts'>
  signal: AbortSignal
}

/** The parts of a backup: unpacked, or only read. Each is compared with the checksum of the manifest. */
export function openParts({ store, manifest, signal }: Source) {
  const { id, parts } = manifest

  const bytesOf = (part: ManifestPart) =>
    verified(
      readPart(store, id, part, signal),
      part.sha256,
      () =>
        new DamagedBackup(
          `The part "${part.name}" of the backup ${id} is damaged: its checksum is not that of the manifest. Restore another backup.`,
        ),
    )

  function needed(name: string): ManifestPart {
    const part = parts.find((each) => each.name === name)
    if (part === undefined) throw new DamagedBackup(`The backup ${id} has no part "${name}".`)
    return part
  }

  return {
    find: (name: string) => parts.find((each) => each.name === name),

    /** Makes the files of a part below a directory; they belong to `owner` where one is given. */
    async unpack(name: string, to: string, owner?: Owner): Promise<void> {
      const part = needed(name)
      const give = async (path: string) => {
        if (owner !== undefined) await chown(path, owner.uid, owner.gid)
      }
      await mkdir(to, { recursive: true, mode: 0o700 })
      await give(to)
      await readTar(decompressed(bytesOf(part)), async (entry, content) => {
        const path = join(to, entry.name)
        const directory = entry.isDirectory ? path : dirname(path)
        if ((await mkdir(directory, { recursive: true, mode: 0o700 })) !== undefined) await give(directory)
        if (entry.isDirectory) return
        await pipeline(content, createWriteStream(path, { mode: 0o600 }))
        await give(path)
      })
    },

    /** What a part is without its compression. */
    read(name: string): AsyncIterable<Uint8Array> {
      return decompressed(bytesOf(needed(name)))
    },

    /** Reads a part to its end and keeps nothing of it. */
    async check(part: ManifestPart): Promise<void> {
      for await (const _piece of bytesOf(part));
    },
  }
}
