import type { SqlEstimate } from '@bey/contract'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { formatMs } from './result-text.ts'

export type EstimateText = {
  /** What it reads and how long it takes: the answer. */
  lead: string
  /** Whether it changes anything, and for which values this holds. */
  rest: string
}

const verbs = {
  insert: 'Inserts into',
  update: 'Changes',
  delete: 'Deletes from',
  merge: 'Merges into',
} as const

/** "reads all 6.1 M rows of orders, about 1.6 s. Changes nothing." */
export function estimateText(
  estimate: SqlEstimate,
  isWriting: boolean,
  names: readonly string[],
): EstimateText {
  const { history, expectedRows, isForAnyValues, changes } = estimate
  const isChange = changes.length > 0
  const found =
    expectedRows === null || isChange
      ? undefined
      : `finds about ${formatCount(Math.round(expectedRows), 'row')}`
  const time = history === null ? undefined : `took ${formatMs(history.meanMs)} on average before`
  return {
    lead: `${[readsText(estimate), found, time].filter((part) => part !== undefined).join(', ')}.`,
    rest: [
      changesText(estimate, isWriting),
      isForAnyValues ? `For any value of ${names.map((name) => `:${name}`).join(', ')}.` : '',
    ]
      .filter((part) => part !== '')
      .join(' '),
  }
}

function readsText({ reads }: SqlEstimate): string {
  const whole = reads.filter(({ isWhole }) => isWhole).map(wholeText)
  const part = reads.filter(({ isWhole }) => !isWhole).map(({ relation }) => relation)
  if (whole.length === 0 && part.length === 0) return 'reads no table from end to end'
  return [
    whole.length === 0 ? undefined : `reads all ${listText(whole)}`,
    part.length === 0
      ? undefined
      : `${whole.length === 0 ? 'reads ' : ''}${listText(part)} until it has enough rows`,
  ]
    .filter((text) => text !== undefined)
    .join(' and ')
}

const wholeText = ({ relation, rows }: SqlEstimate['reads'][number]) =>
  rows === null ? `of ${relation}` : `${formatNumber(Math.round(rows))} rows of ${relation}`

function changesText({ changes, locksRows, expectedRows }: SqlEstimate, isWriting: boolean): string {
  if (!isWriting) {
    return changes.length > 0 || locksRows
      ? 'PostgreSQL will refuse it: this console only reads.'
      : 'Changes nothing.'
  }
  if (changes.length > 0) {
    const rows = expectedRows === null ? '' : `, about ${formatCount(Math.round(expectedRows), 'row')}`
    return `${changes.map(({ operation, relation }) => `${verbs[operation]} ${relation}`).join('; ')}${rows}.`
  }
  return `${locksRows ? 'Locks the rows that it reads. ' : ''}Its plan changes nothing; a function that it calls could.`
}

/** What is known where PostgreSQL gives no plan. */
export function unplannedText(message: string, code: string, statement: string): string {
  if (code === '42501') return `PostgreSQL refuses it here: ${message}.`
  if (code === '55P03') {
    return 'Not known now: a table that it needs is locked, and it would wait as well. Locks shows for whom.'
  }
  const hasPlan = /^\s*\(*\s*(?:select|with|insert|update|delete|merge|values|table)\b/i.test(
    statement.replaceAll(/--.*$|\/\*[\s\S]*?\*\//gm, ''),
  )
  if (code === '42601' && !hasPlan)
    return 'PostgreSQL plans queries and changes of rows alone: nothing is known of it.'
  return `PostgreSQL does not accept it: ${message}.`
}

const listText = (texts: readonly string[]) =>
  texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1) ?? ''}`
