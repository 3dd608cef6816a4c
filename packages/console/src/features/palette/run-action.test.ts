import { expect, test } from 'vitest'
import { listenForShown, type ToastMessage } from '../../ui/toast.ts'
import { runAction } from './run-action.ts'

test('an action that throws is reported with its cause, and one that works is not', () => {
  const toasts: ToastMessage[] = []
  const stop = listenForShown((message) => toasts.push(message))
  runAction(() => undefined)
  runAction(() => {
    throw new Error('The clipboard is closed.')
  })
  stop()
  expect(toasts).toMatchObject([
    { type: 'error', text: 'Action failed', description: 'The clipboard is closed.' },
  ])
})
