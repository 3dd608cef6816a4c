import type { BudgetAction, CallInput } from '@bey/contract'
import { usageServices, usageServiceTitles } from '@bey/contract'
import { useState } from 'react'
import type { Budget } from '../../data/billing.ts'
import { useChange } from '../../data/use-change.ts'
import { useList } from '../../data/use-read.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'

type Draft = { name: string; amount: string; by: Budget['scope']['by']; key: string; action: BudgetAction }

const scopes = [
  { value: 'all', label: 'Everything' },
  { value: 'service', label: 'A service' },
  { value: 'cluster', label: 'A cluster' },
  { value: 'namespace', label: 'A namespace' },
  { value: 'owner', label: 'What a person owns' },
] as const

const actions = [
  { value: 'notify', label: 'Notify only' },
  { value: 'pause_new_runs', label: 'Notify, and let new runs wait after 24 hours' },
] as const

const amountPattern = /^\d{1,12}(\.\d{1,2})?$/

interface BudgetDialogProps {
  /** The budget that is changed; undefined for a new one. */
  budget?: Budget
  /** Of the prices. */
  currency: string
  onClose: () => void
}

/** Sets or changes a budget. */
export function BudgetDialog({ budget, currency, onClose }: BudgetDialogProps) {
  const [draft, setDraft] = useState<Draft>({
    name: budget?.name ?? '',
    amount: budget?.amount.replace(/\.00$/, '') ?? '',
    by: budget?.scope.by ?? 'all',
    key: budget?.scope.key ?? '',
    action: budget?.action ?? 'notify',
  })
  const create = useChange('budgets.create')
  const update = useChange('budgets.update')
  const invalid = problemsOf(draft)
  const body: CallInput<'budgets.create'>['body'] = {
    name: draft.name,
    amount: draft.amount,
    currency,
    scope: { by: draft.by, key: draft.by === 'all' ? '' : draft.key },
    action: draft.action,
  }
  const saved = () => {
    toast('success', budget ? 'The budget was changed.' : 'The budget was set.')
    onClose()
  }
  const lost =
    draft.name === (budget?.name ?? '') && draft.amount === '' ? undefined : 'the budget that you describe'
  const creation = useSubmission({
    mutation: create,
    invalid,
    input: { body },
    lost: budget ? undefined : lost,
    fieldOfCode: { name_taken: 'name' },
    onSaved: saved,
  })
  const change = useSubmission({
    mutation: update,
    invalid,
    input: budget && { params: { id: budget.id }, body: { ...body, version: budget.version } },
    lost: undefined,
    fieldOfCode: { name_taken: 'name' },
    onSaved: saved,
  })
  const { errors, refusal, onSubmit, onChange, isBusy } = budget ? change : creation
  const set = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part })
    onChange()
  }
  return (
    <Dialog open onOpenChange={onClose} title={budget ? 'Edit budget' : 'Set a budget'} isModalStrict>
      <form
        noValidate
        className="flex flex-col gap-4 pb-1"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        <Field label="Name" required error={errors['name']}>
          {(control) => (
            <Input
              {...control}
              value={draft.name}
              maxLength={63}
              onChange={(event) => set({ name: event.target.value })}
            />
          )}
        </Field>
        <Field label={`Amount a month, ${currency}`} required error={errors['amount']}>
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              value={draft.amount}
              onChange={(event) => set({ amount: event.target.value.trim() })}
            />
          )}
        </Field>
        <Field label="For">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={draft.by}
              options={scopes}
              // The value is one of the options.
              onChange={(event) => set({ by: event.target.value as Draft['by'], key: '' })}
            />
          )}
        </Field>
        {draft.by === 'all' ? null : (
          <ScopeField
            draft={draft}
            error={errors['scope'] ?? errors['scope.key']}
            onChange={(key) => set({ key })}
          />
        )}
        <Field label="When it is exceeded" hint="Clusters, databases and running runs are never stopped.">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={draft.action}
              options={actions}
              // The value is one of the options.
              onChange={(event) => set({ action: event.target.value as BudgetAction })}
            />
          )}
        </Field>
        {refusal === undefined ? null : (
          <Notice tone="danger" title="The budget was not saved">
            {refusal}
          </Notice>
        )}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {budget ? 'Save changes' : 'Set budget'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** What was metered this month, to choose from. */
function ScopeField({
  draft,
  error,
  onChange,
}: {
  draft: Draft
  error: string | undefined
  onChange: (key: string) => void
}) {
  const { by, key } = draft
  const rows =
    useList('billing.spend', { query: { by, limit: 200 } }, { isEnabled: by !== 'service' }).data?.rows ?? []
  const metered = rows.filter((row) => row.key !== 'idle').map((row) => ({ value: row.key, label: row.name }))
  const known =
    by === 'service' ? usageServices.map((value) => ({ value, label: usageServiceTitles[value] })) : metered
  const options =
    key === '' || known.some(({ value }) => value === key) ? known : [{ value: key, label: key }, ...known]
  return (
    <Field label={scopes.find(({ value }) => value === by)?.label ?? ''} required error={error}>
      {(control) => (
        <Select
          {...control}
          className="w-full"
          value={key}
          options={[{ value: '', label: 'Choose', disabled: true }, ...options]}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

function problemsOf({ name, amount, by, key }: Draft): Record<string, string> {
  return {
    ...(name.trim() === '' && { name: 'Enter a name for the budget.' }),
    ...((!amountPattern.test(amount) || Number(amount) === 0) && {
      amount: 'Enter an amount like 7200 or 7200.50.',
    }),
    ...(by !== 'all' && key === '' && { scope: 'Choose what the budget is for.' }),
  }
}
