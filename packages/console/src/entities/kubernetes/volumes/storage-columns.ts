import type { ObjectRow } from '@bey/contract'
import type { Column } from '../../../ui/table.tsx'

type Look = Pick<Column<ObjectRow>, 'width' | 'align' | 'isExtra'>

/** What clusters print of claims and volumes, in the order in which people look at it: what is last goes first. */
const looks = new Map<string, Look>([
  ['status', { width: '5.5rem' }],
  ['capacity', { width: '6rem', align: 'end' }],
  ['claim', { width: '11rem' }],
  ['storageclass', { width: '8rem', isExtra: true }],
  ['access modes', { width: '7.5rem', isExtra: true }],
  ['reclaim policy', { width: '7.5rem', isExtra: true }],
  ['reason', { width: '8rem', isExtra: true }],
  ['volume', { width: '12rem', isExtra: true }],
  ['volumeattributesclass', { width: '11rem', isExtra: true }],
  ['volumemode', { width: '8rem', isExtra: true }],
])

/** Printed columns of claims and volumes with widths of their own, so that those that matter have room at 1280 px. */
export function storageColumns(printed: readonly Column<ObjectRow>[]): readonly Column<ObjectRow>[] {
  const names = [...looks.keys()]
  const rank = ({ header }: Column<ObjectRow>) => {
    const place = names.indexOf(header.toLowerCase())
    return place === -1 ? names.length : place
  }
  return printed
    .toSorted((a, b) => rank(a) - rank(b))
    .map((column) => ({ ...column, isExtra: false, ...looks.get(column.header.toLowerCase()) }))
}
