import {
  type DatabasePlanId,
  type DatabaseProviderId,
  databaseNameRule,
  deniedReason,
  isValidDatabaseName,
} from '@bey/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { DatabasePlaces } from '../../data/databases.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { useRead } from '../../data/use-read.ts'
import { databaseHref } from '../../entities/databases/database-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { FormPage, FormPagePlaceholder } from '../../ui/form-page.tsx'
import { Input } from '../../ui/input.tsx'
import { ConnectionFields, connectionOf, emptyConnection } from './connection-fields.tsx'
import { CreationSummary } from './creation-summary.tsx'
import { PlaceChoice } from './place-choice.tsx'
import { PlanChoice } from './plan-choice.tsx'

const title = 'Create database'
const description = 'Nothing is made before you press the button.'

/** Creates a database on this machine, or takes in one that exists. */
export function DatabaseCreatePage() {
  const places = useRead('databases.places', {})
  const failure = failureOf('Failed to read where databases can be created', places)
  if (places.data) return <CreateForm places={places.data} />
  return (
    <FormPagePlaceholder title={title} description={description}>
      {failure ? <ErrorState {...failure} /> : undefined}
    </FormPagePlaceholder>
  )
}

interface Draft {
  provider: DatabaseProviderId
  name: string
  description: string
  plan: DatabasePlanId
  isProtected: boolean
}

function CreateForm({ places }: { places: DatabasePlaces }) {
  const search: { where?: unknown } = useSearch({ strict: false })
  const [draft, setDraft] = useState<Draft>({
    provider: search.where === 'external' ? 'external' : 'embedded',
    name: '',
    description: '',
    plan: 'small',
    isProtected: false,
  })
  const [connection, setConnection] = useState(emptyConnection)
  const navigate = useNavigate()
  const stale = useStaleReason()
  const denied = deniedReason(useRole(), 'databases.create')
  const isExternal = draft.provider === 'external'
  const invalid = problemsOf(draft, connection)
  const {
    errors,
    refusal,
    onChange,
    wasSubmitted: _,
    ...submission
  } = useSubmission({
    mutation: useChange('databases.create', { isSecret: true }),
    invalid,
    input: Object.keys(invalid).length > 0 ? undefined : { body: bodyOf(draft, connection) },
    lost: draft.name === '' && connection.uri === '' ? undefined : 'the database that you describe',
    fieldOfCode: { name_taken: 'name' },
    onSaved: ({ id }) => void navigate({ href: databaseHref(id), replace: true }),
  })
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part })
    onChange()
  }
  const room = places.embedded.plans.find(({ id }) => id === draft.plan)?.refusal ?? undefined
  return (
    <FormPage
      title={title}
      description={description}
      {...submission}
      submitLabel={isExternal ? 'Connect database' : title}
      refusal={refusal === undefined ? undefined : { title: 'The database was not created', detail: refusal }}
      disabledReason={denied ?? stale ?? (isExternal ? undefined : room)}
      cancelHref="/databases"
      summary={<CreationSummary draft={draft} places={places} />}
    >
      <PlaceChoice chosen={draft.provider} onChange={(provider) => change({ provider })} places={places} />
      <Field label="Name" required hint={databaseNameRule} error={errors['name']}>
        {(control) => (
          <Input
            {...control}
            value={draft.name}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </Field>
      {isExternal ? (
        <ConnectionFields
          draft={connection}
          errors={errors}
          disabledReason={denied ?? stale}
          onChange={(part) => {
            setConnection({ ...connection, ...part })
            onChange()
          }}
        />
      ) : (
        <PlanChoice chosen={draft.plan} onChange={(plan) => change({ plan })} places={places} />
      )}
      <Field label="Description" required={false} error={errors['description']}>
        {(control) => (
          <Input
            {...control}
            value={draft.description}
            maxLength={500}
            onChange={(event) => change({ description: event.target.value })}
          />
        )}
      </Field>
      <Checkbox
        label="Protect from deletion"
        hint="It cannot be deleted until the protection is switched off in its settings."
        checked={draft.isProtected}
        onChange={(event) => change({ isProtected: event.target.checked })}
      />
    </FormPage>
  )
}

function problemsOf({ provider, name }: Draft, { uri }: typeof emptyConnection): Record<string, string> {
  const trimmed = name.trim()
  return {
    ...(trimmed === ''
      ? { name: 'Enter a name for the database.' }
      : isValidDatabaseName(trimmed)
        ? {}
        : { name: databaseNameRule }),
    ...(provider === 'external' && uri.trim() === ''
      ? { 'connection.uri': 'Enter a connection string.' }
      : {}),
  }
}

function bodyOf(draft: Draft, connection: typeof emptyConnection) {
  const { name, description: about, plan, isProtected } = draft
  const common = { name: name.trim(), description: about, isProtected }
  return draft.provider === 'embedded'
    ? ({ ...common, provider: 'embedded', plan } as const)
    : ({ ...common, provider: 'external', connection: connectionOf(connection) } as const)
}
