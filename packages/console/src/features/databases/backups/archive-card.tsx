import type { DatabaseRecoverableWindow } from '@bey/contract'
import { absent, formatBytes } from '../../../lib/format.ts'
import { Facts } from '../../../ui/facts.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'

/** The log of changes that lies between the backups. */
export function ArchiveCard({ archive }: { archive: DatabaseRecoverableWindow['archive'] }) {
  const { isOn, coveredUntil, lastSegment, lastSegmentAt, spooledBytes, storedBytes } = archive
  return (
    <Section title="Changes between backups" isCard>
      <Facts
        facts={[
          { label: 'Archived', value: isOn ? 'yes' : 'no' },
          {
            label: 'Stored up to',
            value: coveredUntil === null ? absent : <RelativeTime at={coveredUntil} />,
          },
          {
            label: 'Last segment',
            value:
              lastSegment === null ? (
                absent
              ) : (
                <>
                  <span className="block font-mono text-small break-all">{lastSegment}</span>
                  <RelativeTime at={lastSegmentAt} />
                </>
              ),
          },
          { label: 'Waiting for the store', value: formatBytes(spooledBytes) },
          { label: 'In the store', value: formatBytes(storedBytes) },
        ]}
      />
    </Section>
  )
}
