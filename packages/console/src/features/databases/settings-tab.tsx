import { databaseLimits, deniedReason } from '@bey/contract'
import { useState } from 'react'
import type { Database } from '../../data/databases.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { causeOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Section } from '../../ui/section.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.ts'
import { QuotaForm } from './changes/quota-form.tsx'
import { SizeForm } from './changes/size-form.tsx'
import { ClusterForm } from './cluster/cluster-form.tsx'
import { ConnectionForm } from './connection-form.tsx'
import { FaultsSection } from './faults-section.tsx'

/** What can be changed about a database. */
export function SettingsTab({ database }: { database: Database }) {
  const stale = useStaleReason()
  const role = useRole()
  const denied = stale ?? deniedReason(role, 'databases.update')
  const failed = (error: unknown) => toast('error', `Failed to change the database: ${causeOf(error)}`)
  const update = useChange('databases.update')
  const params = { id: database.id }
  const protect = (isProtected: boolean) => {
    if (denied) toast('error', denied)
    else update.mutate({ params, body: { isProtected } }, { onError: failed })
  }
  return (
    <div className="flex max-w-3xl flex-col gap-8 px-(--gutter) py-6">
      <Section title="Description" isCard>
        <DescriptionForm key={database.description} database={database} disabledReason={denied} />
      </Section>
      <Section title="Deletion protection" isCard>
        <Switch
          label="Protect from deletion"
          hint="The database cannot be deleted by anyone until this is switched off."
          checked={database.isProtected}
          disabled={denied !== undefined || update.isPending}
          onChange={(event) => protect(event.target.checked)}
        />
      </Section>
      {database.provider === 'embedded' ? (
        <Section title="Size" isCard>
          <SizeForm key={database.plan} database={database} />
        </Section>
      ) : null}
      {database.figures?.diskQuota ? (
        <Section title="Disk quota" isCard>
          <QuotaForm
            key={database.figures.diskQuota.limitBytes}
            database={database}
            quota={database.figures.diskQuota}
          />
        </Section>
      ) : null}
      {database.cluster === null ? null : (
        <Section title="Cluster" isCard>
          <ClusterForm
            key={JSON.stringify(database.cluster)}
            database={database}
            cluster={database.cluster}
          />
        </Section>
      )}
      {database.provider === 'external' ? (
        <Section title="Connection" isCard>
          <ConnectionForm database={database} disabledReason={denied} />
        </Section>
      ) : null}
      {database.provider === 'embedded' ? <FaultsSection database={database} /> : null}
    </div>
  )
}

function DescriptionForm({
  database,
  disabledReason,
}: {
  database: Database
  disabledReason: string | undefined
}) {
  const [text, setText] = useState(database.description)
  const update = useChange('databases.update')
  const save = () =>
    update.mutate(
      { params: { id: database.id }, body: { description: text } },
      { onError: (error) => toast('error', `Failed to change the database: ${causeOf(error)}`) },
    )
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (disabledReason === undefined) save()
      }}
    >
      <div className="min-w-60 flex-1">
        <Field label="What it is for" required={false}>
          {(control) => (
            <Input
              {...control}
              value={text}
              maxLength={databaseLimits.description}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
      </div>
      <Button
        type="submit"
        busy={update.isPending}
        disabledReason={disabledReason}
        disabled={text.trim() === database.description}
      >
        Save
      </Button>
    </form>
  )
}
