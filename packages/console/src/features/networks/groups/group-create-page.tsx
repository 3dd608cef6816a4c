import { deniedReason, networkCan } from '@bey/contract'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Network, SecurityGroup } from '../../../data/networks.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { useRead } from '../../../data/use-read.ts'
import { networkHref } from '../../../entities/networks/network-text.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { useSubmission } from '../../../lib/use-submission.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FormPage, FormPagePlaceholder } from '../../../ui/form-page.tsx'
import { type GroupDraft, GroupFields, GroupPlan, problemsOf } from './group-form.tsx'

const title = 'Create security group'
const description = 'Rules add up: what none of them lets in is closed.'

/** Makes a group of rules and puts it on pods. */
export function GroupCreatePage() {
  const { id = '' } = useParams({ strict: false })
  const network = useRead('networks.get', { params: { id } })
  const groups = useRead('securityGroups.list', { params: { id } })
  const failure = failureOf('Failed to fetch the network', network)
  if (network.data && groups.data) return <CreateForm network={network.data} groups={groups.data.groups} />
  return (
    <FormPagePlaceholder title={title} description={description}>
      {failure ? <ErrorState {...failure} /> : undefined}
    </FormPagePlaceholder>
  )
}

function CreateForm({ network, groups }: { network: Network; groups: readonly SecurityGroup[] }) {
  const [draft, setDraft] = useState<GroupDraft>({
    name: '',
    description: '',
    filtersIn: true,
    filtersOut: false,
    rules: [],
    targets: [],
  })
  const navigate = useNavigate()
  const stale = useStaleReason()
  const denied = deniedReason(useRole(), 'networks.update')
  const invalid = problemsOf(draft, network, groups)
  const { name: _, ...ofRules } = invalid
  const {
    errors,
    refusal,
    onChange,
    wasSubmitted: __,
    ...submission
  } = useSubmission({
    mutation: useChange('securityGroups.create'),
    invalid,
    input:
      Object.keys(invalid).length > 0
        ? undefined
        : { params: { id: network.id }, body: { ...draft, name: draft.name.trim() } },
    lost: draft.name === '' && draft.rules.length === 0 ? undefined : 'the group that you describe',
    fieldOfCode: { name_taken: 'name' },
    onSaved: () => void navigate({ href: networkHref(network.id, 'groups'), replace: true }),
  })
  return (
    <FormPage
      title={title}
      description={description}
      {...submission}
      refusal={refusal === undefined ? undefined : { title: 'The group was not created', detail: refusal }}
      disabledReason={denied ?? stale ?? networkCan.change(network)}
      cancelHref={networkHref(network.id, 'groups')}
      summary={<GroupPlan draft={draft} isValid={Object.keys(invalid).length === 0} networkId={network.id} />}
    >
      <GroupFields
        draft={draft}
        network={network}
        groups={groups}
        errors={{ ...ofRules, ...errors }}
        isNew
        onChange={(part) => {
          setDraft({ ...draft, ...part })
          onChange()
        }}
      />
    </FormPage>
  )
}
