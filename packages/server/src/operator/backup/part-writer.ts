import type { ArchivePart } from '../../features/databases/backups/file-range.ts'
import { compressed } from '../../features/databases/backups/compressed.ts'
import type { BackupStore } from '../../features/databases/backups/backup-store.ts'
import type { ManifestPart } from './manifest.ts'

/** Compresses, encrypts and stores parts of a backup, and keeps what the manifest says of them. */
export function partWriter(store: BackupStore, id: string, signal: AbortSignal) {
  const parts: ManifestPart[] = []
  return {
    parts,
    async write(name: string, source: AsyncIterable<ArchivePart>): Promise<void> {
      const object = `${id}/${name}.tar.zst`
      const counted = { bytes: 0 }
      const stored = await store.put(object, compressed(counting(source, counted)), signal)
      parts.push({ name, object, copiedBytes: counted.bytes, ...stored })
    },
  }
}

async function* counting(source: AsyncIterable<ArchivePart>, counted: { bytes: number }) {
  for await (const part of source) {
    if (part !== 'barrier') counted.bytes += part.length
    yield part
  }
}
