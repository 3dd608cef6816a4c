import { deniedReason } from '@bey/contract'
import { useState } from 'react'
import type { SavingList } from '../../data/billing.ts'
import { useRole } from '../../data/session.ts'
import { useChange } from '../../data/use-change.ts'
import { causeOf } from '../../lib/error-text.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Section } from '../../ui/section.tsx'
import { momentText } from '../../ui/time-text.ts'
import { toast } from '../../ui/toast.ts'
import { SavingAmount } from './saving-amount.tsx'

type Applied = SavingList['applied'][number]

const labels: Readonly<Record<Applied['state'], string>> = {
  applying: 'being applied',
  applied: 'applied',
  failed: 'failed',
  undoing: 'being undone',
  undone: 'undone',
}

/** Savings whose change was made, how each stands, and the way back. */
export function AppliedSavings({ list }: { list: readonly Applied[] }) {
  const [asked, setAsked] = useState<Applied>()
  if (list.length === 0) return null
  return (
    <div className="px-(--gutter) pb-6">
      <Section title="Applied in the last 60 days">
        <ul aria-label="Applied savings" className="border-t border-line">
          {list.map((applied) => (
            <AppliedRow key={applied.id} applied={applied} onUndo={() => setAsked(applied)} />
          ))}
        </ul>
      </Section>
      {asked ? <UndoDialog applied={asked} onClose={() => setAsked(undefined)} /> : null}
    </div>
  )
}

function AppliedRow({ applied, onUndo }: { applied: Applied; onUndo: () => void }) {
  const { text, state, stateText, amount, currency, isDirect, run, appliedAt, appliedBy, canUndo } = applied
  const denied = deniedReason(useRole(), 'clusters.provision')
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-2 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-80">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <strong className="font-semibold wrap-anywhere">{text}</strong>
          <Badge tone={state === 'failed' ? 'danger' : state === 'applied' ? 'ok' : 'neutral'}>
            {labels[state]}
          </Badge>
        </p>
        <p className="mt-1 text-text-2 wrap-anywhere">{stateText}</p>
        <p className="mt-1 text-small text-text-2">
          {appliedBy.name}, {momentText(appliedAt)}
        </p>
      </div>
      <div className="flex items-start gap-3">
        <SavingAmount amount={amount} currency={currency} isDirect={isDirect} />
        {run ? (
          <ButtonLink size="small" href={`/workflows/${run.workflowId}/runs/${run.runId}`}>
            Open run
          </ButtonLink>
        ) : null}
        {canUndo ? (
          <Button size="small" disabledReason={denied} onClick={onUndo}>
            Undo…
          </Button>
        ) : null}
      </div>
    </li>
  )
}

function UndoDialog({ applied, onClose }: { applied: Applied; onClose: () => void }) {
  const undo = useChange('savings.undo')
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Are you sure you want to undo this saving?"
      name={applied.text}
      impactTitle="This follows:"
      impact={[
        applied.kind === 'spare_node'
          ? 'A node is added to the group, and costs as before'
          : 'The requests are as they were before',
      ]}
      action="Undo"
      isDestructive={false}
      busy={undo.isPending}
      error={undo.error && causeOf(undo.error)}
      onConfirm={() =>
        undo.mutate(
          { params: { id: applied.id } },
          {
            onSuccess: ({ text }) => {
              toast('success', text)
              onClose()
            },
          },
        )
      }
    />
  )
}
