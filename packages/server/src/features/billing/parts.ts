import type { Parts } from '../../feature.ts'

export type BillingParts = Pick<Parts, 'database' | 'clock' | 'log' | 'metrics'>
