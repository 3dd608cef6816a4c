import type { ErrorOccurrenceSummary } from '@bey/contract'
import { Eye } from 'lucide-react'
import { useErrorOccurrences } from '../../data/error-log.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatNumber } from '../../lib/format.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { browserOf } from './error-text.ts'
import type { ErrorLocation } from './use-error-location.ts'

export interface OccurrenceListProps {
  id: string
  shownId: string | undefined
  errorLocation: ErrorLocation
}

/** The occurrences that are kept; the one that is shown above is marked. */
export function OccurrenceList({ id, shownId, errorLocation }: OccurrenceListProps) {
  const list = useErrorOccurrences(id)
  const { data } = list
  const failure = failureOf('Failed to fetch the occurrences', list)
  return (
    <Section
      title="Occurrences"
      aside={data ? `${formatNumber(data.occurrences.length)} kept, the latest first` : undefined}
    >
      <div className="-mx-(--gutter)">
        <Table
          label="Occurrences"
          columns={columns}
          rows={data?.occurrences}
          rowKey={(occurrence) => occurrence.id}
          rowLabel={(occurrence) => `Occurrence of ${occurrence.at}`}
          rowActions={(occurrence) => (
            <IconButton
              label={occurrence.id === shownId ? 'Shown above' : 'Show'}
              size="small"
              aria-pressed={occurrence.id === shownId}
              icon={<Eye size={14} aria-hidden />}
              className={occurrence.id === shownId ? 'text-accent-text' : ''}
              onClick={() => errorLocation.change({ occurrence: occurrence.id })}
            />
          )}
          error={failure && <ErrorState {...failure} isCompact />}
          empty={<p className="py-3 text-text-2">None is kept.</p>}
          skeletonRows={3}
        />
      </div>
    </Section>
  )
}

const columns: readonly Column<ErrorOccurrenceSummary>[] = [
  { key: 'at', header: 'When', width: '8rem', cell: ({ at }) => <RelativeTime at={at} /> },
  { key: 'user', header: 'Person', cell: ({ user }) => user?.name ?? '—' },
  {
    key: 'url',
    header: 'Page',
    cell: ({ url }) => <Truncated tooltip={url}>{URL.canParse(url) ? new URL(url).pathname : '—'}</Truncated>,
  },
  { key: 'userAgent', header: 'Browser', cell: ({ userAgent }) => browserOf(userAgent) },
  {
    key: 'release',
    header: 'Release',
    cell: ({ release }) => <code className="block truncate font-mono text-small">{release}</code>,
  },
  {
    key: 'repeats',
    header: 'Times',
    align: 'end',
    width: '5rem',
    cell: ({ repeats }) => formatNumber(repeats),
  },
]
