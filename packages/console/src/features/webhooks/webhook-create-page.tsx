import { deniedReason } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useOrganizationId, useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { CommandDetails } from '../../ui/command-details.tsx'
import { Facts } from '../../ui/facts.tsx'
import { FormPage } from '../../ui/form-page.tsx'
import { Section } from '../../ui/section.tsx'
import { ShownSecret } from '../../entities/webhooks/shown-secret.tsx'
import type { WebhookDraft } from './webhook-draft.ts'
import { emptyDraft, readDraft } from './webhook-draft.ts'
import { WebhookFields } from './webhook-fields.tsx'
import { webhookHref } from './webhook-text.ts'

/** Where it is said which events go where, and where the signing secret is shown once. */
export function WebhookCreatePage() {
  const [draft, setDraft] = useState(emptyDraft)
  const { input, invalid } = readDraft(draft)
  const navigate = useNavigate()
  const stale = useStaleReason()
  const denied = deniedReason(useRole(), 'webhooks.manage')
  const mutation = useChange('webhooks.create', { isSecret: true })
  const { errors, refusal, onChange, ...submission } = useSubmission({
    mutation,
    invalid,
    input: input && { body: input },
    lost: draft.name === '' && draft.url === '' ? undefined : 'the webhook that you describe',
    fieldOfCode: { name_taken: 'name' },
    onSaved: () => undefined,
  })
  const change = (part: Partial<WebhookDraft>) => {
    setDraft({ ...draft, ...part })
    onChange()
  }
  return (
    <>
      <FormPage
        title="Create webhook"
        description="Calls a system of yours when something happens here."
        {...submission}
        summary={<Summary draft={draft} />}
        refusal={
          refusal === undefined ? undefined : { title: 'The webhook was not created', detail: refusal }
        }
        disabledReason={denied ?? stale}
        cancelHref="/workspaces/settings/webhooks"
      >
        <WebhookFields draft={draft} errors={errors} onChange={change} />
      </FormPage>
      {mutation.data ? (
        <ShownSecret
          made={mutation.data}
          onDone={() => void navigate({ href: webhookHref(mutation.data.webhook.id), replace: true })}
        />
      ) : null}
    </>
  )
}

function Summary({ draft }: { draft: WebhookDraft }) {
  const organizationId = useOrganizationId()
  const { input } = readDraft(draft)
  // A command is kept in the history of a shell: values of headers stay in the form.
  const body = input && {
    ...input,
    headers: Object.fromEntries(Object.keys(input.headers ?? {}).map((name) => [name, '…'])),
  }
  const create = body && apiCommand('Create this webhook', 'webhooks.create', { body }, organizationId)
  usePageCommands(create ? [create] : [])
  return (
    <Section title="What will happen" isCard>
      <Facts
        facts={[
          {
            label: 'Messages of',
            value: `${draft.events.length} ${draft.events.length === 1 ? 'event' : 'events'}`,
          },
          { label: 'Signed', value: 'by Standard Webhooks' },
          { label: 'Answered in', value: '15 s at most' },
          { label: 'Tried', value: '10 times over about 3 days' },
          { label: 'Kept in the log', value: '30 days' },
        ]}
      />
      {create ? <CommandDetails label="Command that creates this webhook" text={create.text} /> : null}
    </Section>
  )
}
