import type { KeyResource, LimitableType } from '@bey/contract'
import { entityOf, limitableTypes, pluralLabel } from '@bey/contract'
import { X } from 'lucide-react'
import { useState } from 'react'
import { useClusters } from '../../data/clusters.ts'
import { useList } from '../../data/use-read.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Select } from '../../ui/select.tsx'

export interface ResourcePickerProps {
  chosen: readonly KeyResource[]
  error: string | undefined
  onChange: (chosen: readonly KeyResource[]) => void
}

type Option = KeyResource & { name: string }

/** The things that a key is limited to: chosen by type and name. */
export function ResourcePicker({ chosen, error, onChange }: ResourcePickerProps) {
  const [type, setType] = useState<LimitableType>('cluster')
  const options = useOptions()
  const isChosen = ({ type: of, id }: KeyResource) =>
    chosen.some((each) => each.type === of && each.id === id)
  const free = options.filter((each) => each.type === type && !isChosen(each))
  const { singular } = entityOf(type)
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        <Select
          aria-label="Type of resource"
          value={type}
          options={limitableTypes.map((value) => ({ value, label: pluralLabel(value) }))}
          onChange={(event) => setType(event.target.value as LimitableType)}
        />
        <Select
          aria-label={`Add a ${singular}`}
          aria-invalid={error ? true : undefined}
          className="min-w-0 flex-1"
          value=""
          options={[
            { value: '', label: free.length > 0 ? `Add a ${singular}…` : `No other ${singular}` },
            ...free.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={({ target }) => target.value && onChange([...chosen, { type, id: target.value }])}
        />
      </div>
      {chosen.length > 0 ? (
        <ul className="divide-y divide-line rounded-control border border-line">
          {chosen.map((each) => {
            const name =
              options.find(({ type: of, id }) => of === each.type && id === each.id)?.name ?? each.id
            return (
              <li key={`${each.type} ${each.id}`} className="flex items-center gap-2 py-0.5 pr-1 pl-3">
                <span className="min-w-0 flex-1 truncate">
                  {name} <span className="text-text-3">{entityOf(each.type).singular}</span>
                </span>
                <IconButton
                  label={`Remove ${name}`}
                  size="small"
                  icon={<X size={14} aria-hidden />}
                  onClick={() => onChange(chosen.filter((other) => other !== each))}
                />
              </li>
            )
          })}
        </ul>
      ) : null}
      <p role="alert" className={error ? 'text-small text-danger' : 'hidden'}>
        {error}
      </p>
    </div>
  )
}

const page = { limit: 200, order: 'asc' } as const

/** The first 200 of each type, which is more than anybody chooses from by a list. */
function useOptions(): Option[] {
  const clusters = useClusters({ ...page, sort: 'title' }).data?.clusters ?? []
  const workflows = useList('workflows.list', { query: { ...page, sort: 'name' } }).data?.workflows ?? []
  const secrets = useList('secrets.list', { query: { ...page, sort: 'name' } }).data?.secrets ?? []
  return [
    ...clusters.map(({ id, title }) => ({ type: 'cluster' as const, id: String(id), name: title })),
    ...workflows.map(({ id, name }) => ({ type: 'workflow' as const, id, name })),
    ...secrets.map(({ id, name }) => ({ type: 'secret' as const, id, name })),
  ]
}
