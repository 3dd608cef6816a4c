import { Input } from '../../ui/input.tsx'
import type { SyncDraft } from './use-sync-draft.ts'

interface SyncKeyFieldsProps {
  draft: SyncDraft
  sources: readonly string[]
  kubernetesType: string
  /** Why these keys make no Secret. */
  problem: string | undefined
  /** What the server says of them. */
  error: string | undefined
  onChange: (part: Partial<SyncDraft>) => void
}

/** Which part of the value is written under which key. */
export function SyncKeyFields({
  draft,
  sources,
  kubernetesType,
  problem,
  error,
  onChange,
}: SyncKeyFieldsProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">Keys</legend>
      {sources.map((source) => (
        <label key={source} className="grid grid-cols-[9rem_minmax(0,1fr)] items-center gap-3">
          <span className="truncate text-text-2">{source}</span>
          <Input
            controlSize="small"
            className="font-mono"
            placeholder="not written"
            value={draft.keyOf[source] ?? ''}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onChange({ keyOf: { ...draft.keyOf, [source]: event.target.value } })}
          />
        </label>
      ))}
      <output className={problem ? 'text-small text-danger' : 'text-small text-text-3'}>
        {problem ?? error ?? `Written as a Secret of the type ${kubernetesType}.`}
      </output>
    </fieldset>
  )
}
