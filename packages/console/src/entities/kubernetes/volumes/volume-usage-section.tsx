import type { VolumeUsage } from '@bey/contract'
import { nearlyFullShare } from '@bey/contract'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { Meter } from '../../../ui/meter.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'

/** What is used inside the volume of a claim, and why that is not known where it is not. */
export function VolumeUsageSection({ usage: { measured, unknownReason } }: { usage: VolumeUsage }) {
  return (
    <Section
      title="Used inside the volume"
      aside={
        measured ? (
          <>
            measured <RelativeTime at={measured.at} />
          </>
        ) : undefined
      }
    >
      {measured ? (
        <div className="grid gap-4">
          <Meter
            label="Bytes"
            used={measured.usedBytes}
            total={measured.capacityBytes}
            format={formatBytes}
            warnAt={nearlyFullShare}
          />
          {measured.inodes !== null && measured.inodesUsed !== null ? (
            <Meter
              label="Inodes"
              used={measured.inodesUsed}
              total={measured.inodes}
              format={formatNumber}
              warnAt={nearlyFullShare}
            />
          ) : null}
        </div>
      ) : (
        <p className="text-text-2">Unknown. {unknownReason}</p>
      )}
    </Section>
  )
}
