import type { SecurityRule } from '@bey/contract/networks/security-group-rules'
import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { SecurityGroup } from '../../../data/networks.ts'
import { useMergedDraft } from './use-merged-draft.ts'

const rule = (port: string): SecurityRule => ({
  direction: 'in',
  action: 'allow',
  protocol: 'tcp',
  ports: [port],
  peer: { kind: 'anywhere' },
  note: '',
})
const group = (version: number, ports: string[]): SecurityGroup => ({
  id: '019a0000-0000-7000-8000-000000000001',
  networkId: '019a0000-0000-7000-8000-000000000002',
  name: 'front',
  description: '',
  filtersIn: true,
  filtersOut: false,
  rules: ports.map(rule),
  targets: [],
  version,
  createdBy: { type: 'user', id: '1', name: 'Ada', email: null },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
})
const portsOf = (rules: readonly SecurityRule[]) => rules.flatMap(({ ports }) => ports)

test('what others save is merged into what is typed, and a rule that both changed is chosen', () => {
  const { result, rerender } = renderHook(({ shown }) => useMergedDraft(shown), {
    initialProps: { shown: group(1, ['1', '2', '3']) },
  })
  act(() => result.current.setDraft({ ...result.current.draft, rules: ['1', '20', '3', '4'].map(rule) }))
  rerender({ shown: group(2, ['1', '21', '3', '5']) })
  expect(portsOf(result.current.draft.rules)).toEqual(['1', '20', '3', '4', '5'])
  const [conflict] = result.current.merge?.conflicts ?? []
  expect(conflict).toMatchObject({ kind: 'rule', number: 2 })
  if (conflict) act(() => result.current.answer(conflict, 'theirs'))
  expect(portsOf(result.current.draft.rules)).toEqual(['1', '21', '3', '4', '5'])
  expect(result.current.merge?.conflicts).toEqual([])

  // What was saved comes back, and the form begins anew from it.
  rerender({ shown: group(3, ['1', '21', '3', '4', '5']) })
  expect(result.current.merge).toBeUndefined()
  rerender({ shown: group(4, ['1']) })
  expect(portsOf(result.current.draft.rules)).toEqual(['1'])
})
