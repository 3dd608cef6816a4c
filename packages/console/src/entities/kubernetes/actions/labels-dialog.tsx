import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { sendToCluster, useClusterAct } from '../../../data/kubernetes-proxy.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import type { ActionDialogProps } from './action-dialog.tsx'
import { placeText, Waiting } from './action-dialog.tsx'
import { ActionForm } from './action-form.tsx'
import type { ActionTarget } from './action.ts'
import type { KeyChanges } from './any-object-actions.ts'
import { labelLines, labelsRequest } from './any-object-actions.ts'
import type { KeyRow } from './key-rows.ts'
import { changesOf, problemsOf, rowsOf } from './key-rows.ts'
import { useTarget } from './use-target.ts'

type LabelsProps = Omit<ActionDialogProps, 'action'>

/** Edits labels and annotations; only the keys that were changed are sent. */
export function LabelsDialog(props: LabelsProps) {
  const { address, onClose } = props
  const { target, failure } = useTarget(address)
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Labels and annotations of ${address.name}`}
      description={placeText(address)}
      size="wide"
      isModalStrict
    >
      {target ? <LabelsForm {...props} target={target} /> : <Waiting failure={failure} />}
    </Dialog>
  )
}

function LabelsForm({ target: given, onClose, onDone }: LabelsProps & { target: ActionTarget }) {
  // As it was when the dialog opened: live changes must not move what is being typed.
  const [target] = useState(given)
  const { labels: oldLabels = {}, annotations: oldAnnotations = {} } = target.object.metadata ?? {}
  const [labels, setLabels] = useState<readonly KeyRow[]>(() => rowsOf(oldLabels))
  const [annotations, setAnnotations] = useState<readonly KeyRow[]>(() => rowsOf(oldAnnotations))
  const labelProblems = problemsOf(labels, 'label')
  const annotationProblems = problemsOf(annotations, 'annotation')
  const isValid = [...labelProblems, ...annotationProblems].every((problem) => problem === undefined)
  const changes = {
    labels: changesOf(oldLabels, labels),
    annotations: changesOf(oldAnnotations, annotations),
  }
  const isChanged = Object.keys({ ...changes.labels, ...changes.annotations }).length > 0
  const act = useClusterAct((sent: { labels: KeyChanges; annotations: KeyChanges }) =>
    sendToCluster(target.clusterId, labelsRequest(target, sent.labels, sent.annotations)),
  )
  const kubectl = isValid && isChanged ? labelLines(target, changes.labels, changes.annotations) : ''
  return (
    <ActionForm
      action="Save"
      isValid={isValid && isChanged}
      isBusy={act.isPending}
      error={act.error}
      kubectl={kubectl}
      onClose={onClose}
      onSubmit={() =>
        act.mutate(changes, {
          onSuccess: () => onDone({ text: 'Labels and annotations saved', kubectl, next: undefined }),
        })
      }
    >
      <KeyEditor noun="label" rows={labels} problems={labelProblems} onChange={setLabels} />
      <KeyEditor
        noun="annotation"
        rows={annotations}
        problems={annotationProblems}
        onChange={setAnnotations}
      />
    </ActionForm>
  )
}

function KeyEditor({
  noun,
  rows,
  problems,
  onChange,
}: {
  noun: 'label' | 'annotation'
  rows: readonly KeyRow[]
  problems: readonly (string | undefined)[]
  onChange: (rows: readonly KeyRow[]) => void
}) {
  const change = (id: number, values: Partial<KeyRow>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...values } : row)))
  const nextId = rows.reduce((max, { id }) => Math.max(max, id), 0) + 1
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium">{noun === 'label' ? 'Labels' : 'Annotations'}</legend>
      {rows.map((row, index) => (
        <div key={row.id} className="grid gap-1">
          <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] gap-2">
            <Input
              aria-label={`Key of ${noun} ${index + 1}`}
              aria-invalid={problems[index] ? true : undefined}
              className="font-mono text-small"
              value={row.key}
              placeholder="key"
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => change(row.id, { key: event.target.value })}
            />
            <Input
              aria-label={`Value of ${noun} ${row.key || index + 1}`}
              className="font-mono text-small"
              value={row.value}
              placeholder="value"
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => change(row.id, { value: event.target.value })}
            />
            <IconButton
              label={`Remove ${noun} ${row.key || index + 1}`}
              icon={<X size={14} aria-hidden />}
              onClick={() => onChange(rows.filter(({ id }) => id !== row.id))}
            />
          </div>
          {problems[index] && row.key !== '' ? (
            <p role="alert" className="text-small text-danger">
              {problems[index]}
            </p>
          ) : null}
        </div>
      ))}
      <div>
        <Button
          size="small"
          icon={<Plus size={14} aria-hidden />}
          onClick={() => onChange([...rows, { id: nextId, key: '', value: '' }])}
        >
          Add {noun}
        </Button>
      </div>
    </fieldset>
  )
}
