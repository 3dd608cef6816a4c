import { statusesOfEvents, webhookBounds } from '@bey/contract'
import { useRead } from '../../data/use-read.ts'
import { SubjectChoice } from '../../ui/subject-choice.tsx'
import type { WebhookDraft } from './webhook-draft.ts'

interface FilterFieldsProps {
  draft: WebhookDraft
  error: string | undefined
  onChange: (filters: WebhookDraft['filters']) => void
}

/** Which messages of the chosen events are sent. */
export function FilterFields({ draft: { events, filters }, error, onChange }: FilterFieldsProps) {
  const clusters = useRead('clusters.list', { query: { limit: 200 } }).data?.clusters ?? []
  const workflows = useRead('workflows.list', { query: { limit: 200 } }).data?.workflows ?? []
  const max = webhookBounds.maxFiltered
  // What was chosen for events that are not any more can still be seen and removed.
  const statuses = [...new Set([...statusesOfEvents(events), ...filters.statuses])]
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" aria-describedby="webhook-filters-hint">
      <legend className="mb-1.5 font-medium text-text">Filters</legend>
      <p id="webhook-filters-hint" className="text-small text-text-2">
        With statuses, a message that carries another one is not sent. With workflows or clusters, only
        messages about one of them are sent.
      </p>
      <div className="grid gap-4 sm:grid-cols-3">
        <SubjectChoice
          label="Statuses"
          all="Every status"
          more="Add a status…"
          subjects={statuses.map((status) => ({ id: status, name: status }))}
          chosen={filters.statuses}
          max={max}
          onChange={(chosen) => onChange({ ...filters, statuses: chosen })}
        />
        <SubjectChoice
          label="Workflows"
          all="Every workflow"
          more="Add a workflow…"
          subjects={workflows}
          chosen={filters.workflowIds}
          max={max}
          onChange={(workflowIds) => onChange({ ...filters, workflowIds })}
        />
        <SubjectChoice
          label="Clusters"
          all="Every cluster"
          more="Add a cluster…"
          subjects={clusters.map(({ id, title }) => ({ id, name: title }))}
          chosen={filters.clusterIds}
          max={max}
          onChange={(clusterIds) => onChange({ ...filters, clusterIds })}
        />
      </div>
      <p role="alert" className={error ? 'text-small text-danger' : 'hidden'}>
        {error}
      </p>
    </fieldset>
  )
}
