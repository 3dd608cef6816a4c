import {
  clusterLimits,
  databaseCan,
  deniedReason,
  parameterLines,
  parseParameters,
  volumeRefusal,
} from '@bey/contract'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { useSubmission } from '../../../lib/use-submission.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { toast } from '../../../ui/toast.ts'
import { problemOfParameters } from './cluster-draft.ts'

type Cluster = NonNullable<Database['cluster']>

/** What can be changed of a Cluster: only what differs is sent. */
export function ClusterForm({ database, cluster }: { database: Database; cluster: Cluster }) {
  const before = {
    instances: cluster.instances ?? 1,
    storage: cluster.storage ?? '',
    parameters: parameterLines(cluster.parameters),
  }
  const [draft, setDraft] = useState(before)
  const stale = useStaleReason()
  const role = useRole()
  const denied = stale ?? deniedReason(role, 'databases.operate')
  const invalid = problemsOf(draft, before)
  const body = Object.keys(invalid).length > 0 ? {} : changeOf(draft, before)
  const isSame = Object.keys(body).length === 0
  const { errors, refusal, isBusy, onChange, onSubmit } = useSubmission({
    mutation: useChange('databases.changeCluster'),
    invalid,
    input: isSame ? undefined : { params: { id: database.id }, body },
    lost: isSame ? undefined : 'the change that you describe',
    onSaved: () => toast('success', 'The change is under way'),
  })
  const change = (part: Partial<typeof draft>) => {
    setDraft({ ...draft, ...part })
    onChange()
  }
  return (
    <form
      noValidate
      aria-label="Cluster"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Instances" required error={errors['instances']}>
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={String(draft.instances)}
              options={Array.from(
                { length: Math.max(clusterLimits.instances, before.instances) },
                (_, index) => ({
                  value: String(index + 1),
                  label: String(index + 1),
                }),
              )}
              onChange={(event) => change({ instances: Number(event.target.value) })}
            />
          )}
        </Field>
        <Field label="Volume of each" required hint="It grows only." error={errors['storage']}>
          {(control) => (
            <Input
              {...control}
              value={draft.storage}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => change({ storage: event.target.value })}
            />
          )}
        </Field>
      </div>
      <Field
        label="Parameters"
        required={false}
        hint="One per line: work_mem = 8MB"
        error={errors['parameters']}
      >
        {(control) => (
          <TextArea
            {...control}
            rows={5}
            className="font-mono text-small"
            spellCheck={false}
            value={draft.parameters}
            onChange={(event) => change({ parameters: event.target.value })}
          />
        )}
      </Field>
      {refusal === undefined ? null : (
        <Notice tone="danger" title="The database was not changed">
          {refusal}
        </Notice>
      )}
      <div>
        <Button
          type="submit"
          busy={isBusy}
          disabled={isSame && Object.keys(invalid).length === 0}
          disabledReason={denied ?? databaseCan.changeCluster(database)}
        >
          Change
        </Button>
      </div>
    </form>
  )
}

type Draft = { instances: number; storage: string; parameters: string }

function problemsOf({ storage, parameters }: Draft, before: Draft): Record<string, string> {
  const size = storage === before.storage ? undefined : volumeRefusal(before.storage, storage.trim())
  const lines = parameters === before.parameters ? undefined : problemOfParameters(parameters)
  return {
    ...(size === undefined ? {} : { storage: size }),
    ...(lines === undefined ? {} : { parameters: lines }),
  }
}

function changeOf({ instances, storage, parameters }: Draft, before: Draft) {
  return {
    ...(instances === before.instances ? {} : { instances }),
    ...(storage === before.storage ? {} : { storage: storage.trim() }),
    ...(parameters === before.parameters ? {} : { parameters: parseParameters(parameters) }),
  }
}
