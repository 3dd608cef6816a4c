import { z } from 'zod'
import { timestamp } from '../base/schema.ts'

/** How full a volume is, as the kubelet of a node that mounts it measured it. */
export const volumeUsage = z
  .object({
    measured: z
      .object({
        usedBytes: z.number().int(),
        /** Of its file system, which is somewhat smaller than the volume. */
        capacityBytes: z.number().int(),
        /** Null where the file system does not count them. */
        inodesUsed: z.number().int().nullable(),
        inodes: z.number().int().nullable(),
        at: timestamp,
      })
      .nullable(),
    /** Why it is not known, as a sentence; null where it is measured. */
    unknownReason: z.string().nullable(),
  })
  .meta({ id: 'VolumeUsage' })
export type VolumeUsage = z.infer<typeof volumeUsage>
