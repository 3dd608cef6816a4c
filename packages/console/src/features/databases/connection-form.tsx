import { useState } from 'react'
import type { Database } from '../../data/databases.ts'
import { useChange } from '../../data/use-change.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.ts'
import { ConnectionFields, connectionOf, emptyConnection } from './connection-fields.tsx'

/** Another way to an external database. What it has now is not filled in: its password is in the secret. */
export function ConnectionForm({
  database,
  disabledReason,
}: {
  database: Database
  disabledReason: string | undefined
}) {
  const [draft, setDraft] = useState(emptyConnection)
  const isEmpty = draft.uri.trim() === ''
  const { errors, refusal, isBusy, onChange, onSubmit } = useSubmission({
    mutation: useChange('databases.reconnect', { isSecret: true }),
    invalid: isEmpty ? { 'connection.uri': 'Enter a connection string.' } : {},
    input: isEmpty ? undefined : { params: { id: database.id }, body: { connection: connectionOf(draft) } },
    lost: isEmpty ? undefined : 'the connection that you describe',
    onSaved: () => {
      setDraft(emptyConnection)
      toast('success', 'The connection was changed')
    },
  })
  return (
    <form
      noValidate
      aria-label="Connection"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <ConnectionFields
        draft={draft}
        errors={errors}
        disabledReason={disabledReason}
        onChange={(part) => {
          setDraft({ ...draft, ...part })
          onChange()
        }}
      />
      {refusal === undefined ? null : (
        <Notice tone="danger" title="The connection was not changed">
          {refusal}
        </Notice>
      )}
      <div>
        <Button type="submit" busy={isBusy} disabledReason={disabledReason}>
          Change the connection
        </Button>
      </div>
    </form>
  )
}
