import { resourceKinds, resourceQueryLimits } from '@bey/contract'
import { ArrowRight, ListFilter } from 'lucide-react'
import { useId, useState } from 'react'
import { kindTitle } from '../../entities/relations/relation-text.ts'
import { ResourcePicker } from './resource-picker.tsx'
import type { SearchChange } from '../../lib/change-search.ts'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { useIsMobile } from '../../ui/use-is-mobile.ts'
import { defaultDepth, type RelationSearch } from './relation-search.ts'

interface RelationToolbarProps {
  search: RelationSearch
  change: (change: SearchChange) => void
  /** Names of the resources that are chosen, by their ids. */
  nameOf: (id: string | undefined) => string | undefined
}

/** What is drawn: the mode, its resources, and the filters, which a phone shows when they are asked for. */
export function RelationToolbar({ search, change, nameOf }: RelationToolbarProps) {
  const { mode, of, from, to, act } = search
  const isMobile = useIsMobile()
  const filtersId = useId()
  const [isOpen, setOpen] = useState(false)
  const count = filterCount(search)
  // Without a resource in the middle the picker is one more filter.
  const hasPicker = !isMobile || isOpen || mode !== 'explore' || of !== undefined
  return (
    <div
      role="toolbar"
      aria-label="What is drawn"
      className="flex flex-wrap items-center gap-2 border-b border-line px-(--gutter) py-2.5"
    >
      <Segmented
        label="Mode"
        value={mode}
        options={[
          { value: 'explore', label: 'Explore' },
          { value: 'path', label: 'Path' },
          { value: 'blast', label: 'Blast radius' },
        ]}
        onChange={(value) => change({ mode: value === 'explore' ? '' : value, page: '' })}
      />
      {isMobile ? (
        <Button
          variant="ghost"
          className="ml-auto"
          icon={<ListFilter size={14} aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={filtersId}
          onClick={() => setOpen(!isOpen)}
        >
          {count === 0 ? 'Filters' : `Filters · ${count}`}
        </Button>
      ) : null}
      {mode === 'path' ? (
        <>
          <ResourcePicker label="from" name={nameOf(from)} onChoose={(id) => change({ from: id })} />
          <ArrowRight size={14} aria-hidden className="text-text-3" />
          <ResourcePicker label="to" name={nameOf(to)} onChoose={(id) => change({ to: id })} />
        </>
      ) : hasPicker ? (
        <ResourcePicker
          label={mode === 'blast' ? 'of' : 'around'}
          name={nameOf(of)}
          onChoose={(id) => change({ of: id, page: '' })}
        />
      ) : null}
      {mode === 'blast' ? (
        <Segmented
          label="What happens to it"
          value={act}
          options={[
            { value: 'fails', label: 'fails' },
            { value: 'deleted', label: 'is deleted' },
          ]}
          onChange={(value) => change({ act: value === 'fails' ? '' : value })}
        />
      ) : null}
      {isMobile && !isOpen ? null : (
        <div
          id={filtersId}
          className={isMobile ? 'flex basis-full flex-wrap items-center gap-2' : 'contents'}
        >
          <RelationFilters search={search} change={change} />
        </div>
      )}
    </div>
  )
}

/** How many filters of a phone's closed panel are set. */
const filterCount = ({ mode, of, kind, label, query, direction, depth, since }: RelationSearch): number =>
  [
    kind !== undefined,
    label !== undefined || query !== undefined,
    since !== 'day',
    mode === 'explore' && of !== undefined && (direction !== 'both' || depth !== defaultDepth),
  ].filter(Boolean).length

function RelationFilters({ search, change }: Pick<RelationToolbarProps, 'search' | 'change'>) {
  const { mode, of, kind, label, query, direction, depth, since } = search
  // A label of an older address is a word of the query.
  const written = query ?? (label === undefined ? '' : `label:${label}`)
  const ask = (text: string) => change({ query: text.trim(), label: '', page: '' })
  return (
    <>
      {mode === 'explore' && of !== undefined ? (
        <>
          <Select
            aria-label="Direction"
            controlSize="small"
            value={direction}
            options={[
              { value: 'both', label: 'Both directions' },
              { value: 'needs', label: 'What it needs' },
              { value: 'needed_by', label: 'What needs it' },
            ]}
            onChange={({ target }) =>
              change({ direction: target.value === 'both' ? '' : target.value, page: '' })
            }
          />
          <Select
            aria-label="Steps"
            controlSize="small"
            value={String(depth)}
            options={[1, 2, 3, 4, 6, 10].map((steps) => ({
              value: String(steps),
              label: steps === 1 ? '1 step' : `${steps} steps`,
            }))}
            onChange={({ target }) => change({ depth: target.value, page: '' })}
          />
          <button
            type="button"
            className="h-7 rounded-control px-2 text-text-2 hover:bg-hover hover:text-text"
            onClick={() => change({ of: '', direction: '', depth: '', page: '' })}
          >
            Show everything
          </button>
        </>
      ) : null}
      <Select
        aria-label="Changes"
        controlSize="small"
        value={since}
        options={[
          { value: 'hour', label: 'Changed in the last hour' },
          { value: 'day', label: 'Changed in the last day' },
          { value: 'week', label: 'Changed in the last week' },
        ]}
        onChange={({ target }) => change({ since: target.value === 'day' ? '' : target.value })}
      />
      <span className="flex gap-2 sm:ml-auto">
        <Input
          aria-label="Query"
          controlSize="small"
          className="w-64 max-w-full"
          placeholder="health:failing label:team=shop"
          maxLength={resourceQueryLimits.length}
          defaultValue={written}
          key={written}
          onBlur={({ target }) => ask(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') ask(event.currentTarget.value)
          }}
        />
        <Select
          aria-label="Kinds"
          controlSize="small"
          value={kind ?? ''}
          options={[
            { value: '', label: 'All kinds' },
            ...resourceKinds.map((each) => ({ value: each.kind, label: kindTitle(each.kind) })),
          ]}
          onChange={({ target }) => change({ kind: target.value, page: '' })}
        />
      </span>
    </>
  )
}
