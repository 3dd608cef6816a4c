import type { NotificationRuleInput } from '@bey/contract'
import {
  notificationDigests,
  notificationEventLabels,
  notificationEvents,
  notificationRuleBounds,
  notificationSeverities,
} from '@bey/contract'
import { useClusters } from '../../data/clusters.ts'
import { useList } from '../../data/use-read.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { SubjectChoice } from '../../ui/subject-choice.tsx'
import { toggled } from './rule-draft.ts'

interface RuleFilterFieldsProps {
  draft: NotificationRuleInput
  eventsError: string | undefined
  onChange: (part: Partial<NotificationRuleInput>) => void
}

const severityLabels = { info: 'Everything', warning: 'Warnings and errors', error: 'Errors only' }
const digestLabels = { none: 'At once', hourly: 'Every hour', daily: 'Every morning at 8:00' }

/** What a rule notifies of, and when. */
export function RuleFilterFields({ draft, eventsError, onChange }: RuleFilterFieldsProps) {
  const clusters = useClusters({ limit: 200 }).data?.clusters ?? []
  const workflows = useList('workflows.list', { query: { limit: 200 } }).data?.workflows ?? []
  return (
    <>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 font-medium">Notify of</legend>
        {notificationEvents.map((event) => (
          <Checkbox
            key={event}
            label={notificationEventLabels[event]}
            checked={draft.events.includes(event)}
            onChange={({ target }) => onChange({ events: toggled(draft.events, event, target.checked) })}
          />
        ))}
        {eventsError ? (
          <p role="alert" className="text-small text-danger">
            {eventsError}
          </p>
        ) : null}
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Severity">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={draft.minSeverity}
              options={notificationSeverities.map((value) => ({ value, label: severityLabels[value] }))}
              onChange={({ target }) => {
                const found = notificationSeverities.find((each) => each === target.value)
                if (found) onChange({ minSeverity: found })
              }}
            />
          )}
        </Field>
        <Field label="Whose">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={draft.whose}
              options={[
                { value: 'anyone', label: 'Everybody’s' },
                { value: 'mine', label: 'Only what concerns the recipient' },
              ]}
              onChange={({ target }) => onChange({ whose: target.value === 'mine' ? 'mine' : 'anyone' })}
            />
          )}
        </Field>
        <SubjectChoice
          label="Clusters"
          all="Every cluster"
          more="Add a cluster…"
          subjects={clusters.map(({ id, title }) => ({ id, name: title }))}
          chosen={draft.clusterIds}
          max={notificationRuleBounds.maxSubjects}
          onChange={(clusterIds) => onChange({ clusterIds })}
        />
        <SubjectChoice
          label="Workflows"
          all="Every workflow"
          more="Add a workflow…"
          subjects={workflows}
          chosen={draft.workflowIds}
          max={notificationRuleBounds.maxSubjects}
          onChange={(workflowIds) => onChange({ workflowIds })}
        />
        <Field label="When">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={draft.digest}
              options={notificationDigests.map((value) => ({ value, label: digestLabels[value] }))}
              onChange={({ target }) => {
                const found = notificationDigests.find((each) => each === target.value)
                if (found) onChange({ digest: found })
              }}
            />
          )}
        </Field>
      </div>
    </>
  )
}
