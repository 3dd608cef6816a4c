import { useEffect } from 'react'
import { releases } from 'virtual:changelog'
import { markChangelogSeen } from '../../data/changelog-seen.ts'
import { useUser } from '../../data/session.ts'
import { useClientVersion } from '../../data/version.ts'
import { changeKinds, filterReleases } from '../../lib/changelog.ts'
import { formatCount } from '../../lib/format.ts'
import { oneOf, useListLocation } from '../../lib/list-location.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterInput } from '../../ui/filter-input.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Select } from '../../ui/select.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { ReleaseSection } from './release-section.tsx'

/** What came with each version, from the project's own CHANGELOG.md. */
export function ChangelogPage() {
  const { search, change, clear, isFiltered } = useListLocation()
  const userId = useUser()?.id
  const version = useClientVersion()?.version
  useEffect(() => {
    if (userId !== undefined && version !== undefined) markChangelogSeen(userId, version)
  }, [userId, version])
  const kind = oneOf(changeKinds, search.type)
  const query = search.q ?? ''
  const shown = filterReleases(releases, query, kind)
  const count = shown.reduce(
    (sum, release) => sum + release.groups.reduce((all, group) => all + group.changes.length, 0),
    0,
  )
  return (
    <>
      <PageHeader title="Changelog" description="The changes of each version of Bey, newest first" />
      <Toolbar
        end={
          <output className="text-small text-text-2 tabular-nums">
            {formatCount(count, 'change')}
            {isFiltered ? ' found' : ''}
          </output>
        }
      >
        <FilterInput label="Search changes" value={query} onChange={(q) => change({ q })} />
        <Select
          aria-label="Kind of change"
          controlSize="small"
          value={kind ?? ''}
          onChange={(event) => change({ type: event.target.value })}
          options={[
            { value: '', label: 'All kinds' },
            ...changeKinds.map((each) => ({ value: each, label: each })),
          ]}
        />
      </Toolbar>
      {shown.length === 0 ? (
        <EmptyState
          title={query ? `No change holds "${query}"` : `Nothing of the kind ${kind ?? ''}`}
          description="The changelog holds every version since the first."
          action={
            <Button size="small" onClick={clear}>
              Clear filters
            </Button>
          }
        />
      ) : (
        <div className="px-(--gutter)">
          {shown.map((release) => (
            <ReleaseSection
              key={release.version}
              release={release}
              query={query}
              isCurrent={release.version === version}
            />
          ))}
        </div>
      )}
    </>
  )
}
