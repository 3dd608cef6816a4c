import {
  type CallInput,
  type DatabasePlanId,
  type DatabaseProviderId,
  databaseNameRule,
  databaseProviders,
  deniedReason,
  isValidDatabaseName,
  networkProblem,
} from '@bey/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Braces } from 'lucide-react'
import { useState } from 'react'
import type { DatabaseClusterPlace, DatabasePlaces } from '../../data/databases.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { useRead } from '../../data/use-read.ts'
import { databaseHref } from '../../entities/databases/database-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { FormPage, FormPagePlaceholder } from '../../ui/form-page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Input } from '../../ui/input.tsx'
import { asPart, errorsOfPart, newPolicy, policyBody, policyProblems } from './backups/policy-draft.ts'
import { PolicyFields } from './backups/policy-fields.tsx'
import { allowListBody, AllowListFields, type AllowListRow } from './changes/allow-list-fields.tsx'
import { ConnectionFields, connectionOf, emptyConnection } from './connection-fields.tsx'
import {
  chosenPlace,
  clusterBody,
  type ClusterDraft,
  clusterProblems,
  emptyCluster,
} from './cluster/cluster-draft.ts'
import { ClusterFields } from './cluster/cluster-fields.tsx'
import { FoundClusters } from './cluster/found-clusters.tsx'
import { PreviewDialog } from './cluster/preview-dialog.tsx'
import { CreationSummary } from './creation-summary.tsx'
import { useManageDenied } from './manage/use-manage-denied.ts'
import { PlaceChoice } from './place-choice.tsx'
import { PlanChoice } from './plan-choice.tsx'

/** Clusters of CloudNativePG come and go without an event. */
const clustersMs = 15_000
const title = 'Create database'
const description = 'Nothing is created until you press the button.'

/** Creates a database on this machine or on a cluster, or takes in one that exists. */
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
    provider: databaseProviders.find((each) => each === search.where) ?? 'embedded',
    name: '',
    description: '',
    plan: 'small',
    isProtected: false,
  })
  const [connection, setConnection] = useState(emptyConnection)
  const [cluster, setCluster] = useState(emptyCluster)
  const [policy, setPolicy] = useState(newPolicy)
  const [networks, setNetworks] = useState<AllowListRow[]>([])
  const targets = useRead('databases.backupTargets.list', {})
  const [isPreviewing, setPreviewing] = useState(false)
  const navigate = useNavigate()
  const stale = useStaleReason()
  const denied = deniedReason(useRole(), 'databases.create')
  const manageDenied = useManageDenied()
  const isExternal = draft.provider === 'external'
  const isOnCluster = draft.provider === 'cnpg'
  const onClusters = useRead(
    'databases.clusters',
    {},
    { isEnabled: isOnCluster && denied === undefined, refreshMs: clustersMs },
  )
  const clusterPlaces = onClusters.data?.clusters ?? []
  const place = chosenPlace(clusterPlaces, cluster)
  const isEmbedded = draft.provider === 'embedded'
  const invalid = {
    ...problemsOf(draft, connection, cluster),
    ...(isEmbedded ? { ...asPart(policyProblems(policy)), ...networkProblems(networks) } : {}),
  }
  const body =
    Object.keys(invalid).length > 0
      ? undefined
      : bodyOf(draft, connection, cluster, place, {
          backups: policyBody(policy),
          allowList: allowListBody(networks),
        })
  const { errors, refusal, onChange, wasSubmitted, ...submission } = useSubmission({
    mutation: useChange('databases.create', { isSecret: true }),
    invalid,
    input: body && { body },
    lost: draft.name === '' && connection.uri === '' ? undefined : 'the database that you describe',
    fieldOfCode: { name_taken: 'name' },
    // What is refused of the networks has no field of its own.
    hasField: (path) => !path.startsWith('allowList'),
    onSaved: ({ id }) => void navigate({ href: databaseHref(id), replace: true }),
  })
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part })
    onChange()
  }
  const onClusterReason = place === undefined ? 'No cluster is connected.' : (place.problem ?? undefined)
  const clusterFailure = failureOf('Failed to read the connected clusters', onClusters)
  const room = places.embedded.plans.find(({ id }) => id === draft.plan)?.refusal ?? undefined
  return (
    <FormPage
      title={title}
      description={description}
      {...submission}
      submitLabel={isExternal ? 'Connect database' : title}
      refusal={refusal === undefined ? undefined : { title: 'The database was not created', detail: refusal }}
      disabledReason={denied ?? stale ?? (isExternal ? undefined : isOnCluster ? onClusterReason : room)}
      cancelHref="/databases"
      summary={
        <>
          <CreationSummary
            draft={draft}
            places={places}
            cluster={cluster}
            clusterPlace={place}
            policy={policy}
            networks={networks.length}
          />
          {isOnCluster ? (
            <Button
              icon={<Braces size={14} aria-hidden />}
              disabledReason={denied ?? stale ?? onClusterReason}
              disabled={body === undefined}
              onClick={() => setPreviewing(true)}
            >
              Show the objects
            </Button>
          ) : null}
        </>
      }
    >
      <PlaceChoice
        chosen={draft.provider}
        onChange={(provider) => change({ provider })}
        places={places}
        isBackedUpElsewhere={policy.schedule !== null && policy.targetId !== null}
      />
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
      ) : isOnCluster ? (
        clusterFailure ? (
          <ErrorState {...clusterFailure} />
        ) : onClusters.data === undefined ? (
          <Skeleton className="h-64 w-full" />
        ) : (
          <ClusterFields
            places={clusterPlaces}
            draft={cluster}
            errors={errors}
            onChange={(part) => {
              setCluster({ ...cluster, ...part })
              onChange()
            }}
          />
        )
      ) : (
        <>
          <PlanChoice chosen={draft.plan} onChange={(plan) => change({ plan })} places={places} />
          <fieldset className="flex flex-col gap-4">
            <legend className="mb-3 font-semibold">Backups</legend>
            <PolicyFields
              draft={policy}
              targets={targets.data?.targets ?? []}
              errors={errorsOfPart(errors)}
              onChange={(part) => {
                setPolicy({ ...policy, ...part })
                onChange()
              }}
            />
          </fieldset>
          <fieldset className="flex flex-col gap-3">
            <legend className="mb-2 font-semibold">Who may connect</legend>
            <AllowListFields
              rows={networks}
              showsProblems={wasSubmitted}
              disabledReason={manageDenied}
              onChange={(rows) => {
                setNetworks(rows)
                onChange()
              }}
            />
          </fieldset>
        </>
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
      {isOnCluster ? <FoundClusters places={clusterPlaces} disabledReason={denied ?? stale} /> : null}
      {isPreviewing && body?.provider === 'cnpg' ? (
        <PreviewDialog
          body={{ name: body.name, cluster: body.cluster }}
          onClose={() => setPreviewing(false)}
        />
      ) : null}
    </FormPage>
  )
}

const networkProblems = (rows: readonly AllowListRow[]): Record<string, string> =>
  rows.some(({ cidr }) => networkProblem(cidr) !== undefined)
    ? { allowList: 'Write each network as an address and a length.' }
    : {}

function problemsOf(
  { provider, name }: Draft,
  { uri }: typeof emptyConnection,
  cluster: ClusterDraft,
): Record<string, string> {
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
    ...(provider === 'cnpg' ? clusterProblems(cluster) : {}),
  }
}

function bodyOf(
  draft: Draft,
  connection: typeof emptyConnection,
  cluster: ClusterDraft,
  place: DatabaseClusterPlace | undefined,
  embedded: Pick<NonNullable<CallInput<'databases.create'>['body']>, 'backups' | 'allowList'>,
) {
  const { name, description: about, plan, isProtected } = draft
  const common = { name: name.trim(), description: about, isProtected }
  if (draft.provider === 'cnpg') {
    if (place === undefined) return undefined
    return { ...common, provider: 'cnpg', cluster: clusterBody(cluster, place) } as const
  }
  return draft.provider === 'embedded'
    ? ({ ...common, provider: 'embedded', plan, ...embedded } as const)
    : ({ ...common, provider: 'external', connection: connectionOf(connection) } as const)
}
