import { Plus, X } from 'lucide-react'
import { useId } from 'react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import type { FieldErrors } from '../../lib/use-submission.ts'
import type { ClusterDraft, GroupDraft } from './cluster-form.ts'
import { withGroup } from './cluster-form.ts'

const maxGroups = 20

export interface NodeGroupsEditorProps {
  draft: ClusterDraft
  onChange: (draft: ClusterDraft) => void
  errors: FieldErrors
}

const fields = [
  { name: 'name', path: 'name', label: 'Name', unit: undefined },
  { name: 'count', path: 'count', label: 'Nodes', unit: undefined },
  { name: 'cpuCores', path: 'cpuCores', label: 'Cores each', unit: undefined },
  { name: 'memoryGib', path: 'memoryBytes', label: 'Memory each', unit: 'GiB' },
] as const

/** Groups of equal nodes, a row each. */
export function NodeGroupsEditor({ draft, onChange, errors }: NodeGroupsEditorProps) {
  const change = (key: number, part: Partial<GroupDraft>) =>
    onChange({
      ...draft,
      groups: draft.groups.map((group) => (group.key === key ? { ...group, ...part } : group)),
    })
  const remove = (key: number) =>
    onChange({ ...draft, groups: draft.groups.filter((group) => group.key !== key) })
  const isFull = draft.groups.length >= maxGroups
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 font-semibold">Node groups</legend>
      <ul className="flex flex-col divide-y divide-line rounded-card border border-line">
        {draft.groups.map((group, index) => (
          <GroupRow
            key={group.key}
            group={group}
            index={index}
            errors={errors}
            onChange={(part) => change(group.key, part)}
            onRemove={() => remove(group.key)}
            removeReason={draft.groups.length === 1 ? 'A cluster needs at least one node group.' : undefined}
          />
        ))}
      </ul>
      <p role="alert" className={cx('text-small text-danger', !errors['nodeGroups'] && 'hidden')}>
        {errors['nodeGroups']}
      </p>
      <Button
        size="small"
        icon={<Plus size={14} aria-hidden />}
        onClick={() => onChange(withGroup(draft))}
        disabledReason={isFull ? `A cluster has at most ${maxGroups} node groups.` : undefined}
        className="self-start"
      >
        Add node group
      </Button>
    </fieldset>
  )
}

interface GroupRowProps {
  group: GroupDraft
  index: number
  errors: FieldErrors
  onChange: (part: Partial<GroupDraft>) => void
  onRemove: () => void
  removeReason: string | undefined
}

function GroupRow({ group, index, errors, onChange, onRemove, removeReason }: GroupRowProps) {
  const id = useId()
  return (
    <li className="flex items-start gap-2 p-3">
      <div className="grid min-w-0 flex-1 grid-cols-2 gap-3 sm:grid-cols-[2fr_1fr_1fr_1fr]">
        {fields.map(({ name, path, label, unit }) => {
          const error = errors[`nodeGroups.${index}.${path}`]
          const controlId = `${id}-${name}`
          return (
            <div key={name} className="flex min-w-0 flex-col gap-1">
              <label htmlFor={controlId} className="text-small text-text-2">
                {label}
              </label>
              <Input
                id={controlId}
                inputMode={name === 'name' ? 'text' : 'numeric'}
                autoComplete="off"
                spellCheck={false}
                value={group[name]}
                onChange={(event) => onChange({ [name]: event.target.value })}
                aria-invalid={error ? true : undefined}
                aria-describedby={error ? `${controlId}-error` : undefined}
                trailing={unit ? <span className="pr-1 text-small text-text-3">{unit}</span> : undefined}
              />
              {error ? (
                <p id={`${controlId}-error`} className="text-small text-danger">
                  {error}
                </p>
              ) : null}
            </div>
          )
        })}
      </div>
      <IconButton
        label={`Remove ${group.name || `group ${index + 1}`}`}
        icon={<X size={16} aria-hidden />}
        onClick={onRemove}
        disabledReason={removeReason}
        className="mt-5"
      />
    </li>
  )
}
