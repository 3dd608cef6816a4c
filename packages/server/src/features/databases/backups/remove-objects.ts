import type { OpenBackupStore } from './backup-store.ts'
import { organizationFolder } from './object-keys.ts'

/** Removes every object that an organization keeps on the machine of Bey. */
export async function removeObjects(
  { openStore }: { openStore: OpenBackupStore },
  organizationId: number,
): Promise<void> {
  const store = await openStore(organizationId, null)
  for await (const { key } of store.list(organizationFolder(organizationId))) await store.remove(key)
}
