import { useState } from 'react'
import { type Network, type NetworkSpace, useNetworkPlan } from '../../data/networks.ts'
import { useChange } from '../../data/use-change.ts'
import { useRead } from '../../data/use-read.ts'
import { useNetworkActions } from '../../entities/networks/use-network-actions.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { bodyOf, type Draft, draftProblems } from './network-draft.ts'
import { NetworkFields } from './network-fields.tsx'
import { PlanSummary, useRested } from './plan-summary.tsx'

/** What can be changed about a network, with what that would do. */
export function SettingsTab({ network }: { network: Network }) {
  const space = useRead('networks.space', {})
  const failure = failureOf('Failed to read which addresses are free', space)
  if (space.data) return <ChangeForm network={network} space={space.data} />
  if (failure) return <ErrorState {...failure} />
  return (
    <DelayedSkeleton>
      <Skeleton className="m-(--gutter) h-64" />
    </DelayedSkeleton>
  )
}

function ChangeForm({ network, space }: { network: Network; space: NetworkSpace }) {
  const { changeReason } = useNetworkActions(network)
  const before = draftOf(network)
  const [draft, setDraft] = useState<Draft>(before)
  const [about, setAbout] = useState(network.description)
  const claims = space.claims.filter(({ networkId }) => networkId !== network.id)
  const invalid = draftProblems(draft, claims)
  const body = bodyOf(draft)
  const isValid = Object.keys(invalid).length === 0
  const rested = useRested(isValid ? { ...body, networkId: network.id } : undefined)
  const plan = useNetworkPlan(rested)
  const isSame = JSON.stringify(body) === JSON.stringify(bodyOf(before))
  const isWhole = isSame && about === network.description
  const { errors, refusal, onChange, onSubmit, isBusy } = useSubmission({
    mutation: useChange('networks.update'),
    invalid,
    input:
      Object.keys(invalid).length > 0
        ? undefined
        : {
            params: { id: network.id },
            body: { ...(isSame ? {} : body), description: about, version: network.version },
          },
    lost: isWhole ? undefined : 'the changes of this network',
    onSaved: () => toast('success', 'The network was changed.'),
  })
  return (
    <form
      noValidate
      aria-label="Change network"
      className="grid items-start gap-x-10 gap-y-8 px-(--gutter) py-6 lg:grid-cols-[minmax(0,1fr)_24rem]"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <div className="flex min-w-0 flex-col gap-6">
        <NetworkFields
          draft={draft}
          claims={claims}
          errors={{ ...invalid, ...errors }}
          onChange={(part) => {
            setDraft({ ...draft, ...part })
            onChange()
          }}
        />
        <Field label="Description" required={false} error={errors['description']}>
          {(control) => (
            <Input
              {...control}
              value={about}
              maxLength={500}
              onChange={(event) => {
                setAbout(event.target.value)
                onChange()
              }}
            />
          )}
        </Field>
      </div>
      <div className="flex flex-col gap-4">
        <PlanSummary
          isValid={isValid}
          plan={plan}
          nothing="No cluster is changed: its policies are as they would be."
        />
        {refusal === undefined ? null : (
          <Notice tone="danger" title="The network was not changed">
            {refusal}
          </Notice>
        )}
        <Button
          type="submit"
          variant="primary"
          busy={isBusy}
          disabledReason={changeReason ?? (isWhole ? 'Nothing is changed.' : undefined)}
        >
          Save changes
        </Button>
      </div>
    </form>
  )
}

function draftOf({ cidr, cidr6, isIsolated, policyKind, subnets, sets, attachments }: Network): Draft {
  return {
    cidr,
    cidr6: cidr6 ?? '',
    isIsolated,
    policyKind,
    subnets: subnets.map((each) => ({ ...each })),
    sets,
    attachments: attachments.map(({ kind, clusterId, namespace, databaseId }) => {
      if (kind === 'database') return { kind, databaseId: databaseId ?? '' }
      if (kind === 'cluster') return { kind, clusterId: clusterId ?? 0 }
      return { kind, clusterId: clusterId ?? 0, namespace: namespace ?? '' }
    }),
  }
}
