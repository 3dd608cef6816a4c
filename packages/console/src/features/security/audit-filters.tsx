import type { AuditEntry } from '@bey/contract'
import { actorText, auditActionText, auditClasses, auditOutcomes } from '@bey/contract'
import { X } from 'lucide-react'
import type { AuditSearch } from '../../entities/audit/audit-href.ts'
import { auditClassLabels } from '../../entities/audit/audit-text.ts'
import { FilterInput } from '../../ui/filter-input.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { Input } from '../../ui/input.tsx'
import { absoluteTime } from '../../ui/time-text.ts'
import type { useAuditLocation } from './audit-search.ts'
import { dayOf, dayRange } from './day-range.ts'
import { useRead } from '../../data/use-read.ts'

const outcomeLabels = { success: 'Done', failure: 'Failed', denied: 'Refused', unknown: 'End unknown' }

type Location = ReturnType<typeof useAuditLocation>

/** By what the log is narrowed; each choice is in the address. */
export function AuditFilters({
  location,
  entries,
}: {
  location: Location
  /** On screen: what occurs in them is a choice at once. */
  entries: readonly AuditEntry[]
}) {
  const { search, change } = location
  const choices = useRead('audit.choices', {}, { isEnabled: true }).data
  return (
    <>
      <FilterInput
        label="Actor, action, resource, address or request id"
        value={search.q ?? ''}
        onChange={(q) => change({ q }, { replace: true })}
      />
      <div className="w-36">
        <Input
          type="date"
          aria-label="Day"
          controlSize="small"
          value={dayOf(search.from, search.to) ?? ''}
          onChange={({ target }) => change(dayRange(target.value))}
        />
      </div>
      <FilterSelect
        label="Actor"
        all="Anyone"
        className="max-w-40"
        value={search.actor}
        options={withShown(choices?.actors, entries.map(actorChoice))}
        onChange={(actor) => change({ actor })}
      />
      <FilterSelect
        label="Kind of action"
        all="All kinds"
        value={search.class}
        options={auditClasses.map((value) => ({ value, label: auditClassLabels[value] }))}
        onChange={(value) => change({ class: value })}
      />
      <FilterSelect
        label="Action"
        all="All actions"
        className="max-w-44"
        value={search.action}
        options={withShown(
          choices?.actions,
          entries.map(({ action }) => ({ value: action, label: auditActionText(action) })),
        )}
        onChange={(action) => change({ action })}
      />
      <FilterSelect
        label="Outcome"
        all="Any outcome"
        value={search.outcome}
        options={auditOutcomes.map((value) => ({ value, label: outcomeLabels[value] }))}
        onChange={(outcome) => change({ outcome })}
      />
    </>
  )
}

interface Choice {
  value: string
  label: string
}

const actorChoice = ({ actor }: AuditEntry): Choice => ({
  value: actor.id ?? `name:${actor.name}`,
  label: actorText(actor),
})

function withShown(choices: readonly Choice[] = [], shown: readonly Choice[]): Choice[] {
  const byValue = new Map([...shown, ...choices].map((choice) => [choice.value, choice]))
  return [...byValue.values()].toSorted((a, b) => a.label.localeCompare(b.label))
}

/** What of the address no control above shows, each to be removed. */
export function AuditChips({ location: { search, change } }: { location: Location }) {
  const chips = chipsOf(search)
  if (chips.length === 0) return null
  return (
    <ul
      aria-label="More filters"
      className="flex shrink-0 flex-wrap gap-2 border-b border-line px-(--gutter) py-2"
    >
      {chips.map(({ label, removal }) => (
        <li key={label}>
          <button
            type="button"
            onClick={() => change(removal)}
            className="inline-flex min-h-6 max-w-full items-center gap-1.5 rounded-badge border border-line-strong px-2 text-small hover:bg-hover"
          >
            <span className="truncate">{label}</span>
            <X size={12} aria-hidden />
            <span className="sr-only">Remove this filter</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

type Chip = { label: string; removal: Partial<AuditSearch> }

function chipsOf(search: AuditSearch): Chip[] {
  const { targetType, targetId, object, ip, request, from, to } = search
  const isDay = dayOf(from, to) !== undefined
  const time = (text: string) => absoluteTime(new Date(text))
  const chips: (Chip | false | undefined)[] = [
    (targetType ?? targetId) !== undefined && {
      label: `About ${[targetType, targetId].filter(Boolean).join(' ')}`,
      removal: { targetType: '', targetId: '', object: '' },
    },
    object !== undefined && { label: `Object ${object}`, removal: { object: '' } },
    ip !== undefined && { label: `From ${ip}`, removal: { ip: '' } },
    request !== undefined && { label: `Request ${request}`, removal: { request: '' } },
    from !== undefined && !isDay && { label: `Since ${time(from)}`, removal: { from: '' } },
    to !== undefined && !isDay && { label: `Before ${time(to)}`, removal: { to: '' } },
  ]
  return chips.filter((chip) => typeof chip === 'object')
}

/** The filters in words, for an empty list. */
export function auditFilterText(search: AuditSearch): string {
  const { q, actor, action, outcome } = search
  return [
    q,
    actor,
    action && auditActionText(action),
    outcome,
    search.class,
    dayOf(search.from, search.to),
    ...chipsOf(search).map(({ label }) => label),
  ]
    .filter(Boolean)
    .join(' · ')
}
