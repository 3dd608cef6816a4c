import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { useRead } from '../../data/use-read.ts'
import { Input } from '../../ui/input.tsx'
import { Popover } from '../../ui/popover.tsx'
import { placeText } from '../../entities/relations/relation-text.ts'

interface ResourcePickerProps {
  /** Before the name: `from`. */
  label: string
  /** Name of the chosen resource; undefined where none is. */
  name: string | undefined
  onChoose: (id: string) => void
}

/** Chooses one resource of the organization by a part of its name. */
export function ResourcePicker({ label, name, onChoose }: ResourcePickerProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      label={`Choose a resource: ${label}`}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          className="inline-flex h-7 max-w-60 items-center gap-1.5 rounded-control border border-control bg-raised px-2.5 hover:bg-hover touch:h-9"
        >
          <span className="text-text-2">{label}</span>
          <span className={name === undefined ? 'truncate text-text-2' : 'truncate font-medium'}>
            {name ?? 'choose a resource'}
          </span>
          <ChevronDown size={14} aria-hidden className="shrink-0 text-text-3" />
        </button>
      }
    >
      <Choices
        label={label}
        onChoose={(id) => {
          setOpen(false)
          onChoose(id)
        }}
      />
    </Popover>
  )
}

function Choices({ label, onChoose }: { label: string; onChoose: (id: string) => void }) {
  const [search, setSearch] = useState('')
  const { data } = useRead('relations.find', { query: { search } })
  const listId = useId()
  return (
    <div className="w-80 max-w-full">
      <Input
        aria-label={`Find a resource: ${label}`}
        aria-controls={listId}
        placeholder="Part of a name"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <ul id={listId} className="mt-2 max-h-72 overflow-y-auto">
        {data?.resources.map((resource) => (
          <li key={resource.id}>
            <button
              type="button"
              onClick={() => onChoose(resource.id)}
              className="flex w-full flex-col rounded-control px-2 py-1 text-left hover:bg-hover"
            >
              <span className="max-w-full truncate">{resource.name}</span>
              <span className="max-w-full truncate text-small text-text-2">{placeText(resource)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p aria-live="polite" className="mt-1 text-small text-text-2">
        {data === undefined
          ? 'Searching …'
          : data.total === 0
            ? 'No resource has a name like that.'
            : data.total > data.resources.length
              ? `${data.resources.length} of ${data.total}; type more of the name.`
              : ' '}
      </p>
    </div>
  )
}
