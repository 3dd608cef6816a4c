import type { Cluster } from '@bey/contract'
import { useState } from 'react'
import { useChange } from '../../data/use-change.ts'
import { ProblemText } from '../../entities/clusters/problem-text.tsx'
import { causeOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'

/** Takes another kubeconfig for the same cluster; it is tested before the old one goes. */
export function ReplaceCredentialsDialog({ cluster, onClose }: { cluster: Cluster; onClose: () => void }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string>()
  const read = useChange('kubeconfig.read')
  const replace = useChange('clusters.replaceCredentials')
  const contexts = read.data?.contexts ?? []
  const context =
    contexts.find((each) => each.context === (chosen ?? read.data?.currentContext)) ?? contexts[0]
  const error = read.error ?? replace.error
  const submit = () => {
    if (context === undefined) read.mutate({ body: { kubeconfig: text } })
    else
      replace.mutate(
        { params: { id: cluster.id }, body: { kubeconfig: text, context: context.context } },
        { onSuccess: onClose },
      )
  }
  const reason =
    text.trim() === ''
      ? 'Paste a kubeconfig first.'
      : context && context.problems.length > 0
        ? 'This context cannot be used.'
        : undefined
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Replace the credentials of ${cluster.title}`}
      description="The new connection is tested first. If it does not work, the old one stays. What is open by the old one ends."
      isModalStrict
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            busy={read.isPending || replace.isPending}
            disabledReason={reason}
            onClick={submit}
          >
            {context === undefined ? 'Read' : 'Test and replace'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="Kubeconfig" error={error ? causeOf(error) : undefined}>
          {(control) => (
            <TextArea
              {...control}
              value={text}
              onChange={(event) => {
                setText(event.target.value)
                setChosen(undefined)
                read.reset()
                replace.reset()
              }}
              rows={10}
              spellCheck={false}
              autoComplete="off"
              className="font-mono text-small"
            />
          )}
        </Field>
        {context === undefined ? null : (
          <Field label="Context" hint={context.server}>
            {(control) => (
              <Select
                {...control}
                value={context.context}
                onChange={(event) => {
                  setChosen(event.target.value)
                  replace.reset()
                }}
                options={contexts.map((each) => ({ value: each.context, label: each.context }))}
              />
            )}
          </Field>
        )}
        {context?.problems.map((problem) => (
          <ProblemText key={problem.title} problem={problem} />
        ))}
      </div>
    </Dialog>
  )
}
