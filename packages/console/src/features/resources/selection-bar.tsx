import { deniedReason, isResourceTag, type ResourceRow, resourceTagRule } from '@bey/contract'
import { useState } from 'react'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { useRead } from '../../data/use-read.ts'
import { toastCause } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'

export interface TagFormProps {
  /** At least one. */
  rows: readonly ResourceRow[]
  onDone?: () => void
}

/** Adds a tag to resources, removes one, and sets their owner. */
export function TagForm({ rows, onDone }: TagFormProps) {
  const [tag, setTag] = useState('')
  const change = useChange('resources.tag')
  const members = useRead('members.list', { query: { limit: 200 } })
  const role = useRole()
  const stale = useStaleReason()
  const disabledReason = deniedReason(role, 'resources.update') ?? stale
  const ids = rows.map(({ id }) => id)
  const tags = [...new Set(rows.flatMap((row) => row.tags))].toSorted()
  const wanted = tag.trim()
  const isInvalid = wanted !== '' && !isResourceTag(wanted)
  const send = async (body: { add?: string[]; remove?: string[]; ownerId?: number | null }) => {
    try {
      const { changed } = await change.mutateAsync({ body: { ids, ...body } })
      toast('success', changed === 0 ? 'Nothing changed' : `Changed ${formatCount(changed, 'resource')}`)
      setTag('')
      onDone?.()
    } catch (error) {
      toast('error', 'Failed to change resources', toastCause(error))
    }
  }
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (wanted !== '' && !isInvalid) void send({ add: [wanted] })
      }}
    >
      <span className="w-44">
        <Input
          controlSize="small"
          aria-label="Tag"
          placeholder="Tag, such as team=shop"
          value={tag}
          maxLength={100}
          aria-invalid={isInvalid || undefined}
          title={isInvalid ? resourceTagRule : undefined}
          onChange={({ target }) => setTag(target.value)}
        />
      </span>
      <Button
        type="submit"
        size="small"
        busy={change.isPending}
        disabledReason={
          disabledReason ?? (wanted === '' ? 'Enter a tag' : isInvalid ? resourceTagRule : undefined)
        }
      >
        Add tag
      </Button>
      {tags.length > 0 ? (
        <Select
          aria-label="Remove tag"
          controlSize="small"
          value=""
          disabled={disabledReason !== undefined}
          onChange={({ target }) => void send({ remove: [target.value] })}
          options={[{ value: '', label: 'Remove tag' }, ...tags.map((value) => ({ value, label: value }))]}
        />
      ) : null}
      <Select
        aria-label="Set owner"
        controlSize="small"
        value=""
        disabled={disabledReason !== undefined}
        onChange={({ target }) =>
          void send({ ownerId: target.value === 'none' ? null : Number(target.value) })
        }
        options={[
          { value: '', label: 'Set owner' },
          ...(members.data?.members ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
          { value: 'none', label: 'No owner' },
        ]}
      />
    </form>
  )
}

export interface SelectionBarProps {
  rows: readonly ResourceRow[]
  onClear: () => void
}

/** In the place of the query while resources are selected. */
export function SelectionBar({ rows, onClear }: SelectionBarProps) {
  return (
    <fieldset
      aria-label="Selected resources"
      className="flex min-w-0 grow flex-wrap content-start items-center gap-2"
    >
      <output className="mr-1 flex h-7 items-center font-medium tabular-nums">{rows.length} selected</output>
      <TagForm rows={rows} />
      <Button size="small" variant="ghost" onClick={onClear}>
        Clear selection
      </Button>
    </fieldset>
  )
}
