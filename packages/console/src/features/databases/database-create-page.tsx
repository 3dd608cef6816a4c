import { databaseLimits, databaseProviders, deniedReason } from '@bey/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Braces } from 'lucide-react'
import { useState } from 'react'
import type { DatabasePlaces } from '../../data/databases.ts'
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
import {
  asPart,
  errorsOfPart,
  newPolicy,
  policyBody,
  type PolicyDraft,
  policyProblems,
} from './backups/policy-draft.ts'
import { PolicyFields } from './backups/policy-fields.tsx'
import { allowListBody, AllowListFields, type AllowListRow } from './changes/allow-list-fields.tsx'
import { ConnectionFields, emptyConnection } from './connection-fields.tsx'
import { chosenPlace, emptyCluster } from './cluster/cluster-draft.ts'
import { chosenTarget, clusterPolicyBody, clusterPolicyProblems } from './cluster/cluster-policy.ts'
import { FoundClusters } from './cluster/found-clusters.tsx'
import { PreviewDialog } from './cluster/preview-dialog.tsx'
import { ClusterPart } from './create/cluster-part.tsx'
import { CreationCommand } from './create/creation-command.tsx'
import {
  bodyOf,
  type CreationDraft,
  networkProblems,
  previewBody,
  problemsOf,
} from './create/creation-draft.ts'
import { CreationSummary } from './create/creation-summary.tsx'
import { ExtensionFields } from './create/extension-fields.tsx'
import { NameField } from './create/name-field.tsx'
import { ParameterFields } from './create/parameter-fields.tsx'
import { PlaceChoice } from './create/place-choice.tsx'
import { PlanChoice } from './create/plan-choice.tsx'
import { QuotaField } from './create/quota-field.tsx'
import { readyText } from './create/ready-text.ts'
import { noSettings, settingsBody, type SettingsDraft, settingsProblems } from './create/settings-draft.ts'
import { useTakenName } from './create/use-taken-name.ts'
import { useManageDenied } from './manage/use-manage-denied.ts'

/** Clusters of CloudNativePG come and go without an event. */
const clustersMs = 15_000
const title = 'Create database'

/** Creates a database on this machine or on a cluster, or takes in one that exists. */
export function DatabaseCreatePage() {
  const places = useRead('databases.places', {})
  const failure = failureOf('Failed to read where databases can be created', places)
  if (places.data) return <CreateForm places={places.data} />
  return (
    <FormPagePlaceholder title={title} description={readyText(null)}>
      {failure ? <ErrorState {...failure} /> : undefined}
    </FormPagePlaceholder>
  )
}

function CreateForm({ places }: { places: DatabasePlaces }) {
  const search: { where?: unknown } = useSearch({ strict: false })
  const [draft, setDraft] = useState<CreationDraft>({
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
  const [settings, setSettings] = useState<SettingsDraft>(noSettings)
  const isTaken = useTakenName(draft.name.trim())
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
  const targetDenied = deniedReason(useRole(), 'databases.backupTargets')
  const known = targets.data?.targets ?? []
  const targetId = chosenTarget(cluster.targetId, known, targetDenied)
  const clusterPolicy = clusterPolicyBody(policy, targetId)
  const problems = settingsProblems(settings, places.embedded.freeDiskBytes)
  const invalid = {
    ...problemsOf(draft, connection, cluster),
    ...(isEmbedded ? { ...asPart(policyProblems(policy)), ...networkProblems(networks), ...problems } : {}),
    ...(isOnCluster ? clusterPolicyProblems(policy, targetId, known) : {}),
  }
  const body =
    Object.keys(invalid).length > 0
      ? undefined
      : bodyOf(draft, connection, cluster, place, {
          embedded: {
            backups: policyBody(policy),
            allowList: allowListBody(networks),
            ...settingsBody(settings),
          },
          onCluster: {
            ...(clusterPolicy !== undefined && { backups: clusterPolicy }),
            ...(cluster.extensions.length > 0 && { extensions: [...cluster.extensions] }),
          },
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
  const change = (part: Partial<CreationDraft>) => {
    setDraft({ ...draft, ...part })
    onChange()
  }
  const changePolicy = (part: Partial<PolicyDraft>) => {
    setPolicy({ ...policy, ...part })
    onChange()
  }
  const changeSettings = (part: Partial<SettingsDraft>) => {
    setSettings({ ...settings, ...part })
    onChange()
  }
  const onClusterReason = place === undefined ? 'No cluster is connected.' : (place.problem ?? undefined)
  const clusterFailure = failureOf('Failed to read the connected clusters', onClusters)
  const room = places.embedded.plans.find(({ id }) => id === draft.plan)?.refusal ?? undefined
  return (
    <FormPage
      title={title}
      description={readyText(isExternal ? null : isOnCluster ? places.readyIn.cnpg : places.readyIn.embedded)}
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
            clusterPolicy={clusterPolicy}
            networks={networks.length}
            settings={settings}
          />
          <CreationCommand body={body} />
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
      <div className="grid gap-4 sm:grid-cols-[3fr_2fr]">
        <NameField
          name={draft.name}
          isTaken={submission.isBusy ? undefined : isTaken}
          error={errors['name']}
          onChange={(name) => change({ name })}
        />
        <Field label="Description" required={false} error={errors['description']}>
          {(control) => (
            <Input
              {...control}
              value={draft.description}
              maxLength={databaseLimits.description}
              onChange={(event) => change({ description: event.target.value })}
            />
          )}
        </Field>
      </div>
      <PlaceChoice
        chosen={draft.provider}
        onChange={(provider) => change({ provider })}
        places={places}
        isBackedUpElsewhere={policy.schedule !== null && policy.targetId !== null}
      />
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
          <ClusterPart
            places={clusterPlaces}
            draft={cluster}
            policy={policy}
            targetId={targetId}
            targets={known}
            errors={errors}
            denied={{ targets: targetDenied, extensions: manageDenied }}
            onPolicy={changePolicy}
            onChange={(part) => {
              setCluster({ ...cluster, ...part })
              onChange()
            }}
          />
        )
      ) : (
        <>
          <PlanChoice chosen={draft.plan} onChange={(plan) => change({ plan })} places={places} />
          <div className="grid gap-4 sm:grid-cols-2">
            <QuotaField
              quota={settings.quota}
              freeDiskBytes={places.embedded.freeDiskBytes}
              plan={draft.plan}
              error={errors['diskQuotaBytes']}
              disabledReason={manageDenied}
              onChange={(quota) => changeSettings({ quota })}
            />
          </div>
          <fieldset className="flex flex-col gap-4">
            <legend className="mb-3 font-semibold">Backups</legend>
            <PolicyFields
              draft={policy}
              targets={known}
              errors={errorsOfPart(errors)}
              onChange={changePolicy}
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
          <ExtensionFields
            offered={places.embedded.extensions}
            chosen={settings.extensions}
            errors={errors}
            disabledReason={manageDenied}
            onChange={(extensions) => changeSettings({ extensions })}
          />
          <ParameterFields
            parameters={settings.parameters}
            plan={draft.plan}
            errors={errors}
            problems={problems}
            disabledReason={manageDenied}
            onChange={(parameters) => changeSettings({ parameters })}
          />
        </>
      )}
      <Checkbox
        label="Protect from deletion"
        hint="It cannot be deleted until the protection is switched off in its settings."
        checked={draft.isProtected}
        onChange={(event) => change({ isProtected: event.target.checked })}
      />
      {isOnCluster ? <FoundClusters places={clusterPlaces} disabledReason={denied ?? stale} /> : null}
      {isPreviewing && body?.provider === 'cnpg' ? (
        <PreviewDialog body={previewBody(body)} onClose={() => setPreviewing(false)} />
      ) : null}
    </FormPage>
  )
}
