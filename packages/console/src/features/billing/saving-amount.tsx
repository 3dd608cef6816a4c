import { estimateText } from '../../entities/billing/money.ts'

interface SavingAmountProps {
  amount: string
  currency: string
  /** Whether the change itself costs less; else it makes room that costs less once a node is removed. */
  isDirect: boolean
}

/** What a saving is worth in a month. */
export function SavingAmount({ amount, currency, isDirect }: SavingAmountProps) {
  return (
    <p className="text-right">
      <span className="block font-medium tabular-nums">{estimateText(amount, currency)}</span>
      <span className="block text-small text-text-2">
        {isDirect ? 'a month, estimated' : 'a month of room, estimated'}
      </span>
    </p>
  )
}
