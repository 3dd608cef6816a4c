import { effectiveAllowList, networkProblem } from '@bey/contract'
import { useState } from 'react'
import type { ChangeBody } from '../../../data/database-changes.ts'
import type { Database } from '../../../data/databases.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Section } from '../../../ui/section.tsx'
import { useManageDenied } from '../manage/use-manage-denied.ts'
import { allowListBody, AllowListFields, type AllowListRow } from './allow-list-fields.tsx'
import { ChangeDialog } from './change-dialog.tsx'

type Entry = Database['allowList'][number]

/** From where a database on the machine of Bey is reached. */
export function AllowListCard({ database }: { database: Database }) {
  const [isEditing, setEditing] = useState(false)
  const [body, setBody] = useState<ChangeBody>()
  const denied = useManageDenied()
  const state = database.status === 'available' ? undefined : `It is ${database.status}.`
  return (
    <Section
      title="Allow-list"
      isCard
      aside={
        <Button size="small" disabledReason={denied ?? state} onClick={() => setEditing(true)}>
          Edit…
        </Button>
      }
    >
      <ul className="divide-y divide-line">
        <li className="flex justify-between gap-3 py-1.5 first:pt-0">
          <span className="font-mono text-small">127.0.0.1</span>
          <span className="text-text-2">the machine of Bey</span>
        </li>
        {effectiveAllowList(database).map(({ cidr, about }) => (
          <li key={cidr} className="flex justify-between gap-3 py-1.5">
            <span className="font-mono text-small">{cidr}</span>
            <span className="min-w-0 truncate text-text-2" title={about}>
              {about}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-small text-text-3">
        {database.networkAccess !== null
          ? `It takes part in the isolated network ${database.networkAccess.network}, whose ranges replace its own list${database.allowList.length === 0 ? '' : ` (${database.allowList.map(({ cidr }) => cidr).join(', ')})`}.`
          : database.allowList.length === 0
            ? 'The server listens on the loopback address, so that only programs on this machine reach it.'
            : 'The server listens on every address of the machine and admits these networks by password, over TLS alone.'}
      </p>
      {isEditing && body === undefined ? (
        <EditDialog
          entries={database.allowList}
          onClose={() => setEditing(false)}
          onChosen={(allowList) => setBody({ allowList })}
        />
      ) : null}
      {body === undefined ? null : (
        <ChangeDialog
          database={database}
          body={body}
          onClose={() => setBody(undefined)}
          onStarted={() => {
            setBody(undefined)
            setEditing(false)
          }}
        />
      )}
    </Section>
  )
}

function EditDialog({
  entries,
  onClose,
  onChosen,
}: {
  entries: readonly Entry[]
  onClose: () => void
  onChosen: (entries: Entry[]) => void
}) {
  const [rows, setRows] = useState(() => entries.map((entry, key): AllowListRow => ({ ...entry, key })))
  const [wasSubmitted, setSubmitted] = useState(false)
  const submit = () => {
    setSubmitted(true)
    if (rows.some(({ cidr }) => networkProblem(cidr) !== undefined)) return
    onChosen(allowListBody(rows))
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Networks that reach the database"
      description="Beside the machine of Bey itself. Clients still need a user and a password."
      isModalStrict
    >
      <form
        className="flex flex-col gap-3 pb-1"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <AllowListFields rows={rows} showsProblems={wasSubmitted} onChange={setRows} />
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary">
            Show the plan
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
