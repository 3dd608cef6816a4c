import type { DatabaseTest } from '../../data/databases.ts'
import { useChange } from '../../data/use-change.ts'
import { engineText } from '../../entities/databases/database-text.ts'
import { causeOf } from '../../lib/error-text.ts'
import { formatBytes, formatDuration, formatNumber } from '../../lib/format.ts'
import type { FieldErrors } from '../../lib/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextArea } from '../../ui/text-area.tsx'

export interface ConnectionDraft {
  uri: string
  caPem: string
}

export const emptyConnection: ConnectionDraft = { uri: '', caPem: '' }

/** A draft as it is sent. */
export const connectionOf = ({ uri, caPem }: ConnectionDraft) => ({
  uri: uri.trim(),
  ...(caPem.trim() === '' ? {} : { caPem }),
})

export interface ConnectionFieldsProps {
  draft: ConnectionDraft
  errors: FieldErrors
  /** Why the server may not be asked. */
  disabledReason: string | undefined
  onChange: (part: Partial<ConnectionDraft>) => void
}

/** How an existing server is reached, with a trial that stores nothing. */
export function ConnectionFields({ draft, errors, disabledReason, onChange }: ConnectionFieldsProps) {
  const trial = useChange('databases.test', { isSecret: true })
  const change = (part: Partial<ConnectionDraft>) => {
    trial.reset()
    onChange(part)
  }
  return (
    <>
      <Field
        label="Connection string"
        required
        hint="postgresql://user:password@host:5432/database?sslmode=verify-full, or one that begins with mysql://, redis:// or rediss://. The password is kept as a secret."
        error={errors['connection.uri']}
      >
        {(control) => (
          <Input
            {...control}
            // Not a password field, for most of it must be read to be right; the browser must not keep it all the same.
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            className="font-mono text-small"
            placeholder="postgresql://, mysql:// or redis://"
            value={draft.uri}
            onChange={(event) => change({ uri: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Certificates of its authority"
        required={false}
        hint="In PEM, for sslmode verify-ca and verify-full where the authority is your own."
        error={errors['connection.caPem']}
      >
        {(control) => (
          <TextArea
            {...control}
            rows={3}
            spellCheck={false}
            className="font-mono text-small"
            value={draft.caPem}
            onChange={(event) => change({ caPem: event.target.value })}
          />
        )}
      </Field>
      <div className="flex flex-col items-start gap-3">
        <Button
          busy={trial.isPending}
          disabledReason={disabledReason}
          disabled={draft.uri.trim() === ''}
          onClick={() => trial.mutate({ body: { connection: connectionOf(draft) } })}
        >
          Test connection
        </Button>
        <div aria-live="polite" className="w-full">
          {trial.data ? <TestResult test={trial.data} /> : null}
          {trial.error ? <Notice tone="danger" title={causeOf(trial.error)} /> : null}
        </div>
      </div>
    </>
  )
}

function TestResult({ test }: { test: DatabaseTest }) {
  const { isReachable, problem, engine, version, sizeBytes, maxConnections, durationMs, isEncrypted, notes } =
    test
  if (!isReachable)
    return (
      <Notice tone="danger" title="The server cannot be reached">
        {problem}
      </Notice>
    )
  return (
    <Notice tone="info" title={`${engineText({ engine, version })} answers`}>
      <p>
        {formatBytes(sizeBytes)}, up to {formatNumber(maxConnections)} connections,{' '}
        {isEncrypted === true ? 'encrypted' : 'not encrypted'}, in {formatDuration(durationMs)}.
      </p>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </Notice>
  )
}
