import type { BoardVariable } from '@bey/contract'
import { boardBounds } from '@bey/contract'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { useRead } from '../../data/use-read.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Input } from '../../ui/input.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Button } from '../../ui/button.tsx'

/** An expression whose series are the names that a variable can have. */
const namesOf: Readonly<Record<BoardVariable, string>> = {
  cluster: 'group by (cluster) (nodes)',
  namespace: 'group by (namespace) (cpu_requested_millicores{namespace=~".+"})',
  database: 'group by (database) (connections_max)',
}

/** Chooses for which clusters, namespaces or databases a board is drawn; none chosen means all. */
export function VariableSelect({
  variable,
  chosen,
  onChange,
}: {
  variable: BoardVariable
  chosen: readonly string[]
  onChange: (names: readonly string[]) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const searchId = useId()
  const { data, isPending, error } = useRead(
    'metrics.query',
    { query: { expr: namesOf[variable], range: 3_600 } },
    { refreshMs: 60_000 },
  )
  const measured = (data?.series ?? []).flatMap(({ labels }) => labels[variable] ?? [])
  // A name that is chosen stays a choice after its thing was deleted.
  const names = [...new Set([...measured, ...chosen])].toSorted()
  const shown = names.filter((name) => name.toLowerCase().includes(search.toLowerCase()))
  const text =
    chosen.length === 0
      ? `all${data ? ` ${data.seriesCount}` : ''}`
      : chosen.length === 1
        ? chosen[0]
        : `${chosen.length} of ${names.length}`
  const toggle = (name: string) =>
    onChange(
      chosen.includes(name)
        ? chosen.filter((each) => each !== name)
        : [...chosen, name].slice(0, boardBounds.maxValues),
    )
  return (
    <Popover
      label={`Choose ${variable}`}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          className="inline-flex h-7 max-w-56 items-center gap-2 rounded-control border border-control px-2.5 text-small touch:h-9"
        >
          <span className="text-text-2">{variable}</span>
          <span className="min-w-0 truncate">{text}</span>
          <ChevronDown size={14} aria-hidden className="text-text-3" />
        </button>
      }
    >
      <div className="flex w-64 flex-col gap-2">
        <label htmlFor={searchId} className="sr-only">
          Search {variable}
        </label>
        <Input
          id={searchId}
          controlSize="small"
          value={search}
          placeholder="Search"
          onChange={(event) => setSearch(event.target.value)}
        />
        <ul className="max-h-64 overflow-auto">
          {shown.map((name) => (
            <li key={name} className="py-1">
              <Checkbox
                label={measured.includes(name) || isPending ? name : `${name} (no longer measured)`}
                checked={chosen.includes(name)}
                onChange={() => toggle(name)}
              />
            </li>
          ))}
        </ul>
        {shown.length === 0 ? (
          <p className="text-small text-text-2">
            {error ? 'The names cannot be read.' : isPending ? 'Loading...' : `No ${variable} is measured.`}
          </p>
        ) : null}
        <Button
          size="small"
          disabledReason={chosen.length === 0 ? 'All are shown.' : undefined}
          onClick={() => onChange([])}
        >
          Show all
        </Button>
      </div>
    </Popover>
  )
}
