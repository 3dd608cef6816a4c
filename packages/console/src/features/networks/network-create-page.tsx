import { deniedReason } from '@bey/contract'
import { isValidNetworkName, networkNameRule } from '@bey/contract/networks/rules'
import { parseRange, placesFor, rangeOf } from '@bey/contract/networks/ranges'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type NetworkSpace, useNetworkPlan } from '../../data/networks.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { useRead } from '../../data/use-read.ts'
import { networkHref } from '../../entities/networks/network-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { FormPage, FormPagePlaceholder } from '../../ui/form-page.tsx'
import { Input } from '../../ui/input.tsx'
import { bodyOf, type Draft, draftProblems } from './network-draft.ts'
import { NetworkFields } from './network-fields.tsx'
import { PlanSummary, useRested } from './plan-summary.tsx'

const title = 'Create network'
const description = 'Nothing is changed until you press the button.'

/** Plans a range of addresses apart from all others, and says who takes part. */
export function NetworkCreatePage() {
  const space = useRead('networks.space', {})
  const failure = failureOf('Failed to read which addresses are free', space)
  if (space.data) return <CreateForm space={space.data} />
  return (
    <FormPagePlaceholder title={title} description={description}>
      {failure ? <ErrorState {...failure} /> : undefined}
    </FormPagePlaceholder>
  )
}

function CreateForm({ space }: { space: NetworkSpace }) {
  const [name, setName] = useState('')
  const [about, setAbout] = useState('')
  const [region, setRegion] = useState('')
  const [draft, setDraft] = useState<Draft>(() => ({
    cidr: firstFree(space),
    cidr6: '',
    isIsolated: false,
    policyKind: 'NetworkPolicy',
    subnets: [],
    sets: [],
    attachments: [],
  }))
  const navigate = useNavigate()
  const stale = useStaleReason()
  const denied = deniedReason(useRole(), 'networks.create')
  const ofDraft = draftProblems(draft, space.claims)
  const invalid = { ...nameProblem(name), ...ofDraft }
  const body = bodyOf(draft)
  const isValid = Object.keys(ofDraft).length === 0
  const hasName = isValidNetworkName(name.trim())
  const rested = useRested(isValid ? { ...body, ...(hasName && { name: name.trim() }) } : undefined)
  const plan = useNetworkPlan(rested)
  const {
    errors,
    refusal,
    onChange,
    wasSubmitted: _,
    ...submission
  } = useSubmission({
    mutation: useChange('networks.create'),
    invalid,
    input:
      Object.keys(invalid).length > 0
        ? undefined
        : { body: { ...body, name: name.trim(), description: about, region } },
    lost: name === '' ? undefined : 'the network that you describe',
    fieldOfCode: { name_taken: 'name' },
    onSaved: ({ id }) => void navigate({ href: networkHref(id), replace: true }),
  })
  // A collision is seen while one types; what is not there yet, once it is asked for.
  const shown = draft.cidr === '' ? errors : { ...onlyRanges(ofDraft), ...errors }
  return (
    <FormPage
      title={title}
      description={description}
      {...submission}
      refusal={refusal === undefined ? undefined : { title: 'The network was not created', detail: refusal }}
      disabledReason={denied ?? stale}
      cancelHref="/networking"
      summary={
        <PlanSummary
          isValid={isValid}
          plan={plan}
          nothing="The addresses are kept for it. No cluster is changed."
        />
      }
    >
      <Field label="Name" required hint={networkNameRule} error={errors['name']}>
        {(control) => (
          <Input
            {...control}
            value={name}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => {
              setName(event.target.value)
              onChange()
            }}
          />
        )}
      </Field>
      <NetworkFields
        draft={draft}
        claims={space.claims}
        errors={shown}
        onChange={(part) => {
          setDraft({ ...draft, ...part })
          onChange()
        }}
      />
      <Field label="Region" required={false} error={errors['region']}>
        {(control) => (
          <Input
            {...control}
            value={region}
            maxLength={60}
            placeholder="eu-central"
            onChange={(event) => setRegion(event.target.value)}
          />
        )}
      </Field>
      <Field label="Description" required={false} error={errors['description']}>
        {(control) => (
          <Input
            {...control}
            value={about}
            maxLength={500}
            onChange={(event) => setAbout(event.target.value)}
          />
        )}
      </Field>
    </FormPage>
  )
}

function nameProblem(text: string): Record<string, string> {
  const name = text.trim()
  if (name === '') return { name: 'Enter a name for the network.' }
  return isValidNetworkName(name) ? {} : { name: networkNameRule }
}

const onlyRanges = (problems: Record<string, string>) =>
  Object.fromEntries(Object.entries(problems).filter(([path]) => path.startsWith('cidr')))

/** A /16 that nobody claims, the smallest gap first. */
function firstFree({ claims }: NetworkSpace): string {
  const taken = claims.flatMap(({ cidr }) => {
    const range = parseRange(cidr)
    return 'problem' in range ? [] : [range]
  })
  return placesFor(rangeOf('10.0.0.0/8'), taken, 16)[0]?.cidr ?? ''
}
